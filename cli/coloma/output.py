"""Output and errors of commands, with control characters replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

from rulesdsl.source.render import visible

if TYPE_CHECKING:
    from rich.text import Text

_KEPT = "\n\t"


def say(text: str = "", *, err: bool = False, nl: bool = True, inks: Iterable[str] = ()) -> None:
    """Print text on stdout, or on stderr if `err` is true.

    The text may contain names from any file, so control characters, and characters that change the
    writing direction, are replaced. `inks` are the escape sequences to let through.
    """
    ours = [*inks]
    parts = re.split(f"({'|'.join(map(re.escape, ours))})", text) if ours else [text]
    shown = [each if each in ours else visible(each, _KEPT) for each in parts]
    typer.echo("".join(shown), err=err, nl=nl, color=True if ours else None)


def say_styled(lines: Iterable[Text], *, colour: bool) -> None:
    """Print styled lines; control characters are replaced."""
    from rich.color import ColorSystem  # most commands print no styled lines
    from rich.console import Console

    console = Console(color_system="standard", force_terminal=True)
    for line in lines:
        parts = line.render(console) if colour else ()
        shown = "".join(
            each.style.render(visible(each.text, ""), color_system=ColorSystem.STANDARD)
            if each.style
            else visible(each.text, "")
            for each in parts
        )
        typer.echo(shown if colour else visible(line.plain, ""), color=colour or None)


def abridged(names: Sequence[str], most: int) -> str:
    """Join names with commas; a long list is cut, and the rest is counted."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


FINDINGS = 1
USAGE = 2
INTERRUPTED = 130


class CommandError(Exception):
    """Error message for the user, with the exit status."""

    def __init__(self, message: str, status: int = FINDINGS) -> None:
        self.status = status
        super().__init__(message)
