"""What comes to an end: offers that can be taken up again and again have to use something up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from rulesdsl.check.outcomes import Ways
    from rulesdsl.check.world import Cell
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


@attrs.frozen
class Offer:
    """What may be taken up again: what it surely uses up, and what it may give."""

    span: Span
    taken: frozenset[Cell]
    given: frozenset[Cell]
    by: Span | None = None  # the effect of an entry that this way carries out


class Bounds:
    """Checks offers without a stated maximum."""

    def __init__(self, ways: Ways, findings: Findings) -> None:
        self.ways = ways
        self.findings = findings

    def check(self, unsure: frozenset[str] = frozenset()) -> None:
        """Report every offer that may be taken up for ever, but for procedures that failed."""
        for key, body in self.ways.bodies.items():
            for step in ty.walk(body) if key not in unsure else ():
                if isinstance(step, ty.Decide) and step.again and step.limit is None:
                    often = [self._offers(each) for each in step.lines if not each.once]
                    self._report_endless([offer for offers in often for offer in offers])
                elif isinstance(step, ty.RepeatTimes):
                    self._rounds(step.times, step.span)
                elif isinstance(step, ty.ForEach) and isinstance(step.domain, ty.Numbers):
                    low, high = step.domain.low, step.domain.high
                    if isinstance(low, ty.Const) and isinstance(high, ty.Const):
                        rounds = ty.Const(high.value - low.value + 1, type=high.type)
                        self._rounds(rounds, step.span)

    def _rounds(self, times: ty.Value, span: Span) -> None:
        if isinstance(times, ty.Const) and times.value > MAX_REPEATS:
            self.findings.report(
                "E407",
                span,
                f"This is done {times.value} times, and nothing is done more than {MAX_REPEATS}.",
                "Say a smaller number.",
            )

    def _offers(self, line: ty.Line) -> list[Offer]:
        """Return the ways that a line may go, each as an offer of its own."""
        ways = self.ways.of_offer(line)
        return [Offer(line.span, way.taken, way.given, way.by) for way in ways]

    def _report_endless(self, offers: list[Offer]) -> None:
        """Report offers that stand together and may be taken up for ever.

        One that uses up what none of them gives comes to an end; then it gives nothing any more.
        """
        left = offers
        given: frozenset[Cell] = frozenset()
        while left:
            given = frozenset(cell for each in left for cell in each.given)
            endless = [each for each in left if not each.taken - given]
            if len(endless) == len(left):
                break
            left = endless
        told: set[Span] = set()
        for offer in left:
            place = offer.by or offer.span
            if place not in told:
                told.add(place)
                self._report(offer, given)

    def _report(self, offer: Offer, given: frozenset[Cell]) -> None:
        why = "nothing is used up"
        if offer.taken:
            names = ", ".join(sorted({cell[1] for cell in offer.taken & given}))
            why = f"what it uses up ({names}) comes back"
        related = [] if offer.by is None else [Related(offer.span, "it is offered here")]
        self.findings.report(
            "E402",
            offer.by or offer.span,
            f"This may be done again and again for ever: {why}.",
            "Let it cost something that does not come back, or write `up to 3 times`.",
            related,
        )
