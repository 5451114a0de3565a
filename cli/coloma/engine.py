"""The part of the engine's public interface that the commands use, and the way to it.

It is written down as protocols so that the sessions can be tested on a game of ten lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from rulesdsl.source.diagnostic import Diagnostic, Findings, LintError
from rulesdsl.source.span import SourceFile, Span

if TYPE_CHECKING:
    from rulesdsl import Vocabulary
    from rulesdsl.packs.layers import Layered

OptionValue: TypeAlias = bool | int | str


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
    def sealed(self) -> bool:
        """Whether the answer stays secret until all have given theirs."""


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


class Report(Protocol):
    """What was found in a pack, and the texts that it was found in."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, sorted."""

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


def load_pack(path: Path, mods: Sequence[Path] = ()) -> Pack:
    """Read and check a pack; `LintError` if it cannot be played."""
    import rulesdsl

    return rulesdsl.load(path, mods)


def usual_players(pack: Pack) -> int:
    """Return how many play where nobody says: two, or as near to it as the game goes."""
    least, most = pack.players
    return min(max(2, least), most)


def layers_of(path: Path, mods: Sequence[Path] = ()) -> Layered:
    """Read a game and its mods and put them in order; `LintError` if that cannot be done."""
    from rulesdsl.check.read import read_layers

    findings = Findings()
    sources: dict[str, SourceFile] = {}
    layers = read_layers(path, mods, findings, sources)
    if layers is None or findings.has_errors:
        raise LintError(findings.sorted(), sources)
    return layers


def lint_pack(path: Path, mods: Sequence[Path] = ()) -> Report:
    """Read and check a pack, whatever is wrong with it."""
    import rulesdsl

    return rulesdsl.lint(path, mods)


def sources_of(path: Path, mods: Sequence[Path] = ()) -> Mapping[str, SourceFile]:
    """Return the texts of a pack by the paths under which they are shown."""
    return lint_pack(path, mods).sources


def words_of(path: Path, mods: Sequence[Path] = ()) -> Vocabulary:
    """Return what a game and its mods declare; `LintError` if it cannot be read."""
    import rulesdsl

    return rulesdsl.vocabulary(path, mods)


def numbers_of(path: Path, mods: Sequence[Path] = ()) -> Sequence[SourceLine]:
    """Return the numbers of a pack that are not the rulebook's; `LintError` if it is broken."""
    import rulesdsl

    return rulesdsl.sources(path, mods)
