"""Conditions that fail, in plain English, made from declarations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.types import a_or_an
from rulesdsl.lower.layout import SEATS
from rulesdsl.source.english import opening, spoken

if TYPE_CHECKING:
    from collections.abc import Container

    from rulesdsl.check.program import Program

_SHOWN = {"number", "entry", "seat", "player", "piece", "text", "bundle", "list"}
_AGAIN = "again%"
_IS = {"=": "", "<>": "not", ">": "more than", ">=": "at least", "<": "less than", "<=": "at most"}
Part = str | tuple[ty.Value, str]  # words, or a value with what it is an amount of
Parts = tuple[Part, ...]


@attrs.frozen
class Phrases:
    """Says of a condition that it fails, or that it holds; `me` is the local that is asked."""

    program: Program
    me: str
    known: Container[str]  # the other locals that have a value: the rest stand for any thing

    def failing(self, value: ty.Value) -> ty.Words:
        """Return words for why a condition fails."""
        return _words(self._say(value, holds=False))

    # ---------------------------------------------------------------- conditions
    def _say(self, value: ty.Value, *, holds: bool) -> Parts:  # noqa: C901, PLR0912
        """Say that a condition holds, or that it does not: one case for each kind of condition."""
        match value:
            case ty.Negation(value=inner):
                return self._say(inner, holds=not holds)
            case ty.And(parts=parts) | ty.Or(parts=parts):
                word = " and " if holds == isinstance(value, ty.And) else " or "
                return _joined([self._say(each, holds=holds) for each in parts], word)
            case ty.AnyOf(domain=domain):
                return self._any(domain, holds=holds)
            case ty.MemberOf(subject=subject, domain=domain):
                return self._member(subject, domain, holds=holds)
            case ty.Comparison():
                return self._compared(value, holds=holds)
            case ty.FlagCell(flag=flag, dims=dims):
                named = self._list([each for each in dims if not self._is_me(each)])
                is_so = (*named, " is ") if named else ("you are ",)
                return (*is_so, _not(holds), f"“{spoken(flag)}”")
            case ty.CallValue(name=name, arguments=arguments):
                of = [each for each in arguments if not self._is_me(each)]
                if of:
                    return (*self._list(of), " is ", _not(holds), f"“{spoken(name)}”")
                return (f"“{spoken(name)}” {'holds' if holds else 'does not hold'}",)
            case ty.HasEffect(field=field, subject=subject, key=key):
                at: Parts = () if key is None else (" for ", *self.thing(key))
                word = " has " if holds else " has no "
                return (*self.thing(subject), word, spoken(field), *at)
            case ty.CanDo(field=field, subject=subject):
                said = "can" if holds else "cannot"
                return (f"the {spoken(field)} of ", *self.thing(subject), f" {said} be done")
            case ty.Can(proc=proc):
                title = spoken(self.program.procs[proc].title.partition("/")[0])
                return (f"“{title}” is ", _not(holds), "possible")
            case ty.IsSome(value=inner):
                return ("there is ", "" if holds else "no ", *_bare(self._name(inner)))
            case ty.Setting(option=option):
                title = self.program.world.options[option].title
                return (f"the option “{title}” is ", "on" if holds else "off")
            case ty.FieldOf(field=field, subject=subject):
                return (*self.thing(subject), " is ", _not(holds), f"“{spoken(field)}”")
            case ty.LetIn(inner=inner):
                return self._say(inner, holds=holds)
            case ty.Cases():
                said = "holds" if holds else "does not hold"
                return (f"what the rule asks for {said}",)
            case ty.Const():
                return ("the rules always offer it" if holds else "the rules never offer it",)
            case (
                ty.Local()
                | ty.Text()
                | ty.SeatNumber()
                | ty.Seats()
                | ty.Chart()
                | ty.TableAt()
                | ty.Bundle()
                | ty.Arith()
                | ty.Formula()
                | ty.EntryOf()
                | ty.OwnerOf()
                | ty.ScoreOf()
                | ty.StandingOf()
                | ty.Ring()
                | ty.MakeBundle()
                | ty.BundlePart()
                | ty.TrackCell()
                | ty.Located()
                | ty.CountOf()
                | ty.SumOf()
                | ty.BestOf()
                | ty.FirstOf()
                | ty.EndOf()
                | ty.RandomOf()
                | ty.PositionIn()
                | ty.ItemAt()
                | ty.Length()
            ):
                return (*self._name(value), " is ", _not(holds), "so")
            case _:
                assert_never(value)

    def _any(self, domain: ty.Domain, *, holds: bool) -> Parts:
        where, some = self._where(domain.unfiltered), "some " if holds else "no "
        if not isinstance(domain, ty.Filtered):
            return (f"there are {some}{self._noun(domain, one=False)}", *where)
        noun = self._noun(domain, one=True)
        asked = self._say(domain.condition, holds=True)
        one = a_or_an(noun) if holds else f"no {noun}"
        return (f"there is {one}", *where, " for which ", *asked)

    def _member(self, subject: ty.Value, domain: ty.Domain, *, holds: bool) -> Parts:
        base = domain.unfiltered
        is_in = f" is {_not(holds)}"
        if isinstance(base, ty.Lying | ty.EndPieces):
            end = ""
            if isinstance(base, ty.EndPieces):
                end = f"among the {'top' if base.top else 'bottom'} {base.count} "
            return (*self.thing(subject), is_in, end, *self._where(base)[1:])
        if isinstance(base, ty.Numbers):
            ends = (*self.thing(base.low), " and ", *self.thing(base.high))
            return (*self.thing(subject), is_in, "between ", *ends)
        return (*self.thing(subject), is_in, "among those that can be chosen")

    def _compared(self, value: ty.Comparison, *, holds: bool) -> Parts:
        left, right = value.left, value.right
        if isinstance(left, ty.Local) and left.name.startswith(_AGAIN):
            return ("it has been done as often as it may be",)
        if value.op == "=" and isinstance(left, ty.OwnerOf) and self._is_me(right):
            return self._same(left, right, same=holds)
        if self._is_any(value):
            return (*self._name(left), f" is {_not(holds)}{_IS[value.op]} ", *self.thing(right))
        if value.op in {"=", "<>"}:
            return self._same(left, right, same=holds == (value.op == "="))
        less = left.left if isinstance(left, ty.Arith) and left.op == "-" else None
        if less is not None and right == ty.Const(0, type=right.type):  # so much is taken away
            left, right = less, left.right  # type: ignore[union-attr] # it is a difference
        wanted = "" if holds else f"{_IS[value.op]} "
        needed: Parts = (wanted, *self.thing(right)) if wanted else ()
        takes: Parts = ("; it takes ", *needed) if wanted else ()
        held = [each for each in ty.walk(left) if isinstance(each, ty.CountOf | ty.TrackCell)]
        if isinstance(left, ty.CountOf):
            return (*self._counted(left), *takes)
        if isinstance(left, ty.Arith) and held:
            told = _joined([self._held(each) for each in held], " and ")
            makes = ("; that makes ", *self.thing(left))
            return ("you have ", *told, *makes, *((", and it takes ", *needed) if wanted else ()))
        if isinstance(left, ty.TrackCell) and [*map(self._is_me, left.dims)] == [True]:
            return ("you have ", (left, left.track), *takes)
        ends: Parts = ("; it has to be ", *needed) if wanted else ()
        return (*self._name(left), " is ", *self.thing(left), *ends)

    def _same(self, left: ty.Value, right: ty.Value, *, same: bool) -> Parts:
        """Say that two things are the same, or that they are not."""
        if isinstance(left, ty.OwnerOf) and self._is_me(right):
            return (*self.thing(left.subject), " is ", _not(same), "yours")
        if left.type.family not in _SHOWN:
            return (*self._name(left), " is ", _not(same), *self._name(right))
        if same and isinstance(left, ty.Local) and not self._is_me(left):
            return ("it has to be another one than ", *self.thing(right))
        if isinstance(left, ty.Local | ty.Const):
            return (*self.thing(left), " is ", _not(same), *self.thing(right))
        if same or right.type.family not in _SHOWN:
            return (*self._name(left), " is ", *self.thing(left))
        return (*self._name(left), " is ", *self.thing(left), ", not ", *self.thing(right))

    def _counted(self, count: ty.CountOf) -> Parts:
        """Say how many there are."""
        base = count.domain.unfiltered
        noun = base.element.of
        if not isinstance(base, ty.Lying) or noun not in self.program.world.pieces:
            return (f"the number of {self._noun(base, one=False)} is ", (count, ""))
        if any(self._is_me(each) for each in (*base.cells.dims, base.owner)):
            return ("you have ", *self._held(count))
        return (*self._cells(base.cells), " holds ", (count, noun))

    def _held(self, value: ty.CountOf | ty.TrackCell) -> Parts:
        """Say how much there is of something, and where."""
        if isinstance(value, ty.TrackCell):
            return ((value, value.track),)
        noun = value.domain.element.of
        named = noun if noun in self.program.world.pieces else ""
        return ((value, named), *self._where(value.domain.unfiltered))

    # ---------------------------------------------------------------- things
    def thing(self, value: ty.Value) -> Parts:
        """Return what a value comes to; `you` is whoever is asked."""
        if self._is_me(value):
            return ("you",)
        if self._is_any(value):
            return ("it",) if isinstance(value, ty.Local) else self._name(value)
        return ((value, ""),) if value.type.family in _SHOWN else self._name(value)

    def _name(self, value: ty.Value) -> Parts:  # noqa: C901 - one case for each kind of value
        """Return what a value is, not what it comes to."""
        match value:
            case ty.TrackCell(track=track, dims=dims):
                title = self.program.world.tracks[track].title
                return self._of(title, dims)
            case ty.CallValue(name=name, arguments=arguments):
                return self._of(spoken(name), arguments)
            case (
                ty.FieldOf(field=field, subject=subject) | ty.Formula(field=field, subject=subject)
            ):
                return (f"the {spoken(field)} of ", *self.thing(subject))
            case ty.Located(piece=piece, subject=subject, place=place):
                title = self.program.world.places[place].title
                whose = self.thing(subject) if subject.type.family == "piece" else ()
                named = whose or (f"the {self.program.world.pieces[piece].title}",)
                return (f"the {title} of ", *named)
            case ty.EndOf(piece=piece, cells=cells, top=top):
                end = "top" if top else "bottom"
                return (f"the {end} {self._title(piece)} of ", *self._cells(cells))
            case ty.CountOf(domain=domain):
                counted = domain.unfiltered
                noun = self._noun(counted, one=False)
                return (f"the number of {noun}", *self._where(counted))
            case ty.EntryOf(subject=subject):
                return self.thing(subject)
            case ty.OwnerOf(subject=subject):
                return ("the owner of ", *self.thing(subject))
            case ty.Local():
                known = not self._is_any(value) and value.type.family in _SHOWN
                return ((value, ""),) if known else ("it",)
            case ty.Const():
                return ((value, ""),)
            case (
                ty.Text()
                | ty.SeatNumber()
                | ty.Seats()
                | ty.Setting()
                | ty.Chart()
                | ty.TableAt()
                | ty.Bundle()
                | ty.Arith()
                | ty.Comparison()
                | ty.And()
                | ty.Or()
                | ty.Negation()
                | ty.Cases()
                | ty.LetIn()
                | ty.IsSome()
                | ty.HasEffect()
                | ty.ScoreOf()
                | ty.StandingOf()
                | ty.Ring()
                | ty.MakeBundle()
                | ty.BundlePart()
                | ty.Can()
                | ty.CanDo()
                | ty.FlagCell()
                | ty.AnyOf()
                | ty.MemberOf()
                | ty.SumOf()
                | ty.BestOf()
                | ty.FirstOf()
                | ty.RandomOf()
                | ty.PositionIn()
                | ty.ItemAt()
                | ty.Length()
            ):
                return ("what the rule asks for",)
            case _:
                assert_never(value)

    def _of(self, title: str, of: tuple[ty.Value, ...]) -> Parts:
        others = [each for each in of if not self._is_me(each)]
        mine = len(others) < len(of)
        head = f"{'your' if mine else 'the'} {title}"
        return (head, " of ", *self._list(others)) if others else (head,)

    def _list(self, values: list[ty.Value]) -> Parts:
        return _joined([self.thing(each) for each in values], " and ")

    def _is_any(self, value: ty.Value) -> bool:
        """Whether a value depends on a thing that stands for any: nobody can compute it."""
        nodes = [*ty.walk(value)]
        bound = {name for each in nodes for name in FACTS[type(each)].within(each)}
        used = {each.name for each in nodes if isinstance(each, ty.Local)}
        return any(each not in self.known for each in used - bound - {self.me})

    def _is_me(self, value: ty.Value | None) -> bool:
        return isinstance(value, ty.Local) and value.name == self.me

    # ---------------------------------------------------------------- domains
    def _noun(self, domain: ty.Domain, *, one: bool) -> str:
        of = domain.element.of
        world = self.program.world
        if domain.element.family in SEATS:
            return "player" if one else "players"
        known: Any = world.pieces.get(of) or world.kinds.get(of)
        if known is None:
            return "choice" if one else "choices"
        return spoken(known.name if one else known.plural)

    def _title(self, piece: str) -> str:
        return spoken(self.program.world.pieces[piece].name)

    def _where(self, domain: ty.Domain) -> Parts:
        """Return where a domain lies: ` in your hand`; nothing where it lies nowhere."""
        if not isinstance(domain, ty.Lying | ty.EndPieces):
            return ()
        owner = domain.owner if isinstance(domain, ty.Lying) else None
        whose: Parts = ()
        if owner is not None:
            whose = (" of yours",) if self._is_me(owner) else (" of ", *self.thing(owner))
        return (" ", *whose, *((" ",) if whose else ()), "in ", *self._cells(domain.cells))

    def _cells(self, cells: ty.Cells) -> Parts:
        title = self.program.world.places[cells.place].title
        mine = any(self._is_me(each) for each in cells.dims)
        others = [each for each in cells.dims if each is not None and not self._is_me(each)]
        told = self._list(others)
        head = "your" if mine else "the"
        return (f"{head} {title} (", *told, ")") if told else (f"{head} {title}",)


def _bare(name: Parts) -> Parts:
    """Return a name without its article."""
    first, *rest = name
    return (first.removeprefix("the ") if isinstance(first, str) else first, *rest)


def _not(holds: bool) -> str:  # noqa: FBT001 - it is the word for one
    return "" if holds else "not "


def _joined(every: list[Parts], word: str) -> Parts:
    found: Parts = ()
    for each in every:
        found = (*found, word, *each) if found else each
    return found


def _words(parts: Parts) -> ty.Words:
    """Return parts as words with values: a capital first, a full stop last."""
    said, values, nouns = [""], [], []
    for each in (*parts, "."):
        if isinstance(each, str):
            said[-1] = f"{said[-1]}{each}".replace("  ", " ")
        else:
            values.append(each[0])
            nouns.append(each[1])
            said.append("")
    said[0] = opening(said[0])
    return ty.Words(tuple(said), tuple(values), tuple(nouns))
