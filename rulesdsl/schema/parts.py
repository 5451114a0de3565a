"""Whole schemas, and those of tables whose keys are names."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rulesdsl.packs.shapes import Json, reference

DRAFT = "http://json-schema.org/draft-07/schema#"
MARK = "Written by `coloma schema` from the declarations of the pack."


def document(
    title: str, body: Mapping[str, object], definitions: Mapping[str, Json] | None = None
) -> Json:
    """Return a schema that is in a file of its own, with those definitions that it uses."""
    found: Json = {"$schema": DRAFT, "$comment": MARK, "title": title, **body}
    known = definitions or {}
    used: set[str] = set()
    left: list[object] = [body]
    while left:
        written = json.dumps(left.pop())
        fresh = {name for name in known if json.dumps(reference(name)) in written} - used
        left += [known[name] for name in fresh]
        used |= fresh
    kept = {name: each for name, each in known.items() if name in used}
    return {**found, "definitions": kept} if kept else found


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
