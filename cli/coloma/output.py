"""The one place where text goes out: what would steer a terminal is taken out of it there."""

from __future__ import annotations

import re
from collections.abc import Iterable

import typer

from rulesdsl.source.excerpt import visible

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
