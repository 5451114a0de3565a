"""Ends of flat bodies, and the locals that they read and set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Flat = Any  # a statement, an expression, a list: any node of the form


def change_bodies(flat: fl.Flat, change: Callable[[fl.Body], fl.Body]) -> None:
    """Change the body of every function, and every block of every machine."""
    for name, function in flat.functions.items():
        flat.functions[name] = attrs.evolve(function, body=change(function.body))
    for name, machine in flat.machines.items():
        blocks = tuple(map(change, machine.blocks))
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)


def bodies(stmt: fl.Stmt) -> tuple[fl.Body, ...]:
    """Return the bodies of a statement."""
    match stmt:
        case fl.If(yes=yes, no=no):
            return yes, no
        case fl.For(body=body):
            return (body,)
        case _:
            return ()


def with_bodies(stmt: fl.Stmt, change: Callable[[fl.Body], fl.Body]) -> fl.Stmt:
    """Return a statement with its bodies changed."""
    match stmt:
        case fl.If(yes=yes, no=no):
            return attrs.evolve(stmt, yes=change(yes), no=change(no))
        case fl.For(body=body):
            return attrs.evolve(stmt, body=change(body))
        case _:
            return stmt


def conjuncts(condition: fl.Expr) -> tuple[fl.Expr, ...]:
    """Return what all has to hold for a condition to hold."""
    match condition:
        case fl.Logic(op="and", parts=parts):
            return parts
        case _:
            return (condition,)


def ends_in(body: fl.Body) -> Iterator[fl.End]:
    """Yield how a body ends, on every way through it."""
    for stmt in body:
        if isinstance(stmt, fl.If):
            yield from ends_in(stmt.yes)
            yield from ends_in(stmt.no)
        elif isinstance(stmt, fl.Goto | fl.Enter | fl.Leave | fl.Ask):
            yield stmt


def read_first(body: fl.Body) -> set[str]:
    """Return the locals that a body may read before it sets them."""
    found, _ = _read_first(body)
    return found


def _read_first(body: fl.Body) -> tuple[set[str], set[str]]:
    found: set[str] = set()
    surely: set[str] = set()
    for stmt in body:
        match stmt:
            case fl.If(condition=condition, yes=yes, no=no):
                found |= locals_of(condition) - surely
                read_yes, set_yes = _read_first(yes)
                read_no, set_no = _read_first(no)
                found |= (read_yes | read_no) - surely
                surely |= set_yes & set_no
            case fl.For(local=local, source=source, body=inner):
                found |= locals_of(source) - surely
                found |= _read_first(inner)[0] - surely - {local}
            case fl.Clear(buffer=buffer):
                surely.add(buffer.name)
            case _:
                found |= locals_of(stmt) - surely
                surely |= bound_by(stmt)
    return found, surely


def bound_by(stmt: fl.Stmt) -> set[str]:
    """Return the locals that a statement sets by itself."""
    match stmt:
        case fl.Set(local=local) | fl.Draw(local=local):
            return {local}
        case fl.Shift(old=old, new=new):
            return {old, new}
        case _:
            return set()


def locals_of(node: Flat) -> set[str]:
    """Return the locals and buffers that a node names."""
    return {each.name for each in walk(node) if isinstance(each, fl.Local | fl.Buffer)}
