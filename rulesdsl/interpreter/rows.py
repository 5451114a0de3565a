"""Checked packs as rows of plain data, and back: nothing that is read can be executed.

A row is a scalar, or a list: what it makes, and the numbers of earlier rows that it makes it of.
What can be made is a closed list: containers, and the value classes that a program consists of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from rulesdsl.check import program, typed, types, world
from rulesdsl.lower import form
from rulesdsl.packs import manifest, versions
from rulesdsl.source import span
from rulesdsl.syntax import declarations, expressions, node, statements

Rows = list[Any]

CLASSES: dict[str, type[attrs.AttrsInstance]] = {
    f"{found.__module__}.{found.__qualname__}": found
    for module in (
        *(program, types, world, typed, form, manifest, versions, span),
        *(declarations, expressions, node, statements),
    )
    for found in vars(module).values()
    if isinstance(found, type)
    and attrs.has(found)
    and found.__module__.startswith(module.__name__)
}
SCALARS = (str, int, bool, type(None))


def to_rows(value: object) -> tuple[list[str], Rows]:
    """Return the names of the classes and the rows; the last row is the value.

    Raises TypeError for a value that no program has.
    """
    writer = _Writer()
    writer.add(value)
    return [*writer.kinds], writer.rows


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
            message = f"{type(row).__name__} is not part of a pack"
            raise TypeError(message)
    return made[-1]


class _Writer:
    """Numbers values; what is one object stays one."""

    def __init__(self) -> None:
        self.rows: Rows = []
        self.kinds: dict[str, int] = {}
        self._scalars: dict[tuple[type, object], int] = {}
        self._objects: dict[int, int] = {}

    def add(self, value: object) -> int:
        """Write a value after what it consists of; return its number."""
        if type(value) in SCALARS:
            return self._row(self._scalars, (type(value), value), value)
        known = self._objects.get(id(value))
        if known is not None:
            return known
        name, parts = _taken_apart(value)
        row = [self.kinds.setdefault(name, len(self.kinds)), *map(self.add, parts)]
        return self._row(self._objects, id(value), row)

    def _row(self, known: dict[Any, int], key: object, row: object) -> int:
        if key not in known:
            known[key] = len(self.rows)
            self.rows.append(row)
        return known[key]


def _taken_apart(value: object) -> tuple[str, Iterator[object]]:
    if isinstance(value, dict):
        return "dict", (part for item in value.items() for part in item)
    if isinstance(value, list | tuple):
        return type(value).__name__, iter(value)
    if isinstance(value, set | frozenset):
        return type(value).__name__, iter(sorted(value, key=repr))
    if isinstance(value, manifest.PackKind):
        return "PackKind", iter([value.value])
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    found = CLASSES.get(name)
    if found is None or found is not type(value):
        message = f"{name} is not part of a pack"
        raise TypeError(message)
    return name, (getattr(value, field.name) for field in attrs.fields(found))


def _maker(found: type[attrs.AttrsInstance]) -> Callable[[list[Any]], object]:
    names = [field.name for field in attrs.fields(found)]

    def make(parts: list[Any]) -> object:
        made: object = object.__new__(found)
        for name, part in zip(names, parts, strict=True):
            object.__setattr__(made, name, part)
        return made

    return make


def _dict(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(map(_key, parts[::2]), parts[1::2], strict=True))


def _key(value: object) -> object:
    """Return what may be looked up: hashing what is made of others could take for ever."""
    parts = value if isinstance(value, tuple) else (value,)
    if all(type(part) in SCALARS for part in parts):
        return value
    message = f"{type(value).__name__} cannot be a key"
    raise TypeError(message)


_CONTAINERS: dict[str, Callable[[list[Any]], object]] = {
    "list": list,
    "tuple": tuple,
    "dict": _dict,
    "set": lambda parts: set(map(_key, parts)),
    "frozenset": lambda parts: frozenset(map(_key, parts)),
    "PackKind": lambda parts: manifest.PackKind(*parts),
}
