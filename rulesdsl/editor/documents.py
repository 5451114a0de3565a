"""Names outside the rules: in tables, scenarios, lessons and rulebook pages.

The checker reads tables merged over all layers, but references are needed for every layer. So keys
and values are read file by file, guided by the declared fields. Effects and formulas of scenarios,
and phrases in braces on pages, are resolved with the symbol table of the last check, and the
resolver records their references.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.completion import PLAYERS
from rulesdsl.check.resolve.program import new_context
from rulesdsl.check.resolve.resolver import Scope
from rulesdsl.check.rulebook import RulebookPage, TextSlot, cut, read_page
from rulesdsl.check.symbols.symbol_table import (
    FieldInfo,
    KindInfo,
    Reference,
    ReferenceRole,
    Symbol,
    SymbolKind,
    SymbolTable,
)
from rulesdsl.check.symbols.types import PLAYER, entry
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.toml_document import KeyPath, TomlFile, parse_toml
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import NOWHERE, SourceFile, Span
from rulesdsl.syntax.expressions import Expr
from rulesdsl.syntax.parser import parse_effect, parse_formula
from rulesdsl.syntax.statements import Body

KEPT = 200  # cached parses; the largest shipped game has 45 texts, most of them parsed three times
EFFECTS, FORMULAS = ("given", "play"), ("expect",)
PICKS = ("do", "offered", "not-offered", "why-not", "open")
_NUMBERED = re.compile(r"-[0-9]+$")
_PICK = re.compile(r"\s*p[0-9]+ +([a-z][a-z0-9'.-]*)(?::([a-z][\w'.-]*))?")


# -------------------------------------------------------------------- tables
_COLUMN = len(("entry", "field", "column"))
Keys = tuple[Collection[str], SymbolKind, str]
"""Names, the kind of symbol that they refer to, and the kind of entry (empty if it varies)."""


@attrs.frozen
class TableNames:
    """Symbols for the keys and strings in a TOML file, by path.

    A path leads from an entry to a field, and on to a column of the field or a noun of a price. If
    a file has several kinds, each has its own section; a mod's additions may be below its id. A
    file without kinds contains constants.
    """

    world: SymbolTable
    kinds: tuple[KindInfo, ...]

    def key(self, path: KeyPath) -> Symbol | None:
        """Return the symbol for a path's last key."""
        kind, steps = self._steps(path)
        if not steps and kind is not None:
            return Symbol(SymbolKind.NOUN, kind.name)
        for names, sort, of in self.keys(path):
            if steps[-1] in names:
                return self.thing(steps[-1], sort, of)
        return None

    def thing(self, word: str, sort: SymbolKind, of: str) -> Symbol:
        """Return the symbol for a key that names an entry, a field or a noun."""
        if sort is SymbolKind.NOUN:
            return Symbol(sort, self.world.singular(word))
        return Symbol(sort, word, of or self.world.owners[word][0])

    def keys(self, path: KeyPath) -> list[Keys]:
        """Return the possible names for a path's last key."""
        kind, steps = self._steps(path)
        if kind is None:
            if len(steps) == 1 or steps[0] == "sources":
                return [(self.world.constants, SymbolKind.NOUN, "")]
            return [self._nouns(), (self.world.owners, SymbolKind.ENTRY, "")]
        entries, fields = (
            (kind.index, SymbolKind.ENTRY, kind.name),
            (kind.fields, SymbolKind.FIELD, kind.name),
        )
        if "sources" in steps[-2:-1]:
            return [fields, entries]
        if len(steps) < _COLUMN:
            return [fields if len(steps) > 1 else entries]
        field = kind.fields.get(steps[1])
        per = self.world.kinds.get((field.per if field else None) or "")
        if per is not None and len(steps) == _COLUMN:
            return [(per.index, SymbolKind.ENTRY, per.name)]
        return [self._nouns()] if field is not None and field.type == "bundle" else []

    def _nouns(self) -> Keys:
        nouns = self.world.bundle_nouns
        return [*nouns, *map(self.world.plural, nouns)], SymbolKind.NOUN, ""

    def field(self, path: KeyPath) -> FieldInfo | None:
        """Return the field to which a path leads."""
        kind, steps = self._steps(path)
        return kind.fields.get(steps[1]) if kind is not None and len(steps) > 1 else None

    def kind_of_value(self, path: KeyPath) -> KindInfo | None:
        """Return the kind of the entry that the string at a path refers to, or None."""
        field = self.field(path)
        return None if field is None else self.world.kinds.get(self.world.singular(field.type))

    def _steps(self, path: KeyPath) -> tuple[KindInfo | None, list[str]]:
        """Return the kind that a path belongs to, and the keys from the entry or constant on."""
        steps = [each for each in path if isinstance(each, str)]
        kind = self.kinds[0] if self.kinds else None
        section = next((each for each in self.kinds if each.name == steps[0]), None)
        if section is not None and section.name not in section.index:
            kind, steps = section, steps[1:]
        if len(steps) > 1 and steps[0] in self.world.mods:
            steps = [f"{steps[0]}.{steps[1]}", *steps[2:]]
        return kind, steps


def table_mentions(layers: Layered, world: SymbolTable) -> Iterator[Reference]:
    """Yield the references in the tables of a game and its mods."""
    kinds: dict[str, list[KindInfo]] = {path: [] for path in world.constant_tables}
    for kind in world.kinds.values():
        if kind.table is not None:
            kinds.setdefault(kind.table, []).append(kind)
    for path, here in kinds.items():
        table = layers.get(path, NOWHERE)
        for layer in table.layers if table is not None else ():
            yield from _below(layer.file, TableNames(world, tuple(here)), (), layer.file.data)


def _below(
    file: TomlFile, names: TableNames, path: KeyPath, table: dict[str, object]
) -> Iterator[Reference]:
    """Yield the references in part of a file: keys, and strings that name entries."""
    for key, value in table.items():
        here = (*path, key)
        thing = names.key(here)
        if thing is not None:
            declared = _declared(thing, names.world)
            for span in file.index.key_spans(here):
                role = ReferenceRole.DECLARES if span == declared else ReferenceRole.USES
                yield Reference(span, thing, role=role)
        if isinstance(value, dict):
            yield from _below(file, names, here, value)
            continue
        kind = names.kind_of_value(here) if isinstance(value, str | list) else None
        said = enumerate(value) if isinstance(value, list) else [(None, value)]
        for at, name in said if kind is not None else ():
            if kind is not None and isinstance(name, str) and name in kind.index:
                place = here if at is None else (*here, at)
                yield _quoted(file, place, SymbolKind.ENTRY, name, kind.name)


def _declared(thing: Symbol, world: SymbolTable) -> Span | None:
    if thing.sort is SymbolKind.ENTRY:
        kind = world.kinds[thing.of]
        return kind.entries[kind.index[thing.name]].span
    number = world.constants.get(thing.name)
    return None if number is None else number.span


def _quoted(file: TomlFile, path: KeyPath, sort: SymbolKind, name: str, of: str = "") -> Reference:
    places = file.index.string_map(path)
    return _use(Span(file.source.path, *places[0], *places[-1]), sort, name, of)


def _use(span: Span, sort: SymbolKind, name: str, of: str = "") -> Reference:
    return Reference(span, Symbol(sort, name, of), role=ReferenceRole.USES)


# -------------------------------------------------------------------- documents
Words = tuple[str, ...]


@attrs.frozen
class Phrases:
    """Parsed phrases in a document."""

    effects: tuple[Body, ...] = ()
    formulas: tuple[Expr, ...] = ()
    file: TomlFile | None = None
    page: RulebookPage | None = None


@attrs.define(slots=False, eq=False)
class Documents:
    """Scenarios, lessons and pages of a game with its mods, read on first use."""

    layers: Layered
    world: SymbolTable

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The documents by path."""
        quiet = Findings()
        texts = (each for pack in self.layers.packs for each in pack.texts_beside(quiet))
        return {each.path: each for each in texts}

    def mentions(self, source: SourceFile, words: Words = ("",)) -> list[Reference]:
        """Return a document's references; at least those in phrases containing one of `words`."""
        phrases = phrases_of(source, words)
        found = [] if phrases.file is None else [*_keys_of_scenario(phrases.file, self.world)]
        bodies = new_context(self.world, Findings())
        for body in phrases.effects:
            bodies.resolver(_scope()).block(body)
        for expr in phrases.formulas:
            bodies.resolver(_scope()).value(expr)
        for row in phrases.page.rows if phrases.page else ():
            scope = _scope()
            scope.me = ty.Const(0, type=PLAYER)
            for each in row.each:
                scope.locals[each.name] = ty.Const(0, type=entry(each.kind))
                if self.world.declares(each.kind):
                    found.append(_use(each.span, SymbolKind.NOUN, each.kind))
            for slot in (*row.parts, row.when, *(each.where for each in row.each)):
                parsed = _formula(slot) if isinstance(slot, TextSlot) else None
                if parsed is not None:
                    bodies.resolver(scope).value(parsed)
        return found + bodies.noted.mentions


def _scope() -> Scope:
    scope = Scope(None)
    scope.locals.update(PLAYERS)
    return scope


@lru_cache(KEPT)
def phrases_of(source: SourceFile, words: Words = ("",)) -> Phrases:
    """Return a document's phrases; in a TOML file, only those containing one of `words`."""
    quiet = Findings()
    if not source.path.endswith(".toml"):
        return Phrases(page=read_page(source.path, source, quiet))
    file = parse_toml(source.path, source, quiet)
    if file is None:
        return Phrases()
    language = source.language
    effects: list[Body | None] = []
    formulas: list[Expr | None] = []
    for path, key, text in strings_of(file):
        if not any(each in text for each in words):
            continue
        if key in EFFECTS:
            positions = file.index.string_map(path)
            effects.append(parse_effect(text, source.path, quiet, positions, language))
        elif key in FORMULAS:
            positions = file.index.string_map(path)
            formulas.append(parse_formula(text, source.path, quiet, positions, language))
        elif key == "say":
            parts = cut(text, source.path, file.index.string_map(path), quiet)
            formulas.extend(_formula(each) for each in parts if isinstance(each, TextSlot))
    return Phrases(
        tuple(each for each in effects if each is not None),
        tuple(each for each in formulas if each is not None),
        file,
    )


def _formula(slot: TextSlot) -> Expr | None:
    return parse_formula(slot.words, slot.span.file, Findings(), slot.positions)


def _strings(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _strings(each, (*path, key))


def strings_of(file: TomlFile) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield the strings in a file: path, key and text."""
    for path, text in _strings(file.data, ()):
        yield path, _key(path), text


def _key(path: KeyPath) -> str:
    return next((each for each in reversed(path) if isinstance(each, str)), "")


def _keys_of_scenario(file: TomlFile, world: SymbolTable) -> Iterator[Reference]:
    for path, key, text in strings_of(file):
        if key in PICKS:
            yield from _pick(file, path, text, world)
        elif key == "after" and text in world.procs:
            yield _quoted(file, path, SymbolKind.VERB, text)
    for at, table in enumerate(_tables(file)):
        options = table.get("options")
        for name, value in options.items() if isinstance(options, dict) else ():
            path = (next(iter(file.data)), at, "options", name)
            if name in world.options:
                yield _use(file.index.key_span(path), SymbolKind.NOUN, name)
                if isinstance(value, str):
                    yield _quoted(file, path, SymbolKind.ENTRY, value, name)


def _tables(file: TomlFile) -> list[dict[str, object]]:
    found = next(iter(file.data.values()), [])
    listed = found if isinstance(found, list) else []
    return [each if isinstance(each, dict) else {} for each in listed]


def _pick(file: TomlFile, path: KeyPath, text: str, world: SymbolTable) -> Iterator[Reference]:
    """Yield the references to the entry and the kind in an option's id: `build:NAME`."""
    found = _PICK.match(text)
    if found is None or found[2] is None:
        return
    places = file.index.string_map(path)
    name = found[2]
    owners = _owners(name, world)
    if not owners:  # one of several options with equal names: `build:NAME-2`
        name = _NUMBERED.sub("", name)
        owners = _owners(name, world)
    if owners:
        of, start = found[1] if found[1] in owners else owners[0], found.start(2)
        at = Span(file.source.path, *places[start], *places[start + len(name)])
        yield _use(at, SymbolKind.ENTRY, name, of)
        if found[1] in owners:
            at = Span(file.source.path, *places[found.start(1)], *places[found.end(1)])
            yield _use(at, SymbolKind.NOUN, found[1])


def _owners(name: str, world: SymbolTable) -> list[str]:
    return [
        kind
        for kind in world.owners.get(name, ())
        if world.kinds[kind].entries[world.kinds[kind].index[name]].id == name
    ]
