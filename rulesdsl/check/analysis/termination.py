"""Termination: an option that can be taken again must use something up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.dataflow import Analysis, Call, Dataflow, FactFlow, chosen
from rulesdsl.check.analysis.intervals import MAX_REPEATS, Interval, Intervals
from rulesdsl.check.analysis.prover import Effects, FactSet
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.symbols.types import NUMBER, YES_NO
from rulesdsl.check.typed.conditions import MIRRORED, negate
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, Flow
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.source.span import Span

MOST_WAYS = 60  # more paths are merged: intersection of `taken`, union of `given`
MOST_CALLS = 8  # calling contexts that are distinguished for each procedure


@attrs.frozen
class PathSummary:
    """Changes on one path: the cells it provably takes from, and those it may add to."""

    taken: frozenset[Cell] = frozenset()
    given: frozenset[Cell] = frozenset()
    by: Span | None = None  # the effect of an entry on this path, if any


Paths = tuple[PathSummary, ...]
NOTHING = PathSummary()
MOST_COUNTED = 1_000_000  # larger bounds count as unbounded
ONE = ty.Const(1, type=NUMBER)


# Termination: an option that can be taken again must use up a resource.
#
# This is a ranking argument over finite resources. Each path through an option is summarized by
# the cells it provably decrements (`taken`) and those it may increment (`given`): pieces in a
# place, tracks (up and down count separately), cleared flags. A cell counts as taken from only if
# the facts at the step (`FactFlow`) prove that there is something to take. `check_termination`
# then eliminates paths one by one: a path that takes from a cell to which no remaining path gives
# can run only finitely often, so its own `given` no longer counts. If some paths remain and none
# can be eliminated, they may repeat forever and are reported (E402). Loops have a fixed or capped
# number of rounds and need no proof.
#
# Summaries are context-sensitive (facts and intervals at the call, up to `MOST_CALLS` contexts per
# procedure) and path-sensitive up to `MOST_WAYS` paths; more paths are merged. Some options are
# rejected although they terminate: those with resources that move in a cycle with a net loss (A
# gives two to B, B gives one to A), with a measure over the sum of two cells, or with more than
# `MOST_WAYS` paths of which each takes something different.
class PathSummaries:
    """Computation of path summaries for blocks and options, including their callees."""

    def __init__(
        self,
        effects: Effects,
        intervals: Intervals,
        bodies: Mapping[str, ty.Block],
    ) -> None:
        self.program = effects.program
        self.bodies = bodies
        self._effects = effects
        self._nothing_known = FactSet(effects.reads)
        self._intervals = intervals
        self._of_entries = frozenset(self.program.effects.values())
        facts = FactFlow(effects)
        analysis: Analysis[FactSet, Paths] = Analysis(
            (NOTHING,),
            then=_then,
            leaf=self._leaf,
            called=lambda _, ways, __: _joined(ways),
            joined=_of_ways,
            entry=lambda call: self._nothing_known | call.facts,
            behind=facts.behind,
            inside=facts.inside,
            context=self._facts_for,
            returned=self._returned,
        )
        self._flow = Dataflow(analysis, self.program, intervals, bodies, MOST_CALLS)

    def of_decision(self, step: ty.Decide) -> list[tuple[Span, PathSummary]]:
        """Return the path summaries of a decision's repeatable options, with their spans."""
        self._flow.forget()
        lines = (line for line in step.lines if not line.once)
        return [(line.span, way) for line in lines for way in self.of_offer(line)]

    def of_offer(self, line: ty.OptionLine) -> Paths:
        """Return the path summaries of an option, for an arbitrary element of its domain."""
        known = chosen(self._nothing_known, line.guard, line.about)
        with self._intervals.inside():
            return self._flow.block(line.block, known)

    def of_block(self, block: ty.Block) -> Paths:
        """Return the path summaries of a block, without assuming any facts."""
        with self._intervals.inside():
            return self._flow.block(block, self._nothing_known)

    # ---------------------------------------------------------------- transfer functions
    def _facts_for(self, key: str, step: Call, known: FactSet) -> frozenset[ty.Value]:
        """Return the known facts that a callee may invalidate, in terms of its parameters."""
        params = self.program.procs[key].params
        arguments = step.arguments if isinstance(step, ty.Run) else ()
        names: dict[str, ty.Local] = (
            {"me": ty.Local("me", type=step.me.type)} if ty.is_me(step.me) else {}
        )
        for param, argument in zip(params, arguments, strict=True):
            if isinstance(argument, ty.Local):
                names[argument.name] = param
        written = self._effects.proc_writes(key)
        return frozenset(
            ty.substitute_all(fact, names)
            for fact in known
            if self._effects.reads(fact) & written and _is_expressible(fact, names)
        )

    def _leaf(self, step: ty.Step, known: FactSet) -> Paths:
        change = located(step, known)
        facts = TRAITS[type(change)]
        taken = {*facts.takes(change, self.program)}
        given = {*facts.gives(change, self.program)}
        if isinstance(change, ty.ChangeTrack) and self._intervals.of(change.amount)[0] < 0:
            given |= taken  # a negative amount has the opposite effect
        sure = self._takes_some(change, known)
        return (PathSummary(frozenset(taken if sure else ()), frozenset(given)),)

    def _returned(self, key: str, found: Paths) -> Paths:
        proc = self.program.procs[key]
        begun = PathSummary(given=_begun(self.program.world.activation(proc.title)))
        ways = _then((begun,), found)
        if key not in self._of_entries:
            return ways
        return tuple(attrs.evolve(each, by=proc.span) for each in ways)

    # ---------------------------------------------------------------- amounts
    def _takes_some(self, change: ty.Step, known: FactSet) -> bool:
        if isinstance(change, ty.MoveCounted | ty.MoveSome):
            return change.amount is not None and self._some(change.amount, known)
        if isinstance(change, ty.ChangeTrack):
            cell = ty.TrackCell(change.track, change.dims, type=NUMBER)
            track = self.program.world.tracks[change.track]
            bounds = self._compared(cell, known)
            return self._some(change.amount, known) and (
                any(_below(op, other[1], min(track.high, MOST_COUNTED)) for op, other in bounds)
                if change.up
                else any(_above(op, other[0], track.low) for op, other in bounds)
            )
        if isinstance(change, ty.SetFlag):
            return negate(ty.FlagCell(change.flag, change.dims, type=YES_NO)) in known
        return True

    def _some(self, amount: ty.Value, known: FactSet) -> bool:
        return self._intervals.of(amount)[0] > 0 or any(
            _above(op, other[0], 0) for op, other in self._compared(amount, known)
        )

    def _compared(self, value: ty.Value, known: FactSet) -> Iterator[tuple[str, Interval]]:
        for fact in known:
            if isinstance(fact, ty.Comparison) and fact.left == value:
                yield fact.op, self._intervals.of(fact.right)
            elif isinstance(fact, ty.Comparison) and fact.right == value:
                yield MIRRORED[fact.op], self._intervals.of(fact.left)


def _above(op: str, other: int, least: int) -> bool:
    return other > least - (op == ">") if op in {"=", ">", ">="} else False


def _below(op: str, other: int, most: int) -> bool:
    return other < most + (op == "<") if op in {"=", "<", "<="} else False


def located(step: ty.Step, known: FactSet) -> ty.Step:
    """Rewrite a move of a piece in a known place as a move of one piece from that place."""
    if isinstance(step, ty.MovePrinted):
        for fact in known.about(step.subject):
            if isinstance(fact, ty.MemberOf) and isinstance(
                fact.domain.unfiltered, ty.Lying | ty.EndPieces
            ):
                return ty.MoveSome(
                    fact.domain, ONE, up_to=False, target=step.target, top=step.top, me=step.me
                )
    return step


def _begun(cells: frozenset[Cell]) -> frozenset[Cell]:
    return cells | {("u", name, "") for kind, name, _ in cells if kind == "t"}


def _is_expressible(fact: ty.Value, names: dict[str, ty.Local]) -> bool:
    every = list(ty.walk(fact))
    return not any(any(TRAITS[type(each)].within(each)) for each in every) and all(
        each.name in names for each in every if isinstance(each, ty.Local)
    )


def _then(first: Paths, second: Paths) -> Paths:
    if second == (NOTHING,):
        return first
    return _few(
        PathSummary(one.taken | two.taken, one.given | two.given, one.by or two.by)
        for one in first
        for two in second
    )


def _of_ways(_: ty.Step, flow: Flow, ways: list[Paths], __: FactSet) -> Paths:
    found = _again(_joined(ways)) if flow.again else _joined(ways)
    return found if flow.surely else _joined([(NOTHING,), found])


def _again(ways: Paths) -> Paths:
    given = frozenset(cell for each in ways for cell in each.given)
    return _few(attrs.evolve(each, given=given) for each in ways)


def _joined(groups: Iterable[Paths]) -> Paths:
    return _few(each for group in groups for each in group)


def _few(ways: Iterable[PathSummary]) -> Paths:
    found = tuple(dict.fromkeys(ways))
    if len(found) <= MOST_WAYS:
        return found
    taken = frozenset.intersection(*(each.taken for each in found))
    return (PathSummary(taken, frozenset(cell for each in found for cell in each.given)),)


if TYPE_CHECKING:
    Offer = tuple[Span, PathSummary]  # a path of a repeatable option


def check_termination(ways: PathSummaries, unsure: frozenset[str], findings: Findings) -> None:
    """Report options that can be repeated forever, except in `unsure` procedures."""
    for key, body in ways.bodies.items():
        for step in _repeating(body) if key not in unsure else ():
            if isinstance(step, ty.Decide):
                _report_endless(ways.of_decision(step), step, ways.program, findings)
            elif (times := _fixed_rounds(step)) > MAX_REPEATS:
                said = wording.TOO_MANY_ROUNDS
                said.report(findings, step.span, times=times, most=MAX_REPEATS)


def _repeating(body: ty.Block) -> list[ty.Step]:
    return [
        step
        for step in ty.walk(body)
        if (isinstance(step, ty.Decide) and step.again and step.limit is None)
        or isinstance(step, ty.RepeatTimes | ty.ForEach)
    ]


def _fixed_rounds(step: ty.Node) -> int:
    if isinstance(step, ty.RepeatTimes) and isinstance(step.times, ty.Const):
        flow = TRAITS[ty.RepeatTimes].flow(step)
        return 0 if flow is None or flow.tested else step.times.value
    if isinstance(step, ty.ForEach) and isinstance(step.domain, ty.NumberRange):
        low, high = step.domain.low, step.domain.high
        if isinstance(low, ty.Const) and isinstance(high, ty.Const):
            return high.value - low.value + 1
    return 0


def _report_endless(
    offers: list[Offer], decision: ty.Decide, program: Program, findings: Findings
) -> None:
    left = offers
    given: frozenset[Cell] = frozenset()
    while left:
        given = frozenset(cell for _, way in left for cell in way.given)
        endless = [(span, way) for span, way in left if not way.taken - given]
        if len(endless) == len(left):
            break
        left = endless
    reported: set[Span] = set()
    guilty = {span for span, way in left if way.by and not way.taken - way.given}
    for span, way in left:
        if way.by and span in guilty and way.taken - way.given:
            continue  # perhaps endless only because of another entry
        place = way.by or span
        if place not in reported:
            reported.add(place)
            related = [Related(span, "it is offered here")] if way.by else []
            returned = way.taken & given
            blocks = [line.block for line in decision.lines if returned or line.span == span]
            if way.by and not returned:
                blocks = [proc.block for proc in program.procs.values() if proc.span == way.by]
            template = wording.ENDLESS_EXCHANGE if returned else wording.ENDLESS
            for step, call in _reached(blocks, program):
                traits = TRAITS[type(step)]
                if not returned.isdisjoint(traits.gives(step, program)):
                    related.append(Related(call, "this gives it back"))
                    break
                if not returned and any(kind != "u" for kind, *_ in traits.takes(step, program)):
                    related.append(Related(step.span, "this may change nothing"))
                    is_computed = isinstance(getattr(step, "amount", None), ty.Arith)
                    template = wording.ENDLESS_COMPUTED if is_computed else wording.ENDLESS_UNSURE
                    break
            given_back = ", ".join(sorted({name for _, name, _ in returned}))
            template.report(findings, place, related, given_back=given_back)


def _reached(blocks: list[ty.Block], program: Program) -> Iterator[tuple[ty.Node, Span]]:
    """Yield the nodes of blocks and their callees, each with the span of the first call to it."""
    waiting: list[tuple[ty.Block, Span | None]] = [(block, None) for block in blocks]
    visited: set[str] = set()
    for block, call in waiting:
        for node in ty.walk(block):
            yield node, call or node.span
            callees = {*TRAITS[type(node)].runs(node, program)} & program.procs.keys() - visited
            visited |= callees
            via = call or (node.span if isinstance(node, ty.Run) else None)
            waiting += [(program.procs[key].block, via) for key in sorted(callees)]
