"""Read and write sets, fact sets, and a prover of conditions from facts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.names import compute
from rulesdsl.check.symbols.types import NUMBER, YES_NO, piece
from rulesdsl.check.typed.traits import TRAITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulesdsl.check.analysis.intervals import Interval, Intervals
    from rulesdsl.check.program import Computed, Program
    from rulesdsl.check.symbols.symbol_table import Cell


Cells = frozenset["Cell"]
NONE: Cells = frozenset()


# Read and write sets: may-information over abstract cells, one per kind of pieces and place,
# track, or flag, whatever its index. Sets of callees are joined and memoized; a recursive call
# counts as empty, which is sound because cycles are rejected before. All entries of a field share
# a cell set, so a `do` of an unknown entry writes everything that any entry's effect writes.
class Effects:
    """Read and write sets, by kind of place and piece, track, and flag; calls included."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._reads: dict[str | Computed, Cells] = {}  # by guard or value
        self._writes: dict[str, Cells] = {}  # by procedure

    def beforehand(self, procs: Iterable[str], values: Iterable[Computed]) -> None:
        """Compute the write sets of procedures and read sets of values, given callees first."""
        for key in procs:
            self.proc_writes(key)
        for value in values:
            self.called_reads(value)

    def reads(self, node: ty.Node) -> Cells:
        """Return the cells a value reads, calls included."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            facts = TRAITS[type(each)]
            found.update(facts.reads(each, self.program))
            for asked in facts.computes(each, self.program):
                found |= self.called_reads(asked)
            for proc in facts.asks(each, self.program):
                found |= self.called_reads(proc)
        return frozenset(found)

    def called_reads(self, key: str | Computed) -> Cells:
        """Return the cells that a value or a (known) guard reads."""
        if isinstance(key, str) and key not in self.program.guards:
            return NONE
        if key not in self._reads:
            self._reads[key] = NONE  # for recursion
            program = self.program
            bodies = [program.guards[key]] if isinstance(key, str) else program.bodies(key)
            self._reads[key] = NONE.union(*map(self.reads, bodies))
        return self._reads[key]

    def writes(self, node: ty.Node) -> Cells:
        """Return the cells that steps may write, calls included."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            facts = TRAITS[type(each)]
            found.update(facts.writes(each, self.program))
            for proc in facts.runs(each, self.program):
                found |= self.proc_writes(proc)
        return frozenset(found)

    def proc_writes(self, key: str) -> Cells:
        """Return the cells that a procedure may write."""
        proc = self.program.procs.get(key)
        if proc is None:
            return NONE
        if key not in self._writes:
            self._writes[key] = NONE  # for recursion
            begun = self.program.world.activation(proc.title)
            self._writes[key] = begun | self.writes(proc.block)
        return self._writes[key]


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def both(*parts: ty.Value) -> ty.Value:
    """Return the simplified conjunction of conditions."""
    kept: dict[ty.Value, ty.Value] = {}
    for part in parts:
        for each in part.parts if isinstance(part, ty.And) else (part,):
            if each != ty.YES and kept.setdefault(each, each).why is None:
                kept[each] = each  # of two equal parts, keep the one with a text
    if ty.NO in kept:
        return ty.NO
    every = tuple(kept.values())
    return ty.And(every, type=YES_NO) if len(every) > 1 else next(iter(every), ty.YES)


def either(parts: Iterable[ty.Value]) -> ty.Value:
    """Return the simplified disjunction of conditions."""
    kept = dict.fromkeys(each for each in parts if each != ty.NO)
    if ty.YES in kept:
        return ty.YES
    return ty.Or(tuple(kept), type=YES_NO) if len(kept) > 1 else next(iter(kept), ty.NO)


def negate(value: ty.Value) -> ty.Value:
    """Return the negation of a condition."""
    if value == ty.YES:
        return ty.NO
    if value == ty.NO:
        return ty.YES
    return ty.Negation(value, type=YES_NO)


def uses(value: ty.Node, name: str) -> bool:
    """Return whether a local occurs in a value."""
    return any(isinstance(each, ty.Local) and each.name == name for each in ty.walk(value))


def some_of(domain: ty.Domain, variable: str, condition: ty.Value) -> ty.Value:
    """Return the condition that a domain has an element for which `condition` holds."""
    if condition == ty.NO:
        return ty.NO
    return ty.AnyOf(narrowed(domain, variable, condition), type=YES_NO)


def narrowed(domain: ty.Domain, variable: str, condition: ty.Value) -> ty.Domain:
    """Return a domain restricted by another condition."""
    if condition == ty.YES:
        return domain
    if isinstance(domain, ty.Filtered):
        mine = ty.Local(domain.variable, type=domain.element)
        merged = both(domain.condition, ty.substitute(condition, variable, mine))
        return attrs.evolve(domain, condition=merged)
    return ty.Filtered(domain, variable, condition, element=domain.element, span=condition.span)


def lying(guard: ty.Value) -> list[ty.Value]:
    """Return the conjuncts of a guard that give a piece's place, from which choices are made."""
    return [
        each
        for each in atoms(guard)
        if isinstance(each, ty.MemberOf) and isinstance(each.domain, ty.Lying)
    ]


# -------------------------------------------------------------------- prover
def atoms(condition: ty.Value) -> list[ty.Value]:
    """Return the conjuncts of a condition, negations pushed inwards."""
    if isinstance(condition, ty.And):
        return [atom for part in condition.parts for atom in atoms(part)]
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Or):
        return [atom for part in condition.value.parts for atom in atoms(negate(part))]
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Negation):
        return atoms(condition.value.value)
    return [condition]


def as_filled(condition: ty.Value) -> ty.Value:
    """Rewrite `any top 3 of S` and `any top of S` to the condition that S is not empty."""
    end: ty.Node = condition
    if isinstance(condition, ty.AnyOf):
        end = condition.domain
    elif isinstance(condition, ty.IsSome):
        end = condition.value
    if not isinstance(end, ty.EndPieces | ty.EndOf):
        return condition
    return ty.AnyOf(ty.Lying(end.piece, end.cells, element=piece(end.piece)), type=YES_NO)


# Prover: a sound, incomplete, goal-directed check that facts imply a condition.
#
# Facts are conditions assumed on the path, split into conjuncts (`FactSet`); equality is
# structural. A goal is decomposed by its connectives. `any D` follows from the same fact, from a
# bound on the count of D, or from a domain that is never empty; for a filtered D, the filter must
# hold for an arbitrary element. `count D >= n` follows from a fact with the same domain and at
# least that constant, membership from membership in a filtered or narrower domain (`_wider`).
#
# There are no case splits, no arithmetic and no transitivity: `a >= b` and `b >= 3` do not prove
# `a >= 3`, nor do `x or y` and `not x` prove `y`. A goal costs one hash lookup per node plus the
# facts about its subjects (`about`), whatever the number of other facts.
def proved(condition: ty.Value, facts: FactSet) -> bool:
    """Return whether a condition follows from facts."""
    if condition == ty.YES or condition in facts or as_filled(condition) in facts:
        return True
    if isinstance(condition, ty.And):
        return all(proved(part, facts) for part in condition.parts)
    if isinstance(condition, ty.Or):
        return any(proved(part, facts) for part in condition.parts)
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Negation):
        return proved(condition.value.value, facts)
    if isinstance(condition, ty.Cases):
        return all(proved(each, facts) for each in condition.values)
    if isinstance(condition, ty.AnyOf):
        return _surely_any(condition.domain, facts)
    if isinstance(condition, ty.Comparison) and isinstance(condition.right, ty.Const):
        return _surely_compares(condition.op, condition.left, condition.right.value, facts)
    if isinstance(condition, ty.IsSome):
        return not condition.value.type.maybe
    return isinstance(condition, ty.MemberOf) and _surely_member(
        condition.subject, condition.domain, facts
    )


def _surely_compares(op: str, left: ty.Value, right: int, facts: FactSet) -> bool:
    if isinstance(left, ty.Const):
        return holds(op, left.value, right)
    return (
        op == ">="
        and isinstance(left, ty.CountOf)
        and (
            right <= 0
            or (right == 1 and _surely_any(left.domain, facts))
            or any(_at_least(fact, left.domain, right) for fact in facts.about(left.domain))
        )
    )


def holds(op: str, left: int, right: int) -> bool:
    """Return whether a comparison of two numbers holds."""
    return COMPARISONS[op](left, right)


def _at_least(fact: ty.Value, domain: ty.Domain, least: int) -> bool:
    return (
        isinstance(fact, ty.Comparison)
        and isinstance(fact.right, ty.Const)
        and fact.right.value >= least - (fact.op == ">")
        and fact.op in {">", ">="}
        and isinstance(fact.left, ty.CountOf)
        and fact.left.domain == domain
    )


def _surely_any(domain: ty.Domain, facts: FactSet) -> bool:
    match domain:
        case ty.Entries() | ty.AllSeats():
            return True
        case ty.NumberRange(low=ty.Const(value=low), high=ty.Const(value=high)):
            return low <= high
        case ty.NumberRange(low=low, high=high):
            return proved(ty.Comparison("<=", low, high, type=YES_NO), facts)
        case ty.Filtered(base=base, variable=variable, condition=condition):
            local = ty.Local(variable, type=base.element)
            member = ty.MemberOf(local, base, type=YES_NO)
            return _surely_any(base, facts) and proved(condition, facts | [member])
        case ty.ListedEntries() | ty.Lying() | ty.AnyWhere() | ty.EndPieces():
            return ty.AnyOf(domain, type=YES_NO) in facts or any(
                _at_least(fact, domain, 1) for fact in facts.about(domain)
            )
        case _:
            assert_never(domain)


def _surely_member(subject: ty.Value, domain: ty.Domain, facts: FactSet) -> bool:
    for fact in facts.about(subject):
        if isinstance(fact, ty.MemberOf):
            base = fact.domain
            while True:
                if base == domain or _wider(base, domain):
                    return True
                if not isinstance(base, ty.Filtered):
                    break
                base = base.base
    return False


def _wider(small: ty.Domain, large: ty.Domain) -> bool:
    if not (isinstance(small, ty.Lying) and isinstance(large, ty.Lying)):
        return False
    if (small.piece, small.cells.place) != (large.piece, large.cells.place):
        return False
    if large.owner not in {None, small.owner} or large.entry not in {None, small.entry}:
        return False
    return all(
        wide is None or wide == narrow
        for narrow, wide in zip(small.cells.dims, large.cells.dims, strict=True)
    )


MAX_RECENT = 64


@attrs.frozen
class _Part:
    """Facts with their read sets, indexed by subject."""

    reads: Mapping[ty.Value, Cells] = attrs.Factory(dict)
    about: Mapping[ty.Node, tuple[ty.Value, ...]] = attrs.Factory(dict)
    all_reads: Cells = NONE

    def with_more(self, more: Mapping[ty.Value, Cells]) -> _Part:
        about = dict(self.about)
        for fact in more:
            subject = _subject(fact)
            if subject is not None:
                about[subject] = (*about.get(subject, ()), fact)
        return _Part({**self.reads, **more}, about, self.all_reads.union(*more.values()))

    def without(self, written: Cells) -> _Part:
        if self.all_reads.isdisjoint(written):
            return self
        left = {fact: cells for fact, cells in self.reads.items() if cells.isdisjoint(written)}
        return _Part().with_more(left)


# Fact set: the conditions that hold at a point, indexed by subject, with their read sets.
#
# A long procedure accumulates thousands of facts one by one. Most are kept in one large persistent
# part, which is copied only when the recent part exceeds `MAX_RECENT`.
@attrs.frozen
class FactSet:
    """Immutable set of facts; `reads_of` computes the read set of a condition."""

    reads_of: Callable[[ty.Node], Cells]
    _many: _Part = _Part()
    _recent: _Part = _Part()

    def __contains__(self, condition: object) -> bool:
        return condition in self._recent.reads or condition in self._many.reads

    def __iter__(self) -> Iterator[ty.Value]:
        yield from self._many.reads
        yield from self._recent.reads

    def __or__(self, more: Iterable[ty.Value]) -> FactSet:
        """Return the set with more facts."""
        recent = self._recent.with_more(
            {fact: self.reads_of(fact) for fact in more if fact not in self}
        )
        if len(recent.reads) <= MAX_RECENT:
            return attrs.evolve(self, recent=recent)
        return attrs.evolve(self, many=self._many.with_more(recent.reads), recent=_Part())

    def about(self, subject: ty.Node) -> Iterator[ty.Value]:
        """Yield the facts on membership of a value, or on the size of a domain."""
        yield from self._many.about.get(subject, ())
        yield from self._recent.about.get(subject, ())

    def without(self, written: Cells) -> FactSet:
        """Return the facts that survive writes to these cells."""
        many, recent = self._many.without(written), self._recent.without(written)
        if many is self._many and recent is self._recent:
            return self
        return attrs.evolve(self, many=many, recent=recent)


def _subject(fact: ty.Value) -> ty.Node | None:
    if isinstance(fact, ty.MemberOf):
        return fact.subject
    if isinstance(fact, ty.Comparison) and isinstance(fact.left, ty.CountOf):
        return fact.left.domain
    return None


def facts_of(name: str, domain: ty.Domain) -> frozenset[ty.Value]:
    """Return the facts about a local that is an element of a domain."""
    local = ty.Local(name, type=domain.element)
    found: set[ty.Value] = {ty.MemberOf(local, domain, type=YES_NO)}
    if isinstance(domain, ty.Filtered):
        found |= set(atoms(ty.substitute(domain.condition, domain.variable, local)))
        found.add(ty.MemberOf(local, domain.base, type=YES_NO))
    if isinstance(domain, ty.NumberRange):
        found.add(ty.Comparison(">=", local, domain.low, type=YES_NO))
    return frozenset(found)


MOST_COUNTED = 1_000_000  # larger bounds count as unbounded
ONE = ty.Const(1, type=NUMBER)


class MustAnalysis:
    """Must-analysis: facts along steps, and changes that provably find something to take."""

    def __init__(self, effects: Effects, intervals: Intervals) -> None:
        self._world = effects.program.world
        self._writes = effects.writes
        self._intervals = intervals

    def behind(self, step: ty.Step, known: FactSet) -> FactSet:
        """Return the facts after a step."""
        if isinstance(step, ty.Require):
            return known | atoms(step.condition)
        if isinstance(step, ty.Decide) and step.choice is not None:
            return known | facts_of(*step.choice)
        if isinstance(step, ty.SetLocal) and isinstance(step.value, ty.EndOf):
            piece = step.value.type.total()
            lying = ty.Lying(step.value.piece, step.value.cells, element=piece)
            return known | facts_of(step.name, lying)
        return known.without(self._writes(step))

    def inside(self, step: ty.Step, known: FactSet) -> Iterator[tuple[ty.Block, FactSet]]:
        """Yield the blocks of a step with the facts at their beginning."""
        flow = TRAITS[type(step)].flow(step)
        assert flow is not None
        if isinstance(step, ty.ForEach):
            known |= facts_of(step.variable, step.domain)
        if flow.again:
            known = known.without(self._writes(step))
        if isinstance(step, ty.WhereAble):
            yield step.block, known | atoms(step.guard)
            yield step.otherwise, known
        elif isinstance(step, ty.Branching):
            for condition, block in step.branches:
                yield block, known | atoms(condition)
                known |= atoms(negate(condition))
            yield step.otherwise, known
        elif isinstance(step, ty.Decide):
            yield from ((line.block, offered(line, known)) for line in step.lines)
        else:
            yield from ((block, known) for block in flow.blocks)

    def takes_some(self, change: ty.Step, known: FactSet) -> bool:
        """Return whether a change provably takes something."""
        if isinstance(change, ty.MoveCounted | ty.MoveSome):
            return change.amount is not None and self._some(change.amount, known)
        if isinstance(change, ty.ChangeTrack):
            cell = ty.TrackCell(change.track, change.dims, type=NUMBER)
            track = self._world.tracks[change.track]
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
                yield _MIRRORED[fact.op], self._intervals.of(fact.left)


_MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _above(op: str, other: int, least: int) -> bool:
    return other > least - (op == ">") if op in {"=", ">", ">="} else False


def _below(op: str, other: int, most: int) -> bool:
    return other < most + (op == "<") if op in {"=", "<", "<="} else False


def offered(line: ty.OptionLine, known: FactSet) -> FactSet:
    """Return the facts at the beginning of an option's block."""
    known |= atoms(line.guard)
    return known if line.about is None else known | facts_of(*line.about)


def located(step: ty.Step, known: FactSet) -> ty.Step:
    """Rewrite the move of a piece with a known place to a move of one piece from there."""
    if isinstance(step, ty.MovePrinted):
        for fact in known.about(step.subject):
            if isinstance(fact, ty.MemberOf) and isinstance(
                fact.domain.unfiltered, ty.Lying | ty.EndPieces
            ):
                return ty.MoveSome(
                    fact.domain, ONE, up_to=False, target=step.target, top=step.top, me=step.me
                )
    return step


def fixed(value: ty.Value, players: int, options: Mapping[str, int]) -> int | None:
    """Evaluate a value from players and options; None if it needs anything else."""
    if isinstance(value, ty.Const):
        return value.value
    if isinstance(value, ty.Seats) and value.players:
        return players
    if isinstance(value, ty.SettingValue):
        return options[value.option]
    if not isinstance(value, ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith):
        return None
    parts = [fixed(each, players, options) for each in ty.children(value)]  # type: ignore[arg-type]
    known = [each for each in parts if each is not None]
    return _of_fixed(value, known) if len(known) == len(parts) else None


def _of_fixed(
    value: ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith, parts: list[int]
) -> int | None:
    match value:
        case ty.Negation():
            return int(not parts[0])
        case ty.And():
            return int(all(parts))
        case ty.Or():
            return int(any(parts))
        case ty.Comparison(op=op):
            return int(holds(op, *parts))
        case ty.Arith(op="min"):
            return min(parts)
        case ty.Arith(op="max"):
            return max(parts)
        case ty.Arith(op=op):
            return compute(op, *parts)
