"""From single words to what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import help_to_use
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.attributes import attribute_of, has_attribute
from rulesdsl.check.resolve.fields import call_value, kept
from rulesdsl.check.resolve.selections import all_of
from rulesdsl.check.types import BUNDLE, NUMBER, SEAT, UNKNOWN, YES_NO, Type, entry, piece
from rulesdsl.source.facts import Ambiguous, KeptPer
from rulesdsl.source.suggest import similar

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import PieceInfo
    from rulesdsl.source.suggest import Advice
    from rulesdsl.syntax import expressions as ex


def named(r: Resolver, expr: ex.Name, want: Type | None) -> ty.Value:
    """Return what a single word stands for."""
    local = r.scope.locals.get(expr.name)
    if local is not None:
        r.uses(expr.name, local, expr.span)
        return r.scope.narrowed(attrs.evolve(local, span=expr.span))
    attribute = None
    if r.scope.candidates and has_attribute(r, expr.name, r.scope.candidates[-1].type):
        attribute = attribute_of(r, expr.name, r.scope.candidates[-1], expr.span, None)
    found = _plain_name(r, expr, want, report=attribute is None)
    if attribute is not None and found is not None and found.type != UNKNOWN:
        message = f"`{expr.name}` could belong to the candidate or to the game."
        help_text = f"Write `{expr.name} of it` for the candidate's. For the other, rename one."
        r.report("E203", expr.span, message, help_text, facts=Ambiguous(f"{expr.name} of it"))
    return attribute or found or r.unknown(expr.span)


def _plain_name(r: Resolver, expr: ex.Name, want: Type | None, *, report: bool) -> ty.Value | None:  # noqa: C901, PLR0912
    """Return what a word means that belongs to nothing in particular."""
    name, span, world = expr.name, expr.span, r.world
    singular = world.singular(name)
    if want is not None and want.family in {"entry", "piece"}:
        kind = world.kinds.get(want.of)
        if kind is not None and name in kind.index:
            r.note(span, Sort.ENTRY, name, want.of)
            return ty.Const(kind.index[name], type=entry(want.of), span=span)
    if name in world.constants and name not in world.values:
        world.constants_used.add(name)
        r.note(span, Sort.NOUN, name)
        raw = world.constants[name]
        price = bundle_of(r, raw)
        if isinstance(raw, int):
            return ty.Const(raw, type=NUMBER, span=span)
        if price is not None:
            return ty.Bundle(price, type=BUNDLE, span=span)
        return r.report("E301", span, f"`{name}` is a table.", f"Say which: `{name} at ...`.")
    option = world.options.get(name)
    if option is not None:
        r.note(span, Sort.NOUN, name)
        kind_of = YES_NO if option.switch else entry(name) if option.names else NUMBER
        return ty.Setting(name, type=kind_of, span=span)
    if name in world.rivals:
        r.note(span, Sort.NOUN, name)
        return ty.SeatNumber(name, type=SEAT.or_none(), span=span)
    if name in {"players", "seats"}:
        return ty.Seats(name == "players", type=NUMBER, span=span)
    if name in world.values and not world.values[name].params:
        return call_value(r, name, (), span)
    counter = world.counter(name)
    if counter is not None and not counter.dims:
        return kept(r, name, (), span)
    info = world.pieces.get(name)
    if info is not None and _is_one(info):
        r.note(span, Sort.NOUN, name)
        return ty.Const(0, type=piece(name), span=span)
    owners = world.owners.get(name, [])
    if len(owners) == 1:
        r.note(span, Sort.ENTRY, name, owners[0])
        return ty.Const(world.kinds[owners[0]].index[name], type=entry(owners[0]), span=span)
    if len(owners) > 1:
        message = f"`{name}` could be " + " or ".join(f"the {kind}" for kind in owners) + "."
        return r.report("E203", span, message, "Choose another name for one of them.")
    counted = world.kinds.get(singular)
    if counted is not None and counted.role != "piece" and name == counted.plural:
        return r.count_of(all_of(r, singular, span), span)
    other = _other_use(r, name) if report else None
    if other is not None:
        r.report("E301", span, *other, facts=_kept(r, name))
    elif report:
        r.not_known(name, span, f"Nothing is called `{name}`.", _suggestion(r, name))
    return r.unknown(span) if report else None


def _other_use(r: Resolver, name: str) -> tuple[str, str] | None:
    """Return what to say of a word that is known, but means nothing when it is alone."""
    world, singular = r.world, r.world.singular(name)
    counter = world.counter(name)
    if counter is not None and counter.dims:
        return (
            f"`{name}` is kept per {' per '.join(counter.dims)}.",
            f"Say whose it is: `my {name}`, or `{name} of ...`.",
        )
    if name in world.values and world.values[name].params:
        wanted = " and ".join(str(param.type) for param in world.values[name].params)
        return f"`{name}` is a value of {wanted}.", f"Say of what: `{name} of ...`."
    if singular in world.places:
        message = f"`{name}` is a place, not a value."
        return message, f"Ask what is there, for example `any ... in {name}`."
    if singular in world.pieces and not _is_one(world.pieces[singular]):
        plural = world.pieces[singular].plural
        return f"`{name}` could be anywhere.", f"Say where they are: `{plural} in ...`."
    return None


def _kept(r: Resolver, name: str) -> KeptPer | None:
    counter = r.world.counter(name)
    return KeptPer(f"my {name}") if counter is not None and counter.dims else None


def _is_one(piece: PieceInfo) -> bool:
    """Whether there is only one, which its word stands for."""
    return piece.style == "single" and not piece.owned


def _suggestion(r: Resolver, name: str) -> str | Advice:
    """Return a hint at a name that is like an unknown one."""
    world = r.world
    known = [
        *r.scope.locals,
        *world.constants,
        *world.options,
        *world.values,
        *world.tracks,
        *world.flags,
        *world.pieces,
        *world.plurals,
        *world.owners,
        *world.places,
        *world.kinds,
        *world.rivals,
    ]
    if r.scope.candidates:
        kind = world.kinds.get(r.scope.candidates[-1].type.of)
        known.extend(kind.fields if kind else ())
    places = set(world.places) if r.scope.wants_place else set()
    misfits = {each for each in known if each not in places and _other_use(r, each)}
    return help_to_use(name, world) or similar(name, known, misfits)


def bundle_of(r: Resolver, raw: object) -> tuple[int, ...] | None:
    """Return a table of nouns and amounts as a price, None where it is something else."""
    if not isinstance(raw, dict):
        return None
    amounts = dict.fromkeys(r.world.bundle_nouns, 0)
    for noun, value in raw.items():
        singular = r.world.singular(noun)
        if singular not in amounts or not isinstance(value, int):
            return None
        amounts[singular] = value
    return tuple(amounts.values())


def mine(r: Resolver, expr: ex.My) -> ty.Value:
    """Return `my X`."""
    return attribute_of(r, expr.name, r.me(expr.span), expr.span, None)
