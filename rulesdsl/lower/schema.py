"""Schema of the state: what it consists of, what things are called, and who sees them.

The builder emits it beside the flat form.  Back ends and sessions know a game by these two: what
is computed by the form, what its numbers mean by the schema.  They see nothing of the checker; its
declarations of pieces, places, tracks and the like are handed on here, as are the types of values
and the nodes that say what a question asks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.cost_bound import MAX_GAME
from rulesdsl.check.declare.names import title_of
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.check.program import Eyes
from rulesdsl.check.typed import (
    DECLINE,
    DONE,
    YES,
    Asking,
    ChangeTrack,
    Const,
    Decide,
    Domain,
    Line,
    Local,
    Secretly,
    SetFlag,
    Words,
    walk,
)
from rulesdsl.check.types import Type
from rulesdsl.check.world import (
    EntryInfo,
    FieldInfo,
    FlagInfo,
    KindInfo,
    OptionInfo,
    PieceInfo,
    PlaceInfo,
    TrackInfo,
)
from rulesdsl.source.english import spoken
from rulesdsl.source.span import Span
from rulesdsl.syntax.printer import print_expression

if TYPE_CHECKING:
    from rulesdsl.check.program import Program

__all__ = [
    "DECLINE",
    "DONE",
    "MAX_GAME",
    "MAX_REPEATS",
    "Asking",
    "Const",
    "Decide",
    "Domain",
    "EntryInfo",
    "Eyes",
    "FieldInfo",
    "FlagInfo",
    "HomeCells",
    "KindInfo",
    "Line",
    "Local",
    "OptionInfo",
    "PieceInfo",
    "PlaceInfo",
    "Procedure",
    "Schema",
    "ScoringLine",
    "Secretly",
    "TrackInfo",
    "Type",
    "Words",
    "schema_of",
    "title_of",
    "unfollowed",
]


@attrs.frozen
class Procedure:
    """A procedure: what it is called, where it is written, and whether it may ask somebody."""

    title: str
    span: Span
    decides: bool


@attrs.frozen
class HomeCells:
    """The cells in which pieces begin: an index along each dimension, None for their owner's."""

    place: str
    dims: tuple[int | None, ...]


@attrs.frozen
class ScoringLine:
    """A line of the final scoring: its title, and the value that it adds, by name and layer."""

    title: str
    value: tuple[str, int]


@attrs.frozen
class Schema:
    """The declarations of a game, and what is computed of a position, by names."""

    file: str  # the first of its rules
    pieces: dict[str, PieceInfo]
    places: dict[str, PlaceInfo]
    tracks: dict[str, TrackInfo]
    flags: dict[str, FlagInfo]
    homes: dict[str, HomeCells]
    plurals: dict[str, str]  # of pieces, tracks and flags
    procs: dict[str, Procedure]
    guarded: frozenset[str]  # procedures that cannot always be carried out
    values: dict[tuple[str, int], Type]  # by name and layer
    scores: tuple[ScoringLine, ...]
    ranking: tuple[tuple[bool, str], ...]  # whether the most comes first, and what is compared
    verdicts: tuple[tuple[str, str], ...]  # a word and a text
    work: int  # rounds and calls between two questions, at the most


def schema_of(program: Program) -> Schema:
    """Return the schema of a checked program."""
    world, procs = program.world, program.procs.values()
    counted = [*world.pieces, *world.tracks, *world.flags]
    homes = {
        piece: HomeCells(
            home.cells.place,
            tuple(each.value if isinstance(each, Const) else None for each in home.cells.dims),
        )
        for piece, home in program.homes.items()
    }
    compared = [each.value for each in world.wins[-1].ranking] if world.wins else []
    told = [spoken(re.sub(r"\bmy ", "", print_expression(each))) for each in compared]
    return Schema(
        world.start.file,
        world.pieces,
        world.places,
        world.tracks,
        world.flags,
        homes,
        {each: world.plural(each) for each in counted},
        {each.key: Procedure(each.title, each.span, each.decides) for each in procs},
        frozenset(key for key, guard in program.guards.items() if guard != YES),
        {key: each.body.type for key, each in program.values.items()},
        tuple(
            ScoringLine(each.score_title or each.name, (each.name, len(each.hooks)))
            for each in world.scores
        ),
        tuple(
            (most, told[at].replace(" + ", " and ") if told else "score")
            for at, (most, _) in enumerate(program.ranking)
        ),
        tuple((each.word, each.text) for each in program.verdicts),
        program.work,
    )


def unfollowed(program: Program) -> frozenset[str]:
    """Return the tracks and flags that change where not everybody can tell of what and by what."""
    steps = [step for each in program.procs.values() for step in walk(each.body)]
    tracks = (e.track for e in steps if isinstance(e, ChangeTrack) and not e.followed)
    flags = (e.flag for e in steps if isinstance(e, SetFlag) and not e.followed)
    return frozenset((*tracks, *flags))
