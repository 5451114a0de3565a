"""Loops of the flat form that are list comprehensions in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator


@attrs.frozen
class Listing:
    """A buffer that is cleared, and filled by one loop: in Python, a list comprehension."""

    buffer: fl.Buffer
    local: str
    source: fl.Source
    condition: fl.Expr | None
    value: fl.Expr
    span: Span


def listed(body: fl.Body) -> Iterator[fl.Stmt | Listing]:
    """Yield statements, those that clear a buffer and fill it by one loop as one."""
    left = list(reversed(body))
    while left:
        stmt = left.pop()
        made = _listing(stmt, left[-1]) if left else None
        if made is not None:
            left.pop()
        yield stmt if made is None else made


def _listing(first: fl.Stmt, second: fl.Stmt) -> Listing | None:
    match first, second:
        case (
            fl.Clear(buffer=buffer, many=None),
            fl.For(local=local, source=source, body=(fl.Push(buffer=same, value=value),)),
        ) if same == buffer:
            return Listing(buffer, local, source, None, value, first.span)
        case (
            fl.Clear(buffer=buffer, many=None),
            fl.For(
                local=local,
                source=source,
                body=(fl.If(condition=asked, yes=(fl.Push(buffer=same, value=value),), no=()),),
            ),
        ) if same == buffer:
            return Listing(buffer, local, source, asked, value, first.span)
        case _:
            return None
