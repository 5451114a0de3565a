"""Names that fit a hole in unfinished rules.

Completion parses source text up to the cursor, with a hole in place of the name being typed, and
resolves it like any other. Each context has an expected type: `into` expects a place, `mark` a
flag, a call the types of its parameters, a comparison the type of its left side. At a hole, the
resolver records the names that fit instead of reporting an unknown name. The families below are
expectations other than the type of a value.

An expression may continue after the hole, so the expected type alone does not decide: after `if`,
a number fits as well as a boolean, since `> 3` may follow. So only entries, pieces, seats and
places restrict the names; for other types, or if no name has the type, any name that can begin an
expression fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from rulesdsl.check.symbols.symbol_table import (
    HOLE,
    FlagInfo,
    ParamInfo,
    PlaceInfo,
    SymbolTable,
    TrackInfo,
)
from rulesdsl.check.symbols.types import SEAT, SEAT_WORDS, Type, entry, fits, piece
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

PLACE, STACK, THINGS, KIND = map(Type, ("place", "stack", "things", "kind"))
NOUN, VERB, EFFECT, FLAG, TRACK = map(Type, ("noun", "verb", "effect", "flag", "track"))
COUNTER = Type("counter")
_EFFECTS = frozenset({"effect", "automatic"})
_SEATS = frozenset({"seat", "player"})
_OF_ANYTHING = frozenset({"position", "owner", "score", "standing", "seat", "player"})


def ends_in_hole(expr: ex.Expr) -> bool:
    """Return whether an expression is a hole, or ends in one after `of` or `at`."""
    if isinstance(expr, ex.Of):
        return _is_hole(expr.owner)
    return _is_hole(expr.key if isinstance(expr, ex.At) else expr)


def _is_hole(expr: ex.Expr) -> bool:
    return isinstance(expr, ex.Name | ex.My) and expr.name == HOLE


@attrs.frozen
class FittingNames:
    """Queries for the names that fit a hole: declared names and locals in scope."""

    world: SymbolTable
    known: Mapping[str, Type]  # locals

    def at_end(self, expr: ex.Expr, want: Type | None) -> set[str]:
        """Return the names that fit at the end of an expression of the expected type."""
        if isinstance(expr, ex.My):
            return {*self._mine("" if want is None else want.family)}
        if isinstance(expr, ex.Of):
            return self._of_types(self._owners_of(expr.name.text))
        if isinstance(expr, ex.At):
            return self._of_types(self._keys_of(expr.base))
        return self.of(want)

    def of_argument(self, argument: st.Argument, params: Iterable[ParamInfo]) -> set[str] | None:
        """Return the names that fit an argument left as a hole; None for other arguments."""
        expr = argument.value
        alike = [each for each in params if each.preposition == argument.preposition]
        if isinstance(expr, ex.NounAmount) and expr.noun.text == HOLE:
            return {word for each in alike for word in self._nouns(each)} or self.of(NOUN)
        if isinstance(expr, ex.Name) and expr.name == HOLE:
            return {word for each in alike for word in self._for_param(each)} or self.of(None)
        return None

    def of(self, want: Type | None) -> set[str]:  # noqa: C901 - one case each
        """Return the names that fit an expected type."""
        world = self.world
        match "" if want is None else want.family:
            case "verb":
                return {*world.procs}
            case "kind":
                return {*world.kinds, *world.pieces, *_SEATS, "number"}
            case "noun":
                return {*world.numbers, *self._plurals(world.tracks), *self._pieces()}
            case "place":
                return {*self._places(), *self._local_places()}
            case "stack":
                stacks = [each.name for each in world.places.values() if each.stack]
                return {*stacks, *self._local_places()}
            case "things":
                lists = {each.plural for each in world.kinds.values()}
                several = {*self._plurals(world.kinds), *SEAT_WORDS - _SEATS}
                return {*several, *self._pieces(), *self.known, *self._fields(_EFFECTS | lists)}
            case "effect":
                return {*self._fields(_EFFECTS)}
            case "flag":
                return {*world.flags}
            case "track":
                return {*world.numbers, *self.known}
            case "counter":
                return {*world.tracks, *world.flags}
            case "entry" | "piece" | "seat" | "player" | "cell":
                assert want is not None
                return self._of_types([want.total()])
            case _:
                return self._values()

    def _of_types(self, wanted: Iterable[Type]) -> set[str]:
        """Return the names of certain types or, if there are none, the names of all values."""
        world, found, fields = self.world, set[str](), set[str]()
        for want in wanted:
            found |= {name for name, kind in self.known.items() if _may_be(kind, want)}
            if want.family in _SEATS:
                found |= {*world.rivals, *_SEATS}
            elif want.of in world.kinds:
                found |= world.kinds[want.of].index.keys()
                fields.update(self._fields(frozenset({want.of})))
            elif want.of in world.pieces:
                found.add(want.of)
        return found or fields or self._values()

    def _values(self) -> set[str]:
        world = self.world
        alone = [*world.constants, *world.options, *world.rivals, *world.values, *world.owners]
        single = [name for name, each in world.pieces.items() if each.style == "single"]
        kept = [*world.tracks, *world.flags]
        fields = [name for kind in world.kinds.values() for name in kind.fields]
        several = [*self._plurals({*world.kinds, *world.pieces}), *SEAT_WORDS - _SEATS]
        return {*alone, *single, *kept, *fields, *several, *self.known, *_OF_ANYTHING}

    # ---------------------------------------------------------------- names by declaration
    def _plurals(self, names: Iterable[str]) -> Iterator[str]:
        table = {*names}
        return (many for many, one in self.world.plurals.items() if one in table)

    def _pieces(self) -> Iterator[str]:
        yield from self.world.pieces
        yield from self._plurals(self.world.pieces)
        for kind in self.world.kinds.values():
            yield from kind.index if kind.role == "piece" else ()

    def _places(self) -> Iterator[str]:
        for each in self.world.places.values():
            yield from (each.name, each.plural)
            yield from self.world.kinds[each.name].index if each.table else ()

    def _local_places(self) -> Iterator[str]:
        return (name for name, kind in self.known.items() if kind.of in self.world.places)

    def _fields(self, types: frozenset[str]) -> Iterator[str]:
        for kind in self.world.kinds.values():
            yield from (name for name, field in kind.fields.items() if field.type in types)

    # ---------------------------------------------------------------- attributes
    def _mine(self, family: str) -> Iterator[str]:
        """Yield the attributes of a seat: places, tracks, flags, values, pieces."""
        world = self.world
        if family not in {"flag", "track"}:
            yield from _of_seats(world.places.values())
        if family in {"place", "stack"}:
            return
        if family != "flag":
            yield from _of_seats(world.tracks.values())
        if family != "track":
            yield from _of_seats(world.flags.values())
        if family in {"flag", "track"}:
            return
        for value in world.values.values():
            if value.params and value.params[0].type.family in _SEATS:
                yield value.name
        for info in world.pieces.values():
            yield from (info.name, info.plural) if info.owned else ()

    def _owners_of(self, name: str) -> Iterator[Type]:
        """Yield the types that have an attribute `name`: those expected after `of`."""
        world = self.world
        yield from (entry(kind.name) for kind in world.kinds.values() if name in kind.fields)
        value = world.values.get(name)
        if value is not None and value.params:
            yield value.params[0].type
        yield from map(self._indexed_by, self._dims(name))
        own = world.pieces.get(world.singular(name))
        if own is not None and own.owned:
            yield SEAT

    def _keys_of(self, base: ex.Expr) -> Iterator[Type]:
        """Yield the types that index an attribute: those expected after `at`."""
        name = base.name.text if isinstance(base, ex.Of) else getattr(base, "name", "")
        for kind in self.world.kinds.values():
            field = kind.fields.get(name)
            if field is not None and field.per is not None:
                yield entry(field.per)
        yield from (self._indexed_by(each) for each in self._dims(name) if each not in _SEATS)
        value = self.world.values.get(name)
        if value is not None and len(value.params) > 1:
            yield value.params[1].type

    def _dims(self, name: str) -> tuple[str, ...]:
        info = self.world.counter(name) or self.world.places.get(self.world.singular(name))
        return () if info is None else info.dims

    def _indexed_by(self, dim: str) -> Type:
        if dim in _SEATS:
            return Type(dim, dim)
        return piece(dim) if dim in self.world.pieces else entry(dim)

    def _nouns(self, param: ParamInfo) -> Iterator[str]:
        prices = self.world.bundle_nouns if param.type.family == "bundle" else ()
        for each in prices if param.noun is None else (param.noun,):
            yield from (each, self.world.plural(each))

    def _for_param(self, param: ParamInfo) -> Iterator[str]:
        if param.noun is None:
            yield from self.of(param.type)
            yield from (param.type.of,) if param.type.family in {"entry", "piece"} else ()
        else:
            yield from (param.noun, self.world.plural(param.noun), *self.known)
            yield from self._values()


def _may_be(have: Type, want: Type) -> bool:
    if want.family == "player":
        return have.family in _SEATS
    return fits(have, want) or (have.of == want.of != "")


def _of_seats(infos: Iterable[PlaceInfo | TrackInfo | FlagInfo]) -> Iterator[str]:
    return (each.name for each in infos if _SEATS.intersection(each.dims))
