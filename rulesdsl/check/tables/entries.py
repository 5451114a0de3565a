"""Which entries a table lists: their names, ids and copies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import another_name, check_prefix, title_of
from rulesdsl.check.declare.reserved import report_word
from rulesdsl.check.tables.files import Path, Table, TableBase, is_section, named_in, section_of
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, KindInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax.token_words import NO_NAMES

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


MOST_COPIES = 1000
NAME = r"[a-z][a-z0-9']*(-[a-z0-9']+)*"
_NAME = re.compile(NAME)


class EntryLister(TableBase):
    """Takes in the names of entries, so that fields can refer to them."""

    def list_entries(self, kind: KindInfo) -> None:
        """Take in the names of a kind's entries, so that fields can refer to them."""
        if kind.table is None:
            return
        table = self.tables.get(kind.table, kind.table_span)
        if table is None:
            self.world.broken.add(kind.name)
            self.world.unread = True
            return
        section, path = section_of(kind, table, self.world)
        if path:
            self._refuse_other_sections(kind, table)
        for name, where, raw in named_in(section, path, self.world):
            if not path and is_section(kind, name, self.world):
                continue
            if not isinstance(raw, dict):
                self._wrong(table, where, f"a table with the fields of {a_or_an(kind.name)}")
                continue
            self._list_entry(kind, table, where, name, raw)
        if not kind.entries:
            self.findings.report(
                "E006", kind.table_span, f"This file holds no {kind.plural}.", "Add one."
            )

    def _refuse_other_sections(self, kind: KindInfo, table: Table) -> None:
        """Report what stands beside the sections of the kinds that share a file."""
        here = [each.name for each in self.world.kinds.values() if each.table == kind.table]
        for name in table.data:
            if name not in {*here, "source", "sources"} and not self.world.doubtful(name):
                self.findings.report(
                    "E004",
                    table.key_span((name,)),
                    f"No kind with the name `{name}` is read from this file.",
                    did_you_mean(name, here) or f"There are {', '.join(here)}.",
                )

    def _list_entry(
        self, kind: KindInfo, table: Table, where: Path, name: str, raw: dict[str, object]
    ) -> None:
        span = table.key_span(where)
        check_prefix(name, span, self.world, self.findings)
        if not _NAME.fullmatch(str(where[-1])):
            self.findings.report(
                "E005",
                span,
                f"`{name}` cannot be the name of {a_or_an(kind.name)}.",
                'Names are small letters, digits and hyphens; `id = "3"` gives it another id.',
            )
            return
        if name in kind.index:
            first = kind.entries[kind.index[name]].span
            self.findings.report(
                "E202",
                span,
                f"There is {a_or_an(kind.name)} `{name}` already.",
                another_name(name, span, first, self.world),
                [Related(first, "declared here first")],
            )
            return
        if name in NO_NAMES:
            report_word(name, span, self.world, self.findings)
        title = raw.get("name", title_of(name))
        if not isinstance(title, str) or not title.strip():
            self._wrong(table, (*where, "name"), "a text")
            title = name
        found = EntryInfo(kind.name, name, title, self._id(table, where, raw, name), span)
        self._unique_id(kind, found, table.span((*where, "id")))
        found.copies = self._copies(kind, table, where, raw)
        kind.add(found)
        self.world.owners.setdefault(name, []).append(kind.name)

    def _unique_id(self, kind: KindInfo, found: EntryInfo, span: Span) -> None:
        other = next((each for each in kind.entries if each.id == found.id), None)
        if other is not None:
            self.findings.report(
                "E202",
                span,
                f"`{other.name}` has the id `{found.id}` already.",
                "Give one of them another id.",
                [Related(other.span, "the other one")],
            )

    def _id(self, table: Table, where: Path, raw: dict[str, object], name: str) -> str:
        given = raw.get("id", name)
        if isinstance(given, str) and given and not set(given) & set(" :\n\t"):
            return given
        self._wrong(table, (*where, "id"), "a text without blanks and colons")
        return name

    def _copies(self, kind: KindInfo, table: Table, where: Path, raw: dict[str, object]) -> int:
        if "copies" not in raw:
            return 1
        copies = raw["copies"]
        if kind.role != "piece":
            self.findings.report(
                "E004",
                table.key_span((*where, "copies")),
                f"{a_or_an(kind.name).capitalize()} is not a piece: there are no copies of it.",
                "Leave the line out.",
            )
            return 1
        if isinstance(copies, bool) or not isinstance(copies, int):
            self._wrong(table, (*where, "copies"), "a whole number")
            return 1
        if not 1 <= copies <= MOST_COPIES:
            self.findings.report(
                "E407",
                table.span((*where, "copies")),
                f"{copies} copies cannot be.",
                f"From 1 to {MOST_COPIES}.",
            )
            return 1
        return copies
