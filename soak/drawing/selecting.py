"""Drawn selections: things that are counted, asked about, gone through, and the best of them."""

from __future__ import annotations

import attrs

from soak.drawing.box import SEATS, Piece, word_of
from soak.drawing.phrases import Phrases
from soak.drawing.scope import AT, IN, LOOSE, OF, OR, Scope, Text


@attrs.frozen
class Things:
    """A selection: its noun for one and for several, where they are, and what they are."""

    one: str
    many: str
    place: str | None
    element: str

    @property
    def text(self) -> Text:
        """The phrase for all of them."""
        return Text(self.many) if self.place is None else Text(f"{self.many} in {self.place}", IN)

    @property
    def choice(self) -> str:
        """The phrase for one of them, without its article."""
        return self.one if self.place is None else f"{self.one} in {self.place}"


class Selecting(Phrases):
    """Draws selections."""

    # ---------------------------------------------------------------- things
    def things(self, s: Scope, *, chosen: bool = False, one: bool = False) -> Things | None:
        """Return things that can be counted; with `chosen`, only those that differ."""
        for _ in range(4):
            at = self.chance.random()
            found = (
                self._lying(s, chosen=chosen, one=one)
                if at < 0.55
                else self._of_kind()
                if at < 0.8
                else self._in_list(s)
                if at < 0.9
                else self._ends(s)
                if not chosen
                else self._seats()
            )
            if found is not None:
                return found
        return None

    def _lying(self, s: Scope, *, chosen: bool, one: bool) -> Things | None:
        pieces = [each for each in self.box.held() if not chosen or each.style != "counted"]
        if not pieces:
            return None
        return self.lying(self.chance.choice(pieces), s, one=one)

    def lying(self, piece: Piece, s: Scope, *, one: bool = False) -> Things | None:
        """Return pieces of a kind in a place."""
        place = self.home_of(piece, s, one=one or self.one_in(2))
        if place is None:
            return None
        element = f"piece:{piece.name}"
        if piece.style == "printed" and self.one_in(8):
            name = self.chance.choice(self.box.kinds[piece.name].entries)
            return Things(name, name, place.at(AT), element)
        theirs = " of " in place.text and not self.one_in(200)  # it says whose already
        mine = "my " if piece.per and s.me and not theirs and self.one_in(3) else ""
        return Things(f"{piece.name}", f"{mine}{piece.plural}", place.at(AT), element)

    def _of_kind(self) -> Things | None:
        kinds = [kind for kind in self.box.plain() if kind.role != "option"]
        if not kinds or self.one_in(3):
            return self._seats()
        kind = self.chance.choice(kinds)
        return Things(kind.name, kind.plural, None, f"entry:{kind.name}")

    def _seats(self) -> Things:
        word = self.chance.choice(SEATS)
        return Things(word, f"{word}s", None, word)

    def _in_list(self, s: Scope) -> Things | None:
        kinds = [kind for kind in self.box.plain() if self.box.fields(kind.plural)]
        if not kinds:
            return None
        kind = self.chance.choice(kinds)
        listed = self.listed(kind.name, s.under())
        if listed is None:
            return None
        return Things(kind.name, kind.plural, listed.at(AT), f"entry:{kind.name}")

    def _ends(self, s: Scope) -> Things | None:
        found = self.stack(s)
        if found is None:
            return None
        end, number = self.chance.choice(["top", "bottom"]), self.chance.choice([1, 2, 3])
        piece, stack = found
        ends = f"({end} {number} of {stack.at(OF)})"
        return Things(piece.name, piece.plural, ends, f"piece:{piece.name}")

    def alike(self, things: Things) -> bool:
        """Whether these are pieces that cannot be told from each other."""
        piece = self.box.pieces.get(word_of(things.element))
        return piece is not None and piece.style == "counted"

    def where(self, things: Things, s: Scope, name: str | None = None) -> str:
        """Return a condition on the candidates."""
        under = s.under(things.element)
        if name is not None:
            under.names[name] = things.element
        return f" where {self.condition(under).at(OR)}"

    # ---------------------------------------------------------------- one or none
    def maybe(self, s: Scope) -> tuple[Text, str] | None:
        """Return a phrase for one or none, and its type."""
        way = self.chance.randrange(7)
        if way == 0:
            found = self.stack(s)
            if found is None:
                return None
            end = self.chance.choice(["top", "bottom"])
            return Text(f"{end} of {found[1].at(OF)}", OF), f"piece:{found[0].name}"
        if way == 1:
            return self._first(s)
        if way == 2:
            return self._lying_at(s)
        if way == 3 and any(self.box.rivals.values()):
            return Text(self.chance.choice([*self.box.rivals])), "seat"
        things = self.things(s.under(), chosen=True)
        if things is None or things.many.startswith("my "):
            return None
        where = self.where(things, s) if self.one_in(1.7) else ""
        if way == 4:
            return Text(f"the only {things.choice}{where}", LOOSE), things.element
        if way == 5 and s.draws and (where or things.place):
            return Text(f"random {things.choice}{where}", LOOSE), things.element
        ranking = self.ranking(s.under(things.element))
        return Text(f"the {things.choice}{where} with {ranking}", LOOSE), things.element

    def _first(self, s: Scope) -> tuple[Text, str] | None:
        kinds = [kind for kind in self.box.plain() if self.box.fields(kind.plural)]
        if not kinds:
            return None
        kind = self.chance.choice(kinds)
        listed = self.listed(kind.name, s.under())
        if listed is None:
            return None
        thing = f"entry:{kind.name}"
        after = self.entry(kind, s.under()) if self.one_in(2) else None
        text = f"the first {kind.name} in {listed.at(AT)}"
        text += f" after {after.at(AT)}" if after else ""
        where = self.where(Things(kind.name, kind.plural, None, thing), s)
        return Text(text + (where if self.one_in(1.5) else ""), LOOSE), thing

    def _lying_at(self, s: Scope) -> tuple[Text, str] | None:
        """Return the place, or the seat of the place, that a piece may lie in."""
        pieces = [each for each in self.box.held() if each.style != "counted"]
        if not pieces:
            return None
        piece = self.chance.choice(pieces)
        found = self.piece(piece, s.under())
        if found is None or len(piece.homes) < 2:
            return None
        place = self.box.places[self.chance.choice(piece.homes)]
        if place.dims == (place.name,):
            return Text(f"{place.name} of {found.at(OF)}", OF), f"entry:{place.name}"
        if place.dims in {("seat",), ("player",)}:
            return Text(f"{place.name} of {found.at(OF)}", OF), "seat"
        return None

    def ranking(self, s: Scope) -> str:
        """Return what the best one has most or least of."""
        parts = [
            f"{self.chance.choice(['most', 'least'])} {self.number(s).at(OR)}"
            for _ in range(self.chance.choice((1, 1, 2)))
        ]
        return " then ".join(parts)
