"""Conditions that fail, in plain English, made from declarations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.lower.layout import SEATS

if TYPE_CHECKING:
    from rulesdsl.check.program import Program

_SHOWN = {"number", "entry", "seat", "player", "piece", "text", "bundle", "list"}
_AGAIN = "again%"
_HAS_TO_BE = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most"}
Part = str | tuple[ty.Value, str]  # words, or a value with what it is an amount of
Parts = tuple[Part, ...]


@attrs.frozen
class Phrases:
    """Says of a condition that it fails, or that it holds; `me` is the local that is asked."""

    program: Program
    me: str

    def failing(self, value: ty.Value) -> ty.Words:
        """Return words for why a condition fails."""
        return _words(self._say(value, holds=False))

    # ---------------------------------------------------------------- conditions
    def _say(self, value: ty.Value, *, holds: bool) -> Parts:  # noqa: C901, PLR0911, PLR0912
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
                of = self._list([each for each in dims if not self._is_me(each)])
                who = ("you are ",) if not of else (*of, " is ")
                return (*who, _not(holds), spoken(flag))
            case ty.CallValue(name=name, arguments=arguments):
                of = [each for each in arguments if not self._is_me(each)]
                if of:
                    return (*self._list(of), " is ", _not(holds), spoken(name))
                return (f"“{spoken(name)}” {'holds' if holds else 'does not hold'}",)
            case ty.HasEffect(field=field, subject=subject):
                word = " has " if holds else " has no "
                return (*self.thing(subject), word, spoken(field))
            case ty.CanDo(field=field, subject=subject):
                said = "can" if holds else "cannot"
                return (f"the {spoken(field)} of ", *self.thing(subject), f" {said} be done")
            case ty.Can(proc=proc):
                title = spoken(self.program.procs[proc].title.partition("/")[0])
                return (f"“{title}” is ", _not(holds), "possible")
            case ty.IsSome(value=inner):
                return ("there is ", "" if holds else "no ", *self._name(inner))
            case ty.Setting(option=option):
                title = self.program.world.options[option].title
                return (f"the option “{title}” is ", "on" if holds else "off")
            case ty.Cases():
                said = "holds" if holds else "does not hold"
                return (f"what the rule asks for {said}",)
            case ty.Const():
                return ("the rules always offer it" if holds else "the rules never offer it",)
            case _:
                said = "" if holds else "not "
                return (*self._name(value), f" is {said}so")

    def _any(self, domain: ty.Domain, *, holds: bool) -> Parts:
        base = domain.unfiltered
        filtered = isinstance(domain, ty.Filtered)
        where = self._where(base)
        some = "" if holds else "no "
        noun = self._noun(base, one=False)
        fits = " that fits what the rule asks for" if filtered else ""
        if isinstance(base, ty.Numbers):
            return (f"there is {some}number{fits}",)
        if filtered:
            noun = self._noun(base, one=True)
            return (f"there is {'a ' if holds else 'no '}{noun}", *where, fits)
        return (f"there are {some}{noun}", *where)

    def _member(self, subject: ty.Value, domain: ty.Domain, *, holds: bool) -> Parts:
        base = domain.unfiltered
        is_in = f" is {_not(holds)}"
        if isinstance(base, ty.Lying | ty.EndPieces):
            end = ""
            if isinstance(base, ty.EndPieces):
                end = f"among the {'top' if base.top else 'bottom'} {base.count} "
            return (*self.thing(subject), is_in, end, *self._where(base)[1:])
        if isinstance(base, ty.Numbers):
            most: Parts = ((base.high, ""),)
            least: Parts = ((base.low, ""),)
            return (*self.thing(subject), is_in, "between ", *least, " and ", *most)
        return (*self.thing(subject), is_in, "among those that can be chosen")

    def _compared(self, value: ty.Comparison, *, holds: bool) -> Parts:
        op, left, right = value.op, value.left, value.right
        if isinstance(left, ty.Local) and left.name.startswith(_AGAIN):
            return ("it has been done as often as it may be",)
        plain = left.type.family in _SHOWN
        if op in {"=", "<>"}:
            same = holds == (op == "=")
            if not plain:
                return (*self._name(left), " is ", _not(same), *self._name(right))
            if isinstance(left, ty.Local | ty.Const):
                return (*self.thing(left), " is ", _not(same), *self.thing(right))
            if same or right.type.family not in _SHOWN:
                return (*self._name(left), " is ", *self.thing(left))
            return (*self._name(left), " is ", *self.thing(left), ", not ", *self.thing(right))
        wanted = _HAS_TO_BE[op]
        ends = () if holds else (f"; it has to be {wanted} ", *self.thing(right))
        if isinstance(left, ty.CountOf):
            return self._counted(left.domain, left, (wanted, right) if not holds else None)
        return (*self._name(left), " is ", *self.thing(left), *ends)

    def _counted(
        self, domain: ty.Domain, count: ty.Value, wanted: tuple[str, ty.Value] | None
    ) -> Parts:
        base = domain.unfiltered
        needed: Parts = ()
        if wanted is not None:
            needed = (f"; it takes {wanted[0]} ", *self.thing(wanted[1]))
        noun = base.element.of
        if isinstance(base, ty.Lying) and noun in self.program.world.pieces:
            here = self._where(base)
            return ("there are ", (count, noun), *here, *needed)
        return (f"the number of {self._noun(base, one=False)} is ", (count, ""), *needed)

    # ---------------------------------------------------------------- things
    def thing(self, value: ty.Value) -> Parts:
        """Return what a value comes to; `you` is whoever is asked."""
        if self._is_me(value):
            return ("you",)
        return ((value, ""),) if value.type.family in _SHOWN else self._name(value)

    def _name(self, value: ty.Value) -> Parts:  # noqa: PLR0911 - one case for each kind of value
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
                return (f"the number of {self._noun(domain.unfiltered, one=False)}",)
            case ty.Local() if value.type.family in _SHOWN:
                return self.thing(value)
            case _:
                return ("what the rule asks for",)

    def _of(self, title: str, of: tuple[ty.Value, ...]) -> Parts:
        others = [each for each in of if not self._is_me(each)]
        mine = len(others) < len(of)
        head = f"{'your' if mine else 'the'} {title}"
        return (head, " of ", *self._list(others)) if others else (head,)

    def _list(self, values: list[ty.Value]) -> Parts:
        return _joined([self.thing(each) for each in values], " and ")

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


def spoken(name: str) -> str:
    """Return a name as a person would say it in the middle of a sentence."""
    return name.replace("-", " ")


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
    said[0] = said[0][:1].upper() + said[0][1:]
    return ty.Words(tuple(said), tuple(values), tuple(nouns))
