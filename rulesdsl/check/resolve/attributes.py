"""From `X of Y` to what belongs to Y under that name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import help_to_use
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.cells import check_holds, fits_dim, place_type
from rulesdsl.check.resolve.fields import call_typed, field_of, kept
from rulesdsl.check.types import NUMBER, SEAT, UNKNOWN, Type, a_or_an, entry, fits, piece, told
from rulesdsl.source.facts import OnlyPlayersHave, UnknownName
from rulesdsl.source.suggest import similar

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import PieceInfo
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import expressions as ex


def has_attribute(r: Resolver, name: str, kind: Type) -> bool:
    """Whether a bare word can be meant as something of a candidate."""
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
    """Return what belongs to a thing under a name."""
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
            r.note(span, Sort.NOUN, singular)
            return _located(r, singular, owner, span)
    own = world.pieces.get(singular)
    single = own is not None and own.owned and own.style == "single"
    if own is not None and single and kind.family in {"seat", "player"}:
        return _single_of(r, own, r.total(owner, span), span)
    return _no_attribute(r, name, owner, span)


def _single_of(r: Resolver, info: PieceInfo, owner: ty.Value, span: Span) -> ty.Value:
    """Return the single piece of a seat; one that each player has is no rival's."""
    r.note(span, Sort.NOUN, info.name)
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
    r.note(span, Sort.NOUN, singular)
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
    """Report that pieces have no owners."""
    message = f"{a_or_an(info.name).capitalize()} belongs to nobody."
    help_text = "`per seat` in its declaration gives every seat its own."
    return r.report("E301", span, message, help_text)


def _seat_of(r: Resolver, owner: ty.Value, span: Span) -> ty.Value:
    """Return the seat in whose place a piece lies."""
    kind = owner.type.of
    places = [
        place
        for place in r.world.places.values()
        if kind in place.holds and place.dims in {("seat",), ("player",)}
    ]
    if len(places) != 1:
        message = f"There is no one place that says whose {kind} this is."
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
