"""Keys and values of TOML files: what can be written where, by the declarations of the game."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.tables.source_words import SOURCES
from rulesdsl.check.tables.values import RESERVED
from rulesdsl.editor.completing.item import Item, plain
from rulesdsl.packs.folder import LESSONS, MANIFEST, SCENARIOS
from rulesdsl.packs.manifest import DEFAULT_PLAYERS
from rulesdsl.packs.manifest_fields import manifest_fields
from rulesdsl.scenarios.fields import scenario_fields
from rulesdsl.scenarios.lessons.lesson import lesson_fields, step_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.world import FieldInfo, KindInfo, World
    from rulesdsl.editor.completing.within import TomlPlace
    from rulesdsl.editor.view import View
    from rulesdsl.packs.shapes import Field

EFFECT, FORMULA, TEXT = "effect", "formula_text", "text"
_PICKS = ("do", "offered", "not-offered", "why-not")


@attrs.frozen
class Table:
    """What a place in a TOML file takes: items, or a phrase of the rules.

    `start` is the entrance of the grammar for the string at the place, nothing for other strings.
    """

    items: tuple[Item, ...] = ()
    start: str = ""


def offered_in(view: View, file: str, place: TomlPlace) -> Table:
    """Return what can be written at a place of a TOML file."""
    folder = PurePosixPath(file).parent.name
    if PurePosixPath(file).name == MANIFEST:
        fields = manifest_fields(view.layers.game.manifest.kind)
        return Table(_keys(fields) if place.inside == "key" else ())
    if folder == SCENARIOS:
        return _scenario(view.world, place)
    if folder == LESSONS:
        return _lesson(view.world, place)
    relative = _relative(view, file)
    kinds = [each for each in view.world.kinds.values() if each.table == relative]
    if kinds:
        sections = plain((each.name for each in kinds), "kind") if len(kinds) > 1 else []
        if place.inside == "header" and "." not in place.header:
            return Table((*sections, *plain(kinds[0].index, "entry")))
        return _entry(view.world, _meant(kinds, place.header), place)
    if relative in view.world.constant_tables:
        return _constants(view.world, place)
    return Table()


def _relative(view: View, file: str) -> str:
    path = PurePosixPath(file)
    for pack in reversed(view.layers.packs):
        if path.is_relative_to(pack.folder.as_posix()):
            return path.relative_to(pack.folder.as_posix()).as_posix()
    return file


def _keys(fields: Iterable[Field]) -> tuple[Item, ...]:
    return tuple(Item(each.key, "field", each.about, f"{each.key} = $0") for each in fields)


# -------------------------------------------------------------------- entries
def _meant(kinds: list[KindInfo], header: str) -> KindInfo:
    return next((each for each in kinds if header.startswith(f"{each.name}.")), kinds[0])


def _entry(world: World, kind: KindInfo, place: TomlPlace) -> Table:
    key = place.key.split(".")[0].strip("'\"")
    if key in kind.index and place.inside != "key":  # `kite = { name = "Kite" }`
        if place.inside == "inline":
            return Table(tuple(_field_keys(world, kind, attrs.evolve(place, key=place.said))))
        key = place.inner
    field = kind.fields.get(key)
    match place.inside:
        case "header":
            return Table(tuple(plain(kind.index, "entry")))
        case "key":
            return Table(tuple(_field_keys(world, kind, place)))
        case "inline" if key == "sources":
            return Table(tuple(plain(kind.fields, "field")))
        case "string" if key in {"source", "sources"}:
            return Table(tuple(plain(SOURCES, "source")))
        case "inline" if field is not None:
            return Table(tuple(_inline(world, field)))
        case "value" if field is not None and field.type == "yes-no":
            return Table(tuple(plain(("true", "false"), "word")))
        case "string" if field is not None:
            return _string(world, field)
    return Table()


def _field_keys(world: World, kind: KindInfo, place: TomlPlace) -> list[Item]:
    key, dot, _ = place.key.rpartition(".")
    if dot:
        field = kind.fields.get(key)
        per = world.kinds.get(field.per or "") if field else None
        return plain(per.index, "entry") if per else []
    found = [
        Item(each.name, "field", each.type, "" if each.per else f"{each.name} = $0")
        for each in kind.fields.values()
    ]
    return found + plain(sorted(RESERVED), "field")


def _inline(world: World, field: FieldInfo) -> list[Item]:
    if field.type == "bundle":
        return _inline_nouns(world)
    per = world.kinds.get(field.per or "")
    return plain(per.index, "entry") if per else []


def _inline_nouns(world: World) -> list[Item]:
    """Return what a price is paid in, one and several."""
    nouns = {name: world.plural(name) for name in world.bundle_nouns}
    return [Item(name, "piece") for each in nouns.items() for name in dict.fromkeys(each)]


def _string(world: World, field: FieldInfo) -> Table:
    if field.type in {"effect", "automatic"}:
        return Table(start=EFFECT)
    if field.type == "formula":
        return Table(start=FORMULA)
    kind = world.kinds.get(world.singular(field.type))
    return Table(tuple(plain(kind.index, "entry")) if kind else ())


# -------------------------------------------------------------------- numbers
def _constants(world: World, place: TomlPlace) -> Table:
    if place.inside == "string":
        return Table(tuple(plain(SOURCES, "source")))
    if place.inside == "inline" and place.key != "sources":
        value = world.constants.get(place.key)
        keys = list(value) if isinstance(value, dict) else []
        return Table((*plain(keys, "entry"), *_inline_nouns(world)))
    names = plain(world.constants, "number")
    return Table((*names, *plain(("source", "sources"), "field")))


# -------------------------------------------------------------------- scenarios and lessons
def _scenario(world: World, place: TomlPlace) -> Table:
    fields = scenario_fields(DEFAULT_PLAYERS, DEFAULT_PLAYERS.most)
    if place.inside == "header":
        return Table(tuple(plain(("scenario",), "word")))
    if place.inside == "key":
        return Table(_keys(fields))
    return _text(world, place)


def _lesson(world: World, place: TomlPlace) -> Table:
    most = DEFAULT_PLAYERS.most
    fields = (
        step_fields(most)
        if place.header.endswith("step")
        else lesson_fields(DEFAULT_PLAYERS, most)
    )
    if place.inside == "header":
        return Table(tuple(plain(("lesson", "lesson.step"), "word")))
    return Table(_keys(fields)) if place.inside == "key" else _text(world, place)


def _text(world: World, place: TomlPlace) -> Table:
    key = place.key
    if place.inside == "inline" and key == "options":
        return Table(tuple(plain(world.options, "option")))
    if place.inside != "string":
        return Table()
    if key in {"given", "play"}:
        return Table(start=EFFECT)
    if key == "expect":
        return Table(start=FORMULA)
    if key == "say":
        return Table(start=TEXT)
    if key == "after":
        return Table(tuple(plain(world.plain_steps, "step")))
    if key == "options":
        names = (name for each in world.options.values() for name in each.names)
        return Table(tuple(plain(names, "entry")))
    return Table(tuple(_options(world))) if key in _PICKS else Table()


def _options(world: World) -> list[Item]:
    """Return parts of the ids of options: kinds, entries, verbs."""
    return [
        *plain(world.owners, "entry"),
        *plain(world.kinds, "kind"),
        *plain(world.procs, "verb"),
        *plain((name for kind in world.kinds.values() for name in kind.fields), "field"),
        *plain(("done", "yes", "pass"), "word"),
    ]
