"""What is true of every kind of node, said once: the analyses read this table.

A slot that an entry leaves out says that a node of this kind does nothing of the sort. Entries
speak of the node alone; going on to what is inside it, or called by it, is up to the analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.program import RANKING

if TYPE_CHECKING:
    from rulesdsl.check.program import Computed, Program
    from rulesdsl.check.world import Cell

N = TypeVar("N")
T = TypeVar("T")
_InField = ty.FieldOf | ty.HasEffect | ty.Formula | ty.CanDo | ty.DoField
_Moving = ty.MoveCounted | ty.MoveSingle | ty.MovePrinted | ty.MoveSome
Of: TypeAlias = Callable[[N], Iterable[T]]
In: TypeAlias = "Callable[[N, Program], Iterable[T]]"


@attrs.frozen
class Flow:
    """The blocks of which one is carried out: perhaps none, and perhaps again and again."""

    blocks: tuple[ty.Block, ...]
    surely: bool = True
    again: bool = False


class _Acting(Protocol):
    @property
    def me(self) -> ty.Value: ...


def _nothing(*_: object) -> tuple[()]:
    return ()


def _none(_: object) -> None:
    return None


def _me(node: _Acting) -> ty.Value:
    return node.me


@attrs.frozen
class Facts(Generic[N]):
    """What a kind of node does by itself."""

    kind: type[N]
    # the state
    reads: In[N, Cell] = _nothing
    writes: In[N, Cell] = _nothing
    takes: In[N, Cell] = _nothing  # what it takes from, where something is there
    gives: In[N, Cell] = _nothing  # what it may add to
    random: bool = False
    # what is called
    runs: In[N, str] = _nothing  # one of these procedures
    asks: In[N, str] = _nothing  # the guard of one of these procedures
    computes: In[N, Computed] = _nothing
    # what it is made of
    flow: Callable[[N], Flow | None] = _none
    rounds: Callable[[N], ty.Value | ty.Domain | None] = _none  # how often it goes round
    binds: Of[N, str] = _nothing  # locals for what follows it
    within: Of[N, str] = _nothing  # locals for what is inside it
    # who acts
    actor: Callable[[N], ty.Value | None] = _none
    decides: bool = False
    sealed: bool = False  # all decide at once, and it has no actor
    # what is made use of: a set of `lints.uses.Uses`, and a name in it
    uses: Of[N, tuple[str, Any]] = _nothing


# -------------------------------------------------------------------- what several kinds share
def _lies(node: ty.Lying | ty.EndPieces | ty.EndOf, program: Program) -> list[Cell]:
    return [program.world.cell(node.piece, node.cells.place)]


def _from(node: ty.MovePrinted | ty.MoveSome, program: Program) -> Iterable[Cell]:
    """Return where printed pieces may come from."""
    base = node.domain.unfiltered if isinstance(node, ty.MoveSome) else node.subject
    if isinstance(base, ty.RandomOf | ty.BestOf):
        base = base.domain.unfiltered
    if isinstance(base, ty.Lying | ty.EndPieces | ty.EndOf):
        return _lies(base, program)
    return program.world.everywhere(_piece(node))


def _source(node: ty.MoveCounted, program: Program) -> list[Cell]:
    return [program.world.cell(node.piece, node.source.place)]


def _piece(node: _Moving) -> str:
    return node.domain.element.of if isinstance(node, ty.MoveSome) else node.piece


def _target(node: _Moving, program: Program) -> list[Cell]:
    return [program.world.cell(_piece(node), node.target.place)]


def _takes_printed(node: ty.MovePrinted | ty.MoveSome, program: Program) -> set[Cell]:
    """Return what a move takes from: the one place it comes from, and all outside its target."""
    sources, (target,) = {*_from(node, program)}, _target(node, program)
    if len(sources) > 1:
        return set()
    return sources if target in sources else {*sources, _outside(target)}


def _gives_printed(node: ty.MovePrinted | ty.MoveSome, program: Program) -> set[Cell]:
    """Return what a move adds to: its target, and all outside the places it may come from."""
    target = _target(node, program)
    return {*target, *map(_outside, {*_from(node, program)} - {*target})}


def _outside(cell: Cell) -> Cell:
    return ("o", *cell[1:])


def _stacks(node: ty.ShiftPiece, program: Program) -> list[Cell]:
    places = program.world.places.values()
    return [
        program.world.cell(node.piece, each.name)
        for each in places
        if each.stack and node.piece in each.holds
    ]


def _shuffled(node: ty.ShuffleCells, program: Program) -> list[Cell]:
    place = program.world.places[node.cells.place]
    return [program.world.cell(piece, place.name) for piece in place.holds]


def _scores(_: ty.ScoreOf, program: Program) -> list[Computed]:
    return [(line.name, len(line.hooks)) for line in program.world.scores]


def _lines(node: ty.Decide) -> Flow | None:
    return None if node.onward else Flow(node.blocks, surely=node.stop is None, again=node.again)


def _field(node: _InField) -> list[tuple[str, tuple[str, str]]]:
    return [("fields", (node.kind, node.field))]


# -------------------------------------------------------------------- the table
_OF_VALUES: tuple[Facts[Any], ...] = (
    *map(Facts, (ty.Const, ty.Local, ty.Text, ty.SeatNumber, ty.Seats, ty.Chart, ty.TableAt)),
    *map(Facts, (ty.Bundle, ty.MakeBundle, ty.BundlePart, ty.Arith, ty.Comparison, ty.IsSome)),
    *map(Facts, (ty.And, ty.Or, ty.Negation, ty.Cases, ty.EntryOf, ty.OwnerOf)),
    *map(Facts, (ty.CountOf, ty.AnyOf, ty.MemberOf, ty.PositionIn)),
    Facts(ty.Setting, uses=lambda n: [("options", n.option)]),
    Facts(ty.LetIn, within=lambda n: [n.name]),
    Facts(ty.FieldOf, uses=_field),
    Facts(ty.HasEffect, uses=_field),
    Facts(ty.Formula, computes=lambda n, _: [(n.kind, n.field)], uses=_field),
    Facts(
        ty.CallValue,
        computes=lambda n, _: [(n.name, n.layer)],
        uses=lambda n: [("values", n.name)],
    ),
    Facts(ty.ScoreOf, computes=_scores),
    Facts(ty.StandingOf, computes=lambda _, __: [RANKING]),
    Facts(ty.Ring, uses=lambda n: [("kinds", n.kind)]),
    Facts(ty.Can, asks=lambda n, _: [n.proc]),
    Facts(ty.CanDo, asks=lambda n, program: program.meant(n), uses=_field),
    Facts(
        ty.TrackCell,
        reads=lambda n, _: [("t", n.track, "")],
        uses=lambda n: [("tracks_read", n.track)],
    ),
    Facts(
        ty.FlagCell,
        reads=lambda n, _: [("f", n.flag, "")],
        uses=lambda n: [("flags_read", n.flag)],
    ),
    Facts(
        ty.Located,
        reads=lambda n, program: program.world.everywhere(n.piece),
        uses=lambda n: [("places", n.place)],
    ),
    Facts(ty.SumOf, rounds=lambda n: n.domain, within=lambda n: [n.variable]),
    Facts(ty.BestOf, rounds=lambda n: n.domain, within=lambda n: [n.variable]),
    Facts(ty.FirstOf, rounds=lambda n: n.values, within=lambda n: [n.variable]),
    Facts(ty.EndOf, reads=_lies),
    Facts(ty.RandomOf, random=True),
)

_OF_DOMAINS: tuple[Facts[Any], ...] = (
    *map(Facts, (ty.AllSeats, ty.Numbers, ty.Listed, ty.AnyWhere)),
    Facts(ty.Entries, uses=lambda n: [("kinds", n.kind)]),
    Facts(ty.Lying, reads=_lies),
    Facts(ty.EndPieces, reads=_lies),
    Facts(ty.Filtered, rounds=lambda n: n.base, within=lambda n: [n.variable]),
    Facts(ty.Cells, uses=lambda n: [("places", n.place)]),
)

_OF_CHANGES: tuple[Facts[Any], ...] = (
    Facts(
        ty.MoveCounted,
        writes=lambda n, program: [*_source(n, program), *_target(n, program)],
        takes=lambda n, program: [] if n.up_to else _source(n, program),
        gives=_target,
        actor=_me,
        uses=lambda n: [("pieces", n.piece)],
    ),
    Facts(ty.MoveSingle, writes=_target, gives=_target, actor=_me),
    Facts(
        ty.MovePrinted,
        writes=lambda n, program: {*_from(n, program), *_target(n, program)},
        takes=lambda n, program: [] if n.subject.type.maybe else _takes_printed(n, program),
        gives=_gives_printed,
        actor=_me,
    ),
    Facts(
        ty.MoveSome,
        writes=lambda n, program: {*_from(n, program), *_target(n, program)},
        takes=lambda n, program: [] if n.up_to else _takes_printed(n, program),
        gives=_gives_printed,
        actor=_me,
    ),
    Facts(
        ty.ChangeTrack,
        writes=lambda n, _: [("t", n.track, "")],
        takes=lambda n, _: [("u" if n.up else "t", n.track, "")],
        gives=lambda n, _: [("t" if n.up else "u", n.track, "")],
        actor=_me,
        uses=lambda n: [("tracks_changed", n.track)],
    ),
    Facts(
        ty.SetFlag,
        writes=lambda n, _: [("f", n.flag, "")],
        takes=lambda n, _: [("f", n.flag, "")] if n.on else [],
        gives=lambda n, _: [] if n.on else [("f", n.flag, "")],
        actor=_me,
        uses=lambda n: [("flags_marked", n.flag)],
    ),
    Facts(ty.ShiftPiece, writes=_stacks, actor=_me),
    Facts(ty.ShuffleCells, writes=_shuffled, random=True, actor=_me),
)

_OF_STEPS: tuple[Facts[Any], ...] = (
    *map(Facts, (ty.Require, ty.Finish, ty.Words, ty.Told)),
    Facts(ty.Tell, actor=_me),
    Facts(ty.Line, within=lambda n: [n.variable] if n.variable else []),
    Facts(ty.SetLocal, binds=lambda n: [n.name]),
    Facts(ty.Peek, actor=_me),
    Facts(ty.Run, runs=lambda n, _: [n.proc], actor=_me, uses=lambda n: [("procs", n.proc)]),
    Facts(ty.DoField, runs=lambda n, program: program.meant(n), actor=_me, uses=_field),
    Facts(ty.Block, flow=lambda n: Flow((n,))),
    Facts(ty.Branching, flow=lambda n: Flow(n.blocks)),
    Facts(ty.WhereAble, flow=lambda n: Flow((n.block, n.otherwise))),
    Facts(
        ty.RepeatTimes,
        flow=lambda n: Flow((n.block,), surely=False, again=True),
        rounds=lambda n: n.times,
    ),
    Facts(
        ty.RepeatUntil,
        flow=lambda n: Flow((n.block,), surely=False, again=True),
        rounds=lambda n: n.limit,
    ),
    Facts(
        ty.ForEach,
        flow=lambda n: Flow((n.block,), surely=False, again=True),
        rounds=lambda n: n.domain,
        within=lambda n: [n.variable],
    ),
    Facts(
        ty.Decide,
        flow=_lines,
        rounds=lambda n: n.limit,
        binds=lambda n: [] if n.choice is None else [n.choice[0]],
        actor=_me,
        decides=True,
    ),
    Facts(
        ty.Secretly,
        flow=lambda n: Flow((n.block,), surely=False, again=True),
        within=lambda n: [n.me, n.variable],
        decides=True,
        sealed=True,
    ),
)

FACTS: dict[type, Facts[Any]] = {
    each.kind: each for each in (*_OF_VALUES, *_OF_DOMAINS, *_OF_CHANGES, *_OF_STEPS)
}


def is_random(value: ty.Value) -> bool:
    """Whether something is drawn by chance where a value is computed."""
    return any(FACTS[type(each)].random for each in ty.walk(value))


def guards_of(node: ty.Node, program: Program) -> list[ty.Value]:
    """Return the guards of which a node asks one."""
    keys = FACTS[type(node)].asks(node, program)
    return [program.guards.get(key, ty.YES) for key in keys]
