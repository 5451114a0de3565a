"""The preconditions of procedures, and of all that is offered in them, written into the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check import typed as ty
from rulesdsl.check.known import Facts, facts_of
from rulesdsl.check.possible.calls import call_guard, enough, field_guard
from rulesdsl.check.possible.candidates import candidates
from rulesdsl.check.possible.known import Known
from rulesdsl.check.possible.stuck import Stuck
from rulesdsl.check.proofs import (
    atoms,
    both,
    either,
    lying,
    narrowed,
    negate,
    proved,
    some_of,
    uses,
)
from rulesdsl.check.typed.facts import is_random
from rulesdsl.check.types import NUMBER, PLAYER, YES_NO, a_or_an
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.effects import Effects
    from rulesdsl.check.intervals import Intervals
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

EVERYBODY = ty.AllSeats(players=True, element=PLAYER)
ZERO = ty.Const(0, type=NUMBER)
Steps = tuple[ty.Step, ...]


class Guards:
    """Computes guards of procedures and offers; reports what can get stuck.

    `unsure` are the procedures that come to one that failed: what is unclear in them is no news.
    """

    def __init__(
        self,
        effects: Effects,
        intervals: Intervals,
        findings: Findings,
        unsure: frozenset[str],
    ) -> None:
        self.program = effects.program
        self.effects = effects
        self.intervals = intervals
        self.findings = findings
        self.unsure = unsure
        self.stuck = Stuck(effects, findings)
        self._key = ""
        self._bodies: dict[str, ty.Block] = {}

    def run(self, order: Iterable[str]) -> dict[str, ty.Block]:
        """Compute the guards of procedures, callees first; return the bodies with guards in them.

        One that failed is passed over: a guess at what was meant would only lead to more findings.
        """
        self._bodies = {key: proc.block for key, proc in self.program.procs.items()}
        for key in order:
            if key not in self.program.failed:
                self._guard(key)
        return self._bodies

    def _guard(self, key: str) -> None:
        """Compute the guard of a procedure, and its body with guards in it."""
        self._key = key
        block = self.program.procs[key].block
        guard, self._bodies[key] = self._block(block, Known(Facts(self.effects.reads)))
        self.program.guards[key] = ty.YES if key in self.program.failed else guard
        self.effects.called_reads(key)

    def require_free(self, key: str) -> None:
        """Report a procedure that starts the game but may be impossible."""
        guard = self.program.guards.get(key, ty.YES)
        for atom in atoms(guard) if guard != ty.YES else ():
            place = atom.span if atom.span.line else self.program.procs[key].span
            self.stuck.report(place, atom)

    # ---------------------------------------------------------------- what is asked
    def _ask(self, condition: ty.Value, known: Known, span: Span | None = None) -> ty.Value:
        """Return a condition for the guard; report it where it may be asked too late."""
        if condition == ty.YES or proved(condition, known.facts) or self._some_number(condition):
            return ty.YES
        if isinstance(condition, ty.And):
            return both(*(self._ask(part, known, span) for part in condition.parts))
        if self._is_late(condition, known):
            self.stuck.report_in(self._key, span or condition.span, condition)
            return ty.YES
        if span is not None and (condition.span.line == 0 or self.stuck.is_added(span, condition)):
            condition = attrs.evolve(condition, span=span)
        return condition

    def _some_number(self, condition: ty.Value) -> bool:
        """Whether a condition asks for any of the numbers up to one that is never too small."""
        if not isinstance(condition, ty.AnyOf) or not isinstance(condition.domain, ty.Numbers):
            return False
        low, high = condition.domain.low, condition.domain.high
        return isinstance(low, ty.Const) and low.value <= self.intervals.of(high)[0]

    def _is_late(self, value: ty.Value, known: Known) -> bool:
        """Whether a value cannot be known at the beginning."""
        return bool(self.effects.reads(value) & known.written) or any(
            isinstance(each, ty.Local) and each.name in known.late for each in ty.walk(value)
        )

    def _changed(self, step: ty.Node, known: Known) -> Known:
        """Return what is known after a step: what it writes is not known any more."""
        written = self.effects.writes(step)
        if not written:
            return known
        facts = known.facts.without(written)
        implied = tuple(
            each for each in known.implied if not self.effects.reads(each[1]) & written
        )
        return attrs.evolve(known, written=known.written | written, facts=facts, implied=implied)

    # ---------------------------------------------------------------- sequences
    def _block(self, block: ty.Block, known: Known) -> tuple[ty.Value, ty.Block]:
        """Return what a block asks for by itself, and the block with guards in it."""
        made: list[ty.Step] = []
        guard = self._after(block.steps, known, made)
        return guard, attrs.evolve(block, steps=_filled(block.steps, iter(made)))

    def _offered(self, block: ty.Block, known: Known) -> tuple[ty.Value, ty.Block]:
        """Return the guard of something that is offered, asked at that moment; and the block."""
        return self._block(block, attrs.evolve(known, written=frozenset(), late=frozenset()))

    def _after(self, steps: Steps, known: Known, made: list[ty.Step]) -> ty.Value:
        """Return the guard of steps; put them into `made`, those of blocks one by one."""
        asked: list[ty.Value] = []
        left = list(reversed(steps))
        while left:
            step = left.pop()
            if isinstance(step, ty.Block):
                left.extend(reversed(step.steps))
                continue
            made.append(step)
            if isinstance(step, ty.Finish):
                break
            if isinstance(step, ty.SetLocal):
                asked.append(self._bind(step, tuple(reversed(left)), known, made))
                break
            if isinstance(step, ty.Decide) and step.choice is not None:
                asked.append(self._pick(step, tuple(reversed(left)), known, made))
                break
            if isinstance(step, ty.Require):
                self._check_text(step, known)
                asked.append(self._ask(step.condition, known))
                known = known.holding(step.condition)
            else:
                condition, made[-1] = self._one(step, known)
                asked.append(condition)
                known = self._changed(step, known)
        return both(*asked)

    def _check_text(self, step: ty.Require, known: Known) -> None:
        """Report a text of a condition that speaks of what is only known later."""
        for part in atoms(step.condition):
            for each in [] if part.why is None else ty.walk(part.why):
                if isinstance(each, ty.Local) and each.name in known.late:
                    self.findings.report("E302", each.span, *wording.text_too_early())
                    return

    def _bind(self, step: ty.SetLocal, rest: Steps, known: Known, made: list[ty.Step]) -> ty.Value:
        """Take in a local: the guard uses it unless it is computed too late or drawn by chance."""
        late = self._is_late(step.value, known) or is_random(step.value)
        inner = self._after(rest, known.binding(step, late=late), made)
        if late:
            return inner
        if not uses(inner, step.name):  # nothing but texts may still speak of it
            return ty.substitute(inner, step.name, step.value)
        asked_at = self.stuck.asked_at(inner)  # the local by itself asks for nothing
        span = step.span if asked_at == NOWHERE else asked_at
        return ty.LetIn(step.name, step.value, inner, type=YES_NO, span=span)

    def _pick(self, step: ty.Decide, rest: Steps, known: Known, made: list[ty.Step]) -> ty.Value:
        """Take in a choice: its candidates are those for which the rest can be carried out."""
        assert step.choice is not None
        name, base = step.choice
        at = len(made) - 1
        fresh = attrs.evolve(known, written=frozenset()).with_one(name, base)
        inner = self._after(rest, fresh, made)
        domain = candidates(name, base, inner)
        if domain is None:
            domain = base
            self._report_anywhere(step.span, base)
        made[at] = attrs.evolve(step, lines=(attrs.evolve(step.lines[0], domain=domain),))
        found = self._ask(some_of(domain, "", ty.YES), known, step.span)
        apart = (atom for atom in atoms(inner) if not uses(atom, name))
        return both(found, *(self._ask(atom, known) for atom in apart))

    def _report_anywhere(self, span: Span, domain: ty.Domain) -> None:
        """Report a choice among pieces of which nothing says where they lie."""
        if self._key not in self.unsure:
            name = domain.element.of
            message, help_text = f"Where is the {name} chosen from?", f"{a_or_an(name)} in ..."
            self.findings.report("E305", span, message, f"Say it: `{help_text}`.")
            self.program.failed.add(self._key)

    # ---------------------------------------------------------------- single steps
    def _one(self, step: ty.Step, known: Known) -> tuple[ty.Value, ty.Step]:
        """Return what a step asks for, and the step with guards in it."""
        if isinstance(step, ty.Leaf):
            return self._leaf(step, known), step
        match step:
            case ty.Run(proc=proc, me=me, arguments=arguments):
                guard = call_guard(self.program, proc, me, arguments)
                return self._ask(guard, known, step.span), step
            case ty.DoField():
                guard = field_guard(self.program, step)
                return self._ask(guard, known, step.span), step
            case ty.Branching():
                return self._branching(step, known)
            case ty.WhereAble():
                guard, block = self._offered(step.block, known)
                asked, otherwise = self._block(step.otherwise, known)
                return asked, attrs.evolve(step, block=block, otherwise=otherwise, guard=guard)
            case ty.Decide():
                return self._decide(step, known)
            case ty.RepeatTimes() | ty.RepeatUntil() | ty.ForEach():
                return self._loop(step, known)
            case ty.Secretly():
                return self._secretly(step, known)
            case ty.Block():
                raise AssertionError(step)  # its steps are gone through one by one
            case _:
                assert_never(step)

    def _leaf(self, step: ty.Leaf, known: Known) -> ty.Value:
        """Return what a simple step asks for: that there are as many things as it moves."""
        if not isinstance(step, ty.MoveCounted | ty.MoveSome) or step.up_to or not step.amount:
            return ty.YES
        return self._ask(enough(self.program, step, step.amount), known, step.span)

    def _branching(self, step: ty.Branching, known: Known) -> tuple[ty.Value, ty.Step]:
        """Take in an if: it asks for what the branch asks for that will be taken."""
        guards: list[tuple[ty.Value, ty.Value]] = []
        branches: list[tuple[ty.Value, ty.Block]] = []
        here = known
        for condition, block in step.branches:
            guard, inside = self._block(block, here.holding(condition))
            guards.append((condition, guard))
            branches.append((condition, inside))
            here = here.holding(negate(condition))
        last, otherwise = self._block(step.otherwise, here)
        made = attrs.evolve(step, branches=tuple(branches), otherwise=otherwise)
        if last == ty.YES and all(guard == ty.YES for _, guard in guards):
            return ty.YES, made
        chosen = ty.Cases(tuple(guards), last, type=YES_NO, span=step.span)
        others = [last, *(guard for _, guard in guards[1:])]
        shared = [
            each for each in lying(guards[0][1]) if all(each in atoms(other) for other in others)
        ]
        return self._ask(both(*shared, chosen), known, step.span), made

    def _decide(self, step: ty.Decide, known: Known) -> tuple[ty.Value, ty.Step]:
        """Take in a decision between lines; each is asked when it is offered, perhaps again."""
        here = known
        for block in step.blocks if step.again else ():
            here = self._changed(block, here)
        lines: list[ty.Line] = []
        for line in step.lines:
            inner = here if line.about is None else here.with_one(*line.about)
            guard, block = self._offered(line.block, inner)
            lines.append(attrs.evolve(line, guard=guard, block=block))
        made = attrs.evolve(step, lines=tuple(lines))
        if step.stop is not None or not lines:
            return ty.YES, made
        return self._ask(either(line.guard for line in lines), known, step.span), made

    def _loop(
        self, step: ty.RepeatTimes | ty.RepeatUntil | ty.ForEach, known: Known
    ) -> tuple[ty.Value, ty.Step]:
        """Take in a loop: it asks for its body in every round, if there is any."""
        here = self._changed(step.block, known)
        if isinstance(step, ty.ForEach):
            here = self._one_of(step, here)
        body, block = self._block(step.block, here)
        made = attrs.evolve(step, block=block)
        if body == ty.YES:
            return ty.YES, made
        place = _place(body, step.span)
        match step:
            case ty.RepeatTimes(times=times):
                never = ty.Comparison("<=", times, ZERO, type=YES_NO)
                return self._ask(either([never, body]), known, place), made
            case ty.RepeatUntil():
                return self._ask(body, known, step.span), made
            case ty.ForEach(domain=domain, variable=variable):
                failing = some_of(domain, variable, negate(body))
                return self._ask(negate(failing), known, place), made

    def _one_of(self, step: ty.ForEach, here: Known) -> Known:
        """Return what is known of the thing of a round, as far as no round has changed it."""
        written = self.effects.writes(step.block)
        facts = frozenset(
            fact
            for fact in facts_of(step.variable, step.domain)
            if not self.effects.reads(fact) & here.written
            or (isinstance(fact, ty.MemberOf) and not self.effects.reads(fact) & written)
        )
        return attrs.evolve(here, facts=here.facts | facts)

    def _secretly(self, step: ty.Secretly, known: Known) -> tuple[ty.Value, ty.Step]:
        """Take in a secret choice: it asks for an option for everybody."""
        fresh = Known(Facts(self.effects.reads), late=known.late)
        here = self._changed(step.block, fresh.with_one(step.variable, step.domain))
        body, block = self._block(step.block, here)
        domain = narrowed(step.domain, step.variable, body)
        found = some_of(domain, "", ty.YES)
        if uses(found, step.me) and not proved(found, known.facts):
            found = negate(some_of(EVERYBODY, step.me, negate(found)))
        made = attrs.evolve(step, domain=domain, block=block)
        return self._ask(found, known, step.span), made


def _filled(steps: Steps, made: Iterator[ty.Step]) -> Steps:
    """Return steps as they were made, those of blocks in their blocks; the rest as it is."""
    return tuple(
        attrs.evolve(each, steps=_filled(each.steps, made))
        if isinstance(each, ty.Block)
        else next(made, each)
        for each in steps
    )


def _place(condition: ty.Value, otherwise: Span) -> Span:
    """Return where the first part of a condition was asked."""
    places = (atom.span for atom in atoms(condition))
    return next((span for span in places if span.line), otherwise)
