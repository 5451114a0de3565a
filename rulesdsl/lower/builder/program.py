"""Builder of a flat program from the typed tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import Intervals, fits
from rulesdsl.check.symbols.symbol_table import FlagInfo, TrackInfo
from rulesdsl.check.typed.program import TypedProc
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import values
from rulesdsl.lower.builder.domains import Sum
from rulesdsl.lower.builder.machines import MachineBuilder
from rulesdsl.lower.builder.rounds import round_loops
from rulesdsl.lower.builder.steps import does
from rulesdsl.lower.builder.writer import ONE, ZERO, Shared, Writer
from rulesdsl.lower.flat.walk import logic, op
from rulesdsl.lower.layout import Layout
from rulesdsl.source.span import NOWHERE, Span


@attrs.define
class Planned:
    """Program whose functions and machines are built on first use.

    `functions` and `machines` contain, by name, closures that build the missing ones.
    """

    shared: Shared
    functions: dict[str, Callable[[], None]] = attrs.Factory(dict)
    machines: dict[str, Callable[[], None]] = attrs.Factory(dict)
    blocks: dict[str, int] = attrs.Factory(dict)  # number of blocks of each machine

    def function(
        self,
        name: str,
        write: Callable[[Writer], tuple[str, ...]],
        proc: str = "",
        span: Span = NOWHERE,
    ) -> None:
        """Plan a function; `write` writes its body and returns its parameters."""

        def written() -> None:
            w = Writer(self.shared, proc)
            w.function(name, write(w), span)

        self.functions[name] = written

    def write_function(self, name: str) -> None:
        """Build a function if it is missing."""
        self.functions.pop(name, _nothing)()

    def write_machine(self, key: str) -> None:
        """Build a machine if it is missing."""
        self.machines.pop(key, _nothing)()

    def write_all(self) -> None:
        """Build everything that is missing."""
        for name in [*self.functions]:
            self.write_function(name)
        for key in [*self.machines]:
            self.write_machine(key)


def _nothing() -> None: ...


def flatten(layout: Layout, *, logging: bool, careful: bool = False) -> Shared:
    """Return the complete flat form of a program, with the data for labels and logs."""
    found = planned(layout, logging=logging, careful=careful)
    found.write_all()
    return found.shared


def planned(layout: Layout, *, logging: bool, careful: bool = False) -> Planned:
    """Return a program in which only the frames of machines have been built."""
    shared = Shared(layout, values.value, logging, careful)
    if not logging:  # only simulations count rounds
        shared.round_loops = round_loops(Writer(Shared(layout, values.value)))
    found = computed(shared)
    procs = layout.program.procs.values()
    for proc in (each for each in procs if not each.decides):
        found.function(f"do:{proc.key}", partial(_does, proc=proc), proc.key, proc.span)
    builders = [MachineBuilder(shared, each) for each in procs if each.decides]
    shared.flat.machines |= {each.key: each.frame() for each in builders}
    for each in builders:
        each.enterable()
        found.machines[each.key] = each.write
        found.blocks[each.key] = len(each.graph.blocks)
    return found


def _does(w: Writer, proc: TypedProc) -> tuple[str, ...]:
    does(w, proc)
    return ("me", *values.params(w, proc.params))


def computed(shared: Shared) -> Planned:
    """Declare the state arrays, and plan the functions of computed values."""
    program, found = shared.layout.program, Planned(shared)
    _arrays(shared)
    for (name, layer), body in program.values.items():
        me = [] if body.me is None else ["me"]
        _value(found, fl.value_name(name, layer), me, body.params, body.body)
    for key, guard in program.guards.items():
        if guard != ty.YES:
            params = program.procs[key].params
            _value(found, f"can:{key}", ["me"], params, guard)
    for formula, value in program.formulas.items():
        _value(found, shared.formulas[formula], ["me"], (), value)
    for at, (_, value) in enumerate(program.ranking):
        _value(found, fl.rank_name(at), ["me"], (), value)
    _function(found, values.ALWAYS, ("me",), lambda _: ONE)
    _function(found, values.NEVER, ("me",), lambda _: ZERO)
    _function(found, fl.TOTAL, ("seat",), _total)
    _function(found, fl.STANDING, ("seat",), _standing)
    return found


def _arrays(shared: Shared) -> None:
    """Declare the state arrays; the style of a kind of piece determines its array."""
    layout, world = shared.layout, shared.layout.world
    found = [fl.Array("learned", 1, single=True)]
    tracks = [*world.tracks.values(), *world.shown.values()]
    marks: list[TrackInfo | FlagInfo] = [*tracks, *world.flags.values()]
    found += [_marked(each.array, each, layout) for each in marks]
    for piece in world.pieces.values():
        match piece.style:
            case "counted":
                places = [each for each in world.places.values() if piece.name in each.holds]
                blocks = tuple(
                    fl.ArrayBlock(layout.base(piece.name, each.name), dims)
                    for each in places
                    if (dims := layout.cell_dims(piece.name, each.name))
                )
                size = layout.cells(piece.name)
                found.append(fl.Array(f"n:{piece.name}", size, blocks=blocks))
            case "single":
                size = layout.seats if piece.owned else 1  # a cell for each seat
                found.append(fl.Array(f"s:{piece.name}", size, single=not piece.owned))
            case _:
                found.append(fl.Array(f"w:{piece.name}", len(layout.instances(piece.name))))
    shared.flat.arrays |= {each.name: each for each in found}


def _marked(name: str, info: TrackInfo | FlagInfo, layout: Layout) -> fl.Array:
    dims = tuple(map(layout.size, info.dims))
    blocks = (fl.ArrayBlock(0, dims),) if dims else ()
    return fl.Array(name, layout.track_size(info), not dims, blocks)


def _value(
    found: Planned, name: str, me: list[str], params: tuple[ty.Local, ...], body: ty.Value
) -> None:
    passed = (*me, *values.params(Writer(found.shared), params))
    if body.type.family != "bundle":
        _function(found, name, passed, lambda w: w.value(body))
        return
    for at, part in enumerate(found.shared.layout.parts(name)):
        _function(found, part, passed, lambda w, at=at: values.part(w, body, at))  # type: ignore[misc]


def _function(
    found: Planned, name: str, params: tuple[str, ...], body: Callable[[Writer], fl.Expr]
) -> None:
    def write(w: Writer) -> tuple[str, ...]:
        w.add(fl.Return(body(w)))
        return params

    found.function(name, write)


def _total(w: Writer) -> fl.Expr:
    total = Sum.begin(w, exact=fits(Intervals(w.program).total_score()))
    for line in w.world.scores:
        name = fl.value_name(line.name, len(line.hooks))
        total.add(w, fl.CallFunction(name, (fl.LocalVar("seat"),)))
    return total.total(w)


def _standing(w: Writer) -> fl.Expr:
    """Return a seat's rank: one more than the number of scoring seats ahead of it."""
    ranking = [most for most, _ in w.program.ranking]
    mine = [w.set("mine", _rank(at, fl.LocalVar("seat"))) for at in range(len(ranking))]
    place = w.set("place", ONE)

    def compare(other: fl.LocalVar) -> None:
        ahead: fl.Expr = ZERO
        for at in reversed(range(len(ranking))):
            theirs = w.set("theirs", _rank(at, other))
            before = op(">" if ranking[at] else "<", theirs, mine[at])
            ahead = logic("or", before, logic("and", op("=", theirs, mine[at]), ahead))
        w.when(ahead, lambda: w.count_up(place))

    w.loop("other", fl.ConstRow(fl.Literal(w.shared.row(w.layout.scoring_seats()))), compare)
    return place


def _rank(at: int, seat: fl.Expr) -> fl.Expr:
    return fl.CallFunction(fl.rank_name(at), (seat,))
