"""Payments: steps that take from the acting seat something that it must have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, inline


def is_paid(steps: Iterable[ty.Step], program: Program) -> bool:
    """Return whether steps take something from their actor that a precondition requires."""
    required: set[Cell] = set()
    taken: set[Cell] = set()
    for step in steps:
        required.update(_required(step, program))
        taken.update(_taken(step, program, set()))
    return not required.isdisjoint(taken)


def _required(step: ty.Step, program: Program) -> Iterator[Cell]:
    """Yield the cells of the actor that a precondition of a step reads."""
    actor = TRAITS[type(step)].actor(step) or ty.Local("me")
    for node in (node for part in _asked(step, program) for node in ty.walk(part)):
        if isinstance(node, ty.Lying):
            at = program.world.places[node.cells.place].owner_dim
            if at is not None and _same(node.cells.dims[at], actor):
                yield program.world.cell(node.piece, node.cells.place)
        elif isinstance(node, ty.TrackCell) and any(_same(dim, actor) for dim in node.dims):
            yield "t", node.track, ""


def _same(seat: ty.Value | None, actor: ty.Value) -> bool:
    return isinstance(seat, ty.Local) and isinstance(actor, ty.Local) and seat.name == actor.name


def _asked(step: ty.Step, program: Program) -> Iterator[ty.Node]:
    if isinstance(step, ty.Require):
        yield step.condition
    elif isinstance(step, ty.Decide) and step.choice is not None:
        yield step.choice[1]
    elif isinstance(step, ty.MoveCounted) and not step.up_to and step.amount is not None:
        yield ty.Lying(step.piece, step.source, element=step.amount.type)
    elif isinstance(step, ty.Block):
        for inner in step.steps:
            yield from _asked(inner, program)
    elif isinstance(step, ty.Run):
        guard, params = program.guards.get(step.proc, ty.YES), program.procs[step.proc].params
        guard = inline(program, guard, params, step.me, step.arguments)
        yield guard
        for node in ty.walk(guard):
            if isinstance(node, ty.Can) and node.proc != step.proc:
                yield from _asked(ty.Run(node.proc, node.me, node.arguments), program)


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
