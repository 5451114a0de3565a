"""Names in what lies beside the rules: tables, scenarios, lessons and pages of a rulebook.

The checker reads tables as they are with all mods laid over one another, but names have to be
found in every layer. So their keys and values are read file by file, by the fields that the game
declares. The effects and formulas of scenarios, and what pages say in braces, are resolved like
any others, over the world of the last check, and the resolver records their names.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.book.pages import Page, read_page
from rulesdsl.check.book.texts import Slot, cut
from rulesdsl.check.completion import PLAYERS
from rulesdsl.check.naming import Mention, Role, Sort, Thing
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.scope import Scope
from rulesdsl.check.types import PLAYER, entry
from rulesdsl.packs.toml_file import parse_toml
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import FieldInfo, KindInfo, World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.toml_file import TomlFile
    from rulesdsl.packs.toml_spans import Path
    from rulesdsl.source.span import SourceFile
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body

KEPT = 200  # texts whose phrases are kept parsed; the largest game that we ship has 45
EFFECTS, FORMULAS = ("given", "play"), ("expect",)
PICKS = ("do", "offered", "not-offered", "why-not", "open")
_NUMBERED = re.compile(r"-[0-9]+$")
_PICK = re.compile(r"\s*p[0-9]+ +([a-z][a-z0-9'.-]*)(?::([a-z][\w'.-]*))?")


# -------------------------------------------------------------------- tables
_COLUMN = len(("entry", "field", "column"))
Keys = tuple[Collection[str], Sort, str]
"""Names that all refer to one sort of thing, and its kind; empty where that may be any."""


@attrs.frozen
class TableNames:
    """Referents of the keys and strings in a TOML file of a game, by their paths.

    A path goes from an entry to a field, and on to a column of the field or the nouns of a price.
    Kinds that share a file have a section each, and what a mod brings may be below its id. A file
    without kinds has named numbers in it.
    """

    world: World
    kinds: tuple[KindInfo, ...]

    def key(self, path: Path) -> Thing | None:
        """Return what the last key of a path stands for."""
        kind, steps = self._steps(path)
        if not steps and kind is not None:
            return Thing(Sort.NOUN, kind.name)
        for names, sort, of in self.keys(path):
            if steps[-1] in names:
                return self.thing(steps[-1], sort, of)
        return None

    def thing(self, word: str, sort: Sort, of: str) -> Thing:
        """Return what a key stands for, which is one of several names."""
        if sort is Sort.NOUN:
            return Thing(sort, self.world.singular(word))
        return Thing(sort, word, of or self.world.owners[word][0])

    def keys(self, path: Path) -> list[Keys]:
        """Return what may be in the place of the last key of a path."""
        kind, steps = self._steps(path)
        if kind is None:
            if len(steps) == 1 or steps[0] == "sources":
                return [(self.world.constants, Sort.NOUN, "")]
            return [self._nouns(), (self.world.owners, Sort.ENTRY, "")]
        entries, fields = (kind.index, Sort.ENTRY, kind.name), (kind.fields, Sort.FIELD, kind.name)
        if "sources" in steps[-2:-1]:
            return [fields, entries]
        if len(steps) < _COLUMN:
            return [fields if len(steps) > 1 else entries]
        field = kind.fields.get(steps[1])
        per = self.world.kinds.get((field.per if field else None) or "")
        if per is not None and len(steps) == _COLUMN:
            return [(per.index, Sort.ENTRY, per.name)]
        return [self._nouns()] if field is not None and field.type == "bundle" else []

    def _nouns(self) -> Keys:
        """Return what a price is paid in, one and several."""
        nouns = self.world.bundle_nouns
        return [*nouns, *map(self.world.plural, nouns)], Sort.NOUN, ""

    def field(self, path: Path) -> FieldInfo | None:
        """Return the field of which a path leads to a value."""
        kind, steps = self._steps(path)
        return kind.fields.get(steps[1]) if kind is not None and len(steps) > 1 else None

    def kind_of_value(self, path: Path) -> KindInfo | None:
        """Return the kind of which the string at a path names an entry, if it does."""
        field = self.field(path)
        return None if field is None else self.world.kinds.get(self.world.singular(field.type))

    def _steps(self, path: Path) -> tuple[KindInfo | None, list[str]]:
        """Return the kind that a path is about, and its keys from the entry or number on."""
        steps = [each for each in path if isinstance(each, str)]
        kind = self.kinds[0] if self.kinds else None
        section = next((each for each in self.kinds if each.name == steps[0]), None)
        if section is not None and section.name not in section.index:
            kind, steps = section, steps[1:]
        if len(steps) > 1 and steps[0] in self.world.mods:
            steps = [f"{steps[0]}.{steps[1]}", *steps[2:]]
        return kind, steps


def table_mentions(layers: Layered, world: World) -> Iterator[Mention]:
    """Yield the names in the tables of a game with its mods."""
    kinds: dict[str, list[KindInfo]] = {path: [] for path in world.constant_tables}
    for kind in world.kinds.values():
        if kind.table is not None:
            kinds.setdefault(kind.table, []).append(kind)
    for path, here in kinds.items():
        table = layers.get(path, NOWHERE)
        for layer in table.layers if table is not None else ():
            yield from _below(layer.file, TableNames(world, tuple(here)), (), layer.file.data)


def _below(
    file: TomlFile, names: TableNames, path: Path, table: dict[str, object]
) -> Iterator[Mention]:
    """Yield the names in a part of a file: keys, and strings that name entries."""
    for key, value in table.items():
        here = (*path, key)
        thing = names.key(here)
        if thing is not None:
            declared = _declared(thing, names.world)
            for span in file.index.key_spans(here):
                role = Role.DECLARES if span == declared else Role.USES
                yield Mention(span, thing, role=role)
        if isinstance(value, dict):
            yield from _below(file, names, here, value)
            continue
        kind = names.kind_of_value(here) if isinstance(value, str | list) else None
        said = enumerate(value) if isinstance(value, list) else [(None, value)]
        for at, name in said if kind is not None else ():
            if kind is not None and isinstance(name, str) and name in kind.index:
                place = here if at is None else (*here, at)
                yield _quoted(file, place, Thing(Sort.ENTRY, name, kind.name))


def _declared(thing: Thing, world: World) -> Span | None:
    """Return where a table gives a thing its name."""
    if thing.sort is Sort.ENTRY:
        kind = world.kinds[thing.of]
        return kind.entries[kind.index[thing.name]].span
    return world.constant_spans.get(thing.name)


def _quoted(file: TomlFile, path: Path, thing: Thing) -> Mention:
    """Return the mention that a string is, without its quotation marks."""
    places = file.index.string_map(path)
    span = Span(file.source.path, *places[0], *places[-1])
    return Mention(span, thing, role=Role.USES)


# -------------------------------------------------------------------- documents
@attrs.frozen
class Phrases:
    """Phrases of a text in the language of the rules, parsed, each with its words."""

    effects: tuple[tuple[Body, str], ...] = ()
    formulas: tuple[tuple[Expr, str], ...] = ()
    file: TomlFile | None = None
    page: Page | None = None


@attrs.define(slots=False, eq=False)
class Documents:
    """The scenarios, lessons and pages of a game with its mods, read when somebody asks."""

    layers: Layered
    world: World

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The texts by their paths."""
        quiet = Findings()
        texts = (each for pack in self.layers.packs for each in pack.texts_beside(quiet))
        return {each.path: each for each in texts}

    def mentions(self, source: SourceFile, words: Collection[str] = ("",)) -> list[Mention]:
        """Return the names in a text, but for phrases that say none of some words."""
        phrases = phrases_of(source)
        found = [] if phrases.file is None else [*_keys_of_scenario(phrases.file, self.world)]
        bodies = Bodies(self.world, Findings())
        for body, said in phrases.effects:
            if any(each in said for each in words):
                bodies.resolver(_scope()).block(body)
        for expr, said in phrases.formulas:
            if any(each in said for each in words):
                bodies.resolver(_scope()).value(expr)
        for row in phrases.page.rows if phrases.page else ():
            scope = _scope()
            scope.me = ty.Const(0, type=PLAYER)
            for each in row.each:
                scope.locals[each.name] = ty.Const(0, type=entry(each.kind))
                if self.world.declares(each.kind):
                    found.append(Mention(each.span, Thing(Sort.NOUN, each.kind), role=Role.USES))
            wheres = (each.where for each in row.each)
            for slot in (*row.parts, row.when, *wheres):
                parsed = _formula(slot) if isinstance(slot, Slot) else None
                if parsed is not None:
                    bodies.resolver(scope).value(parsed)
        return found + bodies.noted.mentions


def _scope() -> Scope:
    scope = Scope(None)
    scope.locals.update(PLAYERS)
    return scope


@lru_cache(KEPT)
def phrases_of(source: SourceFile) -> Phrases:
    """Return what a text says in the language of the rules."""
    if source.path.endswith(".toml"):
        return _phrases_of_toml(source)
    return Phrases(page=read_page(source.path, source, Findings()))


def _phrases_of_toml(source: SourceFile) -> Phrases:
    file = parse_toml(source.path, source, Findings())
    if file is None:
        return Phrases()
    effects: list[tuple[Body | None, str]] = []
    formulas: list[tuple[Expr | None, str]] = []
    for path, key, text in strings_of(file):
        if key in EFFECTS:
            places = file.index.string_map(path)
            effects.append((parse_effect(text, source.path, Findings(), places), text))
        elif key in FORMULAS:
            places = file.index.string_map(path)
            formulas.append((parse_formula(text, source.path, Findings(), places), text))
        elif key == "say":
            parts = cut(text, source.path, file.index.string_map(path), Findings())
            formulas.extend(
                (_formula(each), each.words) for each in parts if isinstance(each, Slot)
            )
    return Phrases(
        tuple((each, said) for each, said in effects if each is not None),
        tuple((each, said) for each, said in formulas if each is not None),
        file,
    )


def _formula(slot: Slot) -> Expr | None:
    return parse_formula(slot.words, slot.span.file, Findings(), slot.positions)


def _strings(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _strings(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _strings(each, (*path, at))


def strings_of(file: TomlFile) -> Iterator[tuple[Path, str, str]]:
    """Yield the strings of a file: the way to each, the key that it belongs to, what it says."""
    for path, text in _strings(file.data, ()):
        yield path, _key(path), text


def _key(path: Path) -> str:
    """Return the key that a string belongs to, be it in a list."""
    return next((each for each in reversed(path) if isinstance(each, str)), "")


def _keys_of_scenario(file: TomlFile, world: World) -> Iterator[Mention]:
    for path, key, text in strings_of(file):
        if key in PICKS:
            yield from _pick(file, path, text, world)
        elif key == "after" and text in world.procs:
            yield _quoted(file, path, Thing(Sort.VERB, text))
    for at, table in enumerate(_tables(file)):
        options = table.get("options")
        for name, value in options.items() if isinstance(options, dict) else ():
            path = (next(iter(file.data)), at, "options", name)
            if name in world.options:
                span = file.index.key_span(path)
                yield Mention(span, Thing(Sort.NOUN, name), role=Role.USES)
                if isinstance(value, str):
                    yield _quoted(file, path, Thing(Sort.ENTRY, value, name))


def _tables(file: TomlFile) -> list[dict[str, object]]:
    found = next(iter(file.data.values()), [])
    listed = found if isinstance(found, list) else []
    return [each if isinstance(each, dict) else {} for each in listed]


def _pick(file: TomlFile, path: Path, text: str, world: World) -> Iterator[Mention]:
    """Yield the thing in the id of an option, where it is called by its name: `build:NAME`."""
    found = _PICK.match(text)
    if found is None or found[2] is None:
        return
    places = file.index.string_map(path)
    name = found[2]
    owners = _owners(name, world)
    if not owners:  # one of several that are alike: `build:NAME-2`
        name = _NUMBERED.sub("", name)
        owners = _owners(name, world)
    if owners:
        of = found[1] if found[1] in owners else owners[0]
        start = found.start(2)
        at = Span(file.source.path, *places[start], *places[start + len(name)])
        yield Mention(at, Thing(Sort.ENTRY, name, of), role=Role.USES)
        if found[1] in owners:
            kind = Thing(Sort.NOUN, found[1])
            at = Span(file.source.path, *places[found.start(1)], *places[found.end(1)])
            yield Mention(at, kind, role=Role.USES)


def _owners(name: str, world: World) -> list[str]:
    """Return the kinds of which an entry is called by its name, be it in an option."""
    return [
        kind
        for kind in world.owners.get(name, ())
        if world.kinds[kind].entries[world.kinds[kind].index[name]].id == name
    ]
