"""A game in progress, as the commands use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coloma.engine.shown import BoardPanel, LogLine, Printed, Result


class Option(Protocol):
    """One thing that can be chosen."""

    @property
    def id(self) -> str:
        """A stable word made from the content."""

    @property
    def label(self) -> str:
        """What people read."""

    @property
    def about(self) -> str:
        """The id of what is printed on the entry that it names, empty where it names none."""

    @property
    def text(self) -> str:
        """What that entry says about itself, where the label says not what it does."""


class Decision(Protocol):
    """A point where somebody has to choose. Labels are built when `options` is asked for."""

    @property
    def player(self) -> int:
        """Who is asked, from 1."""

    @property
    def prompt(self) -> str:
        """What is asked."""

    @property
    def options(self) -> Sequence[Option]:
        """What can be chosen."""

    @property
    def count(self) -> int:
        """How many options there are."""

    @property
    def hidden(self) -> bool:
        """Whether the others cannot tell what is offered."""

    @property
    def sealed(self) -> bool:
        """Whether the answer stays secret until all have given theirs."""


class Game(Protocol):
    """A game in progress."""

    @property
    def players(self) -> int:
        """How many seats decide; they are the first of `seats`."""

    @property
    def seats(self) -> Sequence[str]:
        """The names of all seats."""

    @property
    def seed(self) -> int:
        """The seed it was set up with."""

    @property
    def decision(self) -> Decision | None:
        """The first open decision."""

    @property
    def decisions(self) -> Sequence[Decision]:
        """All open decisions; several during a sealed choice."""

    @property
    def result(self) -> Result | None:
        """How it ended, `None` before."""

    @property
    def log(self) -> Sequence[LogLine]:
        """Everything that happened."""

    @property
    def log_length(self) -> int:
        """How many lines the log has, without making them."""

    def log_since(self, start: int) -> Sequence[LogLine]:
        """Return the lines of the log from an index on."""

    @property
    def learned(self) -> int:
        """A number that grows whenever anybody learns something."""

    @property
    def printed(self) -> Sequence[Printed]:
        """What is printed on the entries of the game: what everybody may read."""

    def choose(self, option: int | str, player: int | None = None) -> object:
        """Take an option by its index from 0 or its id; `ValueError` if it cannot be taken."""

    def clone(self) -> Self:
        """Copy the game."""

    def board(self, viewer: int | None) -> Sequence[BoardPanel]:
        """Return the board as a player sees it, or as everybody may."""
