"""Constant and copy propagation: what a local is known to hold takes the place of the local.

Expressions of which a part is known then become shorter, and of a branch whose condition is known
one side stays.

    x := 1                      x := 1
    if x                        push &found me
        push &found me
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower import fold
from rulesdsl.lower.flat_walk import Flat, bound_by, change_bodies
from rulesdsl.source.tree import rewrite, walk

if TYPE_CHECKING:
    from collections.abc import Iterable

Known = dict[str, fl.Expr]
"""What locals are sure to hold: a number, or what another local holds too."""

_LEAVE = (fl.Break, fl.Return, fl.Finish, fl.Goto, fl.Enter, fl.Leave, fl.Ask)


def fold_constants(flat: fl.Flat) -> None:
    """Fold what is known in all functions and machines."""
    change_bodies(flat, lambda body: _folded(body, {}))


def _folded(body: fl.Body, known: Known) -> fl.Body:
    """Return a body with what is known in it, and learn what is known after it."""
    found: list[fl.Stmt] = []
    for stmt in body:
        found += _stmt(stmt, known)
        if found and isinstance(found[-1], _LEAVE):
            break
    return tuple(found)


def _stmt(stmt: fl.Stmt, known: Known) -> Iterable[fl.Stmt]:
    match stmt:
        case fl.If(condition=condition, yes=yes, no=no):
            condition = folded(condition, known)
            sure = fold.known(condition)
            if sure is not None:
                return _folded(yes if sure else no, known)
            after_no = dict(known)
            yes, no = _folded(yes, known), _folded(no, after_no)
            _keep_agreed(known, after_no)
            return [attrs.evolve(stmt, condition=condition, yes=yes, no=no)]
        case fl.For(local=local, source=source, body=inner):
            _forget(known, {local, *_set_in(inner)})
            source = folded(source, known)
            inner = _folded(inner, dict(known))
            return [attrs.evolve(stmt, source=source, body=inner)]
        case _:
            made = folded(stmt, known)
            _forget(known, bound_by(stmt))
            match made:
                case fl.Set(local=local, value=fl.Const() | fl.Local() as value):
                    if value != fl.Local(local):
                        known[local] = value
                case _:
                    pass
            return [made]


def _set_in(body: fl.Body) -> set[str]:
    """Return the locals that a body may set."""
    stmts = (each for each in walk(body) if isinstance(each, fl.Stmt))
    return {
        name
        for each in stmts
        for name in ([each.local] if isinstance(each, fl.For) else bound_by(each))
    }


def _forget(known: Known, names: set[str]) -> None:
    for name, value in list(known.items()):
        if name in names or (isinstance(value, fl.Local) and value.name in names):
            del known[name]


def _keep_agreed(known: Known, other: Known) -> None:
    for name in [each for each, value in known.items() if other.get(each) != value]:
        del known[name]


def folded(node: Flat, known: Known) -> Flat:
    """Return a node with what is known put in, as short as it is then."""
    return rewrite(node, lambda each: _shorter(each, known))


def _shorter(node: Flat, known: Known) -> Flat:
    match node:
        case fl.Local(name=name):
            return known.get(name, node)
        case fl.Op(op=word, left=left, right=right):
            return fold.op(word, left, right)
        case fl.Not(value=value):
            return fold.negated(value)
        case fl.Logic(op=word, parts=parts):
            return fold.logic(word, *parts)
        case fl.Select(condition=condition, yes=yes, no=no):
            return fold.select(condition, yes, no)
        case _:
            return node
