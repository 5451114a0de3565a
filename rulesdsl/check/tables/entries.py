"""Which entries a table lists: their names, ids and copies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import another_name, check_prefix, title_of
from rulesdsl.check.declare.reserved import report_word
from rulesdsl.check.tables.files import ABOUT_SOURCES, is_section, section_of
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax.token_words import NO_NAMES

if TYPE_CHECKING:
    from rulesdsl.check.tables.files import Reader, Said, Table
    from rulesdsl.check.world import KindInfo


MOST_COPIES = 1000
NAME = r"[a-z][a-z0-9']*(-[a-z0-9']+)*"
_NAME = re.compile(NAME)


def list_entries(reader: Reader, kind: KindInfo) -> None:
    """Take in the names of a kind's entries, so that fields can refer to them."""
    if kind.table is None:
        return
    world, table = reader.world, reader.tables.get(kind.table, kind.table_span)
    if table is None:
        world.broken.add(kind.name)
        world.unread = True
        return
    section = section_of(kind, table, world)
    if section.path:
        _refuse_other_sections(reader, kind, table)
    for name, said in section.named(world):
        if not section.path and is_section(kind, name, world):
            continue
        if isinstance(said.raw, dict):
            _list_entry(reader, kind, name, said, said.raw)
        else:
            reader.wrong(said, f"a table with the fields of {a_or_an(kind.name)}")
    if not kind.entries:
        message = f"This file holds no {kind.plural}."
        reader.findings.report("E006", kind.table_span, message, "Add one.")


def _refuse_other_sections(reader: Reader, kind: KindInfo, table: Table) -> None:
    """Report what stands beside the sections of the kinds that share a file."""
    here = [each.name for each in reader.world.kinds.values() if each.table == kind.table]
    for name in table.data:
        if name not in {*here, *ABOUT_SOURCES} and not reader.world.doubtful(name):
            message = f"No kind with the name `{name}` is read from this file."
            help_text = did_you_mean(name, here) or f"There are {', '.join(here)}."
            reader.findings.report("E004", table.key_span((name,)), message, help_text)


def _list_entry(
    reader: Reader, kind: KindInfo, name: str, said: Said, raw: dict[str, object]
) -> None:
    span, findings, world = said.key_span, reader.findings, reader.world
    check_prefix(name, span, world, findings)
    if not _NAME.fullmatch(str(said.path[-1])):
        message = f"`{name}` cannot be the name of {a_or_an(kind.name)}."
        help_text = 'Names are small letters, digits and hyphens; `id = "3"` gives it another id.'
        findings.report("E005", span, message, help_text)
        return
    if name in kind.index:
        first = kind.entries[kind.index[name]].span
        message = f"There is {a_or_an(kind.name)} `{name}` already."
        help_text = another_name(name, span, first, world)
        findings.report("E202", span, message, help_text, [Related(first, "declared here first")])
        return
    if name in NO_NAMES:
        report_word(name, span, world, findings)
    title = raw.get("name", title_of(name))
    if not isinstance(title, str) or not title.strip():
        reader.wrong(said.inner("name", title), "a text")
        title = name
    found = EntryInfo(
        kind.name,
        name,
        title,
        _id(reader, kind, said.inner("id", raw.get("id", name)), name),
        span,
    )
    if "copies" in raw:
        found.copies = _copies(reader, kind, said.inner("copies", raw["copies"]))
    world.add(kind, found)


def _id(reader: Reader, kind: KindInfo, said: Said, name: str) -> str:
    """Return the id of an entry, which no other has."""
    given = said.raw
    if not isinstance(given, str) or not given or set(given) & set(" :\n\t"):
        reader.wrong(said, "a text without blanks and colons")
        given = name
    other = next((each for each in kind.entries if each.id == given), None)
    if other is not None:
        reader.findings.report(
            "E202",
            said.span,
            f"`{other.name}` has the id `{given}` already.",
            "Give one of them another id.",
            [Related(other.span, "the other one")],
        )
    return given


def _copies(reader: Reader, kind: KindInfo, said: Said) -> int:
    copies = said.raw
    if kind.role != "piece":
        reader.findings.report(
            "E004",
            said.key_span,
            f"{a_or_an(kind.name).capitalize()} is not a piece: there are no copies of it.",
            "Leave the line out.",
        )
    elif isinstance(copies, bool) or not isinstance(copies, int):
        reader.wrong(said, "a whole number")
    elif 1 <= copies <= MOST_COPIES:
        return copies
    else:
        message = f"{copies} copies cannot be."
        reader.findings.report("E407", said.span, message, f"From 1 to {MOST_COPIES}.")
    return 1
