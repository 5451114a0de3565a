"""W625: moves of pieces that move again, with those that have just come or by a second choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

_BACK = "This moves back what the line before has brought, together with the rest."
_BY_A_THIRD = "To exchange them, move one side into a place of its own first."
_ON = (
    "The players act one after the other: what one passes on, the next one passes on with the "
    "rest."
)
_TWO_LOOPS = (
    "To pass at the same time, move all into a second place of the receivers, and from there in a "
    "second loop."
)
_SAME = "`{first}` and `{second}` may be the same {noun}, which then moves twice."
_OTHER = "For a different one, add `other than {first}`."
_TAKEN = "Two players may choose the same {noun}: the last of them takes it from the others."
_STILL_THERE = "Ask before the move whether it is still there, with `if any {name} in ...:`."


def moved_again(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report exchanges and passes that add up, and pieces that may be chosen twice."""
    world = checked.program.world
    for key in checked.program.procs:
        for step in checked.steps[key]:
            if isinstance(step, ty.Block):
                _report_exchanges(step.steps, findings)
                _report_equal_choices(step.steps, world, findings)
            elif isinstance(step, ty.ForEach):
                _report_passing(step, world, findings)
            elif isinstance(step, ty.Secretly):
                _report_same_answer(step, world, findings)


def _whole(step: ty.Step) -> tuple[str, ty.Cells, ty.Cells] | None:
    """Return the piece, the source and the target of a move of everything."""
    if isinstance(step, ty.MoveCounted) and step.amount is None:
        return step.piece, step.source, step.target
    if isinstance(step, ty.MoveSome) and step.amount is None and isinstance(step.domain, ty.Lying):
        return step.domain.piece, step.domain.cells, step.target
    return None


def _report_exchanges(steps: Sequence[ty.Step], findings: Findings) -> None:
    for before, after in pairwise(steps):
        there, back = _whole(before), _whole(after)
        if there and back and there == (back[0], back[2], back[1]):
            findings.report("W625", after.span, _BACK, _BY_A_THIRD)


def _report_passing(loop: ty.ForEach, world: SymbolTable, findings: Findings) -> None:
    if not isinstance(loop.domain.unfiltered, ty.AllSeats):
        return
    for step in ty.walk(loop.block):
        move = _whole(step) if isinstance(step, ty.StepNode) else None
        if move is None or move[1].place != move[2].place:
            continue
        owner = world.places[move[1].place].owner_dim
        if owner is None:
            continue
        giver, taker = move[1].dims[owner], move[2].dims[owner]
        by_loop = isinstance(giver, ty.Local) and giver.name == loop.variable
        if by_loop and taker is not None and uses(taker, loop.variable) and taker != giver:
            findings.report("W625", step.span, _ON, _TWO_LOOPS)


def _report_equal_choices(
    steps: Sequence[ty.Step], world: SymbolTable, findings: Findings
) -> None:
    moved = {*map(_moved, steps)}
    for before, after in pairwise(steps):
        first, second = _drawn(before), _drawn(after)
        if first is None or second is None or first[1] != second[1]:
            continue
        if {first[0], second[0]} <= moved:
            noun = world.pieces[first[1].piece].name
            message = _SAME.format(first=first[0], second=second[0], noun=noun)
            help_text = _OTHER.format(first=first[0])
            findings.report("W625", after.span, message, help_text)


def _drawn(step: ty.Step) -> tuple[str, ty.Lying] | None:
    """Return the local that a choice or a random draw binds, and the pieces that it is among."""
    if isinstance(step, ty.Decide) and step.choice is not None:
        name, domain = step.choice
    elif isinstance(step, ty.SetLocal) and isinstance(step.value, ty.RandomOf):
        name, domain = step.name, step.value.domain
    else:
        return None
    return (name, domain) if isinstance(domain, ty.Lying) else None


def _report_same_answer(step: ty.Secretly, world: SymbolTable, findings: Findings) -> None:
    pieces = step.domain.unfiltered
    if uses(step.domain, step.me) or not isinstance(pieces, ty.Lying):
        return
    if world.places[pieces.cells.place].owner_dim is not None:
        return  # W618
    noun = world.pieces[pieces.piece].name
    for move in _moves_of(step.block, step.variable):
        help_text = _STILL_THERE.format(name=step.variable)
        findings.report("W625", move.span, _TAKEN.format(noun=noun), help_text)


def _moves_of(block: ty.Block, name: str) -> Iterator[ty.Step]:
    """Yield the moves of a chosen piece that nothing is asked before."""
    for step in block.steps:
        if isinstance(step, ty.Block):
            yield from _moves_of(step, name)
        elif _moved(step) == name:
            yield step


def _moved(step: ty.Step) -> str | None:
    """Return the local that holds the piece which a step moves."""
    if isinstance(step, ty.MovePrinted) and isinstance(step.subject, ty.Local):
        return step.subject.name
    return None
