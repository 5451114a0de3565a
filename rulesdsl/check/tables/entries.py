"""Which entries a table lists: their names, ids and copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import another_name, check_prefix, title_of
from rulesdsl.check.declare.reserved import report_word
from rulesdsl.check.tables.files import Tables, is_section, section_of
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, KindInfo
from rulesdsl.packs.shapes import SOMETHING, Field, Refusal, matches, text, whole
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.english import or_list
from rulesdsl.source.facts import OutOfRange
from rulesdsl.syntax.token_words import ANY_NAME, NO_NAMES

if TYPE_CHECKING:
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.packs.place import Place
    from rulesdsl.packs.toml_file import TomlTable

NAME = r"^[a-z][a-z0-9']*(-[a-z0-9']+)*$"
_MAX_COPIES = 1000
_ID = text(r"^[^ :\n\t]+$", "a text without spaces and colons")
_COPIES = Refusal(
    "E407",
    "An entry cannot have {} copies.",
    f"It can have 1 to {_MAX_COPIES}.",
    OutOfRange(1, _MAX_COPIES),
)

TITLE = Field("name", text(SOMETHING), "The title that players read.")
ID = Field("id", _ID, "What saves and scripts call it; otherwise its name.")
COPIES = Field(
    "copies", whole(1, _MAX_COPIES, refused=_COPIES), "How many there are, if not one.", 1
)


def list_entries(tables: Tables, kind: KindInfo) -> None:
    """Take in the names of a kind's entries, so that fields can refer to them."""
    if kind.table is None:
        return
    table = tables.layers.get(kind.table, kind.table_span)
    if table is None:
        tables.world.broken.update({kind.name, ANY_NAME})
        return
    _, section = section_of(kind, table, tables.world)
    if section:
        _refuse_other_sections(tables, kind, table)
    ids: dict[str, EntryInfo] = {}
    for name, place, raw in tables.entries(kind, table):
        if not section and is_section(kind, name, tables.world):
            continue
        if isinstance(raw, dict):
            _list_entry(tables, kind, place, name, raw, ids)
        else:
            place.wrong(f"a table with the fields of {a_or_an(kind.name)}", raw)
    if not kind.entries:
        message = f"This file holds no {kind.plural}."
        advice = f"Begin one with a line such as `[first-{kind.name}]`, and put its fields below."
        tables.findings.report("E006", kind.table_span, message, advice)


def _refuse_other_sections(tables: Tables, kind: KindInfo, table: MergedTable) -> None:
    """Report what is beside the sections of the kinds that share a file."""
    world = tables.world
    here = [each.name for each in world.kinds.values() if each.table == kind.table]
    for name in table.data:
        if name not in {*here, "source", "sources"} and not world.doubtful(name):
            message = f"No kind with the name `{name}` is read from this file."
            tables.place(table, (name,)).unknown(
                message, here, f"Expected {or_list([f'`{each}`' for each in here])}."
            )


def _list_entry(
    tables: Tables,
    kind: KindInfo,
    place: Place,
    name: str,
    raw: TomlTable,
    ids: dict[str, EntryInfo],
) -> None:
    world, findings = tables.world, tables.findings
    span = place.key_span
    check_prefix(name, span, world, findings)
    if not matches(NAME, str(place.path[-1])):
        message = f"`{name}` cannot be the name of {a_or_an(kind.name)}."
        advice = (
            "A name is small letters, digits and hyphens. "
            'What players read goes into the entry: `name = "..."`.'
        )
        findings.report("E005", span, message, advice)
        return
    if name in kind.index:
        first = kind.entries[kind.index[name]].span
        message = f"There is {a_or_an(kind.name)} `{name}` already."
        advice = another_name(name, span, first, world)
        findings.report("E202", span, message, advice, [Related(first, "declared here first")])
        return
    if name in NO_NAMES:
        report_word(name, span, world, findings)
    title = TITLE.read(raw, place) or name if TITLE.key in raw else title_of(name)
    found = EntryInfo(kind.name, name, title, ID.read(raw, place) or name, span)
    _unique_id(ids.setdefault(found.id, found), found, place)
    found.copies = _copies(kind, raw, place)
    world.add(kind, found)


def _unique_id(other: EntryInfo, found: EntryInfo, place: Place) -> None:
    if other is not found:
        message = f"`{other.name}` has the id `{found.id}` already."
        related = [Related(other.span, "the other one")]
        span = place.below(ID.key).span
        place.findings.report("E202", span, message, "Give one of them another id.", related)


def _copies(kind: KindInfo, raw: TomlTable, place: Place) -> int:
    if kind.role == "piece" or COPIES.key not in raw:
        return COPIES.read(raw, place) or 1
    message = f"{a_or_an(kind.name).capitalize()} is not a piece: there are no copies of it."
    place.below(COPIES.key).unknown(message, (), "Remove the line.")
    return 1
