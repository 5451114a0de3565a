"""Small schemas that larger ones are made of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json: TypeAlias = dict[str, object]

DRAFT = "http://json-schema.org/draft-07/schema#"
MARK = "Written by `coloma schema` from the declarations of the pack."
SOMETHING = r"\S"


def document(title: str, body: Mapping[str, object], definitions: Mapping[str, Json]) -> Json:
    """Return a schema that stands in a file of its own, with those definitions that it uses."""
    found: Json = {"$schema": DRAFT, "$comment": MARK, "title": title, **body}
    used: set[str] = set()
    left: list[object] = [body]
    while left:
        written = json.dumps(left.pop())
        fresh = [name for name in definitions if f'"{_place(name)}"' in written]
        left += [definitions[name] for name in fresh if name not in used]
        used.update(fresh)
    kept = {name: each for name, each in definitions.items() if name in used}
    return {**found, "definitions": kept} if kept else found


def described(schema: Json, words: str, default: object = None) -> Json:
    """Return a schema with what an editor shows beside it; beside `$ref` nothing may stand."""
    found: Json = {"description": words}
    found |= {"allOf": [schema]} if "$ref" in schema else schema
    return found if default is None else {**found, "default": default}


def number(least: int = -MAX_NUMBER, most: int = MAX_NUMBER) -> Json:
    """Return the schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most}


def text(pattern: str = "") -> Json:
    """Return the schema of a text."""
    return {"type": "string", "pattern": pattern} if pattern else {"type": "string"}


def words(allowed: Iterable[str]) -> Json:
    """Return the schema of a text that is one of some words."""
    return {"type": "string", "enum": list(allowed)}


def array(items: Json) -> Json:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def table(properties: Mapping[str, Json], required: Iterable[str] = ()) -> Json:
    """Return the schema of a table with these keys and no others."""
    found: Json = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    needed = list(required)
    return {**found, "required": needed} if needed else found


def named(
    schema: Json, names: Json | None = None, known: Mapping[str, Json] | None = None
) -> Json:
    """Return the schema of a table whose keys are names, with those that are known already."""
    found: Json = {"type": "object"}
    if known:
        found["properties"] = dict(known)
    found["additionalProperties"] = schema
    if names:
        found["propertyNames"] = names
    return found


def reference(name: str) -> Json:
    """Return what stands for a definition of the same document."""
    return {"$ref": _place(name)}


def _place(name: str) -> str:
    return f"#/definitions/{name}"
