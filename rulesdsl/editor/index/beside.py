"""What lies beside the rules in their language: scenarios, lessons, pages of a rulebook."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.book.pages import Page, read_page
from rulesdsl.check.book.texts import Slot, cut
from rulesdsl.check.mentions import mentions
from rulesdsl.check.naming import Role, Sort, Thing
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.scope import Scope
from rulesdsl.check.types import PLAYER, entry
from rulesdsl.editor.index.tables import inner_span
from rulesdsl.packs.manifest_fields import MAX_PLAYERS
from rulesdsl.packs.toml_file import parse_toml
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import Span
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.naming import Mention
    from rulesdsl.check.world import World
    from rulesdsl.editor.index.tables import Found
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


Words = frozenset[str]


@attrs.frozen
class Phrases:
    """What a text beside the rules says in their language, parsed: it stays whatever they say.

    Each effect and formula has the words in it.
    """

    effects: tuple[tuple[Body, Words], ...] = ()
    formulas: tuple[tuple[Expr, Words], ...] = ()
    file: TomlFile | None = None
    page: Page | None = None


@attrs.define(slots=False, eq=False)
class Beside:
    """The texts beside the rules of a game with its mods, read when somebody asks for them."""

    layers: Layered
    world: World

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The texts by their paths."""
        quiet = Findings()
        texts = (each for pack in self.layers.packs for each in pack.texts_beside(quiet))
        return {each.path: each for each in texts}

    def words(self, phrases: Phrases) -> Iterator[Found]:
        """Yield the words of a text that no phrase holds."""
        if phrases.file is not None:
            yield from _keys(phrases.file, self.world)
        for row in phrases.page.rows if phrases.page else ():
            for each in row.each:
                if self.world.declares(each.kind):
                    yield each.span, Thing(Sort.NOUN, each.kind), Role.USES

    def mentions(self, phrases: Phrases, words: Words | None = None) -> list[Mention]:
        """Return what the phrases of a text refer to: all, or those that say one of some words."""
        bodies = Bodies(self.world, Findings())
        for body, said in phrases.effects:
            if words is None or words & said:
                bodies.resolver(_scope()).block(body)
        for expr, said in phrases.formulas:
            if words is None or words & said:
                bodies.resolver(_scope()).value(expr)
        for row in phrases.page.rows if phrases.page else ():
            scope = _scope()
            scope.me = ty.Const(0, type=PLAYER)
            for each in row.each:
                scope.locals[each.name] = ty.Const(0, type=entry(each.kind))
            wheres = (each.where for each in row.each)
            for slot in (*row.parts, row.when, *wheres):
                parsed = _formula(slot) if isinstance(slot, Slot) else None
                if parsed is not None:
                    bodies.resolver(scope).value(parsed)
        return bodies.noted.mentions


_PLAYERS = {f"p{number + 1}": ty.Const(number, type=PLAYER) for number in range(MAX_PLAYERS)}


def _scope() -> Scope:
    scope = Scope(None)
    scope.locals.update(_PLAYERS)
    return scope


# -------------------------------------------------------------------- phrases
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
    effects: list[Body | None] = []
    formulas: list[Expr | None] = []
    for path, key, text in strings_of(file):
        if key in EFFECTS:
            places = file.index.string_map(path)
            effects.append(parse_effect(text, source.path, Findings(), places))
        elif key in FORMULAS:
            places = file.index.string_map(path)
            formulas.append(parse_formula(text, source.path, Findings(), places))
        elif key == "say":
            parts = cut(text, source.path, file.index.string_map(path), Findings())
            formulas.extend(_formula(each) for each in parts if isinstance(each, Slot))
    return Phrases(
        tuple((each, _words(each)) for each in effects if each is not None),
        tuple((each, _words(each)) for each in formulas if each is not None),
        file,
    )


def _words(phrase: Body | Expr) -> Words:
    """Return the names in a phrase, also without the id of a mod before them."""
    names = mentions(phrase)
    return names.union(each.rpartition(".")[2] for each in names)


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


# -------------------------------------------------------------------- what is no phrase
def _keys(file: TomlFile, world: World) -> Iterator[Found]:
    for path, key, text in strings_of(file):
        if key in PICKS:
            yield from _pick(file, path, text, world)
        elif key == "after" and text in world.procs:
            yield inner_span(file, path), Thing(Sort.VERB, text), Role.USES
    for at, table in enumerate(_tables(file)):
        options = table.get("options")
        for name, value in options.items() if isinstance(options, dict) else ():
            path = (next(iter(file.data)), at, "options", name)
            if name in world.options:
                yield file.index.key_span(path), Thing(Sort.NOUN, name), Role.USES
                if isinstance(value, str):
                    yield inner_span(file, path), Thing(Sort.ENTRY, value, name), Role.USES


def _tables(file: TomlFile) -> list[dict[str, object]]:
    found = next(iter(file.data.values()), [])
    listed = found if isinstance(found, list) else []
    return [each if isinstance(each, dict) else {} for each in listed]


def _pick(file: TomlFile, path: Path, text: str, world: World) -> Iterator[Found]:
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
        yield at, Thing(Sort.ENTRY, name, of), Role.USES
        if found[1] in owners:
            kind = Thing(Sort.NOUN, found[1])
            at = Span(file.source.path, *places[found.start(1)], *places[found.end(1)])
            yield at, kind, Role.USES


def _owners(name: str, world: World) -> list[str]:
    """Return the kinds of which an entry is called by its name, be it in an option."""
    return [
        kind
        for kind in world.owners.get(name, ())
        if world.kinds[kind].entries[world.kinds[kind].index[name]].id == name
    ]
