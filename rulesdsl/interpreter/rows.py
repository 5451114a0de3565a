"""Checked packs as rows of plain data, and back: nothing that is read can be executed.

A row is a scalar, or a list: what it makes, and the numbers of earlier rows that it makes it of.
What can be made is a closed list: containers, and the value classes that a program consists of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from rulesdsl.check import program, typed, types, world
from rulesdsl.check.replay import NO_TRACE
from rulesdsl.interpreter.simulator import map as memory
from rulesdsl.lower import flat, flattened, form
from rulesdsl.packs import manifest, versions
from rulesdsl.source import span
from rulesdsl.syntax import declarations, expressions, node, statements

Rows = list[Any]

CLASSES: dict[str, type[attrs.AttrsInstance]] = {
    f"{found.__module__}.{found.__qualname__}": found
    for module in (
        *(program, types, world, typed, manifest, versions, span, memory),
        *(form, flattened, flat.expressions, flat.statements, flat.program),
        *(declarations, expressions, node, statements),
    )
    for found in vars(module).values()
    if isinstance(found, type)
    and attrs.has(found)
    and "__slots__" in vars(found)
    and found.__module__.startswith(module.__name__)
}
SCALARS = (str, int, bool, type(None))


def to_rows(value: object) -> tuple[list[str], Rows]:
    """Return the names of the classes and the rows; the last row is the value.

    Raises TypeError for a value that no program has. What is one object stays one.
    """
    rows: Rows = []
    kinds: dict[str, int] = {}
    known: dict[object, int] = {}

    def add(value: object) -> int:
        scalar = type(value) in SCALARS
        key = (type(value), value) if scalar else id(value)
        if key not in known:
            row: object = value
            if not scalar:
                kind, parts = _taken_apart(value)
                row = [kinds.setdefault(kind, len(kinds)), *map(add, parts)]
            known[key] = len(rows)
            rows.append(row)
        return known[key]

    add(value)
    return [*kinds], rows


def from_rows(names: list[str], rows: Rows) -> object:
    """Return the value; an exception (never more) where the rows are none of `to_rows`."""
    makers = [_CONTAINERS.get(name) or _maker(CLASSES[name]) for name in names]
    made: list[Any] = []
    for row in rows:
        if type(row) is list:
            kind, *parts = row
            made.append(makers[kind]([made[part] for part in parts]))
        elif type(row) in SCALARS:
            made.append(row)
        else:
            raise TypeError(row)
    return made[-1]


def _taken_apart(value: object) -> tuple[str, Iterable[object]]:
    if isinstance(value, dict):
        return "dict", (part for item in value.items() for part in item)
    if isinstance(value, list | tuple):
        return type(value).__name__, value
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted(value, key=repr)
    if isinstance(value, manifest.PackKind):
        return "PackKind", [value.value]
    if value is NO_TRACE:  # nobody goes on from the check of a pack that is kept
        return "NoTrace", ()
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    found = CLASSES.get(name)
    if found is None or found is not type(value):
        raise TypeError(f"{name} is not part of a pack")
    return name, (getattr(value, field.name) for field in attrs.fields(found))


def _maker(found: type[attrs.AttrsInstance]) -> Callable[[list[Any]], object]:
    slots = [getattr(found, field.name).__set__ for field in attrs.fields(found)]

    def make(parts: list[Any]) -> object:
        made = object.__new__(found)
        for put, part in zip(slots, parts, strict=True):
            put(made, part)
        return made

    return make


def _key(value: object) -> object:
    """Return what may be looked up: hashing what is made of others could take forever."""
    if all(type(part) in SCALARS for part in (value if isinstance(value, tuple) else (value,))):
        return value
    raise TypeError(value)


_CONTAINERS: dict[str, Callable[[list[Any]], object]] = {
    "list": list,
    "tuple": tuple,
    "dict": lambda parts: dict(zip(map(_key, parts[::2]), parts[1::2], strict=True)),
    "set": lambda parts: set(map(_key, parts)),
    "frozenset": lambda parts: frozenset(map(_key, parts)),
    "NoTrace": lambda _: NO_TRACE,
    "PackKind": lambda parts: manifest.PackKind(*parts),
}
