"""What is known at a point, and what is asked there or reported as asked too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.possible.late import is_added, report_asked_late
from rulesdsl.check.proofs import as_filled, atoms, both, proved

if TYPE_CHECKING:
    from rulesdsl.check.effects import Cells
    from rulesdsl.check.known import Facts
    from rulesdsl.check.possible.guards import Guards
    from rulesdsl.source.span import Span


@attrs.frozen
class Known:
    """What is known at a point: what has been written, what holds, which locals came too late."""

    facts: Facts
    written: Cells = frozenset()
    late: frozenset[str] = frozenset()
    implied: tuple[tuple[ty.Value, ty.Value], ...] = ()

    def holding(self, condition: ty.Value) -> Known:
        """Return this with a condition that holds, and what it implies."""
        new = set(atoms(condition))
        new |= set(map(as_filled, new))
        new |= {found for asked, found in self.implied if asked in new}
        return attrs.evolve(self, facts=self.facts | new)


def ask(g: Guards, condition: ty.Value, known: Known, span: Span | None = None) -> ty.Value:
    """Return a condition for the guard; report it where it may be asked too late."""
    if condition == ty.YES or proved(condition, known.facts) or _some_number(g, condition):
        return ty.YES
    if isinstance(condition, ty.And):
        return both(*(ask(g, part, known, span) for part in condition.parts))
    if is_late(g, condition, known):
        report_asked_late(g, span or condition.span, condition)
        return ty.YES
    if span is not None and (condition.span.line == 0 or is_added(g, span, condition)):
        condition = attrs.evolve(condition, span=span)
    return condition


def _some_number(g: Guards, condition: ty.Value) -> bool:
    """Whether a condition asks for any of the numbers up to one that is never too small."""
    if not isinstance(condition, ty.AnyOf) or not isinstance(condition.domain, ty.Numbers):
        return False
    low, high = condition.domain.low, condition.domain.high
    return isinstance(low, ty.Const) and low.value <= g.intervals.of(high)[0]


def is_late(g: Guards, value: ty.Value, known: Known) -> bool:
    """Whether a value cannot be known at the beginning."""
    if g.effects.reads(value) & known.written:
        return True
    return any(isinstance(each, ty.Local) and each.name in known.late for each in ty.walk(value))


def changed(g: Guards, step: ty.Node, known: Known) -> Known:
    """Return what is known behind a step: what it writes is not known any more."""
    written = g.effects.writes(step)
    if not written:
        return known
    facts = known.facts.without(written)
    implied = tuple(
        (asked, found) for asked, found in known.implied if not g.effects.reads(found) & written
    )
    return attrs.evolve(known, written=known.written | written, facts=facts, implied=implied)
