"""Going through flat statements and expressions, and rewriting them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Flat = Any  # a statement, an expression, a list: any node of the form


class _Fields(dict[type, tuple[str, ...]]):
    """For each kind of node the names of what may hold nodes."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        plain = {"int", "str", "bool", "Span", "int | None"}
        self[cls] = tuple(each.name for each in attrs.fields(cls) if each.type not in plain)
        return self[cls]


_FIELDS = _Fields()


def parts_of(node: Flat) -> Iterator[Flat]:
    """Yield the nodes directly inside a node."""
    for name in _FIELDS[type(node)]:
        child = getattr(node, name)
        if isinstance(child, tuple):
            yield from (each for each in child if attrs.has(type(each)))
        elif attrs.has(type(child)) and not isinstance(child, Span):
            yield child


def walk(nodes: Iterable[Flat]) -> Iterator[Flat]:
    """Yield nodes and everything inside them."""
    left = list(nodes)
    while left:
        node = left.pop()
        yield node
        left.extend(parts_of(node))


def rewritten(node: Flat, change: Callable[[Flat], Flat]) -> Flat:
    """Return a node with every node inside it, and then itself, changed."""
    changes: dict[str, object] = {}
    for name in _FIELDS[type(node)]:
        child = getattr(node, name)
        if isinstance(child, tuple):
            made = tuple(
                rewritten(each, change) if attrs.has(type(each)) else each for each in child
            )
            if any(new is not old for new, old in zip(made, child, strict=True)):
                changes[name] = made
        elif attrs.has(type(child)) and not isinstance(child, Span):
            new = rewritten(child, change)
            if new is not child:
                changes[name] = new
    return change(attrs.evolve(node, **changes) if changes else node)


def change_bodies(flat: fl.Flat, change: Callable[[fl.Body], fl.Body]) -> None:
    """Change the body of every function, and every block of every machine."""
    for name, function in flat.functions.items():
        flat.functions[name] = attrs.evolve(function, body=change(function.body))
    for name, machine in flat.machines.items():
        blocks = tuple(map(change, machine.blocks))
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)


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
                found |= locals_of([condition]) - surely
                read_yes, set_yes = _read_first(yes)
                read_no, set_no = _read_first(no)
                found |= (read_yes | read_no) - surely
                surely |= set_yes & set_no
            case fl.For(local=local, source=source, body=inner):
                found |= locals_of([source]) - surely
                found |= _read_first(inner)[0] - surely - {local}
            case fl.Clear(buffer=buffer):
                surely.add(buffer.name)
            case _:
                found |= locals_of([stmt]) - surely
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


def locals_of(nodes: Iterable[Flat]) -> set[str]:
    """Return the locals and buffers that some nodes name."""
    return {each.name for each in walk(nodes) if isinstance(each, fl.Local | fl.Buffer)}
