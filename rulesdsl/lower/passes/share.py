"""Shared subexpressions and loop invariants: what comes out the same is computed once.

An expression that is asked for in several places, or in a loop, is computed in front of the first
statement that asks for it, as long as nothing that it depends on changes in between.  It must be
sure to be computed there in any case, or be harmless.

    for c in 0 .. 24                    same!1 := price(me)
        if (price(me) > @n:coin[c])     for c in 0 .. 24
            push &found c                   if (same!1 > @n:coin[c])
                                                push &found c
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_bounds import Harmless
from rulesdsl.lower.flat_effects import Effects
from rulesdsl.lower.flat_walk import Flat, bodies, with_bodies
from rulesdsl.source.tree import children, rewrite

if TYPE_CHECKING:
    from collections.abc import Iterator

# What things cost beside one another, by the time of Python: a call is about eight operations.
CALL = 8.0
LOOK = 2.0
STEP = 1.0
# How often what is inside is computed, where the whole is computed once: a guess.
OF_BRANCH = 0.5
OF_ROUNDS = 3.0
MIN_COST = 3.0  # of an expression that is worth a local; parts cost no more than the whole
MIN_GAIN = 1.0


def share(flat: fl.Flat) -> None:
    """Compute what is shared once, in all functions and machines."""
    tools = Effects(flat), Harmless(flat), Uses(Prices())
    for name, function in flat.functions.items():
        body = _Sharer(*tools).body(function.body)
        flat.functions[name] = attrs.evolve(function, body=body)
    for name, machine in flat.machines.items():
        sharer = _Sharer(*tools)
        blocks = tuple(map(sharer.body, machine.blocks))
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)


class Prices(dict[fl.Expr, float]):
    """What each expression costs to compute."""

    def __missing__(self, expr: fl.Expr) -> float:
        parts = sum(self[each] for each in _within(expr))
        match expr:
            case fl.Call():
                cost = CALL + parts
            case fl.Load() | fl.Table() | fl.Item() | fl.Length() | fl.Contains():
                cost = LOOK + parts
            case fl.Logic() | fl.Select():
                cost = STEP + parts * OF_BRANCH
            case _:
                cost = STEP + parts
        self[expr] = cost
        return cost


def _within(node: Flat) -> Iterator[fl.Expr]:
    """Yield the expressions directly inside a node, also those of a list that it looks into."""
    for part in children(node):
        if isinstance(part, fl.Expr):
            yield part
        elif not isinstance(part, fl.Stmt):
            yield from _within(part)


Use = tuple[fl.Expr, float, bool]
"""An expression worth a local, how often it is computed, and whether it provably is."""


class Uses(dict[Flat, "tuple[Use, ...]"]):
    """What each node computes, where it is computed once; without the bodies of statements."""

    def __init__(self, prices: Prices) -> None:
        super().__init__()
        self.prices = prices

    def __missing__(self, node: Flat) -> tuple[Use, ...]:
        found: list[Use] = []
        for at, part in enumerate(_within(node)):
            rare = isinstance(node, fl.Logic | fl.Select) and at > 0
            often = OF_BRANCH if rare else 1.0
            if self.prices[part] >= MIN_COST:
                found.append((part, often, not rare))
                found += [(each, n * often, sure and not rare) for each, n, sure in self[part]]
        self[node] = tuple(found)
        return self[node]

    def inside(self, stmt: fl.Stmt) -> Iterator[tuple[fl.Expr, float]]:
        """Yield what the bodies of a statement compute, and how often."""
        often = OF_ROUNDS if isinstance(stmt, fl.For) else OF_BRANCH
        for body in bodies(stmt):
            for each in body:
                yield from ((expr, weight * often) for expr, weight, _ in self[each])
                yield from ((expr, weight * often) for expr, weight in self.inside(each))


@attrs.define
class _Found:
    """An expression that several places of a body ask for, up to where it changes."""

    expr: fl.Expr
    first: int
    last: int = -1
    inside: bool = True  # the bodies of the last statement ask for the same
    weight: float = 0

    def gain(self, prices: Prices) -> float:
        cost = prices[self.expr]
        return self.weight * (cost - STEP) - cost - STEP


@attrs.define
class _Sharer:
    effects: Effects
    harmless: Harmless
    uses: Uses
    _number: int = 0

    def body(self, body: fl.Body) -> fl.Body:
        """Return a body, and all bodies in it, with what they share computed once."""
        while (best := self._best(body)) is not None:
            body = self._shared(body, best)
        return tuple(with_bodies(each, self.body) for each in body)

    def _best(self, body: fl.Body) -> _Found | None:
        """Return what is gained most by."""
        best, most = None, MIN_GAIN
        for found in self._all(body):
            gain = found.gain(self.uses.prices)
            if gain > most:
                best, most = found, gain
        return best

    def _all(self, body: fl.Body) -> Iterator[_Found]:
        known: dict[fl.Expr, _Found] = {}
        for at, stmt in enumerate(body):
            for expr, weight, sure in self.uses[stmt]:
                self._count(known, at, expr, weight, sure=sure)
            changed = self.effects.changes(stmt)
            for expr, weight in self.uses.inside(stmt):
                if changed.isdisjoint(self.effects.reads(expr)):
                    self._count(known, at, expr, weight, sure=False)
            if changed:
                for expr in [each for each in known if changed & self.effects.reads(each)]:
                    found = known.pop(expr)
                    found.inside = found.last != at
                    yield found
        yield from known.values()

    def _count(
        self, known: dict[fl.Expr, _Found], at: int, expr: fl.Expr, weight: float, *, sure: bool
    ) -> None:
        found = known.get(expr)
        if found is None:
            if not sure and not self.harmless.expr(expr):
                return
            found = known[expr] = _Found(expr, at)
        found.last = at
        found.weight += weight

    def _shared(self, body: fl.Body, found: _Found) -> fl.Body:
        self._number += 1
        local = fl.Local(f"same!{self._number}")
        stmts = list(body)
        for at in range(found.first, found.last + 1):
            inside = found.inside or at != found.last
            stmts[at] = _replaced(stmts[at], found.expr, local, inside=inside)
        first = body[found.first]
        stmts.insert(found.first, fl.Set(local.name, found.expr, span=first.span))
        return tuple(stmts)


def _replaced(stmt: fl.Stmt, expr: fl.Expr, local: fl.Local, *, inside: bool) -> fl.Stmt:
    def change(node: Flat) -> Flat:
        return local if node == expr else node

    made: fl.Stmt = rewrite(stmt, change)
    if inside:
        return made
    match stmt, made:
        case fl.If(), fl.If():
            return attrs.evolve(made, yes=stmt.yes, no=stmt.no)
        case fl.For(), fl.For():
            return attrs.evolve(made, body=stmt.body)
        case _:
            return made
