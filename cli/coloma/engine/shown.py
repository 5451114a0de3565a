"""What a game shows, as the commands read it: a log, a board, what is printed, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.source.span import Span


class LogLine(Protocol):
    """One line of what happened."""

    @property
    def actor(self) -> int:
        """The seat that did it, from 1; 0 for the game itself."""

    @property
    def text(self) -> str:
        """What happened, secrets included."""

    @property
    def places(self) -> Sequence[Span]:
        """The lines of the rules behind it, the innermost first."""

    @property
    def learned(self) -> int:
        """The game's `learned` when it happened."""

    def seen_text(self, viewer: int) -> str:
        """Return what one player may read; 0 is somebody who sees only what is public."""


class BoardPanel(Protocol):
    """One panel of the board: rows of a label and a text."""

    @property
    def title(self) -> str:
        """The heading."""

    @property
    def seat(self) -> int | None:
        """Whose panel it is, `None` if nobody's."""

    @property
    def rows(self) -> Sequence[tuple[str, str]]:
        """The rows."""


class Printed(Protocol):
    """What is printed on an entry: on all its pieces, wherever they lie."""

    @property
    def id(self) -> str:
        """Its kind, a colon, and its own id."""

    @property
    def kind(self) -> str:
        """The title of its kind."""

    @property
    def title(self) -> str:
        """What people call it."""

    @property
    def rows(self) -> Sequence[tuple[str, str]]:
        """Its fields: a label, and the words for what the field holds."""


class Verdict(Protocol):
    """What the end of a game means for a player."""

    @property
    def word(self) -> str:
        """One of won, drawn and lost."""

    @property
    def text(self) -> str:
        """The words of the rules for it."""


class Result(Protocol):
    """How a game ended. Sequences go by the seats that take part in the scoring."""

    @property
    def seats(self) -> Sequence[str]:
        """Their names."""

    @property
    def places(self) -> Sequence[int]:
        """Their ranks: 1 is best, ties share."""

    @property
    def scores(self) -> Sequence[int]:
        """Their points."""

    @property
    def breakdown(self) -> Sequence[tuple[str, Sequence[int]]]:
        """Where the points come from: a title and every seat's part."""

    @property
    def verdicts(self) -> Sequence[Verdict | None]:
        """What it means for each player, `None` where the rules do not say it."""
