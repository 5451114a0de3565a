"""Indexes that grow evenly with a local, or with what a table says."""

from __future__ import annotations

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import locals_of
from rulesdsl.lower.fold import known, op


@attrs.frozen
class Linear:
    """An index that is so many times something, and a rest without it."""

    stride: int
    rest: fl.Expr


def linear(index: fl.Expr, local: str) -> Linear | None:
    """Return an index as so many times a local, and a rest without it."""
    stride = None
    rest: fl.Expr = fl.Const(0)
    for term in terms(index):
        match term:
            case fl.Local(name=name) if name == local and stride is None:
                stride = 1
            case fl.Op(op="*", left=fl.Local(name=name), right=fl.Const(value=by)) if (
                name == local and stride is None
            ):
                stride = by
            case _:
                if local in locals_of(term):
                    return None
                rest = op("+", rest, term)
    return None if stride is None or stride < 1 else Linear(stride, rest)


def of_table(term: fl.Expr) -> tuple[fl.Table, int] | None:
    """Return the table that a term of an index reads, and so many times what is read."""
    match term:
        case fl.Op(op="*", left=fl.Table() as named, right=fl.Const(value=stride)):
            return named, stride
        case fl.Table():
            return term, 1
        case _:
            return None


def terms(index: fl.Expr) -> list[fl.Expr]:
    """Return what is added up in an index."""
    match index:
        case fl.Op(op="+", left=left, right=right):
            return [*terms(left), *terms(right)]
        case _:
            return [index]


def least(index: fl.Expr) -> int | None:
    """Return the known part of an index: what the others add is within a place."""
    every = terms(index)
    if any(isinstance(each, fl.Op) and each.op not in {"*", "%"} for each in every):
        return None
    return sum(known(each) or 0 for each in every)
