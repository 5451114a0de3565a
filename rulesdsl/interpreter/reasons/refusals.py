"""Failing conditions as sentences for players, from the things and numbers in them.

A condition names places, pieces, tracks and seats, of which each has a title. What the viewer may
not know is left out: a sentence then says `in a Hand` instead of whose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import NUMBER
from rulesdsl.interpreter.evaluator import Evaluator
from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.layout import SEATS
from rulesdsl.lower.schema import PlaceInfo
from rulesdsl.source.english import a_or_an, definite, is_plural, named, opening, sentence, spoken


@attrs.frozen
class Position:
    """A state and the frame of the asking machine, in which an option's entity is bound."""

    looks: Evaluator
    proc: str
    state: Any
    frame: Sequence[Any]

    def number(self, value: ty.Value) -> int:
        """Return the value of an expression in this position."""
        return self.looks.number(self.proc, value, self.state, self.frame)

    def numbers(self, words: ty.MessageText) -> list[int]:
        """Return the values interpolated in text."""
        return self.looks.numbers(self.proc, words, self.state, self.frame)


Seen: TypeAlias = "Callable[[ty.Value], bool]"
"""Judge of the values that the viewer may know."""

NOBODY = -1
"""The acting seat in rules in which nobody acts."""
_AMOUNTS = {
    ">=": "at least",
    ">": "more than",
    "<": "fewer than",
    "<=": "at most",
    "=": "exactly",
    "<>": "other than",
}
_LEVELS = {**_AMOUNTS, ">": "above", "<": "below"}
_NOTHING = "nothing fits here"
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@attrs.frozen
class Refusals:
    """Writer of the sentences about one position, for the player `me`."""

    labels: Labels
    place: Position
    seen: Seen
    me: int
    """The acting seat, from 0."""

    def sentence(self, part: ty.Value) -> str:
        """Return why a condition fails; empty if it has no words for players."""
        text = self._reason(part)
        return sentence(opening(text)) if text else ""

    def _reason(self, part: ty.Value) -> str:
        if isinstance(part, ty.MemberOf):
            return self._not_in(part)
        if isinstance(part, ty.AnyOf):
            return self._none(part.domain)
        if isinstance(part, ty.IsSome):
            return self._nothing(part.value)
        if isinstance(part, ty.Negation):
            return self._unwanted(part.value)
        if isinstance(part, ty.Comparison):
            return self._comparison(part)
        if isinstance(part, ty.FieldOf | ty.FlagCell):
            return self._state(part, "is not", "are not")
        if isinstance(part, ty.HasEffect):
            return f"{self._thing(part.subject)} does nothing here"
        return ""

    def _state(self, part: ty.FieldOf | ty.FlagCell, it_is: str, you_are: str) -> str:
        """Return what a yes-or-no field or a flag says of a thing or a player."""
        if isinstance(part, ty.FieldOf):
            return f"{self._thing(part.subject)} {it_is} {spoken(part.field)}"
        info = self.labels.world.flags[part.flag]
        others = [dim for at, dim in enumerate(part.dims) if at != info.owner_dim]
        owner = None if info.owner_dim is None else part.dims[info.owner_dim]
        if others:
            return f"{self._thing(others[-1])} {it_is} {info.title}"
        if owner is None or not self.seen(owner):
            return ""
        return f"you {you_are} {info.title}" if self._is_me(owner) else ""

    # ---------------------------------------------------------------- things
    def _not_in(self, part: ty.MemberOf) -> str:
        domain, thing = part.domain, self._thing(part.subject)
        if isinstance(domain, ty.NumberRange):
            if not (self.seen(domain.low) and self.seen(domain.high)):
                return ""
            low, high = self.place.number(domain.low), self.place.number(domain.high)
            if high < low:
                return "there is no number to choose"
            span = f"{low}" if low == high else f"a number from {low} to {high}"
            return f"it can only be {span}"
        if isinstance(domain, ty.Lying):
            return f"{thing} is not {self.where(domain.cells)}{self._whereabouts(part.subject)}"
        if isinstance(domain, ty.EndPieces):
            end = "on top" if domain.top else "at the bottom"
            return f"{thing} is not {end} {self.where(domain.cells).replace('in ', 'of ', 1)}"
        return f"{thing} does not fit here"

    def _whereabouts(self, subject: ty.Value) -> str:
        """Return where a printed piece of one copy lies, if the player sees it there."""
        kind, labels = subject.type.of, self.labels
        if not self.seen(subject) or labels.world.pieces[kind].style != "printed":
            return ""
        piece = self.place.number(subject)
        if piece < 0 or labels.world.kinds[kind].has_copies:
            return ""
        code = cells_of(self.place.state, f"w:{kind}")[piece]
        viewers = labels.layout.watchers(kind)[code]
        info, dims = labels.layout.place_of(kind, code)
        if info.quiet or (viewers is not None and self.me + 1 not in viewers):
            return ""
        owner = None if info.owner_dim is None else dims[info.owner_dim]
        if owner not in {None, self.me} and self._has_namesakes(kind, piece):
            return ""
        return f": it is {self._in(info, dims)}"

    def _has_namesakes(self, kind: str, piece: int) -> bool:
        """Return whether other players have a piece with the same title."""
        pieces = range(len(cells_of(self.place.state, f"w:{kind}")))
        titles = [self.labels.printed(kind, at).title for at in pieces]
        return titles.count(titles[piece]) > 1

    def _none(self, domain: ty.Domain) -> str:
        is_any = isinstance(domain, ty.Filtered) and not self._whose(domain)
        return f"there is no {self._one_of(domain)}" + " that fits" * is_any

    def _one_of(self, domain: ty.Domain) -> str:
        """Return the noun for the elements of a domain, with whose they are and where they lie."""
        one, _ = self._nouns(domain)
        return f"{one}{self._whose(domain)} {self._where_of(domain)}".rstrip()

    def _nothing(self, value: ty.Value) -> str:
        if isinstance(value, ty.BestOf | ty.RandomOf):
            return self._none(value.domain)
        called = value.name if isinstance(value, ty.CallValue) else ""
        if called and (title := self.labels.world.values[called].title):
            return f"there is no {title}"
        return f"there is no {self._at_end(value)}" if isinstance(value, ty.EndOf) else _NOTHING

    def _at_end(self, end: ty.EndOf) -> str:
        return f"{self._title(end.type.of)} {self.where(end.cells)}"

    def _unwanted(self, value: ty.Value) -> str:
        if isinstance(value, ty.AnyOf):
            return f"there is already {a_or_an(self._one_of(value.domain))}"
        if isinstance(value, ty.IsSome) and isinstance(value.value, ty.EndOf):
            return f"there is already {a_or_an(self._at_end(value.value))}"
        if isinstance(value, ty.FieldOf | ty.FlagCell):
            return self._state(value, "is", "are already")
        return ""

    # ---------------------------------------------------------------- numbers
    def _comparison(self, part: ty.Comparison) -> str:
        number, limit, sign = part.left, part.right, part.op
        if number.type != NUMBER:
            return ""
        if isinstance(number, ty.Const):  # `3 <= ...` reads the other way round
            number, limit, sign = limit, number, _TURNED.get(sign, sign)
        if not self.seen(limit):
            return ""
        bound = self.place.number(limit)
        if isinstance(number, ty.CountOf):
            nouns, where = self._nouns(number.domain), self._where_of(number.domain)
            is_mine = self._is_mine(number.domain)
            return self._amount(number, sign, bound, nouns, where, is_mine=is_mine)
        if isinstance(number, ty.TrackCell):
            return self._track(number, sign, bound)
        return ""

    def _amount(
        self,
        value: ty.Value,
        sign: str,
        bound: int,
        nouns: tuple[str, str],
        where: str,
        *,
        is_mine: bool,
    ) -> str:
        text = f"it takes {_AMOUNTS[sign]} {bound} {nouns[bound != 1]} {where}".rstrip()
        if not self.seen(value):
            return text
        number = self.place.number(value)
        have = "you have" if is_mine else "there is" if number == 1 else "there are"
        return f"{text}; {have} {number}"

    def _track(self, value: ty.TrackCell, sign: str, bound: int) -> str:
        world = self.labels.world
        info = world.tracks[value.track]
        owner = None if info.owner_dim is None else value.dims[info.owner_dim]
        if owner is not None and len(info.dims) == 1 and self._is_me(owner):
            words = world.nouns_in_words.get(value.track, (info.title, info.title))
            return self._amount(value, sign, bound, words, "", is_mine=True)
        if info.dims:
            return ""
        are = "they are" if is_plural(info.title) else "it is"
        text = f"{definite(info.title)} must be {_LEVELS[sign]} {bound}"
        return f"{text}; {are} {self.place.number(value)}" if self.seen(value) else text

    # ---------------------------------------------------------------- nouns and places
    def _nouns(self, domain: ty.Domain) -> tuple[str, str]:
        kind = domain.element
        if kind.family in SEATS:
            return "player", "players"
        words = self.labels.world.nouns_in_words.get(kind.of)
        title = self._title(kind.of)
        return words or (title, title)

    def _title(self, kind: str) -> str:
        return self.labels.world.title_of(kind) or "thing"

    def _where_of(self, domain: ty.Domain) -> str:
        pieces = domain.unfiltered
        return self.where(pieces.cells) if isinstance(pieces, ty.Lying | ty.EndPieces) else ""

    def _is_mine(self, domain: ty.Domain) -> bool:
        pieces = domain.unfiltered
        if not isinstance(pieces, ty.Lying | ty.EndPieces):
            return False
        owner = self.labels.world.places[pieces.cells.place].owner_dim
        dim = None if owner is None else pieces.cells.dims[owner]
        return dim is not None and self._is_me(dim)

    def _whose(self, domain: ty.Domain) -> str:
        """Return ` of yours` for a filter on the owner alone, or pieces of one owner."""
        pieces = domain.unfiltered
        owner = pieces.owner if isinstance(pieces, ty.Lying) else None
        if isinstance(domain, ty.Filtered):
            condition = domain.condition
            if not isinstance(condition, ty.Comparison) or condition.op != "=":
                return ""
            if not isinstance(condition.left, ty.OwnerOf):
                return ""
            owner = condition.right
        if owner is None:
            return ""
        if self._is_me(owner):
            return " of yours"
        return f" of {self.labels.seats[self.place.number(owner)]}" if self.seen(owner) else ""

    def _is_me(self, owner: ty.Value) -> bool:
        return self.seen(owner) and self.place.number(owner) == self.me

    def _thing(self, subject: ty.Value) -> str:
        if not self.seen(subject) or (value := self.place.number(subject)) < 0:
            return "it"
        kind = subject.type
        return self.labels.thing(kind, value) if kind.of else "it"

    def where(self, cells: ty.Cells) -> str:
        """Return `in your Hand`, `in Ann's Hand`, `in the Deck` or `in a Hand`."""
        indexes = [
            self.place.number(value)
            if value is not None and value.type.family != "list" and self.seen(value)
            else NOBODY
            for value in cells.dims
        ]
        return self._in(self.labels.world.places[cells.place], indexes)

    def _in(self, info: PlaceInfo, indexes: Sequence[int]) -> str:
        """Return a cell in words; an index that is not known is negative."""
        located = [(dim, at) for dim, at in zip(info.dims, indexes, strict=False) if at >= 0]
        owners = [at for dim, at in located if dim in SEATS]
        titles = [self.labels.named(dim, at) for dim, at in located if dim not in SEATS]
        if info.table and indexes[0] >= 0:
            return f"in {named(titles[0])}"
        if owners:
            whose = "your" if owners[0] == self.me else f"{self.labels.seats[owners[0]]}'s"
            title = f"{whose} {info.title}"
        elif info.owner_dim is None and not info.table:
            title = definite(info.title)
        else:
            title = a_or_an(info.title)
        return f"in {title} ({', '.join(titles)})" if titles else f"in {title}"
