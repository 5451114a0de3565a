"""Payments: steps that take from the acting seat something that it must have."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, inline


def is_paid(steps: Collection[ty.Step], program: Program) -> bool:
    """Return whether steps take something from their actor that a precondition requires."""
    visited: set[str] = set()
    required = {cell for step in steps for cell in _required(step, program, visited)}
    visited = set()
    taken = (cell for step in steps for cell in _taken(step, program, visited))
    return bool(required) and any(cell in required for cell in taken)


def _required(step: ty.Step, program: Program, visited: set[str]) -> Iterator[Cell]:
    """Yield the cells of the actor that a precondition of a step reads."""
    actor = TRAITS[type(step)].actor(step) or ty.Local("me")
    for node in (node for part in _asked(step, program, visited) for node in ty.walk(part)):
        if isinstance(node, ty.Lying):
            at = program.world.places[node.cells.place].owner_dim
            if at is not None and _same(node.cells.dims[at], actor):
                yield program.world.cell(node.piece, node.cells.place)
        elif isinstance(node, ty.TrackCell) and any(_same(dim, actor) for dim in node.dims):
            yield "t", node.track, ""


def _same(seat: ty.Value | None, actor: ty.Value) -> bool:
    return isinstance(seat, ty.Local) and isinstance(actor, ty.Local) and seat.name == actor.name


def _asked(step: ty.Step, program: Program, visited: set[str]) -> Iterator[ty.Node]:
    if isinstance(step, ty.Require):
        yield step.condition
    elif isinstance(step, ty.Decide) and step.choice is not None:
        yield step.choice[1]
    elif isinstance(step, ty.MoveCounted) and not step.up_to and step.amount is not None:
        yield ty.Lying(step.piece, step.source, element=step.amount.type)
    elif isinstance(step, ty.Block):
        for inner in step.steps:
            yield from _asked(inner, program, visited)
    elif isinstance(step, ty.Run):
        guard, params = program.guards.get(step.proc, ty.YES), program.procs[step.proc].params
        guard = inline(program, guard, params, step.me, step.arguments)
        yield guard
        for node in ty.walk(guard):
            if isinstance(node, ty.Can) and node.proc not in {step.proc, *visited}:
                visited.add(node.proc)
                yield from _asked(ty.Run(node.proc, node.me, node.arguments), program, visited)


def _taken(node: ty.Node, program: Program, visited: set[str]) -> Iterator[Cell]:
    """Yield the cells that a node may take from; pieces that their owner keeps are not taken."""
    for inner in ty.walk(node):
        traits = TRAITS[type(inner)]
        if isinstance(inner, ty.MoveCounted):
            yield from traits.takes(inner, program)
        elif isinstance(inner, ty.MovePrinted | ty.MoveSome):
            yield from () if _kept(inner.target, program) else traits.writes(inner, program)
        elif isinstance(inner, ty.ChangeTrack) and not inner.up:
            yield "t", inner.track, ""
        for key in {*traits.runs(inner, program)} & program.procs.keys() - visited:
            visited.add(key)
            yield from _taken(program.procs[key].block, program, visited)


def _kept(target: ty.Cells, program: Program) -> bool:
    return program.world.places[target.place].owner_dim is not None
