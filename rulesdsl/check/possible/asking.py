"""What is known at a point, and what is asked there or reported as asked too late."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.effects import Cells, Effects
from rulesdsl.check.intervals import Intervals
from rulesdsl.check.known import Facts
from rulesdsl.check.proofs import as_filled, atoms, both, proved
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.typed.walk import children, substitute
from rulesdsl.check.types import YES_NO
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings


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


class Asking:
    """Keeps the guards that were computed; asks for conditions."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self.effects = Effects(program)
        self.offers: dict[int, ty.Value] = {}  # id of a block -> its guard where it is offered
        self.intervals = Intervals(program)
        self.no_facts = Facts(self.effects.reads)
        self.domains: dict[int, ty.Domain] = {}  # id of a pick -> candidates
        self.unsure: frozenset[str] = frozenset()  # procedures that come to one that failed
        self._sure = True
        self._key = ""
        self.fresh = count(1)  # numbers the names that guards bind
        self._kept: list[object] = []  # keeps the nodes alive whose ids are used

    def after(
        self, steps: tuple[ty.Step, ...], known: Known, then: Callable[[Known], ty.Value]
    ) -> ty.Value:
        """Return the guard of steps and of what follows them."""
        raise NotImplementedError

    def ask(self, condition: ty.Value, known: Known, span: Span | None = None) -> ty.Value:
        """Return a condition for the guard; report it where it may be asked too late."""
        if condition == ty.YES or proved(condition, known.facts) or self._some_number(condition):
            return ty.YES
        if isinstance(condition, ty.And):
            return both(*(self.ask(part, known, span) for part in condition.parts))
        if self.is_late(condition, known):
            place = span or condition.span
            hook = self._hook_before(condition, place)
            if hook is None:
                self._stuck(place, condition)
            else:
                related = [
                    (place, "it is asked here"),
                    (self._added(condition), "because of this"),
                ]
                self._report_stuck(ty.YES, hook, *related)
            return ty.YES
        if span is not None and (condition.span.line == 0 or self._is_added(span, condition)):
            condition = attrs.evolve(condition, span=span)
        return condition

    def _some_number(self, condition: ty.Value) -> bool:
        """Whether a condition asks for any of the numbers up to one that is never too small."""
        if not isinstance(condition, ty.AnyOf) or not isinstance(condition.domain, ty.Numbers):
            return False
        low, high = condition.domain.low, condition.domain.high
        return isinstance(low, ty.Const) and low.value <= self.intervals.of(high)[0]

    def _is_added(self, span: Span, condition: ty.Value) -> bool:
        """Whether a hook does here what asks, further down and in no hook, for a condition."""
        return self._in_hook(span) and not self._in_hook(condition.span)

    def _in_hook(self, span: Span) -> bool:
        return any(hook.holds(span) for hook in self._hooks.get(span.file, ()))

    @cached_property
    def _hooks(self) -> dict[str, list[Span]]:
        """The places of all hooks, by file."""
        found: dict[str, list[Span]] = {}
        for infos in self.program.world.procs.values():
            for hook in (each for info in infos for each in info.hooks):
                found.setdefault(hook.span.file, []).append(hook.span)
        return found

    def is_late(self, value: ty.Value, known: Known) -> bool:
        """Whether a value cannot be known at the beginning."""
        if self.effects.reads(value) & known.written:
            return True
        return any(
            isinstance(each, ty.Local) and each.name in known.late for each in ty.walk(value)
        )

    def _hook_before(self, condition: ty.Value, place: Span) -> Span | None:
        """Return the hook in front of the steps here that changes what they ask for."""
        proc = self.program.procs.get(self._key)
        if proc is None:
            return None
        every = self.program.world.procs.get(proc.title, ())
        for hook in (each for info in every if info.key == proc.key for each in info.hooks):
            if hook.time == "before" and not hook.span.holds(place):
                steps = (step for step in proc.block.steps if hook.span.holds(step.span))
                read = self.effects.reads(condition)
                if any(self.effects.writes(step) & read for step in steps):
                    return hook.span
        return None

    def asked_at(self, condition: ty.Value) -> Span:
        """Return where a condition stands that a call has brought along, NOWHERE if nowhere."""
        parts: tuple[ty.Value, ...]
        if isinstance(condition, ty.Can | ty.CanDo):
            keys = FACTS[type(condition)].asks(condition, self.program)
            parts = tuple(self.program.guards.get(key, ty.YES) for key in keys)
        elif isinstance(condition, ty.Cases):
            parts = (*(guard for _, guard in condition.cases), condition.otherwise)
        elif isinstance(condition, ty.And | ty.Or):
            parts = condition.parts
        elif isinstance(condition, ty.LetIn):
            parts = (condition.inner,)
        else:
            return condition.span
        places = (self.asked_at(part) for part in parts)
        return next((span for span in places if span != NOWHERE), NOWHERE)

    def _stuck(self, span: Span, condition: ty.Value) -> None:
        """Report a condition that comes too late: in the hook that asks for it, if one does."""
        added = NOWHERE if self._in_hook(span) else self._added(condition)
        if added == NOWHERE:
            self._report_stuck(condition, span, (self.asked_at(condition), "it is asked here"))
        else:
            self._report_stuck(condition, added, (span, "this comes to it"))

    def _added(self, condition: ty.Value) -> Span:
        """Return where a hook asks for a part of a condition, NOWHERE if none does."""
        places = self._asking_places(condition, set())
        return next((place for place in places if self._in_hook(place)), NOWHERE)

    def _asking_places(self, condition: ty.Node, seen: set[str]) -> Iterator[Span]:
        """Yield where a condition and its parts are asked; of several ways, those before all."""
        parts: Iterable[ty.Node]
        if isinstance(condition, ty.Cases):
            parts = (*(guard for _, guard in condition.cases), condition.otherwise)
        elif isinstance(condition, ty.LetIn):
            parts = (condition.inner,)
        elif isinstance(condition, ty.Filtered):
            parts = (condition.condition, condition.base)
        else:
            yield condition.span
            found = set(FACTS[type(condition)].asks(condition, self.program))
            guards = [self.program.guards.get(key, ty.YES) for key in sorted(found - seen)]
            seen |= found
            parts = guards if found else children(condition)
        for part in parts:
            yield from self._asking_places(part, seen)
        yield condition.span

    def _report_stuck(self, asked: ty.Value, span: Span, *others: tuple[Span, str]) -> None:
        sort = any(isinstance(each, ty.AnyOf) and _is_sort(each.domain) for each in atoms(asked))
        choose_first = "\nOf several from one place, choose each with `let` before one is moved."
        related = [Related(at, why) for at, why in others if at not in {NOWHERE, span}]
        self.findings.report(
            "E401",
            span,
            "This may turn out to be impossible when it is too late to say so.",
            "Put `if able:` or `may` before it, move `up to` so many, or ask for it before "
            "anything changes: with `needs`, or with an `if any ...:` that has no `where`."
            + choose_first
            * sort,
            related,
        )

    def changed(self, step: ty.Node, known: Known) -> Known:
        """Return what is known behind a step: what it writes is not known any more."""
        written = self.effects.writes(step)
        if not written:
            return known
        facts = known.facts.without(written)
        implied = tuple(
            (asked, found)
            for asked, found in known.implied
            if not self.effects.reads(found) & written
        )
        return attrs.evolve(known, written=known.written | written, facts=facts, implied=implied)

    def inside(self, block: ty.Block, known: Known) -> ty.Value:
        """Return what a block asks for by itself."""
        return self.after(block.steps, known, nothing_more)

    def offer(self, block: ty.Block, known: Known) -> ty.Value:
        """Return the guard of something that is offered: asked at that moment."""
        now = attrs.evolve(known, written=frozenset(), late=frozenset())
        guard = self.after(block.steps, now, nothing_more)
        self.offers[id(block)] = guard
        self._kept.append(block)
        return guard

    def facts_of(self, local: ty.Local, domain: ty.Domain) -> frozenset[ty.Value]:
        """Return what is known of a thing of a domain."""
        found: set[ty.Value] = {ty.MemberOf(local, domain, type=YES_NO)}
        if isinstance(domain, ty.Filtered):
            found |= set(atoms(substitute(domain.condition, domain.variable, local)))
            found.add(ty.MemberOf(local, domain.base, type=YES_NO))
        if isinstance(domain, ty.Numbers):
            found.add(ty.Comparison(">=", local, domain.low, type=YES_NO))
        return frozenset(found)


def _is_sort(domain: ty.Domain) -> bool:
    """Whether these are pieces in a place, and only some of those."""
    base = domain.base if isinstance(domain, ty.Filtered) else domain
    return isinstance(base, ty.Lying) and (base is not domain or base.entry is not None)


def nothing_more(_: Known) -> ty.Value:
    """Return that nothing follows which would ask for something."""
    return ty.YES
