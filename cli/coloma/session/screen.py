"""The terminal of a session: width, colours, and text measured in cells."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from itertools import zip_longest
from typing import TYPE_CHECKING

import attrs
from rich.cells import cell_len, chop_cells

from coloma.output import say, say_styled
from rulesdsl.source.render import visible

if TYPE_CHECKING:
    from rich.text import Text


def wrapped(text: str, cells: int) -> list[str]:
    """Break text at spaces, and words longer than a line anywhere; return at least one line."""
    lines = [""]
    for word in text.split(" "):
        # the empty word, and combining marks alone, have no pieces
        for piece in chop_cells(word, max(cells, 2)) or [word]:
            joined = f"{lines[-1]} {piece}" if lines[-1] else piece
            if cell_len(joined) <= cells:
                lines[-1] = joined
            else:
                lines.append(piece)
    return lines


def hanging(text: str, cells: int) -> list[str]:
    """Break text into lines, with all but the first line indented further."""
    margin = " " * (len(text) - len(text.lstrip(" ")))
    first, *rest = wrapped(text.lstrip(" "), cells - 2 - len(margin))
    return [margin + first, *(f"{margin}  {line}" for line in rest)]


def side_by_side(columns: Sequence[Sequence[Text]], gap: int, widths: Sequence[int]) -> list[Text]:
    """Join columns line by line; a cell wider than its column extends into the gap."""
    from rich.text import Text

    lines = []
    for parts in zip_longest(*columns, fillvalue=Text()):
        line = Text()
        for cells, part in zip(widths, parts, strict=True):
            line.append_text(part)
            line.append(" " * (cells - part.cell_len + gap))
        line.rstrip()
        lines.append(line)
    return lines


PLAIN_VARIABLE = "COLOMA_PLAIN"
"""The environment variable that stands for `--plain` in all commands."""
WIDTH = 80
NARROWEST = 40
_HEIGHT = 24
_ENDLESS = 1_000_000  # height in lines of an output that is not a terminal

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # cursor home, clear the screen and the scrollback
_SCROLL_AWAY = "\n" * 100  # for terminals that cannot clear


class Ink(StrEnum):
    """Text colour, as a terminal escape sequence."""

    TITLE = "\x1b[1;36m"
    PROMPT = "\x1b[1m"
    NUMBER = "\x1b[33m"
    FAINT = "\x1b[2m"
    WRONG = "\x1b[31m"


_PLAIN_INK = "\x1b[0m"
_INKS = (*Ink, _PLAIN_INK)


@attrs.frozen
class Screen:
    """Standard output of a session.

    `plain` is for screen readers and pipes: no boxes and no colour. `box_drawing` is True if the
    terminal can show box characters, `can_clear` if it can be cleared. An editor of input needs
    some lines `below` it.
    """

    plain: bool = False
    colour: bool = False
    box_drawing: bool = True
    is_terminal: bool = False
    can_clear: bool = False
    width: int = WIDTH
    height: int = _HEIGHT
    below: int = 0

    def line(self, text: str = "", ink: Ink | None = None) -> None:
        """Print text and a line ending."""
        say(self.paint(text, ink), inks=_INKS if self.colour else ())

    def show(self, lines: Iterable[Text]) -> None:
        """Print styled lines; characters that the terminal cannot show are replaced."""
        say_styled(
            (each if self.box_drawing else _in_ascii(each) for each in lines), colour=self.colour
        )

    def part(self, text: str) -> None:
        """Print text without a line ending, such as a prompt."""
        say(text, nl=False)

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """Show a spinner while the context is open, if the terminal supports it."""
        if self.plain or not self.can_clear:
            return nullcontext()
        from rich.console import Console
        from rich.text import Text

        console = Console(no_color=not self.colour, highlight=False)
        return console.status(Text(text), spinner="dots" if self.box_drawing else "line")

    def resized(self) -> Screen:
        """Return this screen in the present size of its window."""
        if not (self.is_terminal and sys.stdout.isatty()):
            return self
        columns, lines = shutil.get_terminal_size((self.width, self.height + self.below))
        height = max(lines - self.below, 1)
        return attrs.evolve(self, width=max(columns, NARROWEST), height=height)

    def paint(self, text: str, ink: Ink | None) -> str:
        """Return text in a colour, if colours are in use."""
        return f"{ink}{text}{_PLAIN_INK}" if ink and text and self.colour else text

    def cover(self) -> None:
        """Clear the screen and the scrollback before another player looks."""
        if self.can_clear:
            say(_CLEAR, nl=False, inks=[_CLEAR])
        elif self.is_terminal:
            self.part(_SCROLL_AWAY)


def screen_for(*, plain: bool) -> Screen:
    """Return a screen that suits standard output and the environment variables."""
    plain = plain or bool(os.environ.get(PLAIN_VARIABLE))
    is_terminal = sys.stdout.isatty()
    dumb = os.environ.get("TERM", "dumb") == "dumb" and os.name != "nt"
    wants_colour = not plain and not os.environ.get("NO_COLOR")
    columns, _ = shutil.get_terminal_size((WIDTH, _HEIGHT))
    screen = Screen(
        plain=plain,
        width=max(columns, NARROWEST),
        height=_ENDLESS,
        colour=is_terminal and wants_colour and not dumb,
        box_drawing=_can_encode(_SIGNS),
        is_terminal=is_terminal,
        can_clear=is_terminal and not dumb,
    )
    return screen.resized()


def shown(text: str) -> str:
    """Return text from the content on one line, with control characters replaced."""
    return visible(" ".join(text.split()), keep="")


_SIGNS, _ASCII = "…·─│○╲╱", "~--|o\\/"  # noqa: RUF001 - these are lines


def _in_ascii(line: Text) -> Text:
    from rich.text import Text

    plain = line.plain.translate(str.maketrans(_SIGNS, _ASCII))
    return Text(plain, line.style, spans=line.spans, end=line.end)


def _can_encode(signs: str) -> bool:
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
