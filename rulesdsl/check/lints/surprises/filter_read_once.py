"""W616: loops over players whose filter is read only once, although their turns change it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.symbols.symbol_table import Cell, SymbolTable
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.check.typed.traits import TRAITS, bindings
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import FilterReadOnce

_Change = tuple[Cell, str | None]
"""Cell that changes, and the local whose seat it belongs to; None for any seat, or for all."""

HELP = "To test it again in each turn, write `for each player:`, and `if ...:` below it."


def filter_read_once(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report filters of players that the loop's body changes for the players still to come."""
    program = checked.program
    effects, changes = Effects(program), _Changes(program)
    for key in program.procs:
        for step in checked.steps[key]:
            if not isinstance(step, ty.ForEach) or not isinstance(step.domain, ty.Filtered):
                continue
            if not isinstance(step.domain.unfiltered, ty.AllSeats):
                continue
            read, apart = effects.reads(step.domain.condition), _left_out(step.domain)
            private = read - _of_others(step.domain, effects)
            changed = {
                cell
                for cell, seat in changes.by(step.block)
                if cell in read
                and seat != step.variable
                and not (cell in private and seat in apart)
            }
            if changed:
                message = (
                    "This is decided for all before the first of them acts, but then "
                    f"{_named(min(changed), program.world)} may change."
                )
                findings.report("W616", step.domain.span, message, HELP, facts=FilterReadOnce())


def _named(cell: Cell, world: SymbolTable) -> str:
    _, name, place = cell
    return f"`{world.plural(name)} in {place}`" if place else f"`{name}`"


def _left_out(players: ty.Filtered) -> set[str]:
    """Return the locals whose seats a filter leaves out, as in `where me <> i`."""
    tests = (atom for atom in atoms(players.condition) if isinstance(atom, ty.Comparison))
    pairs = ({_local(test.left), _local(test.right)} for test in tests if test.op == "<>")
    return {seat for pair in pairs if players.variable in pair for seat in pair if seat}


def _of_others(players: ty.Filtered, effects: Effects) -> set[Cell]:
    """Return the cells that a filter reads for other seats than that of its candidate."""
    mine = ty.Local(players.variable, type=players.element)

    def without_own(node: ty.Node) -> ty.Node:
        if isinstance(node, ty.TrackCell | ty.FlagCell):
            return ty.YES if mine in node.dims else node
        own = isinstance(node, ty.Lying) and mine in node.cells.dims
        return players.unfiltered if own else node

    return {*effects.reads(ty.rewrite(players.condition, without_own))}


@attrs.define
class _Changes:
    """Changes by steps and their callees, with the seats to which the changed cells belong."""

    program: Program
    _of_procs: dict[str, frozenset[_Change]] = attrs.field(factory=dict)

    def by(self, block: ty.Block) -> Iterator[_Change]:
        """Yield the cells that a block may change."""
        same: dict[str, str] = {}  # locals bound to another local
        for node in ty.walk(block):
            if isinstance(node, ty.SetLocal) and isinstance(node.value, ty.Local):
                same[node.name] = same.get(node.value.name, node.value.name)
            changes = [*self._by_step(node)]
            traits = TRAITS[type(node)]
            for key in traits.runs(node, self.program):
                arguments = node.arguments if isinstance(node, ty.Run) else ()
                me = traits.actor(node) or ty.NO
                seats = dict(bindings(self.program.procs[key].params, me, arguments))
                of_proc = self._of_proc(key)
                changes += [(cell, whose and _local(seats.get(whose))) for cell, whose in of_proc]
            yield from ((cell, whose and same.get(whose, whose)) for cell, whose in changes)

    def _of_proc(self, key: str) -> frozenset[_Change]:
        if key not in self._of_procs:
            self._of_procs[key] = frozenset()  # for recursion
            self._of_procs[key] = frozenset(self.by(self.program.procs[key].block))
        return self._of_procs[key]

    def _by_step(self, step: ty.Node) -> Iterator[_Change]:
        """Yield the changes by a step alone; the origin of a chosen piece is unknown."""
        world = self.program.world
        if isinstance(step, ty.ChangeTrack):
            yield from _whose(("t", step.track, ""), world.tracks[step.track].dims, step.dims)
        elif isinstance(step, ty.SetFlag):
            yield from _whose(("f", step.flag, ""), world.flags[step.flag].dims, step.dims)
        elif isinstance(step, ty.Move):
            piece = step.domain.element.of if isinstance(step, ty.MoveSome) else step.piece
            for cells in (
                step.target,
                *([step.source] if isinstance(step, ty.MoveCounted) else []),
            ):
                place = world.places[cells.place]
                yield from _whose(world.cell(piece, place.name), place.dims, cells.dims)


def _whose(
    cell: Cell, dims: tuple[str, ...], indexes: tuple[ty.Value | None, ...]
) -> Iterator[_Change]:
    """Yield a changed cell with its seat; nothing if it is indexed by other things only."""
    seats = [index for dim, index in zip(dims, indexes, strict=True) if dim in {"player", "seat"}]
    if seats or not dims:
        yield cell, _local(seats[0]) if seats else None


def _local(seat: ty.Value | None) -> str | None:
    return seat.name if isinstance(seat, ty.Local) else None
