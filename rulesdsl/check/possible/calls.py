"""What single steps ask for: calls the guard of what they call, moves what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.inline import inline
from rulesdsl.check.proofs import both, lying
from rulesdsl.check.types import NUMBER, YES_NO, piece

if TYPE_CHECKING:
    from rulesdsl.check.program import Program

SMALL = 24  # nodes of a guard that is written out


def call_guard(
    program: Program,
    key: str,
    me: ty.Value,
    arguments: tuple[ty.Value, ...],
) -> ty.Value:
    """Return the guard of a call: written out where it is short, else asked by name."""
    guard = program.guards.get(key, ty.YES)
    if guard in {ty.YES, ty.NO}:
        return guard
    params = program.procs[key].params
    if sum(1 for _ in ty.walk(guard)) > SMALL:
        can = ty.Can(key, me, arguments, type=YES_NO)
        return both(*(inline(program, e, params, me, arguments) for e in lying(guard)), can)
    return inline(program, guard, params, me, arguments)


def field_guard(program: Program, step: ty.DoField) -> ty.Value:
    """Return the guard of `do`: the field is filled, and its effect can be carried out."""
    kind = program.world.kinds[step.kind]
    fixed = isinstance(step.subject, ty.Const)
    procs = program.meant(step)
    if fixed and len(procs) == 1:
        return call_guard(program, procs[0], step.me, ())
    free = all(program.guards.get(proc, ty.YES) == ty.YES for proc in procs)
    written = [each for each in kind.entries if step.field not in each.wrong]
    full = len(procs) >= (1 if fixed else len(written)) and (
        step.key is None or program.key_name(step) is not None
    )
    if free and full:
        return ty.YES
    where = step.kind, step.field, step.subject, step.key
    if free:
        return ty.HasEffect(*where, type=YES_NO, span=step.span)
    return ty.CanDo(*where, step.me, type=YES_NO, span=step.span)


def enough(program: Program, step: ty.MoveCounted | ty.MoveSome, amount: ty.Value) -> ty.Value:
    """Return whether there are as many things as a move takes."""
    if isinstance(step, ty.MoveSome):
        domain = step.domain
    else:
        of_seats = program.world.places[step.source.place].owner_dim is not None
        owner = None if of_seats else step.owner
        domain = ty.Lying(step.piece, step.source, owner, element=piece(step.piece))
    if isinstance(amount, ty.Const) and amount.value <= 1:
        some = ty.AnyOf(domain, type=YES_NO, span=step.span)
        return some if amount.value == 1 else ty.YES
    counted = ty.CountOf(domain, type=NUMBER, span=step.span)
    return ty.Comparison(">=", counted, amount, type=YES_NO, span=step.span)
