"""From noun phrases to domains: which things are meant, and where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve_cells import CellResolver
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import (
    NUMBER,
    PLAYER,
    SEAT,
    UNKNOWN,
    YES_NO,
    a_or_an,
    entry,
    piece,
)
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Word

Amount = tuple[ty.Value, str, "Span"]


class DomainResolver(CellResolver):
    """Resolves selections, choices and what is counted."""

    # ---------------------------------------------------------------- all of a kind
    def all_of(self, singular: str, span: Span) -> ty.Domain | None:
        """Return all things that a kind's name means."""
        if singular in {"player", "seat", "players", "seats"}:
            players = singular in {"player", "players"}
            return ty.AllSeats(players, element=PLAYER if players else SEAT, span=span)
        kind = self.world.kinds.get(singular)
        if kind is None:
            return None
        kind.used = True
        if kind.role == "piece":
            return ty.AnyWhere(singular, element=piece(singular), span=span)
        return ty.Entries(singular, element=entry(singular), span=span)

    # ---------------------------------------------------------------- selections
    def selection(self, expr: ex.Expr) -> ty.Domain | None:
        """Return the things that a phrase means; reported and None where it means none."""
        found, said = self.told_selection(expr)
        if found is None and not said:
            self.report(
                "E301",
                expr.span,
                "These are not things that can be counted or gone through.",
                "For example `cards in my hand`, `all cards in my hand where ...`, `players`.",
            )
        return found

    def told_selection(self, expr: ex.Expr) -> tuple[ty.Domain | None, bool]:
        """Return the things that a phrase means, and whether something was reported about it."""
        failed, self.scope.failed = self.scope.failed, False
        found = self.try_selection(expr)
        said, self.scope.failed = self.scope.failed, failed or self.scope.failed
        return found, said

    def try_selection(self, expr: ex.Expr) -> ty.Domain | None:
        """Return the things that a phrase means, None where it is no such phrase."""
        match expr:
            case ex.Name() if expr.name not in self.scope.locals:
                return self.all_of(self.world.singular(expr.name), expr.span) or self.listed(expr)
            case ex.Contents():
                return self.contents(expr)
            case ex.All():
                base = self.selection(expr.what)
                return None if base is None else self.filtered(base, expr.where, None)
            case ex.Ends() if expr.count is not None:
                return self.end_pieces(expr)
            case ex.Range():
                low, high = self.number(expr.low), self.number(expr.high)
                return ty.Numbers(low, high, element=NUMBER, span=expr.span)
            case ex.Name() | ex.Of() | ex.At() | ex.My() | ex.It():
                return self.listed(expr)
            case _:
                return None

    def listed(self, expr: ex.Expr) -> ty.Domain | None:
        """Return the entries of a list-typed value."""
        if not self.is_list(expr):
            return None
        found = self.value(expr)
        return ty.Listed(found, element=entry(found.type.of), span=expr.span)

    def is_list(self, expr: ex.Expr) -> bool:
        """Whether an expression is a field that holds a list."""
        match expr:
            case ex.Name():
                local = self.scope.locals.get(expr.name)
                if local is not None:
                    return local.type.family == "list"
                name = expr.name
                kinds = [c.type.of for c in self.scope.candidates[-1:]]
            case ex.Of():
                name = expr.name.text
                kinds = list(self.world.kinds)
            case ex.At(base=ex.Of() as base):
                return self.is_list(base)
            case _:
                return False
        for kind in kinds:
            info = self.world.kinds.get(kind)
            field = info.fields.get(name) if info else None
            if field is not None and field.type in self.world.plurals:
                return True
        return False

    def filtered(self, base: ty.Domain, where: ex.Expr | None, name: str | None) -> ty.Domain:
        """Return those of a domain for which a condition holds."""
        if where is None:
            return base
        with self.scope.candidate(base.element, name) as local:
            self.assume_member(local, base)
            condition = self.condition(where)
        return ty.Filtered(base, local.name, condition, element=base.element, span=where.span)

    def assume_member(self, local: ty.Value, base: ty.Domain) -> None:
        """Note that a piece chosen in places of a kind is in such a place."""
        while isinstance(base, ty.Filtered):
            base = base.base
        if isinstance(base, ty.Lying):
            place = self.world.places.get(base.cells.place)
            if place is not None:
                kind = self.place_type(place.name)
                located = ty.Located(base.piece, local, place.name, type=kind.or_none())
                self.scope.some.add(located)

    def contents(self, expr: ex.Contents) -> ty.Domain | None:
        """Return `X in P` as a domain, None where X is one thing and not a noun."""
        what = expr.what
        if isinstance(what, ex.Name) and what.name not in self.scope.locals:
            return self.noun_in(what.name, None, expr.where, expr.span)
        if isinstance(what, ex.My):
            me = self.me(what.span)
            return self.noun_in(what.name, me, expr.where, expr.span)
        if isinstance(what, ex.Of) and self.is_piece_noun(what.name.text):
            owner = self.of_type(what.owner, SEAT)
            return self.noun_in(what.name.text, owner, expr.where, expr.span)
        return None

    def is_piece_noun(self, name: str) -> bool:
        """Whether a word names pieces."""
        return self.world.singular(name) in self.world.pieces

    def noun_in(
        self, noun: str, owner: ty.Value | None, where: ex.Expr, span: Span
    ) -> ty.Domain | None:
        """Return the pieces or entries that a noun means, in a place or list."""
        singular = self.world.singular(noun)
        info = self.world.pieces.get(singular)
        if info is not None:
            info.used = True
            return self.lying(singular, None, owner, where, span)
        owners = [
            kind
            for kind in self.world.owners.get(noun, [])
            if self.world.kinds[kind].role == "piece"
        ]
        if owners:
            kind = self.world.kinds[owners[0]]
            which = ty.Const(kind.index[noun], type=entry(kind.name))
            return self.lying(kind.name, which, owner, where, span)
        if singular in self.world.kinds or singular in {"seat", "player"}:
            listed = self.try_selection(where)
            if listed is None:
                self.report("E301", where.span, f"This is not a list of {noun}.", "")
                return None
            if listed.element.of != singular:
                self.report(
                    "E301", where.span, f"These are {listed.element.of}, not {singular}.", ""
                )
            return listed
        self.doubtful(noun)
        return None

    def lying(
        self,
        singular: str,
        which: ty.Value | None,
        owner: ty.Value | None,
        where: ex.Expr,
        span: Span,
    ) -> ty.Domain | None:
        """Return pieces that lie in places."""
        if isinstance(where, ex.Ends) and where.count is not None:
            return self.end_pieces(where)
        cells = self.cells(where)
        if cells is None:
            return None
        self.check_holds(cells.place, singular, where.span)
        place = self.world.places[cells.place]
        if owner is not None and place.owner_dim is not None:
            dims = list(cells.dims)
            dims[place.owner_dim] = owner
            cells, owner = attrs.evolve(cells, dims=tuple(dims)), None
        return ty.Lying(singular, cells, owner, which, element=piece(singular), span=span)

    def end_pieces(self, expr: ex.Ends) -> ty.Domain | None:
        """Return `top N of S`."""
        cells = self.one_cell(expr.stack)
        if cells is None:
            return None
        kind = self.only_printed(cells.place, expr.stack.span)
        if kind is None:
            return None
        return ty.EndPieces(
            kind, cells, expr.end == "top", expr.count or 1, element=piece(kind), span=expr.span
        )

    def end(self, expr: ex.Ends) -> ty.Value:
        """Return `top of S`, one or none."""
        if expr.count is not None:
            return self.count_of(self.end_pieces(expr), expr.span)
        cells = self.one_cell(expr.stack)
        kind = None if cells is None else self.only_printed(cells.place, expr.stack.span)
        if cells is None or kind is None:
            return self.unknown(expr.span)
        return ty.EndOf(kind, cells, expr.end == "top", type=piece(kind).or_none(), span=expr.span)

    def only_printed(self, place: str, span: Span) -> str | None:
        """Return the one kind of printed pieces that a place holds."""
        printed = [
            name
            for name in self.world.places[place].holds
            if name in self.world.pieces and self.world.pieces[name].style == "printed"
        ]
        if len(printed) == 1:
            self.world.pieces[printed[0]].used = True
            return printed[0]
        self.report(
            "E301",
            span,
            f"{a_or_an(place).capitalize()} holds no single kind of printed pieces.",
            "Only such a place has a top and a bottom.",
        )
        return None

    # ---------------------------------------------------------------- phrases with a kind
    def domain(self, kind: Word, expr: ex.Expr | None) -> ty.Domain | None:
        """Return what `a K in D`, `the K in D` and the like range over."""
        name = self.world.singular(kind.text)
        if expr is None:
            found = self.all_of(name, kind.span)
            if found is None:
                self.unknown_kind(kind)
            return found
        if name == "number":
            found = self.try_selection(expr)
            if not isinstance(found, ty.Numbers):
                self.report("E301", expr.span, "Say from which number to which: `1..5`.", "")
                return None
            return found
        known = (
            name in self.world.pieces
            or name in self.world.kinds
            or name in {"seat", "player"}
            or kind.text in self.world.owners
        )
        if not known:
            self.unknown_kind(kind)
            return None
        info = self.world.pieces.get(name)
        if info is not None and info.style == "counted":
            self.report(
                "E301",
                kind.span,
                f"All {info.plural} are alike: there is none to choose.",
                f"Choose where from, and move `1 {info.name}`.",
            )
            return None
        found = self.noun_in(kind.text, None, expr, kind.span.to(expr.span))
        if found is None and not (info or name in self.world.kinds):
            self.report("E301", expr.span, f"There are no {kind.text} to be found there.", "")
        return found

    def unknown_kind(self, kind: Word) -> None:
        """Report a kind that nothing declares."""
        if not self.doubtful(kind.text):
            self.report(
                "E201",
                kind.span,
                f"There is no kind of things called `{kind.text}`.",
                did_you_mean(kind.text, [*self.world.kinds, *self.world.pieces, "player", "seat"]),
            )

    def best(self, expr: ex.The) -> ty.Value:
        """Return `the K with most ...`: one or none."""
        base = self.domain(expr.kind, expr.domain)
        if base is None:
            return self.unknown(expr.span)
        base = self.filtered(base, expr.where, None)
        with self.scope.candidate(base.element) as local:
            self.assume_member(local, base)
            if isinstance(base, ty.Filtered):
                self.scope.assume(_renamed(base.condition, base.variable, local))
            ranking = tuple((step.most, self.number(step.value)) for step in expr.ranking)
        return ty.BestOf(base, local.name, ranking, type=base.element.or_none(), span=expr.span)

    def first(self, expr: ex.First) -> ty.Value:
        """Return `the first K in LIST after X where ...`: one or none."""
        if not self.is_list(expr.domain):
            if self.value(expr.domain).type == UNKNOWN:
                return self.unknown(expr.span)
            self.report("E301", expr.domain.span, "This is not a list.", "")
            return self.unknown(expr.span)
        values = self.value(expr.domain)
        element = entry(values.type.of)
        after = None if expr.after is None else self.of_type(expr.after, element)
        with self.scope.candidate(element) as local:
            condition = ty.YES if expr.where is None else self.condition(expr.where)
        return ty.FirstOf(
            values, after, local.name, condition, type=element.or_none(), span=expr.span
        )

    def random(self, expr: ex.RandomPick) -> ty.Value:
        """Return one by chance; of what always exists, surely one."""
        base = self.domain(expr.kind, expr.domain)
        if base is None:
            return self.unknown(expr.span)
        domain = self.filtered(base, expr.where, None)
        if not self.scope.may_choose:
            self.report(
                "E405",
                expr.span,
                "A value draws no lots: it would change each time that it is looked at.",
                "Draw in a verb or step, and keep the result with `let`.",
            )
        sure = isinstance(domain, ty.AllSeats | ty.Entries)
        kind = domain.element if sure else domain.element.or_none()
        return ty.RandomOf(domain, type=kind, span=expr.span)

    # ---------------------------------------------------------------- asked, counted, placed
    def quantified(self, expr: ex.Quantified) -> ty.Value:
        """Return `any X` or `no X`."""
        found = self.some_of(expr)
        if expr.positive:
            return found
        return ty.Negation(found, type=YES_NO, span=expr.span)

    def some_of(self, expr: ex.Quantified) -> ty.Value:
        """Return whether there is such a thing."""
        what, span = expr.what, expr.span
        if isinstance(what, ex.Contents):
            member = self.member(what)
            if member is not None:
                return member
        domain = self.try_selection(what)
        if domain is not None:
            domain = self.filtered(domain, expr.where, None)
            return ty.AnyOf(domain, type=YES_NO, span=span)
        found = self.value(what)
        if found.type.family == "effect":
            return attrs.evolve(found, type=YES_NO)
        if found.type == UNKNOWN:
            return found
        if not found.type.maybe and found in self.scope.some:
            return ty.Const(1, type=YES_NO, span=span)
        if not found.type.maybe:
            self.report(
                "E301",
                span,
                f"This is {found.type}: it is always there.",
                "Leave the question out.",
            )
            return ty.Const(1, type=YES_NO, span=span)
        return ty.IsSome(found, type=YES_NO, span=span)

    def member(self, expr: ex.Contents) -> ty.Value | None:
        """Return whether one thing is in a place or list, None where X is a noun."""
        what = expr.what
        if isinstance(what, ex.Name) and what.name not in self.scope.locals:
            return self.single_in(what.name, None, expr)
        if isinstance(what, ex.My):
            return self.single_in(what.name, self.me(what.span), expr)
        if isinstance(what, ex.Of) and self.is_piece_noun(what.name.text):
            return None
        subject = self.value(what)
        if subject.type == UNKNOWN:
            return subject
        if subject.type.family == "piece":
            return self.piece_in(subject, expr)
        listed = self.try_selection(expr.where)
        if listed is None:
            self.report("E301", expr.where.span, "This is not a list of such things.", "")
            return self.unknown(expr.span)
        return ty.MemberOf(subject, listed, type=YES_NO, span=expr.span)

    def single_in(self, name: str, owner: ty.Value | None, expr: ex.Contents) -> ty.Value | None:
        """Return whether a single piece is in a place."""
        info = self.world.pieces.get(name)
        if info is None or info.style != "single" or (info.owned and owner is None):
            return None
        info.used = True
        subject = owner if info.owned and owner is not None else ty.Const(0)
        subject = attrs.evolve(subject, type=piece(name), span=expr.what.span)
        return self.piece_in(subject, expr)

    def piece_in(self, subject: ty.Value, expr: ex.Contents) -> ty.Value:
        """Return whether a piece lies in cells."""
        cells = self.cells(expr.where)
        if cells is None:
            return self.unknown(expr.span)
        self.check_holds(cells.place, subject.type.of, expr.where.span)
        kind = subject.type.total()
        domain = ty.Lying(kind.of, cells, element=kind, span=expr.where.span)
        return ty.MemberOf(subject, domain, type=YES_NO, span=expr.span)

    def contents_value(self, expr: ex.Contents) -> ty.Value:
        """Return `X in P` as a value: a count, a position, or membership."""
        what = expr.what
        if isinstance(what, ex.Of) and what.name.text == "position":
            return self.position_in(what, expr)
        domain = self.contents(expr)
        if domain is not None:
            return self.count_of(domain, expr.span)
        if isinstance(what, ex.Name | ex.My) and self.is_piece_noun(what.name):
            return self.unknown(expr.span)  # what is wrong with the place was reported
        if isinstance(what, ex.Name | ex.My | ex.Amount):
            self._no_piece(what)
        else:
            self.report("E301", expr.span, "Ask with `any`: `any x in ...`.", "")
        return self.unknown(expr.span)

    def _no_piece(self, what: ex.Name | ex.My | ex.Amount) -> None:
        """Report a word that should name pieces."""
        name = what.noun.text if isinstance(what, ex.Amount) else what.name
        if self.doubtful(name):
            self.scope.failed = True
        else:
            message = f"There are no pieces called `{name}`."
            self.report("E201", what.span, message, self.hint(what))

    def hint(self, what: ex.Expr) -> str:
        """Return a similar noun."""
        name = what.name if isinstance(what, ex.Name | ex.My) else ""
        return did_you_mean(name, [*self.world.pieces, *self.world.plurals, *self.world.kinds])

    def position_in(self, what: ex.Of, expr: ex.Contents) -> ty.Value:
        """Return `position of X in LIST`."""
        domain = self.try_selection(expr.where)
        if domain is None:
            self.report("E301", expr.where.span, "This is not a list.", "")
            return self.unknown(expr.span)
        subject = self.of_type(what.owner, domain.element)
        return ty.PositionIn(subject, domain, type=NUMBER, span=expr.span)

    def position(self, expr: ex.Of) -> ty.Value:
        """Return `position of X`: its number in the table of its kind, from 1."""
        owner = self.value(expr.owner)
        return self.attribute("position", owner, expr.span, None)

    # ---------------------------------------------------------------- amounts and rates
    def amount(self, expr: ex.Expr) -> Amount | None:
        """Return how many of which noun an expression means, None where it is no amount."""
        if isinstance(expr, ex.Amount):
            noun = self.world.singular(expr.noun.text)
            if noun not in self.world.pieces and noun not in self.world.tracks:
                if not self.doubtful(expr.noun.text):
                    self.report(
                        "E201",
                        expr.noun.span,
                        f"There are no pieces or tracks called `{expr.noun.text}`.",
                        did_you_mean(expr.noun.text, [*self.world.plurals, *self.world.pieces]),
                    )
                return self.unknown(expr.span), noun, expr.span
            self.use_noun(noun)
            return self.number(expr.count), noun, expr.span
        if isinstance(expr, ex.Per) and isinstance(expr.rate, ex.Amount):
            rate = self.amount(expr.rate)
            assert rate is not None
            number = self.times(rate[0], self.things(expr.things), expr.span)
            return number, rate[1], expr.span
        return None

    def use_noun(self, noun: str) -> None:
        """Note that a piece or track is used."""
        if noun in self.world.pieces:
            self.world.pieces[noun].used = True
        else:
            self.world.tracks[noun].used = True

    def times(self, rate: ty.Value, count: ty.Value, span: Span) -> ty.Value:
        """Return a product, plain where one of the factors is 1."""
        if isinstance(rate, ty.Const) and rate.value == 1:
            return count
        return ty.Arith("*", rate, count, type=NUMBER, span=span)

    def things(self, expr: ex.Expr) -> ty.Value:
        """Return the number of things behind `per`; `per 2 cards in ...` counts pairs."""
        if isinstance(expr, ex.Contents) and isinstance(expr.what, ex.Amount):
            name = ex.Name(expr.what.noun.text, span=expr.what.noun.span)
            count = self.number(ex.Contents(name, expr.where, span=expr.span))
            size = self.number(expr.what.count)
            if not (isinstance(size, ty.Const) and size.value > 0):
                self.report("E301", expr.what.span, "How many make one is a fixed number.", "")
            return ty.Arith("/", count, size, type=NUMBER, span=expr.span)
        return self.number(expr)

    def counted(self, expr: ex.Amount | ex.Per) -> ty.Value:
        """Return an amount or a rate where a plain number is wanted."""
        if isinstance(expr, ex.Per) and not isinstance(expr.rate, ex.Amount):
            return self.sum_over(expr)
        found = self.amount(expr)
        assert found is not None
        if found[0].type == UNKNOWN:
            return found[0]
        self.report(
            "E301",
            expr.span,
            f"This is an amount of `{found[1]}`, where a plain number is needed.",
            "Leave the noun out, or call a verb that takes it.",
        )
        return self.unknown(expr.span)

    def sum_over(self, expr: ex.Per) -> ty.Value:
        """Return `E per THINGS`: E for each of them, added up."""
        domain, said = self.told_selection(expr.things)
        if said:
            return self.unknown(expr.span)
        if domain is None:
            return self.times(self.number(expr.rate), self.things(expr.things), expr.span)
        with self.scope.candidate(domain.element) as local:
            self.assume_member(local, domain)
            amount = self.number(expr.rate)
        if local not in set(ty.walk(amount)):
            return self.times(amount, self.count_of(domain, expr.span), expr.span)
        return ty.SumOf(domain, local.name, amount, type=NUMBER, span=expr.span)


def _renamed(condition: ty.Value, name: str, local: ty.Local) -> ty.Value:
    """Return a condition about another candidate, where it only asks for it directly."""
    match condition:
        case ty.And(parts=parts):
            renamed = tuple(_renamed(part, name, local) for part in parts)
            return attrs.evolve(condition, parts=renamed)
        case ty.IsSome():
            return ty.IsSome(substitute(condition.value, name, local), type=YES_NO)
        case _:
            return condition
