"""Whether two values cannot be told apart: by what they say, and by where they are from."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs

from rulesdsl.check.noted import Rows, Table
from rulesdsl.source.span import Span


class _Parts(dict[type, "Callable[[Any], object] | None"]):
    """For each class what gets the values of its fields; None where it is no attrs class."""

    def __missing__(self, cls: type) -> Callable[[Any], object] | None:
        names = [each.name for each in attrs.fields(cls)] if attrs.has(cls) else []
        self[cls] = attrgetter(*names) if names else None
        return self[cls]


_PARTS = _Parts()


def same(one: Any, other: Any) -> bool:  # noqa: ANN401
    """Tell whether two values cannot be told apart: also places count, and order in tables."""
    if one is other:
        return True
    cls = one.__class__
    if cls is not other.__class__:
        return False
    if cls in _PLAIN:
        return one == other  # type: ignore[no-any-return] # of plain values
    parts = _PARTS[cls]
    if parts is not None:
        return same(parts(one), parts(other))
    if cls in _IN_ORDER:
        if len(one) != len(other):
            return False
        for a, b in zip(one, other, strict=True):  # noqa: SIM110 - all the time goes here
            if a is not b and not same(a, b):
                return False
        return True
    by_key = cls in _BY_KEY
    return _same_by_key(one, other) if by_key else one == other


def _same_by_key(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    return list(one) == list(other) and all(map(same, one.values(), other.values()))


_PLAIN = {str, int, Span}
_IN_ORDER = {tuple, list, Rows}
_BY_KEY = {dict, Table}
