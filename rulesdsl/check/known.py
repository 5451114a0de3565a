"""Conditions that hold at a point of a procedure, found by what they are about.

A long procedure comes to know thousands of them, step by step.  Most are kept in one large part,
which is copied once in a while; the few latest are looked at one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.effects import NONE, Cells
from rulesdsl.check.proofs import atoms
from rulesdsl.check.types import YES_NO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

MAX_RECENT = 64


@attrs.frozen
class _Part:
    """Conditions with the cells that each of them reads."""

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


@attrs.frozen
class Facts:
    """Conditions that hold; `reads_of` tells what a condition reads."""

    reads_of: Callable[[ty.Node], Cells]
    _many: _Part = _Part()
    _recent: _Part = _Part()

    def __contains__(self, condition: object) -> bool:
        return condition in self._recent.reads or condition in self._many.reads

    def __iter__(self) -> Iterator[ty.Value]:
        yield from self._many.reads
        yield from self._recent.reads

    def __or__(self, more: Iterable[ty.Value]) -> Facts:
        """Return these with more conditions."""
        recent = self._recent.with_more(
            {fact: self.reads_of(fact) for fact in more if fact not in self}
        )
        if len(recent.reads) <= MAX_RECENT:
            return attrs.evolve(self, recent=recent)
        return attrs.evolve(self, many=self._many.with_more(recent.reads), recent=_Part())

    def about(self, subject: ty.Node) -> Iterator[ty.Value]:
        """Yield what is known of a thing being in a domain, or of how many a domain has."""
        yield from self._many.about.get(subject, ())
        yield from self._recent.about.get(subject, ())

    def without(self, written: Cells) -> Facts:
        """Return those that still hold after cells have been written."""
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
    """Return what is known of a local that is a thing of a domain."""
    local = ty.Local(name, type=domain.element)
    found: set[ty.Value] = {ty.MemberOf(local, domain, type=YES_NO)}
    if isinstance(domain, ty.Filtered):
        found |= set(atoms(ty.substitute(domain.condition, domain.variable, local)))
        found.add(ty.MemberOf(local, domain.base, type=YES_NO))
    if isinstance(domain, ty.Numbers):
        found.add(ty.Comparison(">=", local, domain.low, type=YES_NO))
    return frozenset(found)
