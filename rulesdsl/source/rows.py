"""Values as rows of plain data, and back: nothing that is read can be executed.

A row is a scalar, or a list: what it makes, and the numbers of earlier rows that it makes it of.
What can be made is a closed list: containers, and the kinds that whoever reads expects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from types import ModuleType
from typing import Any

import attrs

Rows = list[Any]
Kinds = Mapping[str, type]
"""The classes that may be made, by their whole names."""

SCALARS = (str, int, bool, type(None))


def kinds_of(*modules: ModuleType, also: Iterable[type] = ()) -> Kinds:
    """Return the value classes of modules and of what is in them, and others.

    Of the others, one without fields is made of nothing, and an enumeration of its value.
    """
    classes = [
        found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type)
        and attrs.has(found)
        and "__slots__" in vars(found)
        and found.__module__.startswith(module.__name__)
    ]
    return {_name(each): each for each in (*classes, *also)}


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def to_rows(value: object, allowed: Kinds) -> tuple[list[str], Rows]:
    """Return the names of the classes and the rows; the last row is the value.

    Raises TypeError for a value of any other kind. What is one object stays one.
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
                kind, parts = _taken_apart(value, allowed)
                row = [kinds.setdefault(kind, len(kinds)), *map(add, parts)]
            known[key] = len(rows)
            rows.append(row)
        return known[key]

    add(value)
    return [*kinds], rows


def from_rows(names: list[str], rows: Rows, allowed: Kinds) -> object:
    """Return the value; an exception (never more) where the rows are none of `to_rows`."""
    makers = [_CONTAINERS.get(name) or _maker(allowed[name]) for name in names]
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


def _taken_apart(value: object, allowed: Kinds) -> tuple[str, Iterable[object]]:
    if isinstance(value, dict):
        return "dict", (part for item in value.items() for part in item)
    if isinstance(value, list | tuple):
        return type(value).__name__, value
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted(value, key=repr)
    name = _name(type(value))
    if allowed.get(name) is not type(value):
        raise TypeError(f"{name} is not to be kept")
    if isinstance(value, Enum):
        return name, [value.value]
    kind: Any = type(value)
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    return name, (getattr(value, field.name) for field in fields)


def _maker(found: Any) -> Callable[[list[Any]], object]:  # noqa: ANN401 - a class of any kind
    if not attrs.has(found):
        return lambda parts: found(*parts)
    slots = [getattr(found, field.name).__set__ for field in attrs.fields(found)]
    cached_hash = getattr(found, "_attrs_cached_hash", None)  # a slot that `__init__` would clear

    def make(parts: list[Any]) -> object:
        made = object.__new__(found)
        if cached_hash is not None:
            cached_hash.__set__(made, None)
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
}
