"""The words that say where numbers come from: in rules, at the head of a table, in an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def check_source_words(
    world: World, declarations: Iterable[de.Decl], tables: Tables, findings: Findings
) -> None:
    """Report sources that are no word for one, or that speak of something that is not there."""
    checker = _SourceWords(findings)
    paths: dict[str, Span] = {}
    for decl in declarations:
        if isinstance(decl, de.SourceDecl):
            checker.word(decl.source, decl.span)
        elif isinstance(decl, de.ConstantsDecl):
            paths.setdefault(decl.table.path, decl.table.span)
    for kind in world.kinds.values():
        if kind.table is not None:
            paths.setdefault(kind.table, kind.table_span)
    for path, span in paths.items():
        table = tables.get(path, span)
        if table is not None:
            about = [key for key in table.data if key not in {"source", "sources"}]
            checker.table(table, table.data, (), about)
            for kind in world.kinds.values():
                if kind.table == path:
                    checker.entries(table, kind)


class _SourceWords:
    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def word(self, word: object, span: Span) -> None:
        """Report what is no source."""
        if word not in SOURCES:
            *others, last = (f'"{each}"' for each in SOURCES)
            message = f"A source is {', '.join(others)} or {last}."
            advice = did_you_mean(word, SOURCES) if isinstance(word, str) else ""
            self.findings.report("E005", span, message, advice)

    def table(
        self, table: Table, data: dict[str, object], path: Path, about: Iterable[str]
    ) -> None:
        """Check `source` and `sources` of a file or an entry; `about` is what they can name."""
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

    def entries(self, table: Table, kind: KindInfo) -> None:
        """Check what the entries of a kind say of their fields."""
        about = [*kind.fields, WITH_SOURCE]
        in_section = table.data.get(kind.name)
        for found in kind.entries:
            for around, path in ((in_section, (kind.name,)), (table.data, ())):
                raw = around.get(found.name) if isinstance(around, dict) else None
                if isinstance(raw, dict):
                    self.table(table, raw, (*path, found.name), about)
                    break
