"""A pack, and what can be said about one, as the commands use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coloma.engine.game import Game
    from rulesdsl import Simulator
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import SourceFile, Span

OptionValue: TypeAlias = bool | int | str


class OptionInfo(Protocol):
    """One option of a pack."""

    @property
    def name(self) -> str:
        """What it is called in `--option name=value`."""

    def parse(self, text: str) -> OptionValue:
        """Return the value that a text stands for; `ValueError` with the allowed ones."""


class Pack(Protocol):
    """A game's rules, loaded and checked."""

    @property
    def id(self) -> str:
        """The id from its manifest."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def version(self) -> str:
        """Its version."""

    @property
    def mods(self) -> Sequence[str]:
        """The ids of its mods, in the order in which they are loaded."""

    @property
    def digest(self) -> str:
        """A number that changes with the content."""

    @property
    def files(self) -> Mapping[str, str]:
        """The SHA-256 of every file."""

    @property
    def players(self) -> tuple[int, int]:
        """How many can play, at least and at most."""

    @property
    def options(self) -> Sequence[OptionInfo]:
        """Its options."""

    def new_game(
        self,
        players: int = 2,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        *,
        log: bool = True,
    ) -> Game:
        """Set a game up; `ValueError` for what cannot be played."""

    def setting(self, players: int, options: Mapping[str, OptionValue], *, log: bool) -> Setting:
        """Return what is compiled for so many players; `ValueError` as `new_game`."""

    def simulator(
        self, players: int = 2, options: Mapping[str, OptionValue] | None = None
    ) -> Simulator:
        """Return what plays games by the thousand; `ValueError` for what cannot be played."""


class Report(Protocol):
    """What was found in a pack, and the texts that it was found in."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, sorted."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those of them that keep the pack from being played."""

    @property
    def sources(self) -> Mapping[str, SourceFile]:
        """The files by the paths under which they are shown."""


class SourceLine(Protocol):
    """A number of the content, and where it comes from."""

    @property
    def source(self) -> str:
        """The rulebook, arithmetic, or ourselves."""

    @property
    def span(self) -> Span:
        """Where it stands."""

    @property
    def name(self) -> str:
        """What it is."""

    @property
    def value(self) -> object:
        """The number."""
