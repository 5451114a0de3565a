"""Where numbers come from: every one that is not the rulebook's, with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.merge import MergedTable

RULEBOOK = "rulebook"
UNSAID = "no source given"
NUMBER = re.compile(r"(?<![\w-])\d+(?![\w-])")
ABOUT_ITSELF = {"source", "sources"}


@attrs.frozen
class SourceLine:
    """A number that is not the rulebook's: where it comes from, where it is, what it is."""

    source: str
    span: Span
    name: str
    value: str


def number_sources(layers: Layered, checked: Checked) -> tuple[SourceLine, ...]:
    """List every number of a pack that is not the rulebook's, in the order of the files."""
    found = [*table_numbers(layers, checked), *_in_rules(layers)]
    return tuple(sorted(found, key=lambda line: line.span))


# -------------------------------------------------------------------- tables
def table_numbers(layers: Layered, checked: Checked) -> Iterator[SourceLine]:
    """Yield the numbers of a pack's tables that are not the rulebook's."""
    world = checked.program.world
    effects = {
        field.name
        for kind in world.kinds.values()
        for field in kind.fields.values()
        if field.type in {"effect", "automatic", "formula"}
    }
    for path in _tables(layers):
        table = layers.get(path, world.start)
        if table is not None:
            yield from _leaves(table, table.data, (), effects)


def _tables(layers: Layered) -> list[str]:
    unread = {(pack.id, path) for pack, path in layers.unread()}
    found: dict[str, None] = {}
    for pack in layers.packs:
        for path in pack.toml_paths():
            if (pack.id, path) not in unread:
                found[path] = None
    return list(found)


def _leaves(
    table: MergedTable, value: object, path: tuple[str | int, ...], effects: set[str]
) -> Iterator[SourceLine]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ABOUT_ITSELF:
                yield from _leaves(table, inner, (*path, key), effects)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(table, inner, (*path, at), effects)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        yield from _line(table, path, str(value))
    elif isinstance(value, str) and effects & {part for part in path if isinstance(part, str)}:
        for number in NUMBER.findall(value):
            yield from _line(table, path, number)


def _line(table: MergedTable, path: tuple[str | int, ...], number: str) -> Iterator[SourceLine]:
    source = table.source_of(path) or UNSAID
    if source != RULEBOOK:
        name = ".".join(str(part) for part in path)
        yield SourceLine(source, table.span(path), name, number)


# -------------------------------------------------------------------- rules
def _in_rules(layers: Layered) -> Iterator[SourceLine]:
    for text in layers.rules:
        source = RULEBOOK
        for declaration in parse_file(text.text, text.path, Findings()).file.declarations:
            if isinstance(declaration, de.SourceDecl):
                source = declaration.source
            elif source != RULEBOOK:
                for each in walk(declaration):
                    if isinstance(each, ex.Number):
                        name = _name(declaration)
                        yield SourceLine(source, each.span, name, str(each.value))


def _name(declaration: de.Decl) -> str:
    for part in ("names", "header", "name", "kind", "word"):
        found = getattr(declaration, part, None)
        if found is not None:
            word = getattr(found, "singular", None) or getattr(found, "name", None) or found
            return str(getattr(word, "text", ""))
    return ""
