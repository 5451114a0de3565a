"""What steps may come to: for each way that they may go, what is taken and what may be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.known import Facts
from rulesdsl.check.surely import Surely, located, offered
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulesdsl.check.effects import Effects
    from rulesdsl.check.intervals import Interval, Intervals
    from rulesdsl.check.world import Cell
    from rulesdsl.source.span import Span

MOST_WAYS = 60  # beyond, ways are taken together: what all of them take, what any of them gives
MOST_CALLS = 8  # calls of one procedure, by what is known at them; beyond, nothing is known


@attrs.frozen
class Outcome:
    """One way: the cells that are provably taken from, those that may be added to, whose doing."""

    taken: frozenset[Cell] = frozenset()
    given: frozenset[Cell] = frozenset()
    by: Span | None = None  # the effect of an entry, where one was carried out


@attrs.frozen
class _Call:
    """A procedure, and what is known where it is called: conditions, and its numbers."""

    key: str
    known: frozenset[ty.Value] = frozenset()
    numbers: tuple[Interval, ...] = ()


Outcomes = tuple[Outcome, ...]
NOTHING = Outcome()


class Ways:
    """Works out the ways that steps may go, calls included.

    Something is provably taken only where it is known to be there: a guard or a condition has
    asked for it, and nothing has changed it since.
    """

    def __init__(
        self,
        effects: Effects,
        intervals: Intervals,
        bodies: Mapping[str, ty.Block],
    ) -> None:
        self.program = effects.program
        self.bodies = bodies
        self._effects = effects
        self._nothing_known = Facts(effects.reads)
        self._surely = Surely(effects, intervals)
        self._intervals = intervals
        self._of_entries = frozenset(self.program.effects.values())
        self._of_calls: dict[str, dict[_Call, Outcomes]] = {}

    def of_menu(self, step: ty.Decide) -> list[tuple[Span, Outcome]]:
        """Return the ways of what may be taken up again in a step, each with its place."""
        self._of_calls = {}
        lines = (line for line in step.lines if not line.once)
        return [(line.span, way) for line in lines for way in self.of_offer(line)]

    def of_offer(self, line: ty.Line) -> Outcomes:
        """Return the ways of something offered, for each thing of a domain if there is one."""
        with self._intervals.inside():
            return self._of_block(line.block, offered(line, self._nothing_known))

    def of_block(self, block: ty.Block) -> Outcomes:
        """Return the ways of steps in order, of which nothing is known."""
        with self._intervals.inside():
            return self._of_block(block, self._nothing_known)

    def _of_block(self, block: ty.Block, known: Facts) -> Outcomes:
        found: Outcomes = (NOTHING,)
        left = list(reversed(block.steps))
        while left:
            step = left.pop()
            if isinstance(step, ty.Block):
                left.extend(reversed(step.steps))
                continue
            self._intervals.bind(step)
            found = _then(found, self._of_step(step, known))
            known = self._surely.behind(step, known)
        return found

    def _of_step(self, step: ty.Step, known: Facts) -> Outcomes:
        facts = FACTS[type(step)]
        if isinstance(step, ty.Run | ty.DoField):
            called = facts.runs(step, self.program)
            return _joined(self._of_called(each, step, known) for each in called) or (NOTHING,)
        flow = facts.flow(step)
        if flow is None:
            return (self._of_change(located(step, known), known),)
        ways = _joined(self._of_block(*each) for each in self._surely.inside(step, known))
        ways = _again(ways) if flow.again else ways
        return ways if flow.surely else _joined([(NOTHING,), ways])

    def _of_change(self, change: ty.Step, known: Facts) -> Outcome:
        facts = FACTS[type(change)]
        taken = {*facts.takes(change, self.program)}
        given = {*facts.gives(change, self.program)}
        if isinstance(change, ty.ChangeTrack) and self._intervals.of(change.amount)[0] < 0:
            given |= taken  # by less than nothing
        sure = self._surely.takes_some(change, known)
        return Outcome(frozenset(taken if sure else ()), frozenset(given))

    # ---------------------------------------------------------------- calls
    def _of_called(self, key: str, step: ty.Run | ty.DoField, known: Facts) -> Outcomes:
        """Return the ways of a procedure; that of an entry is to blame for what it does."""
        if key not in self.program.procs:
            return (NOTHING,)
        ways = self._of_call(self._call(key, step, known))
        if key not in self._of_entries:
            return ways
        span = self.program.procs[key].span
        return tuple(attrs.evolve(each, by=span) for each in ways)

    def _worked_out(self, call: _Call) -> Outcomes:
        proc = self.program.procs[call.key]
        with self._intervals.inside(proc.params, call.numbers):
            ways = self._of_block(self.bodies[call.key], self._nothing_known | call.known)
        begun = _begun(self.program.world.activation(proc.title))
        return _then((Outcome(given=begun),), ways)

    def _of_call(self, call: _Call) -> Outcomes:
        every = self._of_calls.setdefault(call.key, {})
        if call not in every and len(every) >= MOST_CALLS:
            call = _Call(call.key)
        if call not in every:
            every[call] = self._worked_out(call)
        return every[call]

    def _call(self, key: str, step: ty.Run | ty.DoField, known: Facts) -> _Call:
        """Return a call with what is known of what it may change, in its own words."""
        params = self.program.procs[key].params
        arguments = step.arguments if isinstance(step, ty.Run) else ()
        names: dict[str, ty.Local] = (
            {"me": ty.Local("me", type=step.me.type)} if ty.is_me(step.me) else {}
        )
        for param, argument in zip(params, arguments, strict=True):
            if isinstance(argument, ty.Local):
                names[argument.name] = param
        numbers = self._intervals.given(params, arguments)
        written = self._effects.proc_writes(key)
        told = frozenset(
            ty.substitute_all(fact, names)
            for fact in known
            if self._effects.reads(fact) & written and _sayable(fact, names)
        )
        return _Call(key, told, numbers)


def _begun(cells: frozenset[Cell]) -> frozenset[Cell]:
    """Return what may be given where cells begin again: tracks may go up by that, or down."""
    return cells | {("u", name, "") for kind, name, _ in cells if kind == "t"}


def _sayable(fact: ty.Value, names: dict[str, ty.Local]) -> bool:
    """Whether a condition is about these locals alone and binds none of its own."""
    every = list(ty.walk(fact))
    return not any(any(FACTS[type(each)].within(each)) for each in every) and all(
        each.name in names for each in every if isinstance(each, ty.Local)
    )


def _then(first: Outcomes, second: Outcomes) -> Outcomes:
    """Return the ways of one thing after another."""
    if second == (NOTHING,):
        return first
    return _few(
        Outcome(one.taken | two.taken, one.given | two.given, one.by or two.by)
        for one in first
        for two in second
    )


def _again(ways: Outcomes) -> Outcomes:
    """Return the ways of something that is done at least once, each time as it may."""
    given = frozenset(cell for each in ways for cell in each.given)
    return _few(attrs.evolve(each, given=given) for each in ways)


def _joined(groups: Iterable[Outcomes]) -> Outcomes:
    return _few(each for group in groups for each in group)


def _few(ways: Iterable[Outcome]) -> Outcomes:
    found = tuple(dict.fromkeys(ways))
    if len(found) <= MOST_WAYS:
        return found
    taken = frozenset.intersection(*(each.taken for each in found))
    return (Outcome(taken, frozenset(cell for each in found for cell in each.given)),)
