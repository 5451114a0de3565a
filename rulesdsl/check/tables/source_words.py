"""The words that say where numbers come from: in rules, at the head of a table, in an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.entries import COPIES
from rulesdsl.check.tables.files import section_of
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.tables.files import Tables
    from rulesdsl.check.world import KindInfo
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.packs.place import Place
    from rulesdsl.packs.toml_file import TomlTable
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

SOURCES = ("rulebook", "derived", "house")


def check_source_words(tables: Tables, declarations: Iterable[de.Decl]) -> None:
    """Report sources that are no word for one, or that speak of something that is not there."""
    files: dict[str, Span] = {}
    for decl in declarations:
        if isinstance(decl, de.SourceDecl):
            _check_word(decl.source, decl.span, tables.findings)
        elif isinstance(decl, de.ConstantsDecl):
            files.setdefault(decl.table.path, decl.table.span)
    kinds = tables.world.kinds.values()
    for kind in kinds:
        if kind.table is not None:
            files.setdefault(kind.table, kind.table_span)
    for path, span in files.items():
        table = tables.layers.get(path, span)
        if table is not None:
            _check_file(tables, table, [kind for kind in kinds if kind.table == path])


def _check_word(word: object, span: Span, findings: Findings) -> None:
    if word not in SOURCES:
        *others, last = (f'"{each}"' for each in SOURCES)
        message = f"A source is {', '.join(others)} or {last}."
        advice = similar(word, SOURCES) if isinstance(word, str) else ""
        findings.report("E005", span, message, advice)


def _check_file(tables: Tables, table: MergedTable, kinds: Iterable[KindInfo]) -> None:
    """Check a file: what it says as a whole, in its parts, and in the entries of kinds."""
    _check_part(tables, table.data, tables.place(table, ()))
    for kind in kinds:
        section, path = section_of(kind, table, tables.world)
        if path:
            _check_part(tables, section, tables.place(table, path))
        for name, place, raw in tables.entries(kind, table):
            if name in kind.index and isinstance(raw, dict):
                _check_table(raw, place, [*kind.fields, COPIES.key])


def _check_part(tables: Tables, data: TomlTable, place: Place) -> None:
    """Check a part of a file, and in it what mods bring under their ids."""
    parts = [(data, place)]
    parts += [
        (brought, place.below(mod))
        for mod in tables.world.mods
        if isinstance(brought := data.get(mod), dict)
    ]
    for part, where in parts:
        _check_table(part, where, part.keys() - {"source", "sources"})


def _check_table(data: TomlTable, place: Place, about: Iterable[str]) -> None:
    """Check `source` and `sources` of a table; `about` is what the latter can name."""
    if "source" in data:
        _check_word(data["source"], place.below("source").span, place.findings)
    listed = data.get("sources", {})
    here = place.below("sources")
    if not isinstance(listed, dict):
        here.wrong('a table, such as { price = "house" }', listed)
        return
    for name, word in listed.items():
        there = here.below(name)
        if name in about:
            _check_word(word, there.span, there.findings)
        else:
            there.unknown(f"There is no `{name}` here that could have a source.", about)
