"""What comes to an end: offers that can be taken up again and again have to use something up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.outcomes import Ways
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from rulesdsl.check.outcomes import Outcome
    from rulesdsl.check.possible.guards import Guards
    from rulesdsl.check.program import Program
    from rulesdsl.check.world import Cell
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

MOST_ROUNDS = 1000  # what the interpreter goes round at the most
PIECES = {"n", "l"}


@attrs.frozen
class Offer:
    """What may be taken up again: what it uses up of what it asks for, and what it gives."""

    span: Span
    taken: frozenset[Cell]
    given: frozenset[Cell]
    by: Span | None = None  # the effect of an entry that this way carries out
    rising: frozenset[str] = frozenset()  # tracks that it asks for, and only raises


class Bounds:
    """Checks offers without a stated maximum."""

    def __init__(self, program: Program, guards: Guards, findings: Findings) -> None:
        self.program = program
        self.guards = guards
        self.effects = guards.effects
        self.findings = findings
        self.ways = Ways(program)

    def check(self, unsure: frozenset[str] = frozenset()) -> None:
        """Report every offer that may be taken up for ever, but for procedures that failed."""
        for proc in self.program.procs.values():
            if proc.key in unsure:
                continue
            for step in ty.walk(proc.block):
                if isinstance(step, ty.OptionallyRepeat) and step.limit is None:
                    self._report_endless(self._offers(step.block, step.span, None))
                elif isinstance(step, ty.OfferMenu):
                    often = (entry for entry in step.entries if not entry.once)
                    self._report_endless(
                        [
                            offer
                            for each in often
                            for offer in self._offers(each.block, each.span, each.domain)
                        ]
                    )
                elif isinstance(step, ty.RepeatTimes):
                    self._rounds(step.times, step.span)
                elif isinstance(step, ty.ForEach) and isinstance(step.domain, ty.Numbers):
                    low, high = step.domain.low, step.domain.high
                    if isinstance(low, ty.Const) and isinstance(high, ty.Const):
                        rounds = ty.Const(high.value - low.value + 1, type=high.type)
                        self._rounds(rounds, step.span)

    def _rounds(self, times: ty.Value, span: Span) -> None:
        if isinstance(times, ty.Const) and times.value > MOST_ROUNDS:
            self.findings.report(
                "E407",
                span,
                f"This is done {times.value} times, and nothing is done more than {MOST_ROUNDS}.",
                "Say a smaller number.",
            )

    def _offers(self, block: ty.Block, span: Span, domain: ty.Domain | None) -> list[Offer]:
        """Return the ways that something offered may go, each as an offer of its own."""
        asked = self.effects.reads(self.guards.offers.get(id(block), ty.YES))
        if domain is not None:
            asked |= self.effects.reads(domain)
        return [self._offer(each, span, asked) for each in self.ways.of_block(block)]

    def _offer(self, way: Outcome, span: Span, asked: frozenset[Cell]) -> Offer:
        left = {cell[1] for cell in asked - way.given | asked & way.taken if cell[0] in PIECES}
        used_up = {cell for cell in way.taken if cell in asked or cell[1] in left}
        rising = {cell[1] for cell in asked & way.given if cell[0] == "t"}
        return Offer(span, frozenset(used_up), way.given, way.by, frozenset(rising))

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
        help_text = "Let it cost something that it does not give back, or write `up to 3 times`."
        if offer.taken:
            names = ", ".join(sorted({cell[1] for cell in offer.taken & given}))
            help_text = f"It gives back what it costs ({names}). {help_text}"
        message = "nothing is used up."
        if rising := " and ".join(f"`{name}`" for name in sorted(offer.rising)):
            message = f"{rising} only goes up, and no bound is taken for an end."
            help_text = (
                "Count down instead, from the bound to 0: ask whether any is left and `lower` it. "
                "Or write `up to 3 times`."
            )
        related = [] if offer.by is None else [Related(offer.span, "it is offered here")]
        self.findings.report(
            "E402",
            offer.by or offer.span,
            f"This may be done again and again for ever: {message}",
            help_text,
            related,
        )
