"""From names to what is kept: tracks, flags, named values, fields of entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.cells import CellResolver
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
    mending,
    piece,
)
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.world import FieldInfo, KindInfo
    from rulesdsl.source.span import Span

SIMPLE = {"number": NUMBER, "yes-no": YES_NO, "text": TEXT, "bundle": BUNDLE}


class FieldResolver(CellResolver):
    """Resolves tracks, flags, named values and fields."""

    # ---------------------------------------------------------------- tracks, flags, values
    def track(self, name: str, dims: tuple[ty.Value, ...], span: Span) -> ty.Value:
        """Return the number on a track."""
        track = self.world.tracks[name]
        track.used = True
        indexed = self._index(name, track.dims, dims, span)
        if indexed is None:
            return self.unknown(span)
        return ty.TrackCell(name, indexed, type=NUMBER, span=span)

    def flag(self, name: str, dims: tuple[ty.Value, ...], span: Span) -> ty.Value:
        """Return whether a thing is marked."""
        flag = self.world.flags[name]
        flag.used = True
        indexed = self._index(name, flag.dims, dims, span)
        if indexed is None:
            return self.unknown(span)
        return ty.FlagCell(name, indexed, type=YES_NO, span=span)

    def _index(
        self, name: str, kinds: tuple[str, ...], dims: tuple[ty.Value, ...], span: Span
    ) -> tuple[ty.Value, ...] | None:
        if any(dim.type == UNKNOWN for dim in dims):
            return None
        if len(kinds) != len(dims):
            said = " per ".join(kinds) or "nothing: there is only one"
            self.report("E205", span, f"`{name}` is kept per {said}.", "")
            return None
        for kind, dim in zip(kinds, dims, strict=True):
            if not self.fits_dim(dim.type.total(), kind):
                if not self.sort_given(span, dim, piece(kind)):
                    message = f"`{name}` is kept per {kind}, this is {dim.type}."
                    self.report("E301", span, message, "")
                return None
        return tuple(self.total(dim, span) for dim in dims)

    def call_value(self, name: str, arguments: tuple[ex.Expr, ...], span: Span) -> ty.Value:
        """Return a named value for things that are written out."""
        value = self.world.values[name]
        value.used = True
        if len(arguments) != len(value.params):
            needed = " and ".join(str(param.type) for param in value.params) or "nothing"
            self.report("E205", span, f"`{name}` is a value of {needed}.", "")
            return self.unknown(span)
        resolved = tuple(
            self.of_type(each, param.type)
            for each, param in zip(arguments, value.params, strict=True)
        )
        return self.call_typed(name, resolved, span)

    def call_typed(  # noqa: C901 - each thing that can be wrong
        self, name: str, arguments: tuple[ty.Value, ...], span: Span
    ) -> ty.Value:
        """Return a named value for resolved things."""
        value = self.world.values[name]
        value.used = True
        if any(each.type == UNKNOWN for each in arguments):
            return self.unknown(span)
        if len(arguments) != len(value.params):
            things = "one thing" if len(value.params) == 1 else f"{len(value.params)} things"
            self.report("E205", span, f"`{name}` is a value of {things}.", "")
            return self.unknown(span)
        for argument, param in zip(arguments, value.params, strict=True):
            if not fits(argument.type, param.type):
                if self.sort_given(span, argument, param.type):
                    return self.unknown(span)
                message = f"`{name}` is a value of {param.type}, not {argument.type}."
                self.report("E301", span, message, mending(argument.type, param.type))
                return self.unknown(span)
        kind, needs_me = self.value_type(name)
        me: ty.Value = ty.Const(-1, type=SEAT)
        if value.params and value.params[0].type.family in {"seat", "player"}:
            me = arguments[0]
        elif needs_me:
            me = self.me(span)
        elif self.scope.me is not None:
            me = self.scope.me
        layer = len(value.hooks)
        if self.scope.beneath_value is not None and self.scope.beneath_value[0] == name:
            layer = self.scope.beneath_value[1]
        total = tuple(self.total(each, span) for each in arguments)
        if not needs_me and not (
            value.params and value.params[0].type.family in {"seat", "player"}
        ):
            me = ty.Const(-1, type=SEAT)
        found = ty.CallValue(name, me, total, layer, type=kind, span=span)
        if kind.maybe and found in self.scope.some:
            return attrs.evolve(found, type=kind.total())
        return found

    # ---------------------------------------------------------------- fields
    def _field(
        self, info: KindInfo, field: FieldInfo, owner: ty.Value, span: Span, key: ex.Expr | None
    ) -> ty.Value:
        field.used = True
        owner = self.total(owner, span)
        if field.type == "number" and field.per == "number":
            return self._field_chart(info, field, owner, span, key)
        index = self._field_key(field, span, key)
        if index is False or (isinstance(index, ty.Value) and index.type == UNKNOWN):
            return self.unknown(span)
        at = None if index is True or index is None else index
        if field.type in {"effect", "automatic"}:
            return ty.HasEffect(info.name, field.name, owner, at, type=Type("effect"), span=span)
        if field.type == "formula":
            return ty.Formula(
                info.name, field.name, owner, at, self.me(span), type=NUMBER, span=span
            )
        found = ty.FieldOf(
            info.name, field.name, owner, at, type=self.field_type(info, field), span=span
        )
        if found.type.maybe and found in self.scope.some:
            return attrs.evolve(found, type=found.type.total())
        return found

    def _field_chart(
        self, info: KindInfo, field: FieldInfo, owner: ty.Value, span: Span, key: ex.Expr | None
    ) -> ty.Value:
        if key is None:
            self.report(
                "E301",
                span,
                f"`{field.name}` is a chart.",
                f"Say where: `{field.name} of ... at ...`.",
            )
            return self.unknown(span)
        at = self.number(key)
        return ty.FieldOf(info.name, field.name, owner, at, type=NUMBER, span=span)

    def _field_key(
        self, field: FieldInfo, span: Span, key: ex.Expr | None
    ) -> ty.Value | bool | None:
        """Return the key; None where there is none to be; False where that was reported."""
        if field.per is None:
            if key is not None:
                self.report("E205", span, f"`{field.name}` is a single value.", "Leave `at` out.")
                return False
            return None
        if key is None:
            self.report(
                "E205",
                span,
                f"There is a `{field.name}` for each {field.per}.",
                f"Say which: `{field.name} of ... at ...`.",
            )
            return False
        if field.per not in self.world.kinds:
            self.value(key)
            return False
        return self.of_type(key, entry(field.per))

    def field_type(self, info: KindInfo, field: FieldInfo) -> Type:
        """Return the type of a field's values."""
        if field.type in SIMPLE:
            return SIMPLE[field.type]
        if field.type in self.world.kinds:
            kind = entry(field.type)
            holes = any(
                not isinstance(each.values.get((field.name, None)), int)
                and field.name not in each.spans
                and not self.world.doubtful(field.name)
                for each in info.entries
            )
            no_default = field.default is None
            return kind.or_none() if (holes and no_default) or field.per else kind
        singular = self.world.plurals.get(field.type)
        if singular in self.world.kinds and singular is not None:
            return listing(singular)
        return UNKNOWN
