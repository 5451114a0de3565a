"""Schema of the state: its parts, their titles and their visibility."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulesdsl.check.analysis.cost import MAX_GAME
from rulesdsl.check.analysis.intervals import MAX_REPEATS
from rulesdsl.check.symbols.declare import NOTHING, title_of
from rulesdsl.check.symbols.symbol_table import (
    EntryInfo,
    FieldInfo,
    FlagInfo,
    KindInfo,
    MemoryInfo,
    OptionSymbol,
    PieceInfo,
    PlaceInfo,
    TrackInfo,
)
from rulesdsl.check.symbols.types import Type
from rulesdsl.check.typed import (
    DECLINE,
    DONE,
    YES,
    Asking,
    Cases,
    ChangeTrack,
    Const,
    Decide,
    Domain,
    EndPieces,
    FlagCell,
    Local,
    Lying,
    MessageText,
    OptionLine,
    Peek,
    RandomOf,
    Secretly,
    SetFlag,
    ShuffleCells,
    TrackCell,
    walk,
)
from rulesdsl.check.typed.conditions import atoms, fixed
from rulesdsl.check.typed.program import VERDICT, Eyes, Program
from rulesdsl.source.span import Span
from rulesdsl.syntax.declarations import VerdictDecl

# Back ends and sessions see only the flat form of a game and its schema: the form computes, and
# the schema gives meaning to the numbers. The checker's classes for declarations, types and
# questions are re-exported here, so that later layers need not import the checker.


__all__ = [
    "DECLINE",
    "DONE",
    "MAX_GAME",
    "MAX_REPEATS",
    "NOTHING",
    "YES",
    "Asking",
    "Const",
    "Decide",
    "Domain",
    "EndPieces",
    "EntryInfo",
    "Eyes",
    "FieldInfo",
    "FlagCell",
    "FlagInfo",
    "HomeCells",
    "KindInfo",
    "Local",
    "Lying",
    "MemoryInfo",
    "MessageText",
    "OptionLine",
    "OptionSymbol",
    "PieceInfo",
    "PlaceInfo",
    "Procedure",
    "Schema",
    "ScoringLine",
    "Secretly",
    "TrackCell",
    "TrackInfo",
    "Type",
    "has_open_information",
    "has_perfect_information",
    "is_cooperative",
    "schema_of",
    "title_of",
    "untraceable",
]


@attrs.frozen
class Procedure:
    """Title and location of a procedure; `decides` if it may ask a question."""

    title: str
    span: Span
    decides: bool


@attrs.frozen
class HomeCells:
    """Initial cells for a kind of piece: an index for each dimension, or None for the owner."""

    place: str
    dims: tuple[int | None, ...]


@attrs.frozen
class ScoringLine:
    """Line of the final scoring: its title, and its value by name and layer.

    `track` is the open track of the seat that is its value, if any.
    """

    title: str
    value: tuple[str, int]
    track: str = ""


@attrs.frozen
class Verdict:
    """The outcome for a player: `won`, `drawn` or `lost`, and the reason."""

    word: str
    text: str


@attrs.frozen
class Schema:
    """Declarations of a game and the values computed from a position, by name."""

    file: str  # its first rules file
    pieces: dict[str, PieceInfo]
    places: dict[str, PlaceInfo]
    tracks: dict[str, TrackInfo]
    flags: dict[str, FlagInfo]
    shown: dict[str, TrackInfo]  # players to whom hidden tracks and flags are shown, in bits
    homes: dict[str, HomeCells]
    plurals: dict[str, str]  # plurals of pieces, tracks and flags
    procs: dict[str, Procedure]
    guarded: frozenset[str]  # procedures with a precondition
    values: dict[tuple[str, int], Type]  # by name and layer
    scores: tuple[ScoringLine, ...]
    ranking: tuple[bool, ...]  # for each criterion: does more rank higher?
    verdicts: tuple[Verdict, ...]
    verdict: tuple[str, int]  # value of the number of a player's verdict, -1 for none
    work: int  # upper bound on the iterations and calls between two questions


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
    return Schema(
        world.start.file,
        world.pieces,
        world.places,
        world.tracks,
        world.flags,
        world.shown,
        homes,
        {each: world.plural(each) for each in counted},
        {each.key: Procedure(each.title, each.span, each.decides) for each in procs},
        frozenset(key for key, guard in program.guards.items() if guard != YES),
        {key: each.body.type for key, each in program.values.items()},
        tuple(
            ScoringLine(each.score_title or each.name, key, _scored_track(program, key))
            for each in world.scores
            for key in [(each.name, len(each.hooks))]
        ),
        tuple(most for most, _ in program.ranking),
        tuple(Verdict(each.word.text, each.text.words[0]) for each in world.endings(VerdictDecl)),
        VERDICT,
        program.work,
    )


def _scored_track(program: Program, key: tuple[str, int]) -> str:
    body = program.values[key].body
    if not isinstance(body, TrackCell) or program.world.tracks[body.track].seen_by is not None:
        return ""
    own = [isinstance(each, Local) and each.name == "me" for each in body.dims]
    return body.track if own == [True] else ""


def untraceable(program: Program) -> frozenset[str]:
    """Return the tracks and flags with changes that some players cannot follow."""
    steps = [step for each in program.procs.values() for step in walk(each.body)]
    tracks = (e.track for e in steps if isinstance(e, ChangeTrack) and not e.followed)
    flags = (e.flag for e in steps if isinstance(e, SetFlag) and not e.followed)
    return frozenset((*tracks, *flags))


def is_cooperative(program: Program, players: int, options: Mapping[str, int]) -> bool:
    """Return whether the verdict is always stated, and the same for all players."""
    body = program.values[VERDICT].body
    for condition, _ in body.cases if isinstance(body, Cases) else ():
        parts = {fixed(part, players, options) for part in atoms(condition)}
        if parts <= {1}:
            return True
        used = (node.name for node in walk(condition) if isinstance(node, Local))
        if 0 not in parts and "me" in used:
            return False
    return False


def has_open_information(program: Program) -> bool:
    """Return whether nothing in a game is ever hidden from a player, or chosen in secret."""
    world = program.world
    hidden = any(of.seen_by for of in (*world.places.values(), *world.counters))
    nodes = (node for proc in program.procs.values() for node in proc.nodes)
    return not hidden and not any(isinstance(node, Secretly) for node in nodes)


def has_perfect_information(program: Program) -> bool:
    """Return whether nothing in a game is ever hidden, chosen in secret or drawn at random."""
    world = program.world
    printed = {piece.name for piece in world.pieces.values() if piece.style == "printed"}
    hidden = (
        printed.intersection(place.holds) for place in world.places.values() if place.seen_by
    )
    if any(hidden) or any(counter.seen_by for counter in world.counters):
        return False
    nodes = (node for proc in program.procs.values() for node in proc.nodes)
    return not any(isinstance(node, Secretly | ShuffleCells | RandomOf) for node in nodes)


def shows_pieces(program: Program) -> bool:
    """Return whether rules show pieces where they lie, and keep them before players' eyes."""
    nodes = (node for proc in program.procs.values() for node in proc.nodes)
    return any(isinstance(node, Peek) and node.keeps for node in nodes)
