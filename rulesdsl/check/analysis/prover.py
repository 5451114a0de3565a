"""Read and write sets, fact sets, and a prover that derives conditions from facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.symbols.types import YES_NO, Indexed
from rulesdsl.check.typed.conditions import MIRRORED, as_filled, atoms, holds
from rulesdsl.check.typed.program import Computed, Program
from rulesdsl.check.typed.traits import TRAITS

Cells = frozenset["Cell"]
NONE: Cells = frozenset()


# Read and write sets: may-information over abstract cells, of which there is one for each piece in
# each kind of place, each track and each flag, whatever the indexes. The sets of callees are
# joined and memoized; a recursive call has an empty set, which is sound because cycles are
# rejected before. A `do` of an unknown entry writes all cells that the effect of any entry writes.
class Effects:
    """Read and write sets of values and steps, including those of their callees."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._reads: dict[str | Computed, Cells] = {}  # by guard or value
        self._writes: dict[str, Cells] = {}  # by procedure
        self._elsewhere: dict[tuple[str | Computed, bool], Cells] = {}  # by whether `me` acts

    def beforehand(self, procs: Iterable[str], values: Iterable[Computed]) -> None:
        """Compute write sets of procedures and read sets of values, each given callees first."""
        for key in procs:
            self.proc_writes(key)
        for value in values:
            self.called_reads(value)

    def reads(self, node: ty.Node) -> Cells:
        """Return the cells that a value may read, directly or in callees."""
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
        """Return the cells that a named value, a formula or a known guard may read."""
        if isinstance(key, str) and key not in self.program.guards:
            return NONE
        if key not in self._reads:
            self._reads[key] = NONE  # for recursion
            program = self.program
            bodies = [program.guards[key]] if isinstance(key, str) else program.bodies(key)
            self._reads[key] = NONE.union(*map(self.reads, bodies))
        return self._reads[key]

    def writes(self, node: ty.Node) -> Cells:
        """Return the cells that steps may write, directly or in callees."""
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

    def elsewhere(self, nodes: Iterable[ty.Node], actor: str | None) -> Cells:
        """Return the cells that nodes may read or write at other seats than that of a local."""
        cells: set[Cell] = set()
        for node in (part for root in nodes for part in ty.walk(root)):
            facts = TRAITS[type(node)]
            touched = {*facts.reads(node, self.program), *facts.writes(node, self.program)}
            names = self._only_at(node, actor) if touched else set()
            cells |= {cell for cell in touched if names.isdisjoint(cell[1:])}
            callees: list[str | Computed] = [*facts.computes(node, self.program)]
            callees += [*facts.runs(node, self.program), *facts.asks(node, self.program)]
            is_own = _is_seat(getattr(node, "me", None), actor)
            for callee in callees:
                cells |= self._called_elsewhere(callee, is_own=is_own)
        return frozenset(cells)

    def _called_elsewhere(self, key: str | Computed, *, is_own: bool) -> Cells:
        if (key, is_own) not in self._elsewhere:
            self._elsewhere[key, is_own] = NONE  # for recursion
            bodies: list[ty.Node] = []
            begun = NONE
            if not isinstance(key, str):
                bodies += self.program.bodies(key)
            elif key in self.program.procs:
                bodies.append(self.program.procs[key].block)
                begun = self.program.world.activation(self.program.procs[key].title)
            self._elsewhere[key, is_own] = begun | self.elsewhere(bodies, "me" if is_own else None)
        return self._elsewhere[key, is_own]

    def _only_at(self, node: ty.Node, actor: str | None) -> set[str]:
        """Return the places and tracks that a node touches only at the seat of a local."""
        mine, others, world = set[str](), set[str](), self.program.world
        for part in (node, *ty.children(node)):
            if not isinstance(part, _INDEXED):
                continue
            name = part.place if isinstance(part, ty.Cells) else part.counter
            info: Indexed | None = world.places.get(name) or world.counter(name)
            at = None if info is None else info.owner_dim
            (mine if at is not None and _is_seat(part.dims[at], actor) else others).add(name)
        return mine - others


_INDEXED = ty.Cells | ty.TrackCell | ty.ChangeTrack | ty.FlagCell | ty.SetFlag


def _is_seat(node: object, name: str | None) -> bool:
    return isinstance(node, ty.Local) and node.name == name


# Prover: a sound, incomplete, goal-directed check that facts imply a condition.
#
# Facts are conditions assumed on the path, split into conjuncts (`FactSet`); equality is
# structural. A goal is decomposed by its connectives. `any D` follows from the same fact, from a
# bound on the count of D, or because D is never empty; for a filtered D, the filter must hold for
# an arbitrary element. `count D >= n` follows from a fact with the same domain and at least that
# constant, membership from membership in a filtered or narrower domain (`_wider`).
#
# There are no case splits, no arithmetic and no transitivity: `a >= b` and `b >= 3` do not prove
# `a >= 3`, nor do `x or y` and `not x` prove `y`. A goal costs one hash lookup per node, and a
# scan of the facts about its subjects (`about`), whatever the number of other facts.
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
    if isinstance(condition, ty.Comparison) and isinstance(condition.left, ty.Const):
        condition = attrs.evolve(
            condition, op=MIRRORED[condition.op], left=condition.right, right=condition.left
        )
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
    """Facts with their read sets, also indexed by subject."""

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
# A long procedure accumulates thousands of facts one by one. Most of them are in one large
# persistent part, which is copied only when the recent part exceeds `MAX_RECENT`.
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
        """Return the union of this set and the given facts."""
        recent = self._recent.with_more(
            {fact: self.reads_of(fact) for fact in more if fact not in self}
        )
        if len(recent.reads) <= MAX_RECENT:
            return attrs.evolve(self, recent=recent)
        return attrs.evolve(self, many=self._many.with_more(recent.reads), recent=_Part())

    def about(self, subject: ty.Node) -> Iterator[ty.Value]:
        """Yield the facts about the membership of a value or the size of a domain."""
        yield from self._many.about.get(subject, ())
        yield from self._recent.about.get(subject, ())

    def without(self, written: Cells) -> FactSet:
        """Return the facts that still hold after writes to the given cells."""
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
