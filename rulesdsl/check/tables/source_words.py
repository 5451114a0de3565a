"""The words that say where numbers come from: in rules, at the head of a table, in an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.files import named_in, section_of
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.tables.files import Path, Table, Tables
    from rulesdsl.check.world import KindInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

SOURCES = ("rulebook", "derived", "house")
WITH_SOURCE = "copies"  # a number of an entry that is no field
_Data = dict[str, object]


def check_source_words(
    world: World, declarations: Iterable[de.Decl], tables: Tables, findings: Findings
) -> None:
    """Report sources that are no word for one, or that speak of something that is not there."""
    checker = _SourceWords(world, findings)
    files: dict[str, Span] = {}
    for decl in declarations:
        if isinstance(decl, de.SourceDecl):
            checker.word(decl.source, decl.span)
        elif isinstance(decl, de.ConstantsDecl):
            files.setdefault(decl.table.path, decl.table.span)
    for kind in world.kinds.values():
        if kind.table is not None:
            files.setdefault(kind.table, kind.table_span)
    for path, span in files.items():
        table = tables.get(path, span)
        if table is not None:
            kinds = [kind for kind in world.kinds.values() if kind.table == path]
            checker.file(table, kinds)


class _SourceWords:
    def __init__(self, world: World, findings: Findings) -> None:
        self.world = world
        self.findings = findings

    def word(self, word: object, span: Span) -> None:
        """Report what is no source."""
        if word not in SOURCES:
            *others, last = (f'"{each}"' for each in SOURCES)
            message = f"A source is {', '.join(others)} or {last}."
            advice = did_you_mean(word, SOURCES) if isinstance(word, str) else ""
            self.findings.report("E005", span, message, advice)

    def file(self, table: Table, kinds: Iterable[KindInfo]) -> None:
        """Check a file: what it says as a whole, in its parts, and in the entries of kinds."""
        self._part(table, table.data, ())
        for kind in kinds:
            section, path = section_of(kind, table, self.world)
            if path:
                self._part(table, section, path)
            about = [*kind.fields, WITH_SOURCE]
            for name, where, raw in named_in(section, path, self.world):
                if name in kind.index and isinstance(raw, dict):
                    self._table(table, raw, where, about)

    def _part(self, table: Table, data: _Data, path: Path) -> None:
        """Check a part of a file, and in it what mods bring under their ids."""
        about = [key for key in data if key not in {"source", "sources"}]
        self._table(table, data, path, about)
        for mod in self.world.mods:
            brought = data.get(mod)
            if isinstance(brought, dict):
                about = [key for key in brought if key not in {"source", "sources"}]
                self._table(table, brought, (*path, mod), about)

    def _table(self, table: Table, data: _Data, path: Path, about: Iterable[str]) -> None:
        """Check `source` and `sources` of a table; `about` is what the latter can name."""
        if "source" in data:
            self.word(data["source"], table.span((*path, "source")))
        listed = data.get("sources", {})
        here = (*path, "sources")
        if not isinstance(listed, dict):
            message = 'Here must stand a table, such as { price = "house" }.'
            self.findings.report("E005", table.span(here), message)
            return
        for name, word in listed.items():
            if name in about:
                self.word(word, table.span((*here, name)))
            else:
                self.findings.report(
                    "E004",
                    table.key_span((*here, name)),
                    f"There is no `{name}` here that could have a source.",
                    did_you_mean(name, about),
                )
