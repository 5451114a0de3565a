"""Into a condition that fails, to the part of it that says why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.inline import inline
from rulesdsl.check.proofs import either
from rulesdsl.check.types import YES_NO, entry
from rulesdsl.interpreter.reasons.asked import parts

if TYPE_CHECKING:
    from rulesdsl.check.program import Program
    from rulesdsl.interpreter.reasons.looks import Looks
    from rulesdsl.lower.layout import Layout
    from rulesdsl.source.span import Span


@attrs.frozen
class Position:
    """A state and the frame of the machine that asks, with what an option would bind in it."""

    looks: Looks
    proc: str
    state: Any
    frame: Sequence[Any]

    def number(self, value: ty.Value) -> int:
        """Return what a value comes to here."""
        return self.looks.number(self.proc, value, self.state, self.frame)

    def numbers(self, words: ty.Words) -> list[int]:
        """Return the values in words."""
        return self.looks.numbers(self.proc, words, self.state, self.frame)


def failing(
    program: Program, layout: Layout, place: Position, value: ty.Value, rule: Span
) -> tuple[ty.Value, Span]:
    """Return the part of a failing condition that says why it fails, and its rule."""
    while True:
        rule = value.span if value.span.line else rule
        if value.why is not None:  # the rules say it themselves
            return value, rule
        if isinstance(value, ty.Or):  # all of them fail, each for a reason of its own
            every = (_first(program, place, each) for each in value.parts)
            found = [failing(program, layout, place, each, rule)[0] for each in every]
            return either(found), rule
        inner = _inside(program, layout, place, value)
        if inner is None:
            return value, rule
        value = _first(program, place, inner)


def _first(program: Program, place: Position, value: ty.Value) -> ty.Value:
    """Return the first part that fails of a condition that fails."""
    return next(each for each in parts(program, value) if not place.number(each))


def _inside(program: Program, layout: Layout, place: Position, value: ty.Value) -> ty.Value | None:
    """Return what a condition comes to here; None where it is a whole."""
    if isinstance(value, ty.Cases):
        taken = (then for asked, then in value.cases if place.number(asked))
        return next(taken, value.otherwise)
    return _of_effect(program, layout, place, value) if isinstance(value, ty.CanDo) else None


def _of_effect(
    program: Program, layout: Layout, place: Position, value: ty.CanDo
) -> ty.Value | None:
    """Return the guard of the effect that is meant here; None where there is none."""
    at = place.number(value.subject)
    key = None if value.key is None else place.number(value.key)
    if at < 0 or (key is not None and key < 0):
        return None
    if value.subject.type.family == "piece":
        at = layout.instances(value.kind)[at][0]
    per = program.world.kinds[value.kind].fields[value.field].per
    fixed = ty.CanDo(
        value.kind,
        value.field,
        ty.Const(at, type=entry(value.kind)),
        None if key is None or per is None else ty.Const(key, type=entry(per)),
        value.me,
    )
    meant = program.meant(fixed)
    if not meant:
        return ty.HasEffect(fixed.kind, fixed.field, fixed.subject, fixed.key, type=YES_NO)
    if len(meant) != 1 or program.guards.get(meant[0], ty.YES) == ty.YES:
        return None
    return inline(program, program.guards[meant[0]], (), value.me, ())
