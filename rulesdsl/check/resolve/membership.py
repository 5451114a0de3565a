"""What is asked about things and where they lie: `any X`, `X in P`, `position of X in L`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.cells import cells_of, check_holds, word_of
from rulesdsl.check.resolve.filtering import filtered
from rulesdsl.check.resolve.holes import THINGS, hole_in
from rulesdsl.check.resolve.selections import contents, is_piece_noun, try_selection
from rulesdsl.check.resolve.stacks import piled
from rulesdsl.check.types import NUMBER, UNKNOWN, YES_NO, fits, piece
from rulesdsl.source.facts import InNeedsBrackets
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.printer import print_expression

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver


def quantified(r: Resolver, expr: ex.Quantified) -> ty.Value:
    """Return `any X` or `no X`."""
    found = _some_of(r, expr)
    if expr.positive:
        return found
    return ty.Negation(found, type=YES_NO, span=expr.span)


def _some_of(r: Resolver, expr: ex.Quantified) -> ty.Value:
    """Return whether there is such a thing."""
    what, span = expr.what, expr.span
    hole = hole_in(r, what, THINGS)
    if hole is not None:
        return hole
    if isinstance(what, ex.Contents):
        member = _member(r, what)
        if member is not None:
            return member
    domain = try_selection(r, what)
    if domain is not None:
        domain = filtered(r, domain, expr.where)
        return ty.AnyOf(domain, type=YES_NO, span=span)
    found = r.value(what)
    if found.type.family == "effect":
        return attrs.evolve(found, type=YES_NO)
    if found.type == UNKNOWN:
        return found
    if found.type.maybe:
        return ty.IsSome(found, type=YES_NO, span=span)
    if found not in r.scope.some:
        message = f"This is {found.type}: it is always there."
        r.report("E301", span, message, "Remove the question.")
    return ty.Const(1, type=YES_NO, span=span)


def _member(r: Resolver, expr: ex.Contents) -> ty.Value | None:
    """Return whether one thing is in a place or list, None where X is a noun."""
    what = expr.what
    if isinstance(what, ex.Name) and what.name not in r.scope.locals:
        return _single_in(r, what.name, None, expr)
    if isinstance(what, ex.My):
        return _single_in(r, what.name, r.me(what.span), expr)
    if isinstance(what, ex.Of) and is_piece_noun(r, what.name.text):
        return None
    subject = r.value(what)
    if subject.type == UNKNOWN:
        return subject
    if subject.type.family == "piece":
        return _piece_in(r, subject, expr)
    listed = try_selection(r, expr.where)
    if listed is None:
        help_text = "Name the place that it may be in, or a field that lists such things."
        return r.report(
            "E301",
            expr.where.span,
            "This is neither a place nor a list of such things.",
            help_text,
        )
    element = listed.element
    if not (fits(subject.type, element) or fits(element, subject.type.total())):
        return r.mismatch(what.span, subject, element)
    return ty.MemberOf(subject, listed, type=YES_NO, span=expr.span)


def _single_in(
    r: Resolver, name: str, owner: ty.Value | None, expr: ex.Contents
) -> ty.Value | None:
    """Return whether a single piece is in a place."""
    info = r.world.pieces.get(name)
    if info is None or info.style != "single" or (info.owned and owner is None):
        return None
    r.note(expr.what.span, Sort.NOUN, name)
    subject = owner if info.owned and owner is not None else ty.Const(0)
    subject = attrs.evolve(subject, type=piece(name), span=expr.what.span)
    return _piece_in(r, subject, expr)


def _piece_in(r: Resolver, subject: ty.Value, expr: ex.Contents) -> ty.Value:
    """Return whether a piece lies in cells."""
    cells = cells_of(r, expr.where)
    if cells is None:
        return r.unknown(expr.span)
    check_holds(r, cells.place, subject.type.of, expr.where.span)
    kind = subject.type.total()
    domain = ty.Lying(kind.of, cells, element=kind, span=expr.where.span)
    return ty.MemberOf(subject, domain, type=YES_NO, span=expr.span)


def contents_value(r: Resolver, expr: ex.Contents) -> ty.Value:
    """Return `X in P` as a value: a count, a position, or membership."""
    what = expr.what
    if isinstance(what, ex.Of) and what.name.text == "position":
        return _position_in(r, what, expr)
    domain = contents(r, expr)
    if domain is not None:
        return r.count_of(domain, expr.span)
    if isinstance(what, ex.Name | ex.My) and is_piece_noun(r, what.name):
        return r.unknown(expr.span)  # what is wrong with the place was reported
    if isinstance(what, ex.Name | ex.My | ex.Amount):
        _no_piece(r, what)
    elif isinstance(what, ex.At):
        base, key, where = map(print_expression, (what.base, what.key, expr.where))
        message = f"`in` applies to all of `{base} at {key}`, which is not a noun."
        meant = f"{base} at ({key} in {where})"
        help_text = f"Add brackets: `{meant}`."
        r.report("E301", expr.span, message, help_text, facts=InNeedsBrackets(meant))
    else:
        message = "A thing in a place is no number and no yes or no."
        r.report("E301", expr.span, message, "Ask with `any`: `any x in ...`.")
    return r.unknown(expr.span)


def _no_piece(r: Resolver, what: ex.Name | ex.My | ex.Amount) -> None:
    """Report a word that should name pieces."""
    name = what.noun.text if isinstance(what, ex.Amount) else what.name
    if isinstance(what, ex.Amount) and is_piece_noun(r, name):
        count, plural = print_expression(what.count), r.world.plural(r.world.singular(name))
        compare = f"Compare how many there are, as in `{plural} in ... >= {count}`."
        r.report("E301", what.span, "An amount in a place is no question.", compare)
        return
    help_text = similar(word_of(what), [*piece_names(r), *r.world.kinds])
    r.not_known(name, what.span, f"There are no pieces called `{name}`.", help_text)


def piece_names(r: Resolver) -> list[str]:
    """Return all that pieces are called, those included that are printed."""
    world = r.world
    printed = [each for each in world.kinds.values() if each.role == "piece"]
    plurals = [each for each, singular in world.plurals.items() if singular in world.pieces]
    return [*world.pieces, *plurals, *(name for kind in printed for name in kind.index)]


def _position_in(r: Resolver, what: ex.Of, expr: ex.Contents) -> ty.Value:
    """Return `position of X in L`: in a list, or in a stack from the bottom."""
    domain = try_selection(r, expr.where) or piled(r, expr.where)
    if domain is None:
        if not r.scope.failed:
            help_text = "Only a list, or a place declared as `stack`, has positions."
            r.report("E301", expr.where.span, "This is neither a list nor a stack.", help_text)
        return r.unknown(expr.span)
    if Use.ORDER not in uses(r.world, domain):
        help_text = "Only a list or a single stack has positions."
        return r.report("E301", expr.where.span, "What is here has no order.", help_text)
    subject = r.of_type(what.owner, domain.element)
    return ty.PositionIn(subject, domain, type=NUMBER, span=expr.span)
