"""From single words to what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import help_to_use
from rulesdsl.check.resolve.amounts import AmountResolver
from rulesdsl.check.types import BUNDLE, NUMBER, SEAT, UNKNOWN, YES_NO, Type, entry, piece
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


class NameResolver(AmountResolver):
    """Resolves words that belong to nothing in particular, and what is mine."""

    def name(self, expr: ex.Name, want: Type | None) -> ty.Value:
        """Return what a single word stands for."""
        local = self.scope.locals.get(expr.name)
        if local is not None:
            return self.narrowed(attrs.evolve(local, span=expr.span))
        attribute = None
        if self.scope.candidates and self.has_attribute(expr.name, self.scope.candidates[-1].type):
            attribute = self.attribute(expr.name, self.scope.candidates[-1], expr.span, None)
        found = self.plain_name(expr, want, report=attribute is None)
        if attribute is not None and found is not None and found.type != UNKNOWN:
            self.report(
                "E203",
                expr.span,
                f"`{expr.name}` could be that of the candidate or something of the game.",
                f"Write `{expr.name} of it`, or take another name.",
            )
        return attribute or found or self.unknown(expr.span)

    def narrowed(self, value: ty.Value) -> ty.Value:
        """Return a value without none where it was asked for before."""
        if value.type.maybe and value in self.scope.some:
            return attrs.evolve(value, type=value.type.total())
        return value

    def plain_name(  # noqa: C901, PLR0912 - one case for each thing a word can mean
        self, expr: ex.Name, want: Type | None, *, report: bool
    ) -> ty.Value | None:
        """Return what a word means that belongs to nothing in particular."""
        name, span, world = expr.name, expr.span, self.world
        singular = world.singular(name)
        if want is not None and want.family in {"entry", "piece"}:
            kind = world.kinds.get(want.of)
            if kind is not None and name in kind.index:
                kind.used = True
                return ty.Const(kind.index[name], type=entry(want.of), span=span)
        if name in world.constants and name not in world.values:
            world.constants_used.add(name)
            return self.constant(name, span)
        if name in world.options:
            return self.option(name, span)
        if name in world.rivals:
            return ty.SeatNumber(name, type=SEAT.or_none(), span=span)
        if name in {"players", "seats"}:
            return ty.Seats(name == "players", type=NUMBER, span=span)
        if name in world.values and not world.values[name].params:
            return self.call_value(name, (), span)
        if singular in world.tracks and not world.tracks[singular].dims:
            return self.track(singular, (), span)
        if name in world.flags and not world.flags[name].dims:
            return self.flag(name, (), span)
        info = world.pieces.get(name)
        if info is not None and info.style == "single" and not info.owned:
            info.used = True
            return ty.Const(0, type=piece(name), span=span)
        owners = world.owners.get(name, [])
        if len(owners) == 1:
            world.kinds[owners[0]].used = True
            return ty.Const(world.kinds[owners[0]].index[name], type=entry(owners[0]), span=span)
        if len(owners) > 1:
            self.report(
                "E203",
                span,
                f"`{name}` could be " + " or ".join(f"the {kind}" for kind in owners) + ".",
                "Take another name for one of them.",
            )
            return self.unknown(span)
        counted = world.kinds.get(singular)
        if counted is not None and counted.role != "piece" and name == counted.plural:
            return self.count_of(self.all_of(singular, span), span)
        if report and not self._other_use(name, span) and not self.doubtful(name):
            self.report("E201", span, f"Nothing is called `{name}`.", self.suggestion(name))
        return self.unknown(span) if report else None

    def _other_use(self, name: str, span: Span) -> bool:
        """Report a word that is known, but means nothing when it stands alone."""
        world, singular = self.world, self.world.singular(name)
        counter = world.tracks.get(singular) or world.flags.get(name)
        if counter is not None:
            message = f"`{name}` is kept per {' per '.join(counter.dims)}."
            help_text = f"Say whose it is: `my {name}`, or `{name} of ...`."
        elif name in world.values:
            wanted = " and ".join(str(param.type) for param in world.values[name].params)
            message = f"`{name}` is a value of {wanted}."
            help_text = f"Say of what: `{name} of ...`."
        elif singular in world.places:
            message = f"`{name}` is a place, which is no value by itself."
            help_text = f"Ask what lies there, such as `any ... in {name}`."
        elif singular in world.pieces:
            message = f"`{name}` could be anywhere."
            help_text = f"Say where they are: `{world.pieces[singular].plural} in ...`."
        else:
            return False
        self.report("E301", span, message, help_text)
        return True

    def suggestion(self, name: str) -> str:
        """Return a hint at a name that is like an unknown one."""
        world = self.world
        known = [
            *self.scope.locals,
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
        if self.scope.candidates:
            kind = world.kinds.get(self.scope.candidates[-1].type.of)
            known.extend(kind.fields if kind else ())
        return help_to_use(name, world) or did_you_mean(name, known)

    def constant(self, name: str, span: Span) -> ty.Value:
        """Return a named number, or a named price."""
        raw = self.world.constants[name]
        if isinstance(raw, int):
            return ty.Const(raw, type=NUMBER, span=span)
        bundle = self.bundle_of(raw)
        if bundle is not None:
            return ty.Bundle(bundle, type=BUNDLE, span=span)
        self.report("E301", span, f"`{name}` is a table.", f"Say which: `{name} at ...`.")
        return self.unknown(span)

    def bundle_of(self, raw: object) -> tuple[int, ...] | None:
        """Return a table of nouns and amounts as a price, None where it is something else."""
        if not isinstance(raw, dict):
            return None
        amounts = dict.fromkeys(self.world.bundle_nouns, 0)
        for noun, value in raw.items():
            singular = self.world.singular(noun)
            if singular not in amounts or not isinstance(value, int):
                return None
            amounts[singular] = value
        return tuple(amounts.values())

    def option(self, name: str, span: Span) -> ty.Value:
        """Return the value of an option."""
        option = self.world.options[name]
        option.used = True
        if option.switch:
            kind = YES_NO
        elif option.names:
            kind = entry(name)
        else:
            kind = NUMBER
        return ty.Setting(name, type=kind, span=span)

    def mine(self, expr: ex.My) -> ty.Value:
        """Return `my X`."""
        return self.attribute(expr.name, self.me(expr.span), expr.span, None)
