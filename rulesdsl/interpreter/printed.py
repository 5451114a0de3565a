"""What is printed on the entries of a game, in words: everybody may read it at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower.schema import title_of
from rulesdsl.source.english import so_many, spoken
from rulesdsl.syntax.printer import print_expression, print_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World

TEXT = "text"
"""The field that says in a sentence what an entry is about; options show it."""


@attrs.frozen
class Printed:
    """What is printed on an entry: on all its pieces, wherever they lie.

    `id` is its kind and its own id, as in the ids of options; `kind` is the title of its kind.
    `rows` are its fields: a label and the words for what the field holds.
    """

    id: str
    kind: str
    title: str
    rows: tuple[tuple[str, str], ...]


def printed(world: World) -> tuple[Printed, ...]:
    """Return what is printed on the entries of every kind that has fields, kind by kind."""
    return tuple(
        Printed(printed_id(kind, entry), kind.title, entry.title, tuple(_rows(kind, entry, world)))
        for kind in world.kinds.values()
        if kind.fields
        for entry in kind.entries
    )


def printed_id(kind: KindInfo, entry: EntryInfo) -> str:
    """Return the id of what is printed on an entry."""
    return f"{kind.name}:{entry.id}"


def text_of(entry: EntryInfo) -> str:
    """Return the sentence that an entry has about itself, nothing where it has none."""
    value = entry.values.get((TEXT, None))
    return value if isinstance(value, str) else ""


def _rows(kind: KindInfo, entry: EntryInfo, world: World) -> Iterator[tuple[str, str]]:
    """Yield the fields of an entry, those left out that are quiet or hold nothing."""
    for field in kind.fields.values():
        if field.quiet:
            continue
        label = title_of(field.name)
        columns = world.kinds[field.per].entries if field.per in world.kinds else ()
        titles = {None: label} | {each.name: f"{label}, {each.title}" for each in columns}
        for column, title in titles.items():
            if said := said_of(field, column, entry, world):
                yield title, said


def said_of(field: FieldInfo, column: str | None, entry: EntryInfo, world: World) -> str:
    """Return what an entry has in a field, in words; nothing where it has none."""
    at = (field.name, column)
    if at in entry.effects:
        return spoken(print_label(entry.effects[at]))
    if at in entry.formulas:
        return spoken(print_expression(entry.formulas[at]))
    value = entry.values.get(at)
    match value:
        case None:
            return ""
        case dict():
            return _amounts(value, world)
        case tuple() if field.type == "number":
            return ", ".join(f"{each} at {number}" for number, each in value)
        case tuple():
            entries = world.kinds[world.plurals[field.type]].entries
            return ", ".join(entries[each].title for each in value)
        case int() if field.type == "yes-no":
            return "yes" if value else "no"
        case int() if field.type in world.kinds:
            return world.kinds[field.type].entries[value].title
        case _:
            return str(value)


def _amounts(price: dict[str, int], world: World) -> str:
    """Return a price as amounts: `2 coins, 1 gem`."""
    said: list[str] = []
    for noun, count in price.items():
        info = world.pieces.get(noun) or world.tracks.get(noun)
        said.append(so_many(count, noun, info.plural if info else noun))
    return ", ".join(said) or "nothing"
