"""From names to what is kept: tracks, flags, named values, fields of entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.cells import fits_dim
from rulesdsl.check.types import (
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
    piece,
)
from rulesdsl.check.world import TrackInfo
from rulesdsl.source.facts import NothingToSay

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import FieldInfo, FlagInfo, KindInfo, ValueInfo
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import expressions as ex


SIMPLE = {"number": NUMBER, "yes-no": YES_NO, "text": TEXT, "bundle": BUNDLE}


def kept(r: Resolver, name: str, dims: tuple[ty.Value, ...], span: Span) -> ty.Value | None:
    """Return the number on a track, or whether a thing is marked; None for other names."""
    info = r.world.counter(name)
    if info is None:
        return None
    r.note(span, Sort.NOUN, info.name)
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
    """Return a named value for things that are written out."""
    value = r.world.values[name]
    r.note(span, Sort.NOUN, name)
    if len(arguments) != len(value.params):
        return _wrong_number(r, value, span)
    resolved = tuple(
        r.of_type(each, param.type) for each, param in zip(arguments, value.params, strict=True)
    )
    return call_typed(r, name, resolved, span)


def _wrong_number(r: Resolver, value: ValueInfo, span: Span) -> ty.Value:
    """Report a value that is asked for with more or fewer things than it is of."""
    needed = " and ".join(str(param.type) for param in value.params) or "nothing"
    help_text = f"Write `{shown_of(value.name, len(value.params))}`."
    return r.report("E205", span, f"`{value.name}` is a value of {needed}.", help_text)


def shown_of(name: str, things: int) -> str:
    """Return how something is asked for that is of so many things."""
    return name + "".join((" of ...", " at ...")[:things])


def call_typed(r: Resolver, name: str, arguments: tuple[ty.Value, ...], span: Span) -> ty.Value:
    """Return a named value for resolved things."""
    value = r.world.values[name]
    r.note(span, Sort.NOUN, name)
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
    """Return what an entry says in a field."""
    r.note(span, Sort.FIELD, field.name, info.name)
    owner = r.total(owner, span)
    if field.type == "number" and field.per == "number":
        return _field_chart(r, info, field, owner, span, key)
    at = _field_key(r, field, span, key)
    if at is not None and at.type == UNKNOWN:
        return r.unknown(span)
    if field.type in {"effect", "automatic"}:
        return ty.HasEffect(info.name, field.name, owner, at, type=Type("effect"), span=span)
    if field.type == "formula":
        return ty.Formula(info.name, field.name, owner, at, r.me(span), type=NUMBER, span=span)
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
    """Return the key; None where there is none to be."""
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
    """Return the type of a field's values."""
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
