"""The words that say where numbers come from: in rules, at the head of a table, in an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.files import ABOUT_SOURCES, Said, section_of
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.tables.files import Table, Tables
    from rulesdsl.check.world import KindInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

SOURCES = ("rulebook", "derived", "house")
WITH_SOURCE = "copies"  # a number of an entry that is no field


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
        self._part(Said(table, (), table.data))
        for kind in kinds:
            section = section_of(kind, table, self.world)
            if section.path:
                self._part(section)
            for name, said in section.named(self.world):
                if name in kind.index:
                    self._table(said, [*kind.fields, WITH_SOURCE])

    def _part(self, said: Said) -> None:
        """Check a part of a file, and in it what mods bring under their ids."""
        self._table(said, [key for key, _ in said.items if key not in ABOUT_SOURCES])
        for key, brought in said.items:
            if key in self.world.mods:
                about = [each for each, _ in brought.items if each not in ABOUT_SOURCES]
                self._table(brought, about)

    def _table(self, said: Said, about: Iterable[str]) -> None:
        """Check `source` and `sources` of a table; `about` is what the latter can name."""
        parts = dict(said.items)
        if "source" in parts:
            self.word(parts["source"].raw, parts["source"].span)
        sources = parts.get("sources")
        if sources is None:
            return
        if not isinstance(sources.raw, dict):
            message = 'Here must stand a table, such as { price = "house" }.'
            self.findings.report("E005", sources.span, message)
        for name, each in sources.items:
            if name in about:
                self.word(each.raw, each.span)
            else:
                message = f"There is no `{name}` here that could have a source."
                advice = did_you_mean(name, about)
                self.findings.report("E004", each.key_span, message, advice)
