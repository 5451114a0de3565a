"""What may be in a field of a TOML file: read from there, and described for editors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

import attrs

from rulesdsl.packs.place import Place
from rulesdsl.packs.toml_file import TomlTable
from rulesdsl.source.suggest import similar

Json: TypeAlias = dict[str, object]

SOMETHING = r"\S"


@attrs.frozen
class Shape:
    """What a value can be: whether it fits, what is said where it does not, its JSON schema.

    `parse` makes of a value that fits what the program works with, or reports that it cannot be
    all the same; then it mostly returns `None`.
    """

    fits: Callable[[Any], bool]
    wanted: str
    schema: Json
    parse: Callable[[Any, Place], Any] = lambda value, _: value
    whole: bool = False  # whether it is that of whole numbers

    def read(self, value: object, place: Place) -> Any:  # noqa: ANN401 - what it stands for
        """Return what a value stands for; `None`, reported, for what cannot be."""
        if self.fits(value):
            return self.parse(value, place)
        place.wrong(self.wanted, value, whole=self.whole)
        return None

    def then(self, parse: Callable[[Any, Place], Any], schema: Json | None = None) -> Shape:
        """Return a shape that makes more of what this one reads, with a schema that says more."""

        def both(value: object, place: Place) -> object | None:
            found = self.parse(value, place)
            return None if found is None else parse(found, place)

        return attrs.evolve(self, parse=both, schema=schema or self.schema)


@attrs.frozen
class Refusal:
    """What is said, with `{}` for the value, of what is of the right kind and yet cannot be."""

    code: str
    message: str
    advice: str
    facts: object = None

    def report(self, value: object, place: Place) -> None:
        """Report such a value."""
        place.report(self.code, self.message.format(value), self.advice, facts=self.facts)


@attrs.frozen
class Field:
    """A key of a table, what is under it, and the line that an editor shows."""

    key: str
    shape: Shape
    about: str
    default: object = None
    needed: bool = attrs.field(default=False, kw_only=True)

    def read(self, data: TomlTable, around: Place) -> Any:  # noqa: ANN401 - as of a shape
        """Return what the key of a table holds; where it is not there, the default."""
        if self.key not in data:
            return self.default
        return self.shape.read(data[self.key], around.below(self.key))

    @property
    def schema(self) -> Json:
        """The schema of what is under the key."""
        return described(self.shape.schema, self.about, self.default)


def is_number(value: object) -> bool:
    """Whether a value is a whole number; to Python, true and false are numbers too."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Whether a value is a text."""
    return isinstance(value, str)


def is_table(value: object) -> bool:
    """Whether a value is a table."""
    return isinstance(value, dict)


YES_NO = Shape(lambda value: isinstance(value, bool), "true or false", {"type": "boolean"})


def whole(
    least: int | None = None,
    most: int | None = None,
    wanted: str = "a whole number",
    refused: Refusal | None = None,
) -> Shape:
    """Return the shape of a whole number; those out of bounds are refused, or do not fit."""

    def within(value: int) -> bool:
        return (least is None or least <= value) and (most is None or value <= most)

    def parse(value: int, place: Place) -> int | None:
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
    """Return the shape of a text in which a pattern is found."""
    schema: Json = {"type": "string", "pattern": pattern} if pattern else {"type": "string"}
    return Shape(lambda value: is_text(value) and matches(pattern, value), wanted, schema)


def word(words: Iterable[str], message: str = "", advice: str = "") -> Shape:
    """Return the shape of one of some words; another is reported by `message`, and yet read."""
    known = list(words)

    def parse(found: str, place: Place) -> str:
        if found not in known:
            place.report("E005", message.format(found), similar(found, known) or advice)
        return found

    return text(SOMETHING).then(parse, {"type": "string", "enum": known})


def list_of(each: Shape, wanted: str) -> Shape:
    """Return the shape of a list; of its values, those that cannot be are left out."""

    def parse(values: list[object], place: Place) -> tuple[object, ...]:
        read = (each.read(value, place.below(at)) for at, value in enumerate(values))
        return tuple(value for value in read if value is not None)

    return Shape(lambda value: isinstance(value, list), wanted, array(each.schema), parse)


def table_of(fields: Iterable[Field]) -> Json:
    """Return the schema of a table with these fields and no others."""
    listed = list(fields)
    needed = [each.key for each in listed if each.needed]
    return table({each.key: each.schema for each in listed}, needed)


def table(properties: Mapping[str, Json], required: Iterable[str] = ()) -> Json:
    """Return the schema of a table with these keys and no others."""
    found: Json = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    needed = list(required)
    return {**found, "required": needed} if needed else found


def array(items: Json) -> Json:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def described(schema: Json, words: str, default: object = None) -> Json:
    """Return a schema with what an editor shows beside it; beside `$ref` nothing may be."""
    found: Json = {"description": words}
    found |= {"allOf": [schema]} if "$ref" in schema else schema
    return found if default is None else {**found, "default": default}


def reference(name: str) -> Json:
    """Return what stands for a definition of the same document."""
    return {"$ref": f"#/definitions/{name}"}


def matches(pattern: str, found: str) -> bool:
    """Whether a pattern of a schema is found in a text."""
    return bool(_compiled(pattern).search(found))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # To a schema, `$` is the very end; to Python, it may also be before a last line break.
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))
