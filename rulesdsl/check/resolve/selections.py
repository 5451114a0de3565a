"""From noun phrases to domains: which things are meant, and where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.resolve.attributes import AttributeResolver
from rulesdsl.check.types import (
    NUMBER,
    PLAYER,
    SEAT,
    SEAT_WORDS,
    UNKNOWN,
    YES_NO,
    Type,
    a_or_an,
    entry,
    piece,
)
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


class SelectionResolver(AttributeResolver):
    """Resolves what is counted or gone through."""

    # ---------------------------------------------------------------- all of a kind
    def all_of(self, singular: str, span: Span) -> ty.Domain | None:
        """Return all things that a kind's name means."""
        if singular in SEAT_WORDS:
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
        if isinstance(expr, ex.Name) and expr.name not in self.scope.locals:
            return self.all_of(self.world.singular(expr.name), expr.span) or self.listed(expr)
        if isinstance(expr, ex.Contents):
            return self.contents(expr)
        if isinstance(expr, ex.All):
            base = self.selection(expr.what)
            return None if base is None else self.filtered(base, expr.where, None)
        if isinstance(expr, ex.Ends) and expr.count is not None:
            return self.end_pieces(expr)
        if isinstance(expr, ex.Range):
            low, high = self.number(expr.low), self.number(expr.high)
            return ty.Numbers(low, high, element=NUMBER, span=expr.span)
        return self.listed(expr)

    def listed(self, expr: ex.Expr) -> ty.Domain | None:
        """Return the entries of a list-typed value."""
        if not self.is_list(expr):
            return None
        found = self.value(expr)
        return ty.Listed(found, element=entry(found.type.of), span=expr.span)

    def is_list(self, expr: ex.Expr) -> bool:
        """Whether an expression is a field that holds a list."""
        if isinstance(expr, ex.At):
            return isinstance(expr.base, ex.Of) and self.is_list(expr.base)
        if isinstance(expr, ex.Name):
            local = self.scope.locals.get(expr.name)
            if local is not None:
                return local.type.family == "list"
            name = expr.name
            kinds = [c.type.of for c in self.scope.candidates[-1:]]
        elif isinstance(expr, ex.Of):
            name = expr.name.text
            kinds = list(self.world.kinds)
        else:
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
        if Use.LIST not in uses(self.world, base):
            return self._of_owner(base, local, condition, where.span)
        return ty.Filtered(base, local.name, condition, element=base.element, span=where.span)

    def _of_owner(
        self, base: ty.Domain, local: ty.Local, condition: ty.Value, span: Span
    ) -> ty.Domain:
        """Return those pieces, all alike, of one owner: nothing else tells them apart."""
        assert isinstance(base, ty.Lying)
        owner: ty.Value = local
        if isinstance(condition, ty.Comparison) and condition.op == "=":
            left, right = condition.left, condition.right
            if isinstance(left, ty.OwnerOf) and left.subject == local:
                owner = right
            elif isinstance(right, ty.OwnerOf) and right.subject == local:
                owner = left
        if condition.type == UNKNOWN:
            return base
        at = self.world.places[base.cells.place].owner_dim
        given = base.owner if at is None else base.cells.dims[at]
        if given is None and not owner.type.maybe and local not in ty.walk(owner):
            return self.belonging(base, owner)
        help_text = (
            "Ask beside it, with `and`; say whose they are, as in `my ...`; or count them place "
            "by place: `(... in it) per PLACES`."
        )
        self.alike(base.piece, span, "`where` cannot pick some of them", help_text)
        return base

    def belonging(self, base: ty.Lying, owner: ty.Value) -> ty.Lying:
        """Return those of pieces in places that belong to a seat."""
        at = self.world.places[base.cells.place].owner_dim
        if at is None:
            return attrs.evolve(base, owner=owner)
        dims = list(base.cells.dims)
        dims[at] = owner
        return attrs.evolve(base, cells=attrs.evolve(base.cells, dims=tuple(dims)))

    def alike(self, piece: str, span: Span, why: str, help_text: str) -> None:
        """Report that one of some pieces is meant, and that all of them are alike."""
        plural = self.world.pieces[piece].plural
        self.report("E301", span, f"All {plural} are alike: {why}.", help_text)

    def assume_member(self, local: ty.Value, base: ty.Domain) -> None:
        """Note that a piece chosen in places of a kind is in such a place."""
        base = base.unfiltered
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
                self.report(
                    "E301", where.span, f"This is not a list of {self.world.plural(singular)}.", ""
                )
                return None
            self.check_element(listed.element, singular, where.span)
            return listed
        self.doubtful(noun)
        return None

    def check_element(self, element: Type, singular: str, span: Span) -> None:
        """Report things of a list that are of another kind than the one that is named."""
        if element.of != singular:
            self.report("E301", span, f"Each of these is {element}, not {a_or_an(singular)}.", "")

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
            return self.among_ends(singular, which, owner, where, span)
        cells = self.cells(where)
        if cells is None:
            return None
        self.check_holds(cells.place, singular, where.span)
        found = ty.Lying(singular, cells, None, which, element=piece(singular), span=span)
        if owner is None:
            return found
        self._check_owner(singular, cells, owner, span)
        return self.belonging(found, owner)

    def _check_owner(self, singular: str, cells: ty.Cells, owner: ty.Value, span: Span) -> None:
        """Report pieces of somebody that belong to nobody, or lie with somebody else."""
        at, info = self.world.places[cells.place].owner_dim, self.world.pieces[singular]
        if at is None and not info.owned:
            self.nobodys(info, span)
        elif at is not None and cells.dims[at] not in {None, owner}:
            message = "This says twice whose they are, and each time of somebody else."
            self.report("E301", span, message, "Leave one of them out.")

    def among_ends(
        self,
        singular: str,
        which: ty.Value | None,
        owner: ty.Value | None,
        where: ex.Ends,
        span: Span,
    ) -> ty.Domain | None:
        """Return pieces among the top or bottom ones of a stack."""
        base = self.end_pieces(where)
        if not isinstance(base, ty.EndPieces):
            return base
        self.check_holds(base.cells.place, singular, where.span)
        asked: list[ty.Value] = []
        with self.scope.candidate(base.element) as local:
            if which is not None:
                print_of = ty.EntryOf(singular, local, type=which.type)
                asked.append(ty.Comparison("=", print_of, which, type=YES_NO, span=span))
            if owner is not None:
                self._check_owner(singular, base.cells, owner, span)
                if self.world.pieces[singular].owned:
                    owner_of = ty.OwnerOf(singular, local, type=SEAT)
                    asked.append(ty.Comparison("=", owner_of, owner, type=YES_NO, span=span))
        if not asked:
            return base
        condition = asked[0] if len(asked) == 1 else ty.And(tuple(asked), type=YES_NO, span=span)
        return ty.Filtered(base, local.name, condition, element=base.element, span=span)

    def end_pieces(self, expr: ex.Ends) -> ty.Domain | None:
        """Return `top N of S`."""
        cells = self.one_stack(expr.stack)
        if cells is None:
            return None
        kind = self.only_printed(cells.place, expr.stack.span)
        if kind is None:
            return None
        count = 1 if expr.count is None else expr.count
        if count == 0:
            self.report("E301", expr.span, "This means no pieces.", "Say how many, from 1 up.")
        top = expr.end == "top"
        return ty.EndPieces(kind, cells, top, count, element=piece(kind), span=expr.span)

    def looked_at(self, expr: ex.Expr) -> ty.Domain | None:
        """Return what is looked at: things, or the top one of a stack."""
        if isinstance(expr, ex.Ends):
            return self.end_pieces(expr)
        found = self.selection(expr)
        if found is None or Use.LOOK in uses(self.world, found):
            return found
        self.report(
            "E301",
            expr.span,
            "There is nothing to see here: only printed pieces can be looked at.",
            "For example `look at cards in my hand`, `look at top of deck`.",
        )
        return None

    def end(self, expr: ex.Ends) -> ty.Value:
        """Return `top of S`, one or none."""
        if expr.count is not None:
            return self.count_of(self.end_pieces(expr), expr.span)
        cells = self.one_stack(expr.stack)
        kind = None if cells is None else self.only_printed(cells.place, expr.stack.span)
        if cells is None or kind is None:
            return self.unknown(expr.span)
        return ty.EndOf(kind, cells, expr.end == "top", type=piece(kind).or_none(), span=expr.span)

    def piled(self, where: ex.Expr) -> ty.Domain | None:
        """Return all pieces of one stack in their order, None where it is none."""
        cells = self._cells(where)
        if not isinstance(cells, ty.Cells) or not cells.one:
            return None
        place = self.world.places[cells.place]
        kind = self.only_printed(place.name, where.span) if place.stack else None
        if kind is None:
            return None
        place.used = True
        return ty.Lying(kind, cells, element=piece(kind), span=where.span)

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
