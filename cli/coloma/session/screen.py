"""Where a session is shown: how wide, with which colours, and how it is covered."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from typing import TYPE_CHECKING

import attrs

from coloma.output import say, say_styled
from rulesdsl.source.excerpt import visible

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 80
NARROWEST = 40
_HEIGHT = 24
_ENDLESS = 1_000_000  # lines of what is no terminal: nothing scrolls away there

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # the cursor home, the screen, and what has scrolled off it
_SCROLL_AWAY = "\n" * 100  # for a terminal that cannot clear


class Ink(StrEnum):
    """The colours, as the escape sequences that terminals understand."""

    TITLE = "\x1b[1;36m"
    PROMPT = "\x1b[1m"
    NUMBER = "\x1b[33m"
    FAINT = "\x1b[2m"
    WRONG = "\x1b[31m"


_PLAIN_INK = "\x1b[0m"
_INKS = (*Ink, _PLAIN_INK)


@attrs.frozen
class Screen:
    """The standard output of a session.

    `plain` is for screen readers and pipes: no boxes and no colour. `box_drawing` tells whether
    the terminal has the signs for boxes; `can_clear` whether it is a terminal that obeys.
    """

    plain: bool = False
    colour: bool = False
    box_drawing: bool = True
    is_terminal: bool = False
    can_clear: bool = False
    width: int = WIDTH
    height: int = _HEIGHT

    def line(self, text: str = "", ink: Ink | None = None) -> None:
        """Show one line or several."""
        say(self.paint(text, ink), inks=_INKS if self.colour else ())

    def show(self, lines: Iterable[Text]) -> None:
        """Show lines of several colours; signs that this terminal lacks are replaced."""
        say_styled(
            (each if self.box_drawing else _in_ascii(each) for each in lines), colour=self.colour
        )

    def part(self, text: str) -> None:
        """Show the beginning of a line, such as the sign that waits for an answer."""
        say(text, nl=False)

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """Show that somebody thinks, where there is a terminal that can, as long as they do."""
        if self.plain or not self.can_clear:
            return nullcontext()
        from rich.console import Console
        from rich.text import Text

        console = Console(no_color=not self.colour, highlight=False)
        return console.status(Text(text), spinner="dots" if self.box_drawing else "line")

    def paint(self, text: str, ink: Ink | None) -> str:
        """Return the text in a colour, where there are colours."""
        return f"{ink}{text}{_PLAIN_INK}" if ink and text and self.colour else text

    def cover(self) -> None:
        """Take everything off the screen that the next person must not see."""
        if self.can_clear:
            say(_CLEAR, nl=False, inks=[_CLEAR])
        elif self.is_terminal:
            self.part(_SCROLL_AWAY)


def screen_for(*, plain: bool) -> Screen:
    """Return the screen as the surroundings want it."""
    is_terminal = sys.stdout.isatty()
    dumb = os.environ.get("TERM", "dumb") == "dumb" and os.name != "nt"
    wants_colour = not plain and not os.environ.get("NO_COLOR")
    columns, lines = shutil.get_terminal_size((WIDTH, _HEIGHT))
    return Screen(
        plain=plain,
        width=max(columns, NARROWEST),
        height=lines if is_terminal else _ENDLESS,
        colour=is_terminal and wants_colour and not dumb,
        box_drawing=_can_show(_SIGNS),
        is_terminal=is_terminal,
        can_clear=is_terminal and not dumb,
    )


def shown(text: str) -> str:
    """Return a text of the content as one line that steers no terminal."""
    return visible(" ".join(text.split()), keep="")


_SIGNS, _ASCII = "…·─│○╲╱", "~--|o\\/"  # noqa: RUF001 - these are lines


def _in_ascii(line: Text) -> Text:
    from rich.text import Text

    plain = line.plain.translate(str.maketrans(_SIGNS, _ASCII))
    return Text(plain, line.style, spans=line.spans, end=line.end)


def _can_show(signs: str) -> bool:
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
