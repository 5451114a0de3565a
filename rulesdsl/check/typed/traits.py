"""Traits of node kinds, capabilities of domains, and inlining."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import Cell, SymbolTable
from rulesdsl.check.typed.program import RANKING, Computed, Program

N = TypeVar("N")
T = TypeVar("T")
B = TypeVar("B", bound="ty.Value | ty.Block")
_InField = ty.FieldOf | ty.HasEffect | ty.FieldFormula | ty.CanDo | ty.DoField
Of: TypeAlias = Callable[[N], Iterable[T]]
In: TypeAlias = "Callable[[N, Program], Iterable[T]]"


@attrs.frozen
class Way:
    """Block that a step may execute, with the condition for it and the element bound in it."""

    block: ty.Block
    holds: ty.Value = ty.YES
    element: tuple[str, ty.Domain] | None = None


@attrs.frozen
class Flow:
    """Control flow of a step: it executes one of its blocks or none, possibly repeatedly.

    If `in_turn`, a block is executed only if the conditions of earlier blocks do not hold. Values
    in `asked` are evaluated once, at the start; those in `tested`, before each round. `each` is
    the variable of a loop with its domain, whose elements are fixed before the first round.
    """

    ways: tuple[Way, ...]
    surely: bool = True
    again: bool = False
    in_turn: bool = False
    asked: tuple[ty.Value | ty.Domain, ...] = ()
    tested: tuple[ty.Value, ...] = ()
    each: tuple[str, ty.Domain] | None = None

    @property
    def blocks(self) -> tuple[ty.Block, ...]:
        """The blocks that the step may execute."""
        return tuple(way.block for way in self.ways)


def _loop(
    block: ty.Block,
    *asked: ty.Value | ty.Domain | None,
    until: ty.Value | None = None,
    each: tuple[str, ty.Domain] | None = None,
) -> Flow:
    return Flow(
        (Way(block),),
        surely=False,
        again=True,
        asked=tuple(value for value in asked if value is not None),
        tested=() if until is None else (until,),
        each=each,
    )


def _in_turn(branches: Iterable[tuple[ty.Value, ty.Block]], otherwise: ty.Block) -> Flow:
    ways = [Way(block, condition) for condition, block in branches]
    return Flow((*ways, Way(otherwise)), in_turn=True, asked=tuple(way.holds for way in ways))


class _Acting(Protocol):
    @property
    def me(self) -> ty.Value: ...


def _nothing(*_: object) -> tuple[()]:
    return ()


def _none(_: object) -> None:
    return None


def no_piece(_: object) -> None:
    """State that a kind of step leaves pieces with hidden faces or order where they are."""


def _me(node: _Acting) -> ty.Value:
    return node.me


# Table of node traits: the local properties of each kind of node, read by all analyses.
#
# An omitted slot means that nodes of the kind do not have the property. An entry describes a node
# alone; it is up to an analysis to follow its children and callees. `takes` and `gives` are the
# must-take and may-give sets for termination, `reads` and `writes` the may-sets for preconditions.
@attrs.frozen
class NodeTraits(Generic[N]):
    """Properties of one kind of node."""

    kind: type[N]
    # the state
    reads: In[N, Cell] = _nothing
    writes: In[N, Cell] = _nothing
    takes: In[N, Cell] = _nothing  # cells that it takes from unless they are empty
    gives: In[N, Cell] = _nothing  # cells that it may add to
    random: bool = False
    # callees
    runs: In[N, str] = _nothing  # procedures that it may run: one of them
    asks: In[N, str] = _nothing  # procedures whose guard it may evaluate: one of them
    computes: In[N, Computed] = _nothing
    # structure
    flow: Callable[[N], Flow | None] = _none
    rounds: Callable[[N], ty.Value | ty.Domain | None] = _none  # source of the number of rounds
    binds: Of[N, str] = _nothing  # locals bound for the following steps
    within: Of[N, str] = _nothing  # locals bound inside
    # actors
    actor: Callable[[N], ty.Value | None] = _none
    decides: bool = False
    sealed: bool = False  # simultaneous decision, without an actor
    # pairs of a kind of use and a name, for `lints/liveness/unused_declarations`
    uses: Of[N, tuple[str, Any]] = _nothing


@attrs.frozen
class HiddenMove:
    """Move of pieces whose faces or order a seat may not know.

    A seat can predict it if it knows which pieces move (for a domain: how many) and all `parts`.
    """

    pieces: ty.Value | ty.Domain | None
    parts: tuple[ty.Node, ...] = ()


@attrs.frozen
class StepTraits(NodeTraits[N]):
    """Properties of one kind of step.

    Each kind must state what it does to pieces whose faces or order a seat may not know.
    """

    moves_hidden: Callable[[N], HiddenMove | None] = attrs.field(kw_only=True)


# -------------------------------------------------------------------- shared entries
def _lies(node: ty.Lying | ty.EndPieces | ty.EndOf, program: Program) -> list[Cell]:
    return [program.world.cell(node.piece, node.cells.place)]


def _from(node: ty.MovePrinted | ty.MoveSome, program: Program) -> Iterable[Cell]:
    """Return the cells that printed pieces may come from."""
    base = node.domain.unfiltered if isinstance(node, ty.MoveSome) else node.subject
    if isinstance(base, ty.RandomOf | ty.BestOf):
        base = base.domain.unfiltered
    if isinstance(base, ty.Lying | ty.EndPieces | ty.EndOf):
        return _lies(base, program)
    return program.world.everywhere(_piece(node))


def _source(node: ty.MoveCounted, program: Program) -> list[Cell]:
    return [program.world.cell(node.piece, node.source.place)]


def _piece(node: ty.Move) -> str:
    return node.domain.element.of if isinstance(node, ty.MoveSome) else node.piece


def _target(node: ty.Move, program: Program) -> list[Cell]:
    return [program.world.cell(_piece(node), node.target.place)]


def _takes_printed(node: ty.MovePrinted | ty.MoveSome, program: Program) -> set[Cell]:
    """Return the cells that a move takes from: its only source, and the outside of its target."""
    sources, (target,) = {*_from(node, program)}, _target(node, program)
    if len(sources) > 1:
        return set()
    return sources if target in sources else {*sources, _outside(target)}


def _gives_printed(node: ty.MovePrinted | ty.MoveSome, program: Program) -> set[Cell]:
    """Return the cells that a move adds to: its target, and the outside of its sources."""
    target = _target(node, program)
    return {*target, *map(_outside, {*_from(node, program)} - {*target})}


def _outside(cell: Cell) -> Cell:  # the pieces that are not in the cell
    return ("o", *cell[1:])


def _some_hidden(node: ty.MoveSome) -> HiddenMove:
    amounts = () if node.amount is None else (node.amount,)
    return HiddenMove(node.domain, (node.target, *amounts))


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
    if node.onward:
        return None
    ways = tuple(Way(line.block, line.guard, line.about) for line in node.lines)
    return Flow(ways, surely=node.stop is None, again=node.again)


def _field(node: _InField) -> list[tuple[str, tuple[str, str]]]:
    return [("fields", (node.kind, node.field))]


# -------------------------------------------------------------------- the table
_OF_VALUES: tuple[NodeTraits[Any], ...] = (
    *map(
        NodeTraits,
        (ty.Const, ty.Local, ty.TextValue, ty.SeatNumber, ty.Seats, ty.Chart, ty.TableAt),
    ),
    *map(
        NodeTraits, (ty.Bundle, ty.MakeBundle, ty.BundlePart, ty.Arith, ty.Comparison, ty.IsSome)
    ),
    *map(NodeTraits, (ty.And, ty.Or, ty.Negation, ty.Cases, ty.EntryOf, ty.OwnerOf)),
    *map(NodeTraits, (ty.CountOf, ty.AnyOf, ty.MemberOf, ty.PositionIn)),
    NodeTraits(ty.SettingValue, uses=lambda n: [("options", n.option)]),
    NodeTraits(ty.LetIn, within=lambda n: [n.name]),
    NodeTraits(ty.FieldOf, uses=_field),
    NodeTraits(ty.HasEffect, uses=_field),
    NodeTraits(ty.FieldFormula, computes=lambda n, _: [(n.kind, n.field)], uses=_field),
    NodeTraits(
        ty.CallValue,
        computes=lambda n, _: [(n.name, n.layer)],
        uses=lambda n: [("values", n.name)],
    ),
    NodeTraits(ty.ScoreOf, computes=_scores),
    NodeTraits(ty.StandingOf, computes=lambda _, __: [RANKING]),
    NodeTraits(ty.Ring, uses=lambda n: [("kinds", n.kind)]),
    NodeTraits(ty.Can, asks=lambda n, _: [n.proc]),
    NodeTraits(ty.CanDo, asks=lambda n, program: program.meant(n), uses=_field),
    NodeTraits(
        ty.TrackCell,
        reads=lambda n, _: [("t", n.track, "")],
        uses=lambda n: [("tracks_read", n.track)],
    ),
    NodeTraits(
        ty.FlagCell,
        reads=lambda n, _: [("f", n.flag, "")],
        uses=lambda n: [("flags_read", n.flag)],
    ),
    NodeTraits(
        ty.Located,
        reads=lambda n, program: program.world.everywhere(n.piece),
        uses=lambda n: [("places", n.place)],
    ),
    NodeTraits(ty.SumOf, rounds=lambda n: n.domain, within=lambda n: [n.variable]),
    NodeTraits(ty.BestOf, rounds=lambda n: n.domain, within=lambda n: [n.variable]),
    NodeTraits(ty.FirstOf, rounds=lambda n: n.values, within=lambda n: [n.variable]),
    NodeTraits(ty.EndOf, reads=_lies),
    NodeTraits(ty.RandomOf, random=True),
)

_OF_DOMAINS: tuple[NodeTraits[Any], ...] = (
    *map(NodeTraits, (ty.AllSeats, ty.NumberRange, ty.ListedEntries, ty.AnyWhere)),
    NodeTraits(ty.Entries, uses=lambda n: [("kinds", n.kind)]),
    NodeTraits(ty.Lying, reads=_lies),
    NodeTraits(ty.EndPieces, reads=_lies),
    NodeTraits(ty.Filtered, rounds=lambda n: n.base, within=lambda n: [n.variable]),
    NodeTraits(ty.Cells, uses=lambda n: [("places", n.place)]),
)

_OF_CHANGES: tuple[StepTraits[Any], ...] = (
    StepTraits(
        ty.MoveCounted,
        moves_hidden=no_piece,
        writes=lambda n, program: [*_source(n, program), *_target(n, program)],
        takes=lambda n, program: [] if n.up_to else _source(n, program),
        gives=_target,
        actor=_me,
        uses=lambda n: [("pieces", n.piece)],
    ),
    StepTraits(ty.MoveSingle, moves_hidden=no_piece, writes=_target, gives=_target, actor=_me),
    StepTraits(
        ty.MovePrinted,
        moves_hidden=lambda n: HiddenMove(n.subject, (n.target,)),
        writes=lambda n, program: {*_from(n, program), *_target(n, program)},
        takes=lambda n, program: [] if n.subject.type.maybe else _takes_printed(n, program),
        gives=_gives_printed,
        actor=_me,
    ),
    StepTraits(
        ty.MoveSome,
        moves_hidden=_some_hidden,
        writes=lambda n, program: {*_from(n, program), *_target(n, program)},
        takes=lambda n, program: [] if n.up_to else _takes_printed(n, program),
        gives=_gives_printed,
        actor=_me,
    ),
    StepTraits(
        ty.ChangeTrack,
        moves_hidden=no_piece,
        writes=lambda n, _: [("t", n.track, "")],
        takes=lambda n, _: [("u" if n.up else "t", n.track, "")],
        gives=lambda n, _: [("t" if n.up else "u", n.track, "")],
        actor=_me,
        uses=lambda n: [("tracks_changed", n.track)],
    ),
    StepTraits(
        ty.SetFlag,
        moves_hidden=no_piece,
        writes=lambda n, _: [("f", n.flag, "")],
        takes=lambda n, _: [("f", n.flag, "")] if n.on else [],
        gives=lambda n, _: [] if n.on else [("f", n.flag, "")],
        actor=_me,
        uses=lambda n: [("flags_marked", n.flag)],
    ),
    StepTraits(
        ty.ShiftPiece,
        moves_hidden=lambda n: HiddenMove(n.subject, (n.amount,)),
        writes=_stacks,
        actor=_me,
    ),
    StepTraits(
        ty.ShuffleCells,
        moves_hidden=lambda n: HiddenMove(None, (n.cells,)),
        writes=_shuffled,
        random=True,
        actor=_me,
    ),
)

_OF_STEPS: tuple[NodeTraits[Any], ...] = (
    NodeTraits(ty.MessageText),
    StepTraits(ty.Require, moves_hidden=no_piece),
    StepTraits(ty.Finish, moves_hidden=no_piece),
    StepTraits(ty.EndTell, moves_hidden=no_piece),
    StepTraits(ty.Tell, moves_hidden=no_piece, actor=_me),
    NodeTraits(ty.OptionLine, within=lambda n: [n.variable] if n.variable else []),
    StepTraits(ty.SetLocal, moves_hidden=no_piece, binds=lambda n: [n.name]),
    StepTraits(ty.Peek, moves_hidden=no_piece, actor=_me),
    StepTraits(ty.ShowCell, moves_hidden=no_piece, actor=_me),
    StepTraits(
        ty.Run,
        moves_hidden=no_piece,
        runs=lambda n, _: [n.proc],
        actor=_me,
        uses=lambda n: [("procs", n.proc)],
    ),
    StepTraits(
        ty.DoField,
        moves_hidden=no_piece,
        runs=lambda n, program: program.meant(n),
        actor=_me,
        uses=_field,
    ),
    StepTraits(ty.Block, moves_hidden=no_piece, flow=lambda n: Flow((Way(n),))),
    StepTraits(
        ty.Branching, moves_hidden=no_piece, flow=lambda n: _in_turn(n.branches, n.otherwise)
    ),
    StepTraits(
        ty.WhereAble,
        moves_hidden=no_piece,
        flow=lambda n: _in_turn([(n.guard, n.block)], n.otherwise),
    ),
    StepTraits(
        ty.RepeatTimes,
        moves_hidden=no_piece,
        flow=lambda n: _loop(n.block, n.times, until=n.until),
        rounds=lambda n: n.times,
    ),
    StepTraits(
        ty.ForEach,
        moves_hidden=no_piece,
        flow=lambda n: _loop(n.block, n.domain, n.start, each=(n.variable, n.domain)),
        rounds=lambda n: n.domain,
        within=lambda n: [n.variable],
    ),
    StepTraits(
        ty.Decide,
        moves_hidden=no_piece,
        flow=_lines,
        rounds=lambda n: n.limit,
        binds=lambda n: [] if n.choice is None else [n.choice[0]],
        actor=_me,
        decides=True,
    ),
    StepTraits(
        ty.Secretly,
        moves_hidden=no_piece,
        flow=lambda n: _loop(n.block, n.domain, None if n.where == ty.YES else n.where),
        within=lambda n: [n.me, n.variable],
        decides=True,
        sealed=True,
    ),
)

TRAITS: dict[type, NodeTraits[Any]] = {
    each.kind: each for each in (*_OF_VALUES, *_OF_DOMAINS, *_OF_CHANGES, *_OF_STEPS)
}
MOVES_HIDDEN: dict[type, Callable[[Any], HiddenMove | None]] = {
    each.kind: each.moves_hidden
    for each in (*_OF_CHANGES, *_OF_STEPS)
    if isinstance(each, StepTraits)
}


def is_random(value: ty.Value) -> bool:
    """Return whether evaluating a value involves a random choice."""
    return any(TRAITS[type(each)].random for each in ty.walk(value))


def guards_of(node: ty.Node, program: Program) -> list[ty.Value]:
    """Return the guards that a node may evaluate."""
    keys = TRAITS[type(node)].asks(node, program)
    return [program.guards.get(key, ty.YES) for key in keys]


# Capabilities: the operations that the elements of a domain support. The checker consults them
# before it accepts a phrase, the builder of the flat form before it uses a domain.
class Capability(Enum):
    """Operation on the elements of a domain."""

    COUNT = "size and emptiness"
    LIST = "iteration: choice, draw, ranking, loop, sum, filter"
    MEMBER = "membership"
    ORDER = "position"
    LOOK = "look at faces"
    MOVE = "move of single elements into a cell"


PRINTED = frozenset({Capability.COUNT, Capability.LIST, Capability.MEMBER, Capability.LOOK})
ORDERED = frozenset({Capability.COUNT, Capability.LIST, Capability.MEMBER, Capability.ORDER})


def uses(world: SymbolTable, domain: ty.Domain) -> frozenset[Capability]:
    """Return the operations that a domain supports."""
    match domain:
        case ty.Filtered(base=base):
            found = uses(world, base)
            return found if Capability.LIST in found else frozenset()
        case ty.Entries() | ty.AllSeats() | ty.NumberRange() | ty.ListedEntries():
            return ORDERED
        case ty.AnyWhere():
            return PRINTED
        case ty.EndPieces():
            return frozenset(Capability)
        case ty.Lying(piece=piece, cells=cells):
            match world.pieces[piece].style:
                case "counted":  # interchangeable
                    return frozenset({Capability.COUNT})
                case "single":
                    return frozenset({Capability.COUNT, Capability.LIST, Capability.MEMBER})
                case _:
                    ordered = cells.one and world.places[cells.place].stack
                    return frozenset(Capability) if ordered else PRINTED | {Capability.MOVE}
        case _:
            assert_never(domain)


def bound_inside(value: ty.Value) -> frozenset[str]:
    """Return the locals that have a value only within parts of a value."""
    return frozenset(name for node in ty.walk(value) for name in TRAITS[type(node)].within(node))


def bindings(
    params: Iterable[ty.Local], me: ty.Value, arguments: Iterable[ty.Value]
) -> Iterator[tuple[str, ty.Value]]:
    """Yield the parameters of a callee with their arguments, and `me`."""
    yield "me", me
    yield from zip((each.name for each in params), arguments, strict=True)


def inline(
    program: Program,
    body: B,
    params: Iterable[ty.Local],
    me: ty.Value,
    arguments: Iterable[ty.Value],
) -> B:
    """Substitute arguments into a body, renaming its bound variables to avoid capture.

    The program issues each fresh name once. Names from an earlier inlining are not renamed again:
    without recursion, an inlined body never ends up inside itself.
    """
    given = dict(bindings(params, me, arguments))
    names: dict[str, str] = {}
    for each in ty.walk_all(body):
        facts = TRAITS[type(each)]
        for old in (*facts.within(each), *facts.binds(each)):
            if "~" not in old and old not in names:
                names[old] = program.fresh(old)

    def put_in(node: ty.Node) -> ty.Node:
        match node:
            case ty.Local(name=name) if name in given:
                return given[name]
            case ty.Local(name=name) | ty.LetIn(name=name) | ty.SetLocal(name=name) if (
                name in names
            ):
                return attrs.evolve(node, name=names[name])
            case (
                ty.SumOf(variable=name)
                | ty.BestOf(variable=name)
                | ty.FirstOf(variable=name)
                | ty.Filtered(variable=name)
                | ty.OptionLine(variable=name)
            ) if name in names:
                return attrs.evolve(node, variable=names[name])
        return node

    return ty.rewrite(body, put_in)
