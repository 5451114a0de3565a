"""From `X of Y` to what belongs to Y under that name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import help_to_use
from rulesdsl.check.resolve.fields import FieldResolver
from rulesdsl.check.types import NUMBER, SEAT, UNKNOWN, Type, a_or_an, entry, fits, piece, told
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.world import PieceInfo
    from rulesdsl.source.span import Span


class AttributeResolver(FieldResolver):
    """Resolves what belongs to a thing."""

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
        if name == "standing" and kind.family in {"seat", "player"}:
            return ty.StandingOf(self.total(owner, span), type=NUMBER, span=span)
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
            return self.single_of(own, self.total(owner, span), span)
        self._no_attribute(name, owner, span)
        return self.unknown(span)

    def single_of(self, info: PieceInfo, owner: ty.Value, span: Span) -> ty.Value:
        """Return the single piece of a seat; one that each player has is no rival's."""
        info.used = True
        if info.per == "player" and owner.type.family != "player" and self.world.rivals:
            rival = next(iter(self.world.rivals))
            self.report(
                "E301",
                span,
                f"Only players have {a_or_an(info.name)}, and this seat may be `{rival}`.",
                f"Declare it `1 per seat`, or say how many: `move 1 {info.name} from ...`.",
            )
        return attrs.evolve(owner, type=piece(info.name), span=span)

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
        help_text = help_to_use(name, self.world) or did_you_mean(name, known)
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
        index = attrs.evolve(owner, type=NUMBER)
        return ty.Arith("+", index, one, type=NUMBER, span=span, exact=True)

    def _owner(self, owner: ty.Value, span: Span) -> ty.Value:
        info = self.world.pieces[owner.type.of]
        if not info.owned:
            self.nobodys(info, span)
            return self.unknown(span)
        return ty.OwnerOf(info.name, self.total(owner, span), type=SEAT, span=span)

    def nobodys(self, info: PieceInfo, span: Span) -> None:
        """Report that pieces have no owners."""
        self.report(
            "E301",
            span,
            f"{a_or_an(info.name).capitalize()} belongs to nobody.",
            "`per seat` in its declaration gives every seat its own.",
        )

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
