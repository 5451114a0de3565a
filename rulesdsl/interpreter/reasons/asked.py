"""The conditions of one option, one by one, in the order in which the rules ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.inline import inline
from rulesdsl.check.proofs import uses
from rulesdsl.check.types import YES_NO
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.program import Program
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.source.span import Span


@attrs.frozen
class Condition:
    """Something that an option needs; without a value: that its line was not taken before."""

    value: ty.Value | None
    rule: Span


def conditions(program: Program, ask: Ask, option: int) -> tuple[Condition, ...]:
    """Return what an option needs: what its thing is chosen from, then what is done with it."""
    line, domain = ask.line(option), ask.domain(option)
    place = ask.end.span if line is None or not line.span.line else line.span
    found: list[Condition] = []
    if domain is not None:
        variable = ask.variable(option)
        assert variable is not None
        found += (_placed(each, place) for each in _filters(program, domain, variable))
    if line is not None and line.once:
        found.append(Condition(None, place))
    if line is not None:
        found += (_placed(each, place) for each in parts(program, line.guard))
    return tuple(each for each in found if each.value != ty.YES)


def _placed(value: ty.Value, place: Span) -> Condition:
    return Condition(value, value.span if value.span.line else place)


def _filters(program: Program, domain: ty.Domain, variable: str) -> Iterator[ty.Value]:
    """Yield what a domain asks of a thing: that it lies there, then each of its conditions."""
    thing = ty.Local(variable, type=domain.element)
    if isinstance(domain, ty.Filtered):
        yield from _filters(program, domain.base, variable)
        yield from parts(program, ty.substitute(domain.condition, domain.variable, thing))
    else:
        yield ty.MemberOf(thing, domain, type=YES_NO, span=domain.span)


def parts(
    program: Program,
    value: ty.Value,
    around: Span = NOWHERE,
    why: ty.Words | None = None,
) -> Iterator[ty.Value]:
    """Yield the conditions that have to hold all, those of what is called among them.

    What has no place or text of its own has those of what it is a part of.
    """
    around = value.span if value.span.line else around
    why = value.why or why
    inner: list[ty.Value] = []
    if isinstance(value, ty.And):
        inner += value.parts
    elif isinstance(value, ty.LetIn):
        bound = uses(value.inner, value.name)
        inner.append(ty.substitute(value.inner, value.name, value.bound) if bound else value.inner)
    elif isinstance(value, ty.Can):
        params = program.procs[value.proc].params
        guard = program.guards[value.proc]
        inner.append(inline(program, guard, params, value.me, value.arguments))
    elif isinstance(value, ty.Negation) and isinstance(value.value, ty.Negation):
        inner.append(value.value.value)
    else:
        yield attrs.evolve(value, span=around, why=why)
    for each in inner:
        yield from parts(program, each, around, why)
