"""What comes to an end: offers that can be taken up again and again have to use something up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from rulesdsl.check.outcomes import Outcome, Ways
    from rulesdsl.check.world import Cell
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

    Offer = tuple[Span, Outcome]  # one way that a line may go which may be taken up again


def check_termination(ways: Ways, unsure: frozenset[str], findings: Findings) -> None:
    """Report every offer that may be taken up forever, but for procedures that failed."""
    for key, body in ways.bodies.items():
        for step in _repeating(body) if key not in unsure else ():
            if isinstance(step, ty.Decide):
                _report_endless(ways.of_menu(step), findings)
            elif (times := _fixed_rounds(step)) > MAX_REPEATS:
                said = wording.too_many_rounds(times, MAX_REPEATS)
                findings.report("E407", step.span, *said)


def _repeating(body: ty.Block) -> list[ty.Step]:
    """Return the steps that may go on forever, or go round too often."""
    return [
        step
        for step in ty.walk(body)
        if (isinstance(step, ty.Decide) and step.again and step.limit is None)
        or isinstance(step, ty.RepeatTimes | ty.ForEach)
    ]


def _fixed_rounds(step: ty.Node) -> int:
    """Return how often a loop goes round, where that is written out."""
    if isinstance(step, ty.RepeatTimes) and isinstance(step.times, ty.Const):
        return step.times.value
    if isinstance(step, ty.ForEach) and isinstance(step.domain, ty.Numbers):
        low, high = step.domain.low, step.domain.high
        if isinstance(low, ty.Const) and isinstance(high, ty.Const):
            return high.value - low.value + 1
    return 0


def _report_endless(offers: list[Offer], findings: Findings) -> None:
    """Report offers that may together be taken up forever.

    One that uses up what none of them gives comes to an end; then it gives nothing any more.
    """
    left = offers
    given: frozenset[Cell] = frozenset()
    while left:
        given = frozenset(cell for _, way in left for cell in way.given)
        endless = [(span, way) for span, way in left if not way.taken - given]
        if len(endless) == len(left):
            break
        left = endless
    told: set[Span] = set()
    for span, way in left:
        place = way.by or span
        if place not in told:
            told.add(place)
            _report(span, way, given, findings)


def _report(span: Span, way: Outcome, given: frozenset[Cell], findings: Findings) -> None:
    given_back = sorted({cell[1] for cell in way.taken & given})
    related = [Related(span, "it is offered here")] if way.by else []
    findings.report("E402", way.by or span, *wording.endless(given_back), related)
