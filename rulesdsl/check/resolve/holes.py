"""Holes in unfinished rules, and the names that fit there.

Completion parses a text up to the cursor, with a hole in place of the name being typed, and
resolves it like any other text. Each context has an expected type: `into` expects a place, `mark`
a flag, a call the types of its parameters, a comparison the type of its left side. At a hole, the
resolver records the names that fit instead of reporting an unknown one. The families below are
expectations other than the type of a value.

An expression may continue after the hole, so its type alone does not decide: after `if`, a number
fits as well as a boolean, as `> 3` may follow. So only entries, pieces, seats and places restrict
the names; for other types, or without a name of the type, any name that can start an expression
fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.symbols.symbol_table import HOLE
from rulesdsl.check.symbols.types import SEAT_WORDS, Type, entry, fits, piece
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check import typed as ty
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.symbols.symbol_table import FlagInfo, ParamInfo, ProcInfo, TrackInfo
    from rulesdsl.syntax import statements as st

PLACE, STACK, THINGS, KIND = map(Type, ("place", "stack", "things", "kind"))
NOUN, VERB, EFFECT, FLAG, TRACK = map(Type, ("noun", "verb", "effect", "flag", "track"))
_EFFECTS = frozenset({"effect", "automatic"})
_SEATS = frozenset({"seat", "player"})
_OF_ANYTHING = frozenset({"position", "owner", "score", "standing", "seat", "player"})


def hole_in(r: Resolver, expr: ex.Expr, want: Type | None) -> ty.Value | None:
    """Return a placeholder for an expression that ends in a hole, None for others."""
    if _is_hole(expr):
        names = {*_mine(r, want)} if isinstance(expr, ex.My) else names_of(r, want)
    elif isinstance(expr, ex.Of) and _is_hole(expr.owner):
        names = _of_types(r, _owners_of(r, expr.name.text))
    elif isinstance(expr, ex.At) and _is_hole(expr.key):
        names = _of_types(r, _keys_of(r, expr.base))
    else:
        return None
    r.scope.failed = True
    r.bodies.noted.expect(HOLE, names, known_types(r))
    return r.unknown(expr.span)


def _is_hole(expr: ex.Expr) -> bool:
    return isinstance(expr, ex.Name | ex.My) and expr.name == HOLE


def argument_hole(r: Resolver, stmt: st.Call, overloads: Iterable[ProcInfo]) -> bool:
    """Record the expectation at an argument that is a hole; return whether there is one."""
    for each in stmt.arguments:
        expr = each.value
        params = [
            param
            for proc in overloads
            for param in proc.params
            if param.preposition == each.preposition
        ]
        if isinstance(expr, ex.NounAmount) and expr.noun.text == HOLE:
            names = {word for param in params for word in _nouns(r, param)} or names_of(r, NOUN)
        elif isinstance(expr, ex.Name) and expr.name == HOLE:
            names = {word for param in params for word in _for_param(r, param)}
        else:
            continue
        r.scope.failed = True
        r.bodies.noted.expect(HOLE, names or names_of(r, None), known_types(r))
        return True
    return False


def known_types(r: Resolver) -> dict[str, Type]:
    """Return the names in scope with their types."""
    return {name: local.type for name, local in r.scope.locals.items() if name != HOLE}


def names_of(r: Resolver, want: Type | None) -> set[str]:  # noqa: C901 - one case each
    """Return the names that fit an expected type."""
    world, known = r.world, known_types(r)
    match "" if want is None else want.family:
        case "verb":
            return set(world.procs)
        case "kind":
            return {*world.kinds, *world.pieces, *_SEATS, "number"}
        case "noun":
            return {*world.tracks, *_plurals(r, world.tracks), *_pieces(r)}
        case "place":
            return {*_places(r), *(name for name, kind in known.items() if _is_place(r, kind))}
        case "stack":
            stacks = [each.name for each in world.places.values() if each.stack]
            return {*stacks, *(name for name, kind in known.items() if _is_place(r, kind))}
        case "things":
            lists = {each.plural for each in world.kinds.values()}
            return {*_plurals(r, world.kinds), *_pieces(r), *SEAT_WORDS - _SEATS, *known} | {
                *_fields(r, _EFFECTS | lists)
            }
        case "effect":
            return {*_fields(r, _EFFECTS)}
        case "flag":
            return {*world.flags}
        case "track":
            return {*world.tracks, *known}
        case "entry" | "piece" | "seat" | "player" | "cell":
            assert want is not None
            return _of_types(r, [want.total()])
        case _:
            return _values(r)


def _of_types(r: Resolver, wanted: Iterable[Type]) -> set[str]:
    """Return the names of the given types, or all names of values if there are none."""
    world, found, fields = r.world, set[str](), set[str]()
    for want in wanted:
        found |= {name for name, kind in known_types(r).items() if _may_be(kind, want)}
        if want.family in _SEATS:
            found |= {*world.rivals, *_SEATS}
        elif want.of in world.kinds:
            found |= world.kinds[want.of].index.keys()
            fields.update(_fields(r, frozenset({want.of})))
        elif want.of in world.pieces:
            found.add(want.of)
    return found or fields or _values(r)


def _may_be(have: Type, want: Type) -> bool:
    if want.family == "player":
        return have.family in _SEATS
    return fits(have, want) or (have.of == want.of != "")


def _values(r: Resolver) -> set[str]:
    world = r.world
    alone = [*world.constants, *world.options, *world.rivals, *world.values, *world.owners]
    single = [name for name, each in world.pieces.items() if each.style == "single"]
    kept = [*world.tracks, *world.flags]
    fields = [name for kind in world.kinds.values() for name in kind.fields]
    several = [*_plurals(r, world.kinds), *_plurals(r, world.pieces), *SEAT_WORDS - _SEATS]
    return {*alone, *single, *kept, *fields, *several, *known_types(r), *_OF_ANYTHING}


# -------------------------------------------------------------------- names by declaration
def _plurals(r: Resolver, names: Iterable[str]) -> Iterator[str]:
    table = set(names)
    return (many for many, one in r.world.plurals.items() if one in table)


def _pieces(r: Resolver) -> Iterator[str]:
    yield from r.world.pieces
    yield from _plurals(r, r.world.pieces)
    for kind in r.world.kinds.values():
        if kind.role == "piece":
            yield from kind.index


def _places(r: Resolver) -> Iterator[str]:
    for each in r.world.places.values():
        yield from (each.name, each.plural)
        if each.table:
            yield from r.world.kinds[each.name].index


def _is_place(r: Resolver, kind: Type) -> bool:
    return kind.of in r.world.places


def _fields(r: Resolver, types: frozenset[str]) -> Iterator[str]:
    for kind in r.world.kinds.values():
        yield from (name for name, field in kind.fields.items() if field.type in types)


# -------------------------------------------------------------------- attributes
def _mine(r: Resolver, want: Type | None) -> Iterator[str]:
    """Yield the attributes of a seat: places, tracks, flags, values, pieces."""
    world, family = r.world, "" if want is None else want.family
    if family in {"place", "stack", ""}:
        yield from (each.name for each in world.places.values() if _SEATS.intersection(each.dims))
    if family in {"place", "stack"}:
        return
    for each in _counters(r):
        of_a_kind = family not in {"flag", "track"} or (each.name in world.flags) == (
            family == "flag"
        )
        if of_a_kind and _SEATS.intersection(each.dims):
            yield each.name
    if family in {"flag", "track"}:
        return
    for value in world.values.values():
        if value.params and value.params[0].type.family in _SEATS:
            yield value.name
    for info in world.pieces.values():
        yield from (info.name, info.plural) if info.owned else ()
    yield from (each.name for each in world.places.values() if _SEATS.intersection(each.dims))


def _counters(r: Resolver) -> Iterator[TrackInfo | FlagInfo]:
    yield from r.world.tracks.values()
    yield from r.world.flags.values()


def _owners_of(r: Resolver, name: str) -> Iterator[Type]:
    """Yield the types that have an attribute `name`: candidates after `of`."""
    world = r.world
    yield from (entry(kind.name) for kind in world.kinds.values() if name in kind.fields)
    value = world.values.get(name)
    if value is not None and value.params:
        yield value.params[0].type
    info = world.counter(name) or world.places.get(world.singular(name))
    yield from (_dim(r, each) for each in (info.dims if info is not None else ()))
    own = world.pieces.get(world.singular(name))
    if own is not None and own.owned:
        yield Type("seat", "seat")


def _keys_of(r: Resolver, base: ex.Expr) -> Iterator[Type]:
    """Yield the types that index an attribute: candidates after `at`."""
    name = base.name.text if isinstance(base, ex.Of) else getattr(base, "name", "")
    for kind in r.world.kinds.values():
        field = kind.fields.get(name)
        if field is not None and field.per is not None:
            yield entry(field.per)
    info = r.world.counter(name) or r.world.places.get(r.world.singular(name))
    dims = info.dims if info is not None else ()
    yield from (_dim(r, each) for each in dims if each not in _SEATS)
    value = r.world.values.get(name)
    if value is not None and len(value.params) > 1:
        yield value.params[1].type


def _dim(r: Resolver, name: str) -> Type:
    if name in _SEATS:
        return Type(name, name)
    return piece(name) if name in r.world.pieces else entry(name)


def _nouns(r: Resolver, param: ParamInfo) -> Iterator[str]:
    if param.noun is not None:
        yield from (param.noun, r.world.plural(param.noun))
    elif param.type.family == "bundle":
        for each in r.world.bundle_nouns:
            yield from (each, r.world.plural(each))


def _for_param(r: Resolver, param: ParamInfo) -> Iterator[str]:
    if param.noun is None:
        yield from names_of(r, param.type)
        yield from (param.type.of,) if param.type.family in {"entry", "piece"} else ()
    else:
        yield from (param.noun, r.world.plural(param.noun), *known_types(r), *r.world.constants)
        yield from _values(r)
