"""Values in TOML files: positions, validation, conversion, and JSON schemas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.toml_document import KeyPath, TomlIndex, TomlTable
from rulesdsl.source.diagnostics import Advice, Detail, Findings, Wording, similar
from rulesdsl.source.english import and_list, or_list
from rulesdsl.source.facts import MissingFields, NotWhole, OutOfRange, UnknownName
from rulesdsl.source.language import Language
from rulesdsl.source.span import Span

Json: TypeAlias = dict[str, object]

SOMETHING = r"\S"


# -------------------------------------------------------------------- places
@attrs.frozen
class TablePlace:
    """The position of a value while it is read, in a file or a merged table.

    `index_at` returns the index of the file that sets the value at a path. `phrase` composes the
    error message for a path, an expectation and a value: each kind of file has its own wording.
    """

    index_at: Callable[[KeyPath], TomlIndex]
    path: KeyPath
    findings: Findings
    phrase: Callable[[KeyPath, str, object], str]

    @property
    def span(self) -> Span:
        """The span of the value."""
        return self.index_at(self.path).span(self.path)

    @property
    def key_span(self) -> Span:
        """The span of its key."""
        return self.index_at(self.path).key_span(self.path)

    @property
    def string_map(self) -> tuple[tuple[int, int], ...]:
        """The position of each character in a string value, and of the string's end."""
        return self.index_at(self.path).string_map(self.path)

    @property
    def language(self) -> Language:
        """The language of the file that sets it."""
        return self.index_at(self.path).language

    def below(self, *steps: str | int) -> TablePlace:
        """Return the place of a nested value."""
        return attrs.evolve(self, path=(*self.path, *steps))

    def wrong(self, wanted: str, value: object, *, whole: bool = False) -> None:
        """Report a value of the wrong kind; `whole` if a whole number is expected."""
        facts = NotWhole() if whole else None
        message = self.phrase(self.path, wanted, value)
        self.findings.report("E005", self.span, message, facts=facts)

    def refuse(self, refused: Wording, *, advice: str | Advice = "", **fields: Detail) -> None:
        """Report a value that is not allowed."""
        refused.report(self.findings, self.span, advice=advice, key=self.path[0], **fields)

    def unknown(
        self, said: Wording, known: Iterable[str], advice: str = "", **fields: Detail
    ) -> None:
        """Report the key as unknown; `advice` is given if no known key is similar."""
        known = list(known)
        *around, name = self.path
        index = self.index_at(tuple(around))
        near = similar(str(name), known, lambda key: index.has((*around, key)))
        facts = None if near else UnknownName(str(name))
        said.report(
            self.findings, self.key_span, advice=near or advice, facts=facts, key=name, **fields
        )

    def lacks(self, name: str, keys: Iterable[str]) -> None:
        """Report missing keys of this table, if any."""
        lacking = list(keys)
        if lacking:
            shown = " and ".join(f"`{key}`" for key in lacking)
            lines = and_list([f"`{key} = ...`" for key in lacking])
            facts = MissingFields(tuple((key, "") for key in lacking))
            wording.LACKS_KEYS.report(
                self.findings, self.key_span, facts=facts, name=name, keys=shown, lines=lines
            )


# -------------------------------------------------------------------- shapes


@attrs.frozen
class Shape:
    """A set of valid values: a predicate, an error message, a JSON schema and a conversion.

    `parse` converts a value that `fits` to its internal form. If it is nevertheless invalid,
    `parse` reports the reason and, as a rule, returns `None`.
    """

    fits: Callable[[Any], bool]
    wanted: str
    schema: Json
    parse: Callable[[Any, TablePlace], Any] = lambda value, _: value
    whole: bool = False  # true for whole numbers

    def read(self, value: object, place: TablePlace) -> Any:  # noqa: ANN401 - any internal form
        """Convert a value to its internal form; report an invalid one and return `None`."""
        if self.fits(value):
            return self.parse(value, place)
        place.wrong(self.wanted, value, whole=self.whole)
        return None

    def then(self, parse: Callable[[Any, TablePlace], Any], schema: Json | None = None) -> Shape:
        """Return the shape with a further conversion and, optionally, a stricter schema."""

        def both(value: object, place: TablePlace) -> object | None:
            found = self.parse(value, place)
            return None if found is None else parse(found, place)

        return attrs.evolve(self, parse=both, schema=schema or self.schema)


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
    """Return true for an integer; a boolean is not one."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Return true for a string."""
    return isinstance(value, str)


def is_table(value: object) -> bool:
    """Return true for a table."""
    return isinstance(value, dict)


YES_NO = Shape(lambda value: isinstance(value, bool), "true or false", {"type": "boolean"})


def whole(
    least: int | None = None,
    most: int | None = None,
    wanted: str = "a whole number",
    refused: Wording | None = None,
) -> Shape:
    """Return the shape of an integer within bounds; `refused` is the finding for others."""

    def within(value: int) -> bool:
        return (least is None or least <= value) and (most is None or value <= most)

    def parse(value: int, place: TablePlace) -> int | None:
        if refused is None or within(value):
            return value
        facts = OutOfRange(least or 0, value if most is None else most)
        refused.report(place.findings, place.span, facts=facts, found=value, most=most)
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


def text(pattern: str = "", wanted: str = "text in quotation marks") -> Shape:
    """Return the shape of a string that contains a match for a pattern."""
    schema: Json = {"type": "string", "pattern": pattern} if pattern else {"type": "string"}
    return Shape(lambda value: is_text(value) and matches(pattern, value), wanted, schema)


def word(words: Iterable[str], refused: Wording | None = None) -> Shape:
    """Return the shape of an enumeration; `refused` is the finding for others, which are kept."""
    known = list(words)

    def parse(found: str, place: TablePlace) -> str:
        if refused is not None and found not in known:
            near, listed = similar(found, known), or_list(known)
            refused.report(place.findings, place.span, advice=near, found=found, listed=listed)
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
    """Add a description to a schema; a `$ref`, which allows no siblings, is wrapped."""
    found: Json = {"description": words}
    found |= {"allOf": [schema]} if "$ref" in schema else schema
    return found if default is None else {**found, "default": default}


def reference(name: str) -> Json:
    """Return a reference to a definition in the same document."""
    return {"$ref": f"#/definitions/{name}"}


def matches(pattern: str, found: str) -> bool:
    """Return true if a string contains a match for a schema's pattern."""
    return bool(_compiled(pattern).search(found))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # In a schema, `$` matches at the very end only; in Python, also before a final line break.
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))
