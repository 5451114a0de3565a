"""What comes to an end: offers that can be taken up again and again have to use something up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from rulesdsl.check.effects import Cell, Effects
    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


class Bounds:
    """Checks offers without a stated maximum."""

    def __init__(self, program: Program, effects: Effects, findings: Findings) -> None:
        self.program = program
        self.effects = effects
        self.findings = findings
        self._seen: set[str] = set()

    def check(self, unsure: frozenset[str] = frozenset()) -> None:
        """Report every offer that may be taken up for ever, but for procedures that failed."""
        for proc in self.program.procs.values():
            if proc.key in unsure:
                continue
            for step in ty.walk(proc.block):
                if isinstance(step, ty.OptionallyRepeat) and step.limit is None:
                    self._offer(step.block, step.span)
                elif isinstance(step, ty.OfferMenu):
                    for entry in step.entries:
                        if not entry.once:
                            self._offer(entry.block, entry.span)

    def _offer(self, block: ty.Block, span: Span) -> None:
        taken: set[Cell] = set()
        given: set[Cell] = set()
        self._seen = set()
        self._collect(block, taken, given)
        if taken - given:
            return
        help_text = "Let it cost something that it does not give back, or write `up to 3 times`."
        if taken:
            names = ", ".join(sorted({cell[1] for cell in taken}))
            help_text = f"It gives back what it costs ({names}). {help_text}"
        self.findings.report(
            "E402",
            span,
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
