"""The one place where text goes out: what would steer a terminal is taken out of it there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer
from rich.color import ColorSystem
from rich.console import Console

from rulesdsl.source.excerpt import visible

if TYPE_CHECKING:
    from rich.text import Text

_COLOURS = ColorSystem.STANDARD
_CONSOLE = Console(color_system="standard", force_terminal=True)
_KEPT = "\n\t"


def say(text: str = "", *, err: bool = False, nl: bool = True, inks: Iterable[str] = ()) -> None:
    """Show text, on stderr where it is about an `err`or; of escape sequences only `inks` stay.

    Texts and names in it may come from any file: controls, and marks that turn the writing
    round, are shown as a replacement sign.
    """
    ours = [*inks]
    parts = re.split(f"({'|'.join(map(re.escape, ours))})", text) if ours else [text]
    shown = [each if each in ours else visible(each, _KEPT) for each in parts]
    typer.echo("".join(shown), err=err, nl=nl, color=True if ours else None)


def say_styled(lines: Iterable[Text], *, colour: bool) -> None:
    """Show lines with their styles, where there are colours; and nothing in them that steers."""
    for line in lines:
        parts = line.render(_CONSOLE) if colour else ()
        shown = "".join(
            each.style.render(visible(each.text, ""), color_system=_COLOURS)
            if each.style
            else visible(each.text, "")
            for each in parts
        )
        typer.echo(shown if colour else visible(line.plain, ""), color=colour or None)
