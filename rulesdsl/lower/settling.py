"""Checked procedures with their guards written into them: what every back end starts from.

Where something is offered, its block begins with one `Require` that holds the whole guard; other
conditions, which the checker has proved or moved into guards, are gone.  Candidates are those that
keep the rest of the guard true, and `if able` asks its guard like any condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.visibility import hidden_from
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import TypedProc
    from rulesdsl.check.world import FlagInfo, TrackInfo


def settled(checked: Checked, proc: TypedProc) -> tuple[ty.Step, ...]:
    """Return the steps of a procedure with their guards; cells of one activation are cleared."""
    steps = _steps(checked, proc.block)
    if not has_activation(checked, proc):
        return steps
    reset = ty.Reset(proc.title, span=proc.span)
    return (reset, *steps, reset)


def has_activation(checked: Checked, proc: TypedProc) -> bool:
    """Whether there are cells that last as long as a procedure is carried out."""
    world = checked.program.world
    cells: list[FlagInfo | TrackInfo] = [*world.flags.values(), *world.tracks.values()]
    outermost = {each.key for each in world.procs.get(proc.title, [])}  # not beneath a hook
    return proc.key in outermost and any(cell.during == proc.title for cell in cells)


def guard_of(block: ty.Block) -> ty.Value:
    """Return the guard of a settled block that is offered."""
    first = block.steps[0] if block.steps else None
    return first.condition if isinstance(first, ty.Require) else ty.YES


def menu_out(entry: ty.Entry, target: int) -> fm.MenuOut:
    """Return a line of a menu; its block begins at `target`."""
    return fm.MenuOut(
        entry.once,
        entry.label,
        entry.text,
        entry.variable,
        entry.domain,
        guard_of(entry.block),
        target,
        entry.block,
    )


def _steps(checked: Checked, block: ty.Block) -> tuple[ty.Step, ...]:
    return tuple(_step(checked, step) for step in block.steps if not isinstance(step, ty.Require))


def _block(checked: Checked, block: ty.Block) -> ty.Block:
    return ty.Block(_steps(checked, block), span=block.span)


def _offered(checked: Checked, block: ty.Block) -> ty.Block:
    """Return a block with its guard as the first step."""
    guard = checked.guards.offers.get(id(block), ty.YES)
    steps = _steps(checked, block)
    if guard != ty.YES:
        steps = (ty.Require(guard, span=block.span), *steps)
    return ty.Block(steps, span=block.span)


def _step(checked: Checked, step: ty.Step) -> ty.Step:
    match step:
        case ty.Pick() | ty.Secretly():
            domain = checked.guards.domains.get(id(step), step.domain)
            if isinstance(step, ty.Pick):
                return _shown(checked, [domain], attrs.evolve(step, domain=domain))
            return attrs.evolve(step, domain=domain, block=_block(checked, step.block))
        case ty.WhereAble():
            guard = checked.guards.offers.get(id(step.block), ty.YES)
            able = ((guard, _block(checked, step.block)),)
            return ty.Branching(able, _block(checked, step.otherwise), span=step.span)
        case ty.Branching():
            branches = tuple(
                (condition, _block(checked, block)) for condition, block in step.branches
            )
            return attrs.evolve(step, branches=branches, otherwise=_block(checked, step.otherwise))
        case ty.Block():
            return _block(checked, step)
        case ty.RepeatTimes() | ty.RepeatUntil() | ty.ForEach():
            return attrs.evolve(step, block=_block(checked, step.block))
        case ty.Optionally() | ty.OptionallyRepeat():
            return attrs.evolve(step, block=_offered(checked, step.block))
        case ty.ChooseWay():
            ways = tuple(
                attrs.evolve(way, block=_offered(checked, way.block)) for way in step.ways
            )
            return attrs.evolve(step, ways=ways)
        case ty.OfferMenu():
            entries = tuple(
                attrs.evolve(entry, block=_offered(checked, entry.block)) for entry in step.entries
            )
            domains = [entry.domain for entry in entries if entry.domain is not None]
            return _shown(checked, domains, attrs.evolve(step, entries=entries))
        case _:
            return step


def _shown(
    checked: Checked, domains: Sequence[ty.Domain], step: ty.Pick | ty.OfferMenu
) -> ty.Step:
    """Return a choice, and before it that its candidates are seen, where they were hidden."""
    world = checked.program.world
    steps: list[ty.Step] = [
        ty.Shown(domain, span=step.span)
        for domain in domains
        if hidden_from(world, domain, step.me)
    ]
    return ty.Block((*steps, step), span=step.span) if steps else step
