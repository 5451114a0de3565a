"""Cells, and attributes of entities: `X of Y`, `my X`, fields, tracks, flags and values."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.holes import PLACE, STACK
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.symbols.symbol_table import (
    FieldInfo,
    FlagInfo,
    KindInfo,
    MemoryInfo,
    PieceInfo,
    PlaceInfo,
    SymbolKind,
    TrackInfo,
    ValueInfo,
)
from rulesdsl.check.symbols.types import (
    BUNDLE,
    NUMBER,
    SEAT,
    TEXT,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    fits,
    listing,
    mismatch_advice,
    piece,
)
from rulesdsl.check.symbols.wording import help_to_use
from rulesdsl.source.diagnostics import WordedFinding, similar
from rulesdsl.source.english import a_or_an, and_list, opening
from rulesdsl.source.facts import OnlyPlayersHave, SeveralPlaces, SuperfluousIndex, UnknownName
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.printer import print_expression

SEATS = frozenset({"seat", "player"})


def word_of(expr: ex.Expr) -> str:
    """Return the single word that an expression consists of, or ""."""
    return expr.name if isinstance(expr, ex.Name | ex.My) else ""


# -------------------------------------------------------------------- cells
def place_type(r: Resolver, name: str) -> Type:
    """Return the type of cells in a kind of place."""
    place = r.world.places[name]
    if place.dims == (name,):
        return entry(name)
    if len(place.dims) == 1:
        return SEAT if place.dims[0] in SEATS else entry(place.dims[0])
    return Type("cell", name)


def check_holds(r: Resolver, place: str, kind: str, span: Span) -> None:
    """Report an error if a place cannot hold a kind of piece."""
    info, piece_info = r.world.places[place], r.world.pieces.get(kind)
    if not info.unsure and piece_info is not None and kind not in info.holds:
        r.report(
            wording.CANNOT_HOLD(place=place, info=piece_info, holds=", ".join(info.holds)), span
        )


def one_cell(r: Resolver, expr: ex.Expr, want: Type = PLACE) -> ty.Cells | None:
    """Resolve an expression to exactly one cell; report any other expression and return None."""
    cells = cells_of(r, expr, want)
    if cells is not None and not cells.one:
        place = r.world.places[cells.place]
        facts = SeveralPlaces(of_seats=place.dims in {("seat",), ("player",)})
        r.report(wording.SEVERAL_PLACES(place=place), expr.span, facts=facts)
        return None
    return cells


def one_stack(r: Resolver, expr: ex.Expr) -> ty.Cells | None:
    """Resolve an expression to exactly one stack; report any other expression and return None."""
    cells = one_cell(r, expr, STACK)
    return cells if cells is not None and in_order(r, cells, expr.span) else None


def in_order(r: Resolver, cells: ty.Cells, span: Span) -> bool:
    """Return whether a place is a stack; report a place that is not."""
    place = r.world.places[cells.place]
    if not place.stack:
        r.report(wording.NO_STACK(place=place.name), span)
    return place.stack


def cells_of(r: Resolver, expr: ex.Expr, want: Type = PLACE) -> ty.Cells | None:
    """Resolve an expression to cells; report it and return None if it is not a place."""
    found = r.hole(expr, want) or try_cells(r, expr)
    if isinstance(found, ty.Cells):
        return found
    known = [*r.world.places, *(each.plural for each in r.world.places.values())]
    r.report(wording.NO_PLACE(similar(word_of(expr), known)), expr.span, found)
    return None


def check_whose(r: Resolver, cells: ty.Cells, expr: ex.Expr) -> None:
    """Report the name of one place that each seat has, if it does not say whose that is."""
    place = r.world.places[cells.place]
    is_bare = isinstance(expr, ex.Name) and expr.name == place.name != place.plural
    if is_bare and place.owner_dim is not None:
        r.report(wording.WHOSE_PLACE(place=place), expr.span)


def try_cells(r: Resolver, expr: ex.Expr) -> ty.Cells | ty.Value:
    """Resolve an expression to cells, or to a value if it is not a place."""
    if isinstance(expr, ex.At):
        base = try_cells(r, expr.base)
        if isinstance(base, ty.Cells):
            return _narrowed(r, base, r.value(expr.key), expr.span)
        return base if base.type == UNKNOWN else _cell_value(r, expr)
    name = expr.name.text if isinstance(expr, ex.Of) else word_of(expr)
    place = r.world.places.get(r.world.singular(name))
    if place is None:
        return _cell_value(r, expr)
    if isinstance(expr, ex.Name) and expr.name not in r.scope.locals:
        return _named(r, place, expr.span)
    if isinstance(expr, ex.My):
        return _narrowed(r, _named(r, place, expr.span), r.me(expr.span), expr.span)
    if isinstance(expr, ex.Of) and (wrong := local_with_owner(r, expr)):
        return r.report(wrong, expr.owner.span)
    if isinstance(expr, ex.Of) and not _is_container(r, expr, place):
        return _narrowed(r, _named(r, place, expr.span), r.value(expr.owner), expr.span)
    return _cell_value(r, expr)


def _is_container(r: Resolver, expr: ex.Of, place: PlaceInfo) -> bool:
    """Return whether `P of X` means the P that contains a piece X."""
    return place.table and r.value(expr.owner).type.family == "piece"


def _cell_value(r: Resolver, expr: ex.Expr) -> ty.Cells | ty.Value:
    with r.scope.place():
        found = r.value(expr)
    if found.type.family in {"entry", "list"} and found.type.of in r.world.places:
        place = r.world.places[found.type.of]
        if place.dims == (place.name,):
            value = found if found.type.family == "list" else r.total(found, expr.span)
            return ty.Cells(place.name, (value,), span=expr.span)
        if place.table:
            return _narrowed(r, _whole(place, expr.span), found, expr.span)
    return found


def _named(r: Resolver, place: PlaceInfo, span: Span) -> ty.Cells:
    r.note(span, SymbolKind.NOUN, place.name)
    return _whole(place, span)


def _whole(place: PlaceInfo, span: Span) -> ty.Cells:
    return ty.Cells(place.name, (None,) * len(place.dims), span=span)


def _narrowed(r: Resolver, cells: ty.Cells, key: ty.Value, span: Span) -> ty.Cells | ty.Value:
    if key.type == UNKNOWN:
        return key
    key = r.total(key, span)
    place = r.world.places[cells.place]
    for at, dim in enumerate(place.dims):
        if cells.dims[at] is None and fits_dim(r, key.type, dim):
            return attrs.evolve(cells, dims=(*cells.dims[:at], key, *cells.dims[at + 1 :]))
    if place.dims:
        said = wording.PLACE_OF_OTHER(place=place.name, have=key.type, dims=place.dims)
        return r.report(said, span)
    said = wording.PLACE_OF_NOBODY(place=place.name, have=key.type)
    return r.report(said, span, facts=SuperfluousIndex(place.name))


def fits_dim(r: Resolver, have: Type, dim: str) -> bool:
    """Return whether a value can index a dimension."""
    if dim in SEATS:
        return have.family in SEATS
    if dim not in r.world.pieces and dim not in r.world.kinds:
        return True  # reported at its declaration
    return have.of == dim and have.family == ("piece" if dim in r.world.pieces else "entry")


# -------------------------------------------------------------------- tracks, flags, values
def counter_cell(
    r: Resolver, name: str, dims: tuple[ty.Value, ...], span: Span
) -> ty.Value | None:
    """Resolve a track or flag at given indexes; return None for other names."""
    info = r.world.counter(name)
    if info is None:
        return None
    r.note(span, SymbolKind.NOUN, info.name)
    indexed = _index(r, info, dims, span)
    if indexed is None:
        return r.unknown(span)
    if isinstance(info, TrackInfo):
        kind = info.type if isinstance(info, MemoryInfo) else NUMBER
        return r.scope.narrowed(ty.TrackCell(info.name, indexed, type=kind, span=span))
    return ty.FlagCell(info.name, indexed, type=YES_NO, span=span)


def _index(
    r: Resolver, info: TrackInfo | FlagInfo, dims: tuple[ty.Value, ...], span: Span
) -> tuple[ty.Value, ...] | None:
    if any(dim.type == UNKNOWN for dim in dims):
        return None
    if len(info.dims) != len(dims):
        said = wording.NOBODYS_COUNTER(name=info.name)
        facts = None if info.dims else SuperfluousIndex(info.name)
        if info.dims:
            whole = _notation(info.name, len(info.dims))
            said = wording.WRONG_INDEXES(name=info.name, dims=info.dims, whole=whole)
        r.report(said, span, facts=facts)
        return None
    for kind, dim in zip(info.dims, dims, strict=True):
        if not fits_dim(r, dim.type.total(), kind):
            said = wording.KEPT_PER_OTHER(name=info.name, kind=kind, have=dim.type)
            r.mismatch(span, dim, piece(kind), said)
            return None
    return tuple(r.total(dim, span) for dim in dims)


def call_value(r: Resolver, name: str, arguments: tuple[ex.Expr, ...], span: Span) -> ty.Value:
    """Resolve a call to a named value with unresolved arguments."""
    value = r.world.values[name]
    r.note(span, SymbolKind.NOUN, name)
    if len(arguments) != len(value.params):
        return _wrong_number(r, value, span)
    resolved = tuple(
        r.of_type(each, param.type) for each, param in zip(arguments, value.params, strict=True)
    )
    return call_typed(r, name, resolved, span)


def _wrong_number(r: Resolver, value: ValueInfo, span: Span) -> ty.Value:
    params = " and ".join(str(param.type) for param in value.params)
    said = wording.WRONG_NUMBER_OF_THINGS if params else wording.NO_THINGS
    whole = _notation(value.name, len(value.params))
    return r.report(said(name=value.name, params=params, whole=whole), span)


def _notation(name: str, things: int) -> str:
    """Return the notation for a value, track or flag with `things` arguments or indexes."""
    return name + "".join((" of ...", " at ...")[:things])


def call_typed(r: Resolver, name: str, arguments: tuple[ty.Value, ...], span: Span) -> ty.Value:
    """Resolve a call to a named value with resolved arguments."""
    value = r.world.values[name]
    r.note(span, SymbolKind.NOUN, name)
    if any(each.type == UNKNOWN for each in arguments):
        return r.unknown(span)
    if len(arguments) != len(value.params):
        return _wrong_number(r, value, span)
    for argument, param in zip(arguments, value.params, strict=True):
        if not fits(argument.type, param.type):
            near = mismatch_advice(argument.type, param.type)
            said = wording.VALUE_OF_OTHER(near, name=name, want=param.type, have=argument.type)
            return r.mismatch(span, argument, param.type, said)
    kind, needs_me = r.bodies.value_type(name)
    me: ty.Value = ty.Const(-1, type=SEAT)
    if value.params and value.params[0].type.family in SEATS:
        me = arguments[0]
    elif needs_me:
        me = r.me(span)
    layer = len(value.hooks)
    if r.scope.beneath_value is not None and r.scope.beneath_value[0] == name:
        layer = r.scope.beneath_value[1]
    total = tuple(r.total(each, span) for each in arguments)
    return r.scope.narrowed(ty.CallValue(name, me, total, layer, type=kind, span=span))


def local_with_owner(r: Resolver, expr: ex.Of) -> WordedFinding | None:
    """Return the finding about `X of c of S`, in which `c` is a local; None for other phrases."""
    owner, name = expr.owner, expr.name.text
    if not isinstance(owner, ex.Of) or is_attribute_name(r, owner.name.text):
        return None
    local = r.scope.locals.get(owner.name.text)
    indexed = r.world.counter(name) or r.world.places.get(r.world.singular(name))
    params = r.world.values[name].params if name in r.world.values else ()
    dims = indexed.dims if indexed else [param.type.of or param.type.family for param in params]
    if local is None or not dims:
        return None
    words = [print_expression(owner.owner), owner.name.text]
    if fits_dim(r, local.type.total(), dims[0]):
        words.reverse()
    phrase = f"{name} of {' at '.join(words[: len(dims)])}"
    return wording.OWNER_OF_LOCAL(name=owner.name.text, meant=phrase)


# -------------------------------------------------------------------- fields
_SIMPLE = {"number": NUMBER, "yes-no": YES_NO, "text": TEXT, "bundle": BUNDLE}


def _field_of(
    r: Resolver, info: KindInfo, field: FieldInfo, owner: ty.Value, span: Span, key: ex.Expr | None
) -> ty.Value:
    r.note(span, SymbolKind.FIELD, field.name, info.name)
    owner = r.total(owner, span)
    at = _field_key(r, field, span, key)
    if at is not None and at.type == UNKNOWN:
        return r.unknown(span)
    if field.type in {"effect", "automatic"}:
        return ty.HasEffect(info.name, field.name, owner, at, type=Type("effect"), span=span)
    if field.type == "formula":
        me = r.me(span)
        return ty.FieldFormula(info.name, field.name, owner, at, me, type=NUMBER, span=span)
    kind = _field_type(r, info, field)
    return r.scope.narrowed(ty.FieldOf(info.name, field.name, owner, at, type=kind, span=span))


def _field_key(r: Resolver, field: FieldInfo, span: Span, key: ex.Expr | None) -> ty.Value | None:
    if field.type == "number" and field.per == "number":
        if key is None:
            return r.report(wording.CHART_ALONE(field=field.name), span)
        return r.number(key)
    if field.per is None:
        return None if key is None else r.report(wording.NO_COLUMN(field=field.name), span)
    if key is None:
        return r.report(wording.COLUMN_WANTED(field=field.name, per=field.per), span)
    if field.per not in r.world.kinds:
        r.value(key)
        return r.unknown(span)
    return r.of_type(key, entry(field.per))


def _field_type(r: Resolver, info: KindInfo, field: FieldInfo) -> Type:
    if field.type in _SIMPLE:
        return _SIMPLE[field.type]
    if field.type in r.world.kinds:
        kind = entry(field.type)
        holes = any(
            not isinstance(each.values.get((field.name, None)), int)
            and field.name not in each.spans
            and not r.world.doubtful(field.name)
            for each in info.entries
        )
        return kind.or_none() if (holes and field.default is None) or field.per else kind
    singular = r.world.singular(field.type)
    return listing(singular) if singular in r.world.kinds else UNKNOWN


# -------------------------------------------------------------------- attributes
@attrs.frozen
class BuiltInAttribute:
    """Built-in attribute of the language: its word, and the families of types that have it."""

    word: str
    families: frozenset[str]
    of: Callable[[Resolver, ty.Value, Span], ty.Value]


def has_attribute(r: Resolver, name: str, kind: Type) -> bool:
    """Return whether a bare word can be an attribute of a candidate."""
    world = r.world
    info = world.kinds.get(kind.of)
    if info is not None and name in info.fields:
        return True
    value = world.values.get(name)
    if value is not None and len(value.params) >= 1:
        return fits(kind, value.params[0].type)
    counter = world.counter(name)
    return counter is not None and len(counter.dims) == 1 and fits_dim(r, kind, counter.dims[0])


def attribute_of(
    r: Resolver, name: str, owner: ty.Value, span: Span, key: ex.Expr | None
) -> ty.Value:
    """Resolve `name` as an attribute of `owner`; report an error if there is no such attribute."""
    world, kind = r.world, owner.type
    if kind == UNKNOWN:
        return owner
    if kind.family == "bundle":
        return _part(r, name, owner, span)
    for each in _BUILT_IN:
        if each.word == name and kind.family in each.families:
            return each.of(r, owner, span)
    info = world.kinds.get(kind.of)
    if info is not None and name in info.fields:
        return _field_of(r, info, info.fields[name], owner, span, key)
    value = world.values.get(name)
    if value is not None and value.params:
        rest = () if key is None else (r.value(key),)
        return call_typed(r, name, (owner, *rest), span)
    found = counter_cell(r, name, (owner,), span) or _whose(r, world.singular(name), owner, span)
    return found or _no_attribute(r, name, owner, span)


def _whose(r: Resolver, singular: str, owner: ty.Value, span: Span) -> ty.Value | None:
    """Resolve the place that contains a piece, or the single piece of a seat."""
    if owner.type.family == "piece" and singular in r.world.places:
        r.note(span, SymbolKind.NOUN, singular)
        return _located(r, singular, owner, span)
    own = r.world.pieces.get(singular)
    single = own is not None and own.owned and own.style == "single"
    if own is not None and single and owner.type.family in SEATS:
        return _own_piece(r, own, owner, span)
    return None


def _own_piece(r: Resolver, info: PieceInfo, owner: ty.Value, span: Span) -> ty.Value:
    """Resolve a seat's single piece; rivals do not have pieces that are declared per player."""
    owner = r.total(owner, span)
    r.note(span, SymbolKind.NOUN, info.name)
    if info.per == "player" and owner.type.family != "player" and r.world.rivals:
        said = wording.ONLY_PLAYERS_HAVE(name=info.name, rival=next(iter(r.world.rivals)))
        r.report(said, span, facts=OnlyPlayersHave())
    return attrs.evolve(owner, type=piece(info.name), span=span)


def no_article(r: Resolver) -> bool:
    """Return whether `a` or `an` may be meant as a name, which has been reported."""
    return r.doubtful("a") or r.doubtful("an")


def is_attribute_name(r: Resolver, name: str) -> bool:
    """Return whether any thing of the game, or of the language, can have this attribute."""
    fields = any(name in kind.fields for kind in r.world.kinds.values())
    return fields or r.world.declares(name) or any(each.word == name for each in _BUILT_IN)


def _no_attribute(r: Resolver, name: str, owner: ty.Value, span: Span) -> ty.Value:
    world, kind = r.world, owner.type
    families = {each.word: each.families for each in _BUILT_IN}.get(name)
    if name == "position":
        return r.report(wording.NO_POSITION(have=kind), span)
    if families is not None:
        owners = and_list([f"{each}s" for each in sorted(families, reverse=True)])
        said = wording.ATTRIBUTE_OF_OTHERS(have=kind.total(), name=name, owners=owners)
        return r.report(said, span)
    info = world.kinds.get(kind.of)
    fields = [*info.fields] if info else []
    of_others = help_to_use(name, world)
    if of_others and not r.doubtful(name):
        said = wording.NO_ATTRIBUTE(of_others, have=kind.total(), name=name)
        return r.report(said, span, facts=UnknownName(name))
    own = [each.word for each in _BUILT_IN if kind.family in each.families]
    others = (fields, world.values, world.tracks, world.flags, world.places, own)
    near = similar(name, [known for names in others for known in names])
    listed = f"{opening(a_or_an(kind.of))} has {', '.join(fields)}." if fields else ""
    said = wording.NO_ATTRIBUTE(near or listed, have=kind.total(), name=name)
    return r.not_known(said, name, span, anywhere=kind.family in SEATS)


def _part(r: Resolver, name: str, owner: ty.Value, span: Span) -> ty.Value:
    singular, nouns = r.world.singular(name), r.world.bundle_nouns
    if singular not in nouns:
        near = similar(name, [*nouns, *map(r.world.plural, nouns)])
        return r.not_known(wording.NO_PART_OF_PRICE(near, name=name), name, span, anywhere=False)
    r.note(span, SymbolKind.NOUN, singular)
    return ty.BundlePart(owner, nouns.index(singular), type=NUMBER, span=span)


def _position(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    owner = r.total(owner, span)
    if owner.type.family == "piece":
        if owner.type.of not in r.world.kinds:
            return r.report(wording.NO_POSITION(have=owner.type), span)
        owner = ty.EntryOf(owner.type.of, owner, type=entry(owner.type.of), span=span)
    index, one = attrs.evolve(owner, type=NUMBER), ty.Const(1, type=NUMBER)
    return ty.Arith("+", index, one, type=NUMBER, span=span, exact=True)


def _owner(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    info = r.world.pieces[owner.type.of]
    if not info.owned:
        return nobodys(r, info, span)
    return ty.OwnerOf(info.name, r.total(owner, span), type=SEAT, span=span)


def nobodys(r: Resolver, info: PieceInfo, span: Span) -> ty.Value:
    """Report that a kind of piece has no owners."""
    return r.report(wording.NOBODYS_PIECE(name=info.name), span)


def _seat_of(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    """Resolve the seat whose place contains a piece."""
    kind = owner.type.of
    places = [
        place
        for place in r.world.places.values()
        if kind in place.holds and place.dims in {("seat",), ("player",)}
    ]
    if len(places) != 1:
        owned, name = r.world.pieces[kind].owned, r.name_of(owner) or "x"
        words = wording.OWNER_IS_OPEN if owned else wording.WHOSE_IS_OPEN
        return r.report(words(kind=kind, name=name), span)
    return _located(r, places[0].name, owner, span)


def _located(r: Resolver, place: str, owner: ty.Value, span: Span) -> ty.Value:
    kind = owner.type.of
    check_holds(r, place, kind, span)
    homes = [each for each in r.world.places.values() if kind in each.holds]
    found = place_type(r, place).or_none()
    value = ty.Located(kind, r.total(owner, span), place, type=found, span=span)
    if len(homes) == 1 or r.world.places[place].unsure:
        return attrs.evolve(value, type=found.total())
    return r.scope.narrowed(value)


def _score(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    return ty.ScoreOf(r.total(owner, span), type=NUMBER, span=span)


def _standing(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    return ty.StandingOf(r.total(owner, span), type=NUMBER, span=span)


_PIECE = frozenset({"piece"})
_BUILT_IN = (
    BuiltInAttribute("position", frozenset({"entry"}) | SEATS | _PIECE, _position),
    BuiltInAttribute("owner", _PIECE, _owner),
    BuiltInAttribute("seat", _PIECE, _seat_of),
    BuiltInAttribute("player", _PIECE, _seat_of),
    BuiltInAttribute("score", SEATS, _score),
    BuiltInAttribute("standing", SEATS, _standing),
)
