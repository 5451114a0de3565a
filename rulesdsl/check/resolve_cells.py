"""From phrases to cells: places, tracks, flags and fields, and whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.types import (
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
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.scope import Scope
    from rulesdsl.check.world import FieldInfo, KindInfo, PlaceInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

SIMPLE = {"number": NUMBER, "yes-no": YES_NO, "text": TEXT, "bundle": BUNDLE}


class CellResolver:
    """Resolves what belongs to something: cells of places, tracks, flags, fields."""

    def __init__(
        self,
        world: World,
        findings: Findings,
        scope: Scope,
        value_type: Callable[[str], tuple[Type, bool]],
        value_body: Callable[[str], ty.Value | None],
    ) -> None:
        self.world = world
        self.findings = findings
        self.scope = scope
        self.value_type = value_type
        self.value_body = value_body
        self.positive: set[ty.Value] = set()

    def report(self, code: str, span: Span, message: str, help_text: str) -> None:
        """Report a finding."""
        self.scope.failed = True
        self.findings.report(code, span, message, help_text)

    def doubtful(self, name: str) -> bool:
        """Whether a name may be unknown because of something else; what uses it is open then."""
        found = self.world.doubtful(name)
        self.scope.failed = self.scope.failed or found
        return found

    # what the classes built on this one know
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:
        """Return the value of an expression."""
        raise NotImplementedError

    def number(self, expr: ex.Expr) -> ty.Value:
        """Return a number."""
        raise NotImplementedError

    def condition(self, expr: ex.Expr) -> ty.Value:
        """Return a yes or no."""
        raise NotImplementedError

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Return a value of a type, never none."""
        raise NotImplementedError

    def total(self, value: ty.Value, span: Span) -> ty.Value:
        """Return a value that is surely there."""
        raise NotImplementedError

    def me(self, span: Span) -> ty.Value:
        """Return the acting seat."""
        raise NotImplementedError

    def unknown(self, span: Span) -> ty.Value:
        """Return a stand-in for what was reported already."""
        raise NotImplementedError

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return how many there are."""
        raise NotImplementedError

    # ---------------------------------------------------------------- places
    def place_type(self, name: str) -> Type:
        """Return the type of the cells of a kind of places."""
        place = self.world.places[name]
        if place.dims == (name,):
            return entry(name)
        if len(place.dims) == 1:
            dim = place.dims[0]
            return SEAT if dim in {"seat", "player"} else entry(dim)
        return Type("cell", name)

    def check_holds(self, place: str, kind: str, span: Span) -> None:
        """Complain where a place cannot hold such a piece."""
        holds = self.world.places[place].holds
        if self.world.places[place].unsure:
            return
        if kind not in holds and kind in self.world.pieces:
            self.report(
                "E303",
                span,
                f"{a_or_an(place).capitalize()} does not hold {self.world.pieces[kind].plural}.",
                f"It holds {', '.join(holds)}; add `{kind}` to its declaration if it should.",
            )

    def one_cell(self, expr: ex.Expr) -> ty.Cells | None:
        """Return exactly one cell."""
        cells = self.cells(expr)
        if cells is not None and not cells.one:
            self.report(
                "E301",
                expr.span,
                f"This means several {self.world.places[cells.place].plural}, one is needed.",
                "Say whose or which.",
            )
            return None
        return cells

    def cells(self, expr: ex.Expr) -> ty.Cells | None:
        """Return the cells that a phrase means; reported and None where it means none."""
        found = self._cells(expr)
        if isinstance(found, ty.Cells):
            self.world.places[found.place].used = True
            return found
        if found is None:
            self.report(
                "E301",
                expr.span,
                "This is not a place.",
                self._place_hint(expr),
            )
        return None

    def _place_hint(self, expr: ex.Expr) -> str:
        if isinstance(expr, ex.Name | ex.My):
            plurals = [place.plural for place in self.world.places.values()]
            return did_you_mean(expr.name, [*self.world.places, *plurals])
        return ""

    def _cells(self, expr: ex.Expr) -> ty.Cells | bool | None:  # noqa: C901 - one case for each phrase
        """Return cells, None where it is no place, False where that was reported."""
        match expr:
            case ex.Name() if expr.name not in self.scope.locals:
                place = self.world.places.get(self.world.singular(expr.name))
                if place is not None:
                    return self._whole(place, expr.span)
            case ex.My():
                place = self.world.places.get(self.world.singular(expr.name))
                if place is not None:
                    return self._indexed(place, [self.me(expr.span)], expr.span)
            case ex.Of():
                place = self.world.places.get(self.world.singular(expr.name.text))
                if place is not None and not self._is_container(expr, place):
                    owners = [self.value(expr.owner)]
                    if expr.mine:
                        owners.insert(0, self.me(expr.span))
                    return self._indexed(place, owners, expr.span)
            case ex.At():
                base = self._cells(expr.base)
                if isinstance(base, ty.Cells):
                    return self._narrowed(base, self.value(expr.key), expr.span)
                if base is False:
                    return False
            case _:
                pass
        return self._cell_value(expr)

    def _is_container(self, expr: ex.Of, place: PlaceInfo) -> bool:
        """Whether `P of X` means the P that a piece X lies in."""
        if not place.table:
            return False
        owner = self.value(expr.owner)
        return owner.type.family == "piece"

    def _cell_value(self, expr: ex.Expr) -> ty.Cells | bool | None:
        found = self.value(expr)
        if found.type == UNKNOWN:
            return False
        if found.type.family in {"entry", "list"} and found.type.of in self.world.places:
            place = self.world.places[found.type.of]
            if place.dims == (place.name,):
                value = found if found.type.family == "list" else self.total(found, expr.span)
                return ty.Cells(place.name, (value,), span=expr.span)
            if place.table:
                return self._indexed(place, [found], expr.span)
        return None

    def _whole(self, place: PlaceInfo, span: Span) -> ty.Cells:
        dims: tuple[ty.Value | None, ...] = tuple(None for _ in place.dims)
        return ty.Cells(place.name, dims, span=span)

    def _indexed(self, place: PlaceInfo, owners: list[ty.Value], span: Span) -> ty.Cells | bool:
        cells: ty.Cells | bool = self._whole(place, span)
        for owner in owners:
            if isinstance(cells, ty.Cells):
                cells = self._narrowed(cells, owner, span)
        return cells

    def _narrowed(self, cells: ty.Cells, key: ty.Value, span: Span) -> ty.Cells | bool:
        if key.type == UNKNOWN:
            return False
        key = self.total(key, span)
        place = self.world.places[cells.place]
        for at, dim in enumerate(place.dims):
            if cells.dims[at] is None and self.fits_dim(key.type, dim):
                dims = list(cells.dims)
                dims[at] = key
                return attrs.evolve(cells, dims=tuple(dims))
        self.report(
            "E301",
            span,
            f"{a_or_an(place.name).capitalize()} does not belong to {key.type}.",
            f"There is one per {' per '.join(place.dims)}."
            if place.dims
            else "There is only one.",
        )
        return False

    def fits_dim(self, have: Type, dim: str) -> bool:
        """Whether a value can index a dimension."""
        if dim in {"seat", "player"}:
            return have.family in {"seat", "player"}
        if dim not in self.world.pieces and dim not in self.world.kinds:
            return True  # reported where it is declared
        if dim in self.world.pieces and dim not in self.world.kinds:
            return have == piece(dim)
        if dim in self.world.pieces:
            return have.family == "piece" and have.of == dim
        return have.family == "entry" and have.of == dim

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
                self.report("E301", span, f"`{name}` is kept per {kind}, this is {dim.type}.", "")
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
            self.report("E205", span, f"`{name}` is a value of {len(value.params)} things.", "")
            return self.unknown(span)
        for argument, param in zip(arguments, value.params, strict=True):
            if not fits(argument.type, param.type):
                self.report(
                    "E301", span, f"`{name}` is a value of {param.type}, not {argument.type}.", ""
                )
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

    # ---------------------------------------------------------------- X of Y
    def has_attribute(self, name: str, kind: Type) -> bool:
        """Whether a bare word can be meant as something of a candidate."""
        world = self.world
        info = world.kinds.get(kind.of)
        if info is not None and name in info.fields:
            return True
        value = world.values.get(name)
        if value is not None and len(value.params) >= 1:
            return fits(kind, value.params[0].type)
        flag = world.flags.get(name)
        if flag is not None and len(flag.dims) == 1:
            return self.fits_dim(kind, flag.dims[0])
        track = world.tracks.get(world.singular(name))
        return track is not None and len(track.dims) == 1 and self.fits_dim(kind, track.dims[0])

    def attribute(  # noqa: C901, PLR0912
        self, name: str, owner: ty.Value, span: Span, key: ex.Expr | None
    ) -> ty.Value:
        """Return what belongs to a thing under a name."""
        world, kind = self.world, owner.type
        singular = world.singular(name)
        if kind == UNKNOWN:
            return owner
        if kind.family == "bundle":
            return self._part(name, owner, span)
        if name == "position":
            return self._position(owner, span)
        if name == "owner" and kind.family == "piece":
            return self._owner(owner, span)
        if name == "score" and kind.family in {"seat", "player"}:
            return ty.ScoreOf(self.total(owner, span), type=NUMBER, span=span)
        info = world.kinds.get(kind.of)
        if info is not None and name in info.fields:
            return self._field(info, info.fields[name], owner, span, key)
        value = world.values.get(name)
        if value is not None and value.params:
            rest = () if key is None else (self.value(key),)
            return self.call_typed(name, (owner, *rest), span)
        if singular in world.tracks:
            return self.track(singular, (owner,), span)
        if name in world.flags:
            return self.flag(name, (owner,), span)
        if kind.family == "piece":
            if name in {"seat", "player"}:
                return self._seat_of(owner, span)
            if singular in world.places:
                return self._located(singular, owner, span)
        own = world.pieces.get(singular)
        if own is None or kind.family not in {"seat", "player"} or own.style != "single":
            pass
        elif own.owned:
            own.used = True
            return attrs.evolve(self.total(owner, span), type=piece(singular), span=span)
        self._no_attribute(name, owner, span)
        return self.unknown(span)

    def _no_attribute(self, name: str, owner: ty.Value, span: Span) -> None:
        if self.doubtful(name):
            return
        info = self.world.kinds.get(owner.type.of)
        known = [
            *(info.fields if info else ()),
            *self.world.values,
            *self.world.tracks,
            *self.world.flags,
            *self.world.places,
        ]
        listed = ", ".join(info.fields) if info and info.fields else ""
        help_text = did_you_mean(name, known)
        if not help_text and listed:
            help_text = f"{a_or_an(owner.type.of).capitalize()} has {listed}."
        self.report("E201", span, f"{told(owner.type)} has no `{name}`.", help_text)

    def _part(self, name: str, owner: ty.Value, span: Span) -> ty.Value:
        singular = self.world.singular(name)
        nouns = self.world.bundle_nouns
        if singular not in nouns:
            if not self.doubtful(name):
                self.report("E201", span, f"A price has no `{name}`.", did_you_mean(name, nouns))
            return self.unknown(span)
        return ty.BundlePart(owner, nouns.index(singular), type=NUMBER, span=span)

    def _position(self, owner: ty.Value, span: Span) -> ty.Value:
        owner = self.total(owner, span)
        if owner.type.family == "piece" and owner.type.of in self.world.kinds:
            owner = ty.EntryOf(owner.type.of, owner, type=entry(owner.type.of), span=span)
        if owner.type.family not in {"entry", "seat", "player"}:
            self.report("E301", span, f"{told(owner.type)} has no position.", "")
            return self.unknown(span)
        one = ty.Const(1, type=NUMBER)
        return ty.Arith("+", attrs.evolve(owner, type=NUMBER), one, type=NUMBER, span=span)

    def _owner(self, owner: ty.Value, span: Span) -> ty.Value:
        info = self.world.pieces[owner.type.of]
        if not info.owned:
            self.report(
                "E301",
                span,
                f"{a_or_an(info.name).capitalize()} belongs to nobody.",
                "`per seat` in its declaration gives every seat its own.",
            )
            return self.unknown(span)
        return ty.OwnerOf(info.name, self.total(owner, span), type=SEAT, span=span)

    def _seat_of(self, owner: ty.Value, span: Span) -> ty.Value:
        """Return the seat in whose place a piece lies."""
        kind = owner.type.of
        places = [
            place
            for place in self.world.places.values()
            if kind in place.holds and place.dims in {("seat",), ("player",)}
        ]
        if len(places) != 1:
            self.report(
                "E301",
                span,
                f"No single kind of place says whose seat {a_or_an(kind)} lies at.",
                "Name the place, such as `owner of x` for pieces that belong to seats.",
            )
            return self.unknown(span)
        return self._located(places[0].name, owner, span)

    def _located(self, place: str, owner: ty.Value, span: Span) -> ty.Value:
        kind = owner.type.of
        self.world.places[place].used = True
        self.check_holds(place, kind, span)
        homes = [each for each in self.world.places.values() if kind in each.holds]
        found = self.place_type(place).or_none()
        subject = self.total(owner, span)
        value = ty.Located(kind, subject, place, type=found, span=span)
        if len(homes) == 1 or value in self.scope.some or self.world.places[place].unsure:
            return attrs.evolve(value, type=found.total())
        return value

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
