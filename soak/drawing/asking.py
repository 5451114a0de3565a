"""Drawn numbers and conditions."""

from __future__ import annotations

import attrs

from soak.drawing.box import word_of
from soak.drawing.scope import (
    AMOUNT,
    AND,
    AT,
    CAP,
    COMPARE,
    DEEP,
    IN,
    LOOSE,
    NOT,
    OF,
    OR,
    PER,
    PRODUCT,
    SUM,
    WHERE,
    Scope,
    Text,
)
from soak.drawing.selecting import Selecting

COMPARES = ("=", "<>", "<", "<=", ">", ">=")


class Asking(Selecting):
    """Draws numbers and conditions."""

    # ---------------------------------------------------------------- numbers
    def small(self, s: Scope) -> Text:
        """Return a number that is likely small."""
        if self.one_in(3) and s.depth <= DEEP:
            return self.number(s.under())
        return Text(str(self.chance.choice((1, 1, 1, 2, 2, 3, 0, 4))))

    def literal(self) -> Text:
        """Return a number as it is written."""
        if self.one_in(40):
            return Text(str(self.chance.choice((100, 999, 1000, 999_999, 1_000_000))))
        return Text(str(self.chance.choice((0, 1, 1, 2, 2, 3, 4, 5, 9, 10))))

    def number(self, s: Scope) -> Text:
        """Return a number."""
        if s.depth > DEEP:
            return self.any_of(
                (2, self.literal), (2, lambda: self.local("number", s))
            ) or self.literal()  # fmt: skip
        under = s.under()
        return (
            self.any_of(
                (4, self.literal),
                (4, lambda: self.local("number", s)),
                (2, lambda: Text(found) if (found := self.pick([*self.box.numbers])) else None),
                (1, lambda: self._chart(s)),
                (1, lambda: self._column(s, "number")),
                (1, self._setting),
                (4, lambda: self._track(s)),
                (2, lambda: self._numeric_field(s)),
                (3, lambda: self.count(s)),
                (2, lambda: self._all(s)),
                (1, lambda: self._position(s)),
                (2, lambda: self._reckoned(under)),
                (1.5, lambda: self._capped(under)),
                (1.5, lambda: self._per(s)),
                (2, lambda: self.called("number", s)),
                (0.5, lambda: self._part(s)),
                (0.5, lambda: self._ending(s)),
                (0.5, lambda: Text(self.chance.choice(["players", "seats"]))),
            )
            or self.literal()
        )

    def _chart(self, s: Scope) -> Text | None:
        name = self.pick(self.box.charts)
        return None if name is None else Text(f"{name} at {self.number(s.under()).at(OF)}", AT)

    def _setting(self) -> Text | None:
        found = [each.name for each in self.box.options.values() if each.style == "number"]
        return Text(name) if (name := self.pick(found)) else None

    def _track(self, s: Scope) -> Text | None:
        name = self.pick([*self.box.tracks])
        return None if name is None else self.cell(name, self.box.tracks[name].dims, s)

    def _numeric_field(self, s: Scope) -> Text | None:
        found = self.box.fields("number")
        if s.formulas and s.me is not None:
            found += self.box.fields("formula")
        return self._field(self.chance.choice(found), s) if found else None

    def _part(self, s: Scope) -> Text | None:
        nouns = self.box.chargeable()
        price = self.bundle(s.under()) if nouns else None
        if price is None or price.level > OF:
            return None
        piece = self.box.pieces[self.chance.choice(nouns)]
        return Text(f"{piece.plural} of {price.at(OF)}", OF)

    def _ending(self, s: Scope) -> Text | None:
        seat = self.seat(s.under()) if s.ending else None
        if seat is None:
            return None
        return Text(f"{self.chance.choice(['score', 'standing'])} of {seat.at(OF)}", OF)

    def _position(self, s: Scope) -> Text | None:
        kinds = [kind for kind in self.box.plain() if kind.role != "option"]
        if not kinds:
            return None
        kind = self.chance.choice(kinds)
        subject = self.entry(kind, s.under())
        if subject is None:
            return None
        text = Text(f"position of {subject.at(OF)}", OF)
        listed = self.listed(kind.name, s.under()) if self.one_in(2) else None
        if listed is not None:
            return Text(f"{text} in {listed.at(AT)}", IN)
        found = self.stack(s.under()) if self.one_in(2) else None
        if found is not None:
            piece = self.piece(found[0], s.under())
            if piece is not None:
                return Text(f"position of {piece.at(OF)} in {found[1].at(AT)}", IN)
        return text

    def _reckoned(self, s: Scope) -> Text:
        sign = self.chance.choice("+-*+-/")
        left, right = self.number(s), self.number(s)
        if sign == "/":
            safe = not self.one_in(200)
            divisor = f"({right.at(SUM)} at least 1)" if safe else right.at(PER)
            return Text(f"{left.at(PRODUCT)} / {divisor}", PRODUCT)
        if sign == "*":
            return Text(f"{left.at(PRODUCT)} * {right.at(PER)}", PRODUCT)
        return Text(f"{left.at(SUM)} {sign} {right.at(PRODUCT)}", SUM)

    def _capped(self, s: Scope) -> Text:
        word = self.chance.choice(["at most", "at least"])
        return Text(f"{self.number(s).at(CAP)} {word} {self.number(s).at(SUM)}", CAP)

    def _per(self, s: Scope) -> Text | None:
        things = self.things(s.under())
        if things is None:
            return None
        rate = self.number(attrs.evolve(s.under(), it=things.element))
        return Text(f"{rate.at(IN)} per {things.text.at(IN)}", PER)

    def count(self, s: Scope) -> Text | None:
        """Return how many there are of something."""
        things = self.things(s.under())
        return None if things is None else things.text

    def _all(self, s: Scope) -> Text | None:
        things = self.things(s.under())
        if things is None:
            return None
        where = "" if self.alike(things) and not self.one_in(1000) else self.where(things, s)
        return Text(f"all {things.text.at(IN)}{where}", LOOSE)

    # ---------------------------------------------------------------- conditions
    def condition(self, s: Scope) -> Text:
        """Return a yes or no."""
        if s.depth > DEEP:
            return self._compare(s)
        under = s.under()
        return self.any_of(
            (4, lambda: self._compare(under)),
            (2, lambda: self._equal(under)),
            (3, lambda: self._any(s)),
            (1, lambda: self._member(under)),
            (1, lambda: self._some(s)),
            (2, lambda: self._flag(s)),
            (1, lambda: self._yes_no_field(s)),
            (1, self.switch),
            (1, lambda: self._has_effect(s)),
            (1, lambda: self.called("yes-no", s)),
            (1, lambda: self._joined(under)),
            (1, lambda: Text(f"not {self.condition(under).at(NOT)}", NOT)),
        ) or self._compare(s)

    def _compare(self, s: Scope) -> Text:
        sign = self.chance.choice(COMPARES)
        left, right = self.number(s), self.number(s)
        if self.same(left, right):
            right = Text("1" if left.text == "0" else "0")
        return Text(f"{left.at(CAP)} {sign} {right.at(CAP)}", COMPARE)

    def same(self, left: Text, right: Text) -> bool:
        """Whether two phrases certainly or probably mean one thing."""
        words = {left.text, right.text}
        bare = not any(" " in word for word in words)
        return len(words) == 1 or (bare and bool(words & {"it", "me"}))

    def _equal(self, s: Scope) -> Text | None:
        kinds = [f"entry:{kind.name}" for kind in self.box.plain()]
        kinds += [f"piece:{each.name}" for each in self.box.held("printed")] + ["seat"]
        if s.it is not None and self.one_in(2):
            kinds = [s.it]
        kind = self.chance.choice(kinds)
        left, right = self.thing(kind, s), self.thing(kind, s)
        if kind.startswith("piece:") and word_of(kind) in self.box.kinds and self.one_in(2):
            right = Text(self.chance.choice(self.box.kinds[word_of(kind)].entries))
        if left is None or right is None or self.same(left, right):
            return None
        sign = self.chance.choice(["=", "<>"])
        return Text(f"{left.at(CAP)} {sign} {right.at(CAP)}", COMPARE)

    def _any(self, s: Scope) -> Text | None:
        things = self.things(s.under())
        if things is None:
            return None
        word = self.chance.choice(["any", "any", "no"])
        text = f"{word} {things.text.at(IN)}"
        if self.one_in(2):
            return Text(text, COMPARE)
        if self.alike(things) and not self.one_in(200):
            return Text(text, COMPARE)
        return Text(text + self.where(things, s), WHERE)

    def _member(self, s: Scope) -> Text | None:
        """Return whether a thing is in a place or a list."""
        word = self.chance.choice(["any", "no"])
        if self.one_in(2):
            pieces = [each for each in self.box.held() if each.style != "counted"]
            piece = self.chance.choice(pieces) if pieces else None
            subject = None if piece is None else self.piece(piece, s)
            place = None if piece is None else self.home_of(piece, s, one=self.one_in(2))
            if subject is None or place is None:
                return None
            return Text(f"{word} {subject.at(AMOUNT)} in {place.at(AT)}", COMPARE)
        kinds = [kind for kind in self.box.plain() if self.box.fields(kind.plural)]
        kind = self.chance.choice(kinds) if kinds else None
        subject = None if kind is None else self.entry(kind, s)
        listed = None if kind is None else self.listed(kind.name, s)
        bare = subject is not None and " " not in subject.text and subject.text != "it"
        if subject is None or listed is None or (bare and subject.text not in s.names):
            return None
        return Text(f"{word} {subject.at(AMOUNT)} in {listed.at(AT)}", COMPARE)

    def _some(self, s: Scope) -> Text | None:
        found = self.maybe(s.under())
        if found is None:
            return None
        return Text(f"{self.chance.choice(['any', 'no'])} {found[0].at(IN)}", COMPARE)

    def _flag(self, s: Scope) -> Text | None:
        name = self.pick([*self.box.flags])
        return None if name is None else self.cell(name, self.box.flags[name].dims, s)

    def _yes_no_field(self, s: Scope) -> Text | None:
        found = self.box.fields("yes-no")
        return self._field(self.chance.choice(found), s) if found else None

    def _has_effect(self, s: Scope) -> Text | None:
        found = [pair for pair in self.box.fields("effect") if s.fields]
        field = self._field(self.chance.choice(found), s) if found else None
        return None if field is None else Text(f"any {field.at(IN)}", COMPARE)

    def switch(self) -> Text | None:
        """Return a question about an option: a constant of each setting of a game."""
        if not self.box.options:
            return None
        option = self.chance.choice([*self.box.options.values()])
        if option.style == "switch":
            return Text(option.name)
        if option.style == "names":
            sign = self.chance.choice(["=", "<>"])
            return Text(f"{option.name} {sign} {self.chance.choice(option.names)}", COMPARE)
        return None

    def _joined(self, s: Scope) -> Text:
        if self.one_in(2):
            return Text(f"{self.condition(s).at(AND)} and {self.condition(s).at(NOT)}", AND)
        return Text(f"{self.condition(s).at(OR)} or {self.condition(s).at(AND)}", OR)
