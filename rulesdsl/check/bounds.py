"""What comes to an end: offers that can be taken up again and again have to use something up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from rulesdsl.check.effects import Cell
    from rulesdsl.check.possible.guards import Guards
    from rulesdsl.check.program import Program
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


class Bounds:
    """Checks offers without a stated maximum."""

    def __init__(self, program: Program, guards: Guards, findings: Findings) -> None:
        self.program = program
        self.guards = guards
        self.effects = guards.effects
        self.findings = findings
        self._seen: set[str] = set()

    def check(self, unsure: frozenset[str] = frozenset()) -> None:
        """Report every offer that may be taken up for ever, but for procedures that failed."""
        for proc in self.program.procs.values():
            if proc.key in unsure:
                continue
            for step in ty.walk(proc.block):
                if isinstance(step, ty.OptionallyRepeat) and step.limit is None:
                    self._report_endless([self._offer(step.block, step.span, None)])
                elif isinstance(step, ty.OfferMenu):
                    often = (entry for entry in step.entries if not entry.once)
                    self._report_endless(
                        [self._offer(each.block, each.span, each.domain) for each in often]
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

    def _offer(self, block: ty.Block, span: Span, domain: ty.Domain | None) -> Offer:
        taken: set[Cell] = set()
        given: set[Cell] = set()
        self._seen = set()
        self._collect(block, taken, given)
        asked = self.effects.reads(self.guards.offers.get(id(block), ty.YES))
        if domain is not None:
            asked |= self.effects.reads(domain)
        left = {cell[1] for cell in asked - given | asked & taken if cell[0] in PIECES}
        used_up = {cell for cell in taken if cell in asked or cell[1] in left}
        return Offer(span, frozenset(used_up), frozenset(given))

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
        for offer in left:
            self._report(offer, given)

    def _report(self, offer: Offer, given: frozenset[Cell]) -> None:
        help_text = "Let it cost something that it does not give back, or write `up to 3 times`."
        if offer.taken:
            names = ", ".join(sorted({cell[1] for cell in offer.taken & given}))
            help_text = f"It gives back what it costs ({names}). {help_text}"
        self.findings.report(
            "E402",
            offer.span,
            "This may be done again and again for ever: nothing is used up.",
            help_text,
        )

    def _collect(  # noqa: C901 - one case a kind of step
        self, node: ty.Typed, taken: set[Cell], given: set[Cell]
    ) -> None:
        for step in ty.walk(node):
            match step:
                case ty.MoveCounted():
                    if not step.up_to:
                        taken.add(self.effects.cell(step.piece, step.source.place))
                    given.add(self.effects.cell(step.piece, step.target.place))
                case ty.MovePrinted():
                    if not step.subject.type.maybe:
                        taken |= self._left(step)
                    given.add(self.effects.cell(step.piece, step.target.place))
                case ty.MoveSome():
                    self._some(step, taken, given)
                case ty.ChangeTrack():
                    (given if step.up else taken).add(("t", step.track, ""))
                case ty.SetFlag():
                    (taken if step.on else given).add(("f", step.flag, ""))
                case ty.Run():
                    self._procs([step.proc], taken, given)
                case ty.DoField():
                    key = self.effects.key_name(step)
                    self._procs(
                        self.program.column(step.kind, step.field, key, None), taken, given
                    )
                case _:
                    pass

    def _left(self, step: ty.MovePrinted) -> set[Cell]:
        """Return the places that a piece may leave: all but the one it goes to."""
        target = self.effects.cell(step.piece, step.target.place)
        return set(self.effects.everywhere(step.piece)) - {target}

    def _some(self, step: ty.MoveSome, taken: set[Cell], given: set[Cell]) -> None:
        base = step.domain
        while isinstance(base, ty.Filtered):
            base = base.base
        if isinstance(base, ty.Lying | ty.EndPieces):
            if not step.up_to:
                taken.add(self.effects.cell(base.piece, base.cells.place))
            given.add(self.effects.cell(base.piece, step.target.place))

    def _procs(self, keys: list[str], taken: set[Cell], given: set[Cell]) -> None:
        for key in keys:
            if key not in self._seen and key in self.program.procs:
                self._seen.add(key)
                self._collect(self.program.procs[key].block, taken, given)
