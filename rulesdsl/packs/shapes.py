"""Shapes of values in TOML files: validation, conversion, and JSON schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

import attrs

from rulesdsl.packs.folder import TablePlace
from rulesdsl.packs.toml_document import TomlTable
from rulesdsl.source.diagnostics import similar

Json: TypeAlias = dict[str, object]

SOMETHING = r"\S"


@attrs.frozen
class Shape:
    """A set of valid values: a predicate, an error message, a JSON schema, a conversion.

    `parse` converts a value that `fits` to its internal form, or reports why it is invalid after
    all and returns, in general, `None`.
    """

    fits: Callable[[Any], bool]
    wanted: str
    schema: Json
    parse: Callable[[Any, TablePlace], Any] = lambda value, _: value
    whole: bool = False  # whether it is that of whole numbers

    def read(self, value: object, place: TablePlace) -> Any:  # noqa: ANN401 - what it stands for
        """Return the internal form of a value; `None`, reported, if it is invalid."""
        if self.fits(value):
            return self.parse(value, place)
        place.wrong(self.wanted, value, whole=self.whole)
        return None

    def then(self, parse: Callable[[Any, TablePlace], Any], schema: Json | None = None) -> Shape:
        """Return a shape with a further conversion and, optionally, a stricter schema."""

        def both(value: object, place: TablePlace) -> object | None:
            found = self.parse(value, place)
            return None if found is None else parse(found, place)

        return attrs.evolve(self, parse=both, schema=schema or self.schema)


@attrs.frozen
class Refusal:
    """A finding about a value of the right type that is not allowed; `{}` stands for the value."""

    code: str
    message: str
    advice: str
    facts: object = None

    def report(self, value: object, place: TablePlace) -> None:
        """Report such a value."""
        place.report(self.code, self.message.format(value), self.advice, facts=self.facts)


@attrs.frozen
class Field:
    """A key of a table, its shape, and the documentation shown by editors."""

    key: str
    shape: Shape
    about: str
    default: object = None
    needed: bool = attrs.field(default=False, kw_only=True)

    def read(self, data: TomlTable, around: TablePlace) -> Any:  # noqa: ANN401 - as of a shape
        """Return the value under the key, or the default if it is missing."""
        if self.key not in data:
            return self.default
        return self.shape.read(data[self.key], around.below(self.key))

    @property
    def schema(self) -> Json:
        """The schema of the value."""
        return described(self.shape.schema, self.about, self.default)


def is_number(value: object) -> bool:
    """Return true for an integer; bools do not count."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Return true for a text."""
    return isinstance(value, str)


def is_table(value: object) -> bool:
    """Return true for a table."""
    return isinstance(value, dict)


YES_NO = Shape(lambda value: isinstance(value, bool), "true or false", {"type": "boolean"})


def whole(
    least: int | None = None,
    most: int | None = None,
    wanted: str = "a whole number",
    refused: Refusal | None = None,
) -> Shape:
    """Return the shape of an integer; out of bounds it is refused, or does not fit."""

    def within(value: int) -> bool:
        return (least is None or least <= value) and (most is None or value <= most)

    def parse(value: int, place: TablePlace) -> int | None:
        if refused is None or within(value):
            return value
        refused.report(value, place)
        return None

    bounds = {"minimum": least, "maximum": most}
    said = {name: bound for name, bound in bounds.items() if bound is not None}
    return Shape(
        lambda value: is_number(value) and (refused is not None or within(value)),
        wanted,
        {"type": "integer", **said},
        parse,
        whole=True,
    )


def text(pattern: str = "", wanted: str = "a text") -> Shape:
    """Return the shape of a text that contains a pattern."""
    schema: Json = {"type": "string", "pattern": pattern} if pattern else {"type": "string"}
    return Shape(lambda value: is_text(value) and matches(pattern, value), wanted, schema)


def word(words: Iterable[str], message: str = "", advice: str = "") -> Shape:
    """Return the shape of an enumeration; other words are reported by `message`, but kept."""
    known = list(words)

    def parse(found: str, place: TablePlace) -> str:
        if found not in known:
            place.report("E005", message.format(found), similar(found, known) or advice)
        return found

    return text(SOMETHING).then(parse, {"type": "string", "enum": known})


def list_of(each: Shape, wanted: str) -> Shape:
    """Return the shape of a list; invalid elements are left out."""

    def parse(values: list[object], place: TablePlace) -> tuple[object, ...]:
        read = (each.read(value, place.below(at)) for at, value in enumerate(values))
        return tuple(value for value in read if value is not None)

    return Shape(lambda value: isinstance(value, list), wanted, array(each.schema), parse)


def table_of(fields: Iterable[Field]) -> Json:
    """Return the schema of a table with exactly these fields."""
    listed = list(fields)
    needed = [each.key for each in listed if each.needed]
    return table({each.key: each.schema for each in listed}, needed)


def table(properties: Mapping[str, Json], required: Iterable[str] = ()) -> Json:
    """Return the schema of a table with exactly these keys."""
    found: Json = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    needed = list(required)
    return {**found, "required": needed} if needed else found


def array(items: Json) -> Json:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def described(schema: Json, words: str, default: object = None) -> Json:
    """Return a schema with a description; `$ref` allows no siblings, so it is wrapped."""
    found: Json = {"description": words}
    found |= {"allOf": [schema]} if "$ref" in schema else schema
    return found if default is None else {**found, "default": default}


def reference(name: str) -> Json:
    """Return a reference to a definition in the same document."""
    return {"$ref": f"#/definitions/{name}"}


def matches(pattern: str, found: str) -> bool:
    """Return true if a text contains the pattern of a schema."""
    return bool(_compiled(pattern).search(found))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # In a schema, `$` matches at the very end only; in Python, also before a final line break.
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))
