"""The words of declarations: each has a part in its line, which says what it refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.naming import Sort, Thing
from rulesdsl.check.panels import fields_of, ways_of
from rulesdsl.editor.index.occurrence import Role
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.statements import Header

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.world import World
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Param, Word

Found = tuple["Span", Thing, Role]


def words_of(decl: de.Decl, world: World) -> Iterator[Found]:  # noqa: C901 - one case each
    """Yield the words of a declaration that refer to something, its bodies left out."""
    match decl:
        case de.KindDecl() | de.PieceDecl() | de.PlaceDecl() | de.TrackDecl():
            yield from _thing(decl, world)
        case de.FlagDecl():
            yield _declares(decl.name)
            yield from _nouns(decl.per, world)
            yield from _verb(decl.during, world)
        case de.OptionDecl():
            yield _declares(decl.name)
            for value in decl.values:
                yield value.span, Thing(Sort.ENTRY, value.text, decl.name.text), Role.DECLARES
            yield from _numbers((decl.number, decl.bounds), world)
        case de.RivalDecl() | de.ScoreDecl():
            yield _declares(decl.name)
        case de.ValueDecl():
            yield _declares(decl.name)
            yield from _params((decl.param, decl.second), world)
        case de.ValueHookDecl():
            yield decl.name.span, Thing(Sort.NOUN, decl.name.text), Role.HOOKS
            yield from _params((decl.param, decl.second), world)
        case de.ProcedureDecl():
            yield from _header(decl.header, Role.DECLARES, world)
        case de.HookDecl() | de.TextHookDecl():
            yield from _header(decl.header, Role.HOOKS, world)
        case de.EntryDecl():
            yield from _entry(decl, world)
        case de.PanelDecl():
            yield from _panel(decl, world)
        case de.ConstantsDecl() | de.SourceDecl() | de.WinDecl() | de.VerdictDecl():
            pass


def _declares(word: Word) -> Found:
    return word.span, Thing(Sort.NOUN, word.text), Role.DECLARES


def _noun(word: Word | None, world: World) -> Iterator[Found]:
    """Yield a word that means one thing in the whole game, if it does."""
    if word is not None and is_noun(word.text, world):
        yield word.span, Thing(Sort.NOUN, world.singular(word.text)), Role.USES


def is_noun(name: str, world: World) -> bool:
    """Whether a name, or the one that it is the plural of, is declared for the whole game."""
    singular = world.singular(name)
    tables = (world.kinds, world.pieces, world.places, world.tracks)
    alone = (world.flags, world.options, world.rivals, world.values, world.constants)
    return any(singular in each for each in tables) or any(name in each for each in alone)


def _nouns(words: Iterable[Word | None], world: World) -> Iterator[Found]:
    for word in words:
        yield from _noun(word, world)


def _verb(word: Word | None, world: World) -> Iterator[Found]:
    if word is not None and word.text in world.procs:
        yield word.span, Thing(Sort.VERB, word.text), Role.USES


def _numbers(node: object, world: World) -> Iterator[Found]:
    """Yield named numbers in what is fixed: how many there are, and bounds."""
    for each in walk(node):
        if isinstance(each, ex.Name) and is_noun(each.name, world):
            yield each.span, Thing(Sort.NOUN, each.name), Role.USES


def _thing(
    decl: de.KindDecl | de.PieceDecl | de.PlaceDecl | de.TrackDecl, world: World
) -> Iterator[Found]:
    name = decl.names.singular
    first = _first(name.text, world)
    role = Role.DECLARES if first in {name.span, None} else Role.USES
    yield name.span, Thing(Sort.NOUN, name.text), role
    if decl.names.plural is not None:
        yield decl.names.plural.span, Thing(Sort.NOUN, name.text), Role.USES
    match decl:
        case de.KindDecl():
            for member in decl.members:
                yield member.span, Thing(Sort.ENTRY, member.text, name.text), Role.DECLARES
        case de.PieceDecl():
            yield from _numbers(decl.count, world)
        case de.PlaceDecl():
            yield from _nouns((*decl.per, *decl.holds), world)
        case de.TrackDecl():
            yield from _nouns(decl.per, world)
            yield from _verb(decl.during, world)
            yield from _numbers(decl.bounds, world)
    if not isinstance(decl, de.TrackDecl):
        for field in decl.fields:
            if isinstance(field, de.FieldDecl):
                yield field.name.span, Thing(Sort.FIELD, field.name.text, name.text), Role.DECLARES
                yield from _nouns((field.type, field.per), world)
                yield from _default(field, world)


def _first(name: str, world: World) -> Span | None:
    for table in (world.kinds, world.pieces, world.places, world.tracks):
        if name in table:
            span: Span = table[name].span
            return span
    return None


def _default(field: de.FieldDecl, world: World) -> Iterator[Found]:
    if isinstance(field.default, ex.Name):
        yield from _value(field.default, field.type.text, world)


def _value(said: ex.Name, kind: str, world: World) -> Iterator[Found]:
    """Yield what a name stands for as the value of a field: an entry, or a named number."""
    if kind in world.kinds and said.name in world.kinds[kind].index:
        yield said.span, Thing(Sort.ENTRY, said.name, kind), Role.USES
    elif kind == "number":
        yield from _numbers(said, world)


def _params(params: Iterable[Param | None], world: World) -> Iterator[Found]:
    for param in params:
        if param is None:
            continue
        yield from _noun(param.first, world)
        yield from _noun(param.second, world)


def _header(header: Header, role: Role, world: World) -> Iterator[Found]:
    yield header.name.span, Thing(Sort.VERB, header.name.text), role
    yield from _params((header.param, *(each.param for each in header.more)), world)


def _entry(decl: de.EntryDecl, world: World) -> Iterator[Found]:
    yield from _noun(decl.kind, world)
    kind = world.kinds.get(decl.kind.text)
    if kind is None or decl.name.text not in kind.index:
        return
    declares = kind.entries[kind.index[decl.name.text]].span == decl.name.span
    role = Role.DECLARES if declares else Role.USES
    yield decl.name.span, Thing(Sort.ENTRY, decl.name.text, kind.name), role
    for part in decl.fields:
        if isinstance(part, de.PlainField | de.EffectField) and part.name.text in kind.fields:
            yield part.name.span, Thing(Sort.FIELD, part.name.text, kind.name), Role.USES
            if isinstance(part, de.PlainField) and isinstance(part.value, ex.Name):
                yield from _value(part.value, kind.fields[part.name.text].type, world)


def _panel(decl: de.PanelDecl, world: World) -> Iterator[Found]:
    yield from _nouns((decl.per, decl.whose), world)
    per = world.kinds.get(decl.per.text) if decl.per else None
    for shown in decl.shown:
        if per is not None and shown.name.text in per.fields:
            thing = Thing(Sort.FIELD, shown.name.text, per.name)
            yield shown.name.span, thing, Role.USES
        else:
            yield from _noun(shown.name, world)
        yield from _noun(shown.place, world)
    place = world.places.get(world.singular(decl.shown[0].name.text))
    if place is None:
        return
    fields = {name: kind for kind, name in fields_of(world, decl)}
    ways = ways_of(world, place, decl.along.text) if decl.along else None
    if ways is not None and decl.along is not None:
        yield decl.along.span, Thing(Sort.FIELD, decl.along.text, ways[0].name), Role.USES
    for word in (decl.row, decl.column):
        if word is not None and word.text in place.dims and word.text != place.name:
            yield from _noun(word, world)
        elif word is not None and word.text in fields:
            yield word.span, Thing(Sort.FIELD, word.text, fields[word.text]), Role.USES
