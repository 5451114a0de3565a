"""Cells, tracks and flags, fields, and `X of Y`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.holes import PLACE, STACK, hole_in
from rulesdsl.check.symbols.symbol_table import SymbolKind, TrackInfo
from rulesdsl.check.symbols.types import (
    BUNDLE,
    NUMBER,
    SEAT,
    TEXT,
    UNKNOWN,
    YES_NO,
    Type,
    a_or_an,
    entry,
    fits,
    listing,
    piece,
    told,
)
from rulesdsl.check.symbols.wording import help_to_use
from rulesdsl.source.diagnostics import similar
from rulesdsl.source.facts import NothingToSay, OnlyPlayersHave, SeveralPlaces, UnknownName
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.symbols.symbol_table import (
        FieldInfo,
        FlagInfo,
        KindInfo,
        PieceInfo,
        PlaceInfo,
        ValueInfo,
    )
from rulesdsl.source.span import Span


def word_of(expr: ex.Expr) -> str:
    """Return the single word that an expression consists of, or ""."""
    return expr.name if isinstance(expr, ex.Name | ex.My) else ""


def place_type(r: Resolver, name: str) -> Type:
    """Return the type of the cells of a kind of places."""
    place = r.world.places[name]
    if place.dims == (name,):
        return entry(name)
    if len(place.dims) == 1:
        dim = place.dims[0]
        return SEAT if dim in {"seat", "player"} else entry(dim)
    return Type("cell", name)


def check_holds(r: Resolver, place: str, kind: str, span: Span) -> None:
    """Report a place that cannot hold such a piece."""
    holds = r.world.places[place].holds
    if r.world.places[place].unsure:
        return
    if kind not in holds and kind in r.world.pieces:
        message = f"{a_or_an(place).capitalize()} does not hold {r.world.pieces[kind].plural}."
        help_text = f"It holds {', '.join(holds)}; add `{kind}` to its declaration if it should."
        r.report("E303", span, message, help_text)


def one_cell(r: Resolver, expr: ex.Expr, want: Type = PLACE) -> ty.Cells | None:
    """Resolve an expression to exactly one cell."""
    cells = cells_of(r, expr, want)
    if cells is not None and not cells.one:
        place = r.world.places[cells.place]
        message = f"This means several {place.plural}, but one is needed."
        facts = SeveralPlaces(of_seats=place.dims in {("seat",), ("player",)})
        help_text = f"Say whose or which: `{place.name} of ...`."
        r.report("E301", expr.span, message, help_text, facts=facts)
        return None
    return cells


def one_stack(r: Resolver, expr: ex.Expr) -> ty.Cells | None:
    """Resolve an expression to exactly one stack."""
    cells = one_cell(r, expr, STACK)
    return cells if cells is not None and in_order(r, cells, expr.span) else None


def in_order(r: Resolver, cells: ty.Cells, span: Span) -> bool:
    """Return whether a place is a stack; report it if not."""
    place = r.world.places[cells.place]
    if not place.stack:
        message = f"{a_or_an(place.name).capitalize()} is not a stack: its contents have no order."
        help_text = f"Declare it as `stack {place.name} ...`, or draw `random ... in ...`."
        r.report("E301", span, message, help_text)
    return place.stack


def cells_of(r: Resolver, expr: ex.Expr, want: Type = PLACE) -> ty.Cells | None:
    """Resolve an expression to cells; report it and return None if it is no place."""
    found = hole_in(r, expr, want) or try_cells(r, expr)
    if isinstance(found, ty.Cells):
        return found
    known = [*r.world.places, *(each.plural for each in r.world.places.values())]
    help_text = similar(word_of(expr), known) or "Name what a `place` or `stack` declares."
    r.report("E301", expr.span, "This is not a place.", help_text, found)
    return None


def try_cells(r: Resolver, expr: ex.Expr) -> ty.Cells | ty.Value:
    """Resolve an expression to cells, or to a value if it is no place."""
    if isinstance(expr, ex.Name) and expr.name not in r.scope.locals:
        place = r.world.places.get(r.world.singular(expr.name))
        if place is not None:
            return _named(r, place, expr.span)
    elif isinstance(expr, ex.My):
        place = r.world.places.get(r.world.singular(expr.name))
        if place is not None:
            return _narrowed(r, _named(r, place, expr.span), r.me(expr.span), expr.span)
    elif isinstance(expr, ex.Of):
        place = r.world.places.get(r.world.singular(expr.name.text))
        if place is not None and not _is_container(r, expr, place):
            return _narrowed(r, _named(r, place, expr.span), r.value(expr.owner), expr.span)
    elif isinstance(expr, ex.At):
        base = try_cells(r, expr.base)
        if isinstance(base, ty.Cells):
            return _narrowed(r, base, r.value(expr.key), expr.span)
        if base.type == UNKNOWN:
            return base
    return _cell_value(r, expr)


def _is_container(r: Resolver, expr: ex.Of, place: PlaceInfo) -> bool:
    """Return whether `P of X` means the P that a piece X lies in."""
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
            dims = list(cells.dims)
            dims[at] = key
            return attrs.evolve(cells, dims=tuple(dims))
    message = f"{a_or_an(place.name).capitalize()} does not belong to {key.type}."
    if not place.dims:
        there = f"There is only one: write `{place.name}` by itself."
        return r.report("E301", span, message, there, facts=NothingToSay(place.name))
    return r.report("E301", span, message, f"There is one per {' per '.join(place.dims)}.")


def fits_dim(r: Resolver, have: Type, dim: str) -> bool:
    """Return whether a value can index a dimension."""
    if dim in {"seat", "player"}:
        return have.family in {"seat", "player"}
    if dim not in r.world.pieces and dim not in r.world.kinds:
        return True  # reported at its declaration
    return have.of == dim and have.family == ("piece" if dim in r.world.pieces else "entry")


SIMPLE = {"number": NUMBER, "yes-no": YES_NO, "text": TEXT, "bundle": BUNDLE}


def kept(r: Resolver, name: str, dims: tuple[ty.Value, ...], span: Span) -> ty.Value | None:
    """Resolve a track or flag at given indexes; return None for other names."""
    info = r.world.counter(name)
    if info is None:
        return None
    r.note(span, SymbolKind.NOUN, info.name)
    indexed = _index(r, info, dims, span)
    if indexed is None:
        return r.unknown(span)
    if isinstance(info, TrackInfo):
        return ty.TrackCell(info.name, indexed, type=NUMBER, span=span)
    return ty.FlagCell(info.name, indexed, type=YES_NO, span=span)


def _index(
    r: Resolver, info: TrackInfo | FlagInfo, dims: tuple[ty.Value, ...], span: Span
) -> tuple[ty.Value, ...] | None:
    if any(dim.type == UNKNOWN for dim in dims):
        return None
    if len(info.dims) != len(dims):
        if info.dims:
            message = f"`{info.name}` is kept per {' per '.join(info.dims)}."
            help_text = f"Say whose and which: `{shown_of(info.name, len(info.dims))}`."
        else:
            message = f"There is only one `{info.name}`: it belongs to nobody."
            help_text = f"Write `{info.name}` by itself."
        facts = None if info.dims else NothingToSay(info.name)
        r.report("E205", span, message, help_text, facts=facts)
        return None
    for kind, dim in zip(info.dims, dims, strict=True):
        if not fits_dim(r, dim.type.total(), kind):
            message = f"`{info.name}` is kept per {kind}, but this is {dim.type}."
            r.mismatch(span, dim, piece(kind), message)
            return None
    return tuple(r.total(dim, span) for dim in dims)


def call_value(r: Resolver, name: str, arguments: tuple[ex.Expr, ...], span: Span) -> ty.Value:
    """Resolve a named value with argument expressions."""
    value = r.world.values[name]
    r.note(span, SymbolKind.NOUN, name)
    if len(arguments) != len(value.params):
        return _wrong_number(r, value, span)
    resolved = tuple(
        r.of_type(each, param.type) for each, param in zip(arguments, value.params, strict=True)
    )
    return call_typed(r, name, resolved, span)


def _wrong_number(r: Resolver, value: ValueInfo, span: Span) -> ty.Value:
    needed = " and ".join(str(param.type) for param in value.params) or "nothing"
    help_text = f"Write `{shown_of(value.name, len(value.params))}`."
    return r.report("E205", span, f"`{value.name}` is a value of {needed}.", help_text)


def shown_of(name: str, things: int) -> str:
    """Return the notation of a named value with this number of arguments."""
    return name + "".join((" of ...", " at ...")[:things])


def call_typed(r: Resolver, name: str, arguments: tuple[ty.Value, ...], span: Span) -> ty.Value:
    """Resolve a named value with typed arguments."""
    value = r.world.values[name]
    r.note(span, SymbolKind.NOUN, name)
    if any(each.type == UNKNOWN for each in arguments):
        return r.unknown(span)
    if len(arguments) != len(value.params):
        return _wrong_number(r, value, span)
    for argument, param in zip(arguments, value.params, strict=True):
        if not fits(argument.type, param.type):
            message = f"`{name}` is a value of {param.type}, not {argument.type}."
            return r.mismatch(span, argument, param.type, message)
    kind, needs_me = r.bodies.value_type(name)
    me: ty.Value = ty.Const(-1, type=SEAT)
    if value.params and value.params[0].type.family in {"seat", "player"}:
        me = arguments[0]
    elif needs_me:
        me = r.me(span)
    layer = len(value.hooks)
    if r.scope.beneath_value is not None and r.scope.beneath_value[0] == name:
        layer = r.scope.beneath_value[1]
    total = tuple(r.total(each, span) for each in arguments)
    return r.scope.narrowed(ty.CallValue(name, me, total, layer, type=kind, span=span))


def field_of(
    r: Resolver, info: KindInfo, field: FieldInfo, owner: ty.Value, span: Span, key: ex.Expr | None
) -> ty.Value:
    """Resolve a field of an entry."""
    r.note(span, SymbolKind.FIELD, field.name, info.name)
    owner = r.total(owner, span)
    if field.type == "number" and field.per == "number":
        return _field_chart(r, info, field, owner, span, key)
    at = _field_key(r, field, span, key)
    if at is not None and at.type == UNKNOWN:
        return r.unknown(span)
    if field.type in {"effect", "automatic"}:
        return ty.HasEffect(info.name, field.name, owner, at, type=Type("effect"), span=span)
    if field.type == "formula":
        return ty.FieldFormula(
            info.name, field.name, owner, at, r.me(span), type=NUMBER, span=span
        )
    kind = _field_type(r, info, field)
    return r.scope.narrowed(ty.FieldOf(info.name, field.name, owner, at, type=kind, span=span))


def _field_chart(
    r: Resolver, info: KindInfo, field: FieldInfo, owner: ty.Value, span: Span, key: ex.Expr | None
) -> ty.Value:
    if key is None:
        message = f"`{field.name}` is a chart."
        return r.report("E301", span, message, f"Say where: `{field.name} of ... at ...`.")
    at = r.number(key)
    return ty.FieldOf(info.name, field.name, owner, at, type=NUMBER, span=span)


def _field_key(r: Resolver, field: FieldInfo, span: Span, key: ex.Expr | None) -> ty.Value | None:
    if field.per is None:
        if key is None:
            return None
        return r.report("E205", span, f"`{field.name}` is a single value.", "Remove `at`.")
    if key is None:
        message = f"There is a `{field.name}` for each {field.per}."
        return r.report("E205", span, message, f"Say which: `{field.name} of ... at ...`.")
    if field.per not in r.world.kinds:
        r.value(key)
        return r.unknown(span)
    return r.of_type(key, entry(field.per))


def _field_type(r: Resolver, info: KindInfo, field: FieldInfo) -> Type:
    if field.type in SIMPLE:
        return SIMPLE[field.type]
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


def attribute_of(  # noqa: C901, PLR0912
    r: Resolver, name: str, owner: ty.Value, span: Span, key: ex.Expr | None
) -> ty.Value:
    """Resolve `name` as an attribute of `owner`."""
    world, kind = r.world, owner.type
    singular = world.singular(name)
    if kind == UNKNOWN:
        return owner
    if kind.family == "bundle":
        return _part(r, name, owner, span)
    if name == "position":
        return _position(r, owner, span)
    if name == "owner" and kind.family == "piece":
        return _owner(r, owner, span)
    if name == "score" and kind.family in {"seat", "player"}:
        return ty.ScoreOf(r.total(owner, span), type=NUMBER, span=span)
    if name == "standing" and kind.family in {"seat", "player"}:
        return ty.StandingOf(r.total(owner, span), type=NUMBER, span=span)
    info = world.kinds.get(kind.of)
    if info is not None and name in info.fields:
        return field_of(r, info, info.fields[name], owner, span, key)
    value = world.values.get(name)
    if value is not None and value.params:
        rest = () if key is None else (r.value(key),)
        return call_typed(r, name, (owner, *rest), span)
    counted = kept(r, name, (owner,), span)
    if counted is not None:
        return counted
    if kind.family == "piece":
        if name in {"seat", "player"}:
            return _seat_of(r, owner, span)
        if singular in world.places:
            r.note(span, SymbolKind.NOUN, singular)
            return _located(r, singular, owner, span)
    own = world.pieces.get(singular)
    single = own is not None and own.owned and own.style == "single"
    if own is not None and single and kind.family in {"seat", "player"}:
        return _single_of(r, own, r.total(owner, span), span)
    return _no_attribute(r, name, owner, span)


def _single_of(r: Resolver, info: PieceInfo, owner: ty.Value, span: Span) -> ty.Value:
    """Resolve a seat's single piece; rivals have none that is declared per player."""
    r.note(span, SymbolKind.NOUN, info.name)
    if info.per == "player" and owner.type.family != "player" and r.world.rivals:
        rival = next(iter(r.world.rivals))
        message = f"Only players have {a_or_an(info.name)}, but this seat may be `{rival}`."
        help_text = f"Declare it `1 per seat`, or say how many: `move 1 {info.name} from ...`."
        r.report("E301", span, message, help_text, facts=OnlyPlayersHave())
    return attrs.evolve(owner, type=piece(info.name), span=span)


def _no_attribute(r: Resolver, name: str, owner: ty.Value, span: Span) -> ty.Value:
    info = r.world.kinds.get(owner.type.of)
    known = [
        *(info.fields if info else ()),
        *r.world.values,
        *r.world.tracks,
        *r.world.flags,
        *r.world.places,
    ]
    listed = ", ".join(info.fields) if info and info.fields else ""
    message = f"{told(owner.type)} has no `{name}`."
    of_others = help_to_use(name, r.world)
    if of_others and not r.doubtful(name):
        return r.report("E201", span, message, of_others, facts=UnknownName(name))
    help_text = similar(name, known)
    if not help_text and listed:
        listed = f"{a_or_an(owner.type.of).capitalize()} has {listed}."
        return r.not_known(name, span, message, listed, anywhere=False)
    somebody = owner.type.family in {"seat", "player"}
    return r.not_known(name, span, message, help_text, anywhere=somebody)


def _part(r: Resolver, name: str, owner: ty.Value, span: Span) -> ty.Value:
    singular = r.world.singular(name)
    nouns = r.world.bundle_nouns
    if singular not in nouns:
        known = [*nouns, *map(r.world.plural, nouns)]
        message = f"A price has no `{name}`."
        return r.not_known(name, span, message, similar(name, known), anywhere=False)
    r.note(span, SymbolKind.NOUN, singular)
    return ty.BundlePart(owner, nouns.index(singular), type=NUMBER, span=span)


def _position(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    owner = r.total(owner, span)
    if owner.type.family == "piece" and owner.type.of in r.world.kinds:
        owner = ty.EntryOf(owner.type.of, owner, type=entry(owner.type.of), span=span)
    if owner.type.family not in {"entry", "seat", "player"}:
        help_text = "Entries and seats have one; in a list or stack, ask `position of x in ...`."
        return r.report("E301", span, f"{told(owner.type)} has no position.", help_text)
    index, one = attrs.evolve(owner, type=NUMBER), ty.Const(1, type=NUMBER)
    return ty.Arith("+", index, one, type=NUMBER, span=span, exact=True)


def _owner(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    info = r.world.pieces[owner.type.of]
    if not info.owned:
        return nobodys(r, info, span)
    return ty.OwnerOf(info.name, r.total(owner, span), type=SEAT, span=span)


def nobodys(r: Resolver, info: PieceInfo, span: Span) -> ty.Value:
    """Report pieces without owners."""
    message = f"{a_or_an(info.name).capitalize()} belongs to nobody."
    help_text = "`per seat` in its declaration gives every seat its own."
    return r.report("E301", span, message, help_text)


def _seat_of(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    """Resolve the seat in whose place a piece lies."""
    kind = owner.type.of
    places = [
        place
        for place in r.world.places.values()
        if kind in place.holds and place.dims in {("seat",), ("player",)}
    ]
    if len(places) != 1:
        message = f"No single place says whose {kind} this is."
        help_text = "Name the place, such as `owner of x` for pieces that belong to seats."
        return r.report("E301", span, message, help_text)
    return _located(r, places[0].name, owner, span)


def _located(r: Resolver, place: str, owner: ty.Value, span: Span) -> ty.Value:
    kind = owner.type.of
    check_holds(r, place, kind, span)
    homes = [each for each in r.world.places.values() if kind in each.holds]
    found = place_type(r, place).or_none()
    subject = r.total(owner, span)
    value = ty.Located(kind, subject, place, type=found, span=span)
    if len(homes) == 1 or r.world.places[place].unsure:
        return attrs.evolve(value, type=found.total())
    return r.scope.narrowed(value)
