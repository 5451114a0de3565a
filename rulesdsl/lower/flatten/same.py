"""Whether two domains are of the same things."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.walk import substitute


def same_things(one: ty.Domain, other: ty.Domain) -> bool:
    """Whether two domains are of the same things, whatever their candidates are called."""
    if not isinstance(one, ty.Filtered) or not isinstance(other, ty.Filtered):
        return one == other
    mine = ty.Local(other.variable, type=one.base.element)
    condition = substitute(one.condition, one.variable, mine)
    return condition == other.condition and same_things(one.base, other.base)
