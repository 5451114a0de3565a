"""Drawn phrases for things and places: each of a wanted type, with what is in reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.drawing.box import SEATS, Box, Field, Kind, Named, Piece, Place
from soak.drawing.scope import AMOUNT, AT, ATOM, DEEP, OF, Scope, Text, fits

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence


class Phrases:
    """Draws phrases."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.chance: random.Random = box.chance
        self._fresh = 0

    # ---------------------------------------------------------------- chance
    def one_in(self, number: float) -> bool:
        """Whether something happens that happens once in so many times."""
        return self.chance.random() * number < 1

    def any_of(self, *ways: tuple[float, Callable[[], Text | None]]) -> Text | None:
        """Return what one of the ways gives, those that give nothing left out."""
        left = list(ways)
        while left:
            at = self.chance.choices(range(len(left)), [weight for weight, _ in left])[0]
            found = left.pop(at)[1]()
            if found is not None:
                return found
        return None

    def pick(self, things: Sequence[str]) -> str | None:
        """Return one of some words, none where there are none."""
        return self.chance.choice(things) if things else None

    def fresh(self, base: str = "x") -> str:
        """Return a new local name."""
        self._fresh += 1
        return f"{base}{self._fresh}"

    # ---------------------------------------------------------------- things of a type
    def thing(self, kind: str, s: Scope) -> Text | None:
        """Return a phrase for a thing of a type that is provably there."""
        family, _, of = kind.partition(":")
        match family:
            case "number":
                return self.number(s)
            case "yes-no":
                return self.condition(s)
            case "bundle":
                return self.bundle(s)
            case "seat" | "player":
                return self.seat(s, family)
            case "entry":
                return self.entry(self.box.kinds[of], s)
            case "piece":
                return self.piece(self.box.pieces[of], s)
            case _:
                return self.listed(of, s)

    def local(self, kind: str, s: Scope) -> Text | None:
        """Return a local, or the candidate, of a type."""
        fitting = [name for name, have in s.names.items() if fits(have, kind)]
        if s.it is not None and fits(s.it, kind):
            fitting.append("it")
        found = self.pick(fitting)
        return None if found is None else Text(found)

    def entry(self, kind: Kind, s: Scope) -> Text | None:
        """Return one entry of a kind."""
        thing = f"entry:{kind.name}"
        return self.any_of(
            (6, lambda: self.local(thing, s)),
            (3, lambda: Text(self.chance.choice(kind.entries))),
            (1, lambda: self._beside(kind.name, kind.plural, thing, s)),
            (1, lambda: self.of_field(kind.name, s)),
            (1, lambda: self.called(thing, s)),
            (0.5, lambda: self._option_of(kind.name)),
            (1, lambda: self._container(kind, s)),
        )

    def _option_of(self, kind: str) -> Text | None:
        return Text(kind) if kind in self.box.options else None

    def _container(self, kind: Kind, s: Scope) -> Text | None:
        """Return the place of a table in which a piece provably lies: its only home."""
        if kind.role != "place" or self.box.places[kind.name].dims != (kind.name,):
            return None
        for piece in self.box.held():
            if piece.homes == [kind.name] and piece.style != "counted":
                found = self.piece(piece, s)
                if found is not None:
                    return Text(f"{kind.name} of {found.at(OF)}", OF)
        return None

    def _beside(self, noun: str, plural: str, thing: str, s: Scope) -> Text | None:
        if s.depth > DEEP:
            return None
        origin = self.thing(thing, s.under())
        if origin is None:
            return None
        number = self.chance.choice(["1", "2", "1", self.number(s.under()).at(ATOM)])
        side = self.chance.choice(["before", "after"])
        word = noun if number == "1" else plural
        return Text(f"{number} {word} {side} {origin.at(AT)}", AMOUNT)

    def of_field(self, kind: str, s: Scope) -> Text | None:
        """Return a field that holds a thing of a kind."""
        found = [pair for pair in self.box.fields(kind) if pair[1].default or pair[1].per is None]
        return self._field(self.chance.choice(found), s) if found else None

    def _field(self, which: tuple[Kind, Field], s: Scope) -> Text | None:
        """Return `F of x`, or `F of x at k`."""
        kind, field = which
        if s.depth > DEEP:
            return None
        owner = f"piece:{kind.name}" if kind.role == "piece" else f"entry:{kind.name}"
        bare = s.it == owner and self.one_in(2)
        subject = None if bare else self.thing(owner, s.under())
        if subject is None and not bare:
            return None
        text = field.name if bare else f"{field.name} of {subject.at(OF)}"  # type: ignore[union-attr]
        level = ATOM if bare else OF
        if field.per is None:
            return Text(text, level)
        key = (
            self.number(s.under())
            if field.per == "number"
            else self.entry(self.box.kinds[field.per], s.under())
        )
        return None if key is None else Text(f"{text} at {key.at(OF)}", AT)

    def piece(self, piece: Piece, s: Scope) -> Text | None:
        """Return one piece that is provably there."""
        thing = f"piece:{piece.name}"
        if piece.style == "counted":
            return None
        if piece.style == "single":
            if piece.per is None:
                return Text(piece.name)
            if s.me is not None and self.one_in(1.5):
                return Text(f"my {piece.name}", ATOM)
            seat = self.seat(s.under(), piece.per)
            return None if seat is None else Text(f"{piece.name} of {seat.at(OF)}", OF)
        return self.any_of((6, lambda: self.local(thing, s)), (1, lambda: self.called(thing, s)))

    def seat(self, s: Scope, family: str = "seat") -> Text | None:
        """Return a seat or a player."""
        if s.depth > DEEP + 1:
            return self._me(s, family) or self.local(family, s)
        return self.any_of(
            (4, lambda: self._me(s, family)),
            (4, lambda: self.local(family, s)),
            (1, lambda: self._beside("player", "players", "seat", s)),
            (1, lambda: self._owner(s) if family == "seat" else None),
            (1, lambda: self.called(family, s)),
        )

    def _me(self, s: Scope, family: str) -> Text | None:
        return Text("me") if s.me is not None and fits(s.me, family) else None

    def _owner(self, s: Scope) -> Text | None:
        owned = [each for each in self.box.held() if each.per and each.style != "counted"]
        if not owned:
            return None
        found = self.piece(self.chance.choice(owned), s.under())
        return None if found is None else Text(f"owner of {found.at(OF)}", OF)

    def listed(self, kind: str, s: Scope) -> Text | None:
        """Return a list of entries."""
        plural = self.box.kinds[kind].plural
        found = [pair for pair in self.box.fields(plural) if pair[1].per is None]
        return self._field(self.chance.choice(found), s) if found else None

    def bundle(self, s: Scope) -> Text | None:
        """Return a price."""
        return self.any_of(
            (2, lambda: self._amount(s)),
            (2, lambda: self._priced(s)),
            (1, lambda: self.local("bundle", s)),
            (1, lambda: Text(found) if (found := self.pick([*self.box.prices])) else None),
            (1, lambda: self._column(s, "bundle")),
        )

    def _priced(self, s: Scope) -> Text | None:
        found = self.box.fields("bundle")
        return self._field(self.chance.choice(found), s) if found else None

    def _amount(self, s: Scope) -> Text | None:
        nouns = self.box.chargeable()
        if not nouns:
            return None
        piece = self.box.pieces[self.chance.choice(nouns)]
        number = self.small(s)
        word = piece.name if number.text == "1" else piece.plural
        return Text(f"{number.at(AT)} {word}", AMOUNT)

    def called(self, kind: str, s: Scope) -> Text | None:
        """Return a named value of a type."""
        if s.depth > DEEP:
            return None
        values = [
            each
            for each in self.box.values
            if each.at < s.values and fits(each.type, kind) and (each.params or s.me or s.values)
        ]
        if s.beneath is not None and fits(s.beneath.type, kind) and self.one_in(2):
            values = [s.beneath]
        return self.call(self.chance.choice(values), s) if values else None

    def call(self, value: Named, s: Scope) -> Text | None:
        """Return a named value with what it is of."""
        if not value.params:
            return Text(value.name)
        keys: list[Text] = []
        first, *more = value.params
        mine = first in SEATS and s.me is not None and fits(s.me, first) and self.one_in(2)
        if not mine and not more and s.it is not None and fits(s.it, first) and self.one_in(2):
            return Text(value.name)
        for kind in more if mine else value.params:
            found = self.thing(kind, s.under())
            if found is None:
                return None
            keys.append(found)
        base = f"my {value.name}" if mine else f"{value.name} of {keys.pop(0).at(OF)}"
        if more:
            return Text(f"{base} at {keys[0].at(OF)}", AT)
        return Text(base, ATOM if mine else OF)

    # ---------------------------------------------------------------- cells and places
    def cell(self, name: str, dims: tuple[str, ...], s: Scope) -> Text | None:
        """Return a track or a flag of something."""
        if not dims:
            return Text(name)
        shown = s.it is not None and len(dims) == 1 and fits(s.it, self.box.thing(dims[0]))
        if shown and self.one_in(2):
            return Text(name)
        mine = dims[0] in SEATS and s.me is not None and fits(s.me, dims[0]) and self.one_in(1.3)
        base, rest = (f"my {name}", dims[1:]) if mine else (name, dims)
        for at, dim in enumerate(rest):
            found = self.thing(self.box.thing(dim), s.under())
            if found is None or s.depth > DEEP + 1:
                return None
            base += f" {'at' if at or mine else 'of'} {found.at(OF)}"
        return Text(base, ATOM if not rest else OF if len(rest) == 1 and not mine else AT)

    def place(self, place: Place, s: Scope, *, one: bool = True) -> Text | None:
        """Return one place of a kind, or several of them."""
        if not one and self.one_in(2):
            return Text(place.plural if place.dims else place.name)
        if not place.dims:
            return Text(place.name)
        own, *rest = place.dims
        if not place.table:
            return self._indexed(place, place.dims, s)
        if place.dims == (place.name,):
            return self.entry(self.box.kinds[place.name], s.under())
        return None if rest and own != place.name else self._indexed(place, place.dims, s)

    def _indexed(self, place: Place, dims: tuple[str, ...], s: Scope) -> Text | None:
        mine = dims[0] in SEATS and s.me is not None and self.one_in(1.3)
        base, rest = (f"my {place.name}", dims[1:]) if mine else (place.name, dims)
        for at, dim in enumerate(rest):
            found = self.thing(self.box.thing(dim), s.under())
            if found is None or s.depth > DEEP + 1:
                return None
            base += f" {'at' if at or mine else 'of'} {found.at(OF)}"
        return Text(base, ATOM if not rest else OF if len(rest) == 1 and not mine else AT)

    def home_of(self, piece: Piece, s: Scope, *, one: bool = True) -> Text | None:
        """Return a place that holds a kind of pieces."""
        name = self.pick(piece.homes)
        return None if name is None else self.place(self.box.places[name], s, one=one)

    def own_home(self, piece: Piece, s: Scope) -> Text | None:
        """Return one place where a piece of whoever acts can lie."""
        if piece.per is None or (s.me is not None and self.one_in(20)):
            return self.home_of(piece, s)
        if s.me is None:
            return None
        homes = [self.box.places[name] for name in piece.homes]
        mine = [each for each in homes if not each.owned or (each.dims[0] in SEATS and s.me)]
        if not mine:
            return None
        place = self.chance.choice(mine)
        if not place.owned:
            return self.place(place, s)
        keys = [self.thing(self.box.thing(dim), s.under()) for dim in place.dims[1:]]
        if None in keys or len(keys) > 1:
            return None
        text = f"my {place.name}" + "".join(f" at {key.at(OF)}" for key in keys if key)
        return Text(text, AT if keys else ATOM)

    def stack(self, s: Scope) -> tuple[Piece, Text] | None:
        """Return a stack of one kind of printed pieces, and that kind."""
        found = []
        for place in self.box.places.values():
            held = [self.box.pieces[name] for name in place.holds]
            printed = [each for each in held if each.style == "printed"]
            if place.stack and len(printed) == 1:
                found.append((printed[0], place))
        if not found:
            return None
        piece, place = self.chance.choice(found)
        text = self.place(place, s)
        return None if text is None else (piece, text)

    # ---------------------------------------------------------------- to be filled in
    def number(self, s: Scope) -> Text:
        """Return a number."""
        raise NotImplementedError

    def small(self, s: Scope) -> Text:
        """Return a number that is likely small."""
        raise NotImplementedError

    def condition(self, s: Scope) -> Text:
        """Return a yes or no."""
        raise NotImplementedError

    def _column(self, s: Scope, kind: str) -> Text | None:
        """Return a row of a table of named numbers or prices."""
        found = [name for name, (_, style) in self.box.columns.items() if style == kind]
        name = self.pick(found)
        if name is None:
            return None
        key = self.entry(self.box.kinds[self.box.columns[name][0]], s.under())
        return None if key is None else Text(f"{name} at {key.at(OF)}", AT)
