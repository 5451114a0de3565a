"""From phrases with a kind to domains: `a K in D`, `the K with most ...`, `any K in P`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.resolve.cells import word_of
from rulesdsl.check.resolve.selections import SelectionResolver
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import NUMBER, UNKNOWN, YES_NO, entry, fits, piece
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.printer import print_expression

if TYPE_CHECKING:
    from rulesdsl.syntax.node import Word


class DomainResolver(SelectionResolver):
    """Resolves choices, the best and the first of something, and what is asked of things."""

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
            help_text = f"Choose where from, and move `1 {info.name}`."
            self.alike(info.name, kind.span, "there is none to choose", help_text)
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
        if values.type != UNKNOWN:
            self.check_element(element, self.world.singular(expr.kind.text), expr.kind.span)
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
        element = listed.element
        if not (fits(subject.type, element) or fits(element, subject.type.total())):
            self._mismatch(what.span, subject, element)
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
        elif isinstance(what, ex.At):
            base, key, where = map(print_expression, (what.base, what.key, expr.where))
            message = f"`in` stands behind all of `{base} at {key}`, which is no noun."
            self.report(
                "E301", expr.span, message, f"Put brackets: `{base} at ({key} in {where})`."
            )
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
        return did_you_mean(word_of(what), [*self.piece_names(), *self.world.kinds])

    def piece_names(self) -> list[str]:
        """Return all that pieces are called, those included that are printed."""
        world = self.world
        printed = [each for each in world.kinds.values() if each.role == "piece"]
        return [*world.pieces, *world.plurals, *(name for kind in printed for name in kind.index)]

    def position_in(self, what: ex.Of, expr: ex.Contents) -> ty.Value:
        """Return `position of X in L`: in a list, or in a stack from the bottom."""
        domain = self.try_selection(expr.where) or self.piled(expr.where)
        if domain is None:
            if not self.scope.failed:
                self.report("E301", expr.where.span, "This is neither a list nor a stack.", "")
            return self.unknown(expr.span)
        if Use.ORDER not in uses(self.world, domain):
            help_text = "A position is one in a list, or in a single stack."
            self.report("E301", expr.where.span, "What lies here has no order.", help_text)
            return self.unknown(expr.span)
        subject = self.of_type(what.owner, domain.element)
        return ty.PositionIn(subject, domain, type=NUMBER, span=expr.span)

    def position(self, expr: ex.Of) -> ty.Value:
        """Return `position of X`: its number in the table of its kind, from 1."""
        owner = self.value(expr.owner)
        return self.attribute("position", owner, expr.span, None)


def _renamed(condition: ty.Value, name: str, local: ty.Local) -> ty.Value:
    """Return a condition about another candidate, where it only asks for it directly."""
    if isinstance(condition, ty.And):
        renamed = tuple(_renamed(part, name, local) for part in condition.parts)
        return attrs.evolve(condition, parts=renamed)
    if isinstance(condition, ty.IsSome):
        return ty.IsSome(substitute(condition.value, name, local), type=YES_NO)
    return condition
