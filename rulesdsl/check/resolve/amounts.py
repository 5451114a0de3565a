"""From amounts and rates to numbers: `2 coins`, `1 per 3 cards in ...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.filtering import alike, assume_member
from rulesdsl.check.resolve.holes import NOUN
from rulesdsl.check.resolve.membership import piece_names
from rulesdsl.check.resolve.selections import told_selection
from rulesdsl.check.types import NUMBER, UNKNOWN
from rulesdsl.source.facts import PlainNumberWanted
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span


Amount = tuple[ty.Value, str, "Span"]


def amount_of(r: Resolver, expr: ex.Expr) -> Amount | None:
    """Return how many of which noun an expression means, None where it is no amount."""
    if isinstance(expr, ex.Amount):
        noun = r.world.singular(expr.noun.text)
        r.expect(expr.noun, NOUN)
        if noun not in r.world.pieces and noun not in r.world.tracks:
            name, span = expr.noun.text, expr.noun.span
            message = f"There are no pieces or tracks called `{name}`."
            advice = similar(name, piece_names(r))
            return r.not_known(name, span, message, advice), noun, expr.span
        r.note(expr.noun.span, Sort.NOUN, noun)
        return r.number(expr.count), noun, expr.span
    if isinstance(expr, ex.Per) and isinstance(expr.rate, ex.Amount):
        rate = amount_of(r, expr.rate)
        assert rate is not None
        if rate[0].type == UNKNOWN:
            return rate
        number = _times(rate[0], _things(r, expr.things), expr.span)
        return number, rate[1], expr.span
    return None


def _times(rate: ty.Value, count: ty.Value, span: Span) -> ty.Value:
    """Return a product, plain where one of the factors is 1."""
    if isinstance(rate, ty.Const) and rate.value == 1:
        return count
    return ty.Arith("*", rate, count, type=NUMBER, span=span)


def _things(r: Resolver, expr: ex.Expr) -> ty.Value:
    """Return the number of things after `per`; `per 2 cards in ...` counts pairs."""
    if isinstance(expr, ex.Contents) and isinstance(expr.what, ex.Amount):
        name = ex.Name(expr.what.noun.text, span=expr.what.noun.span)
        count = r.number(ex.Contents(name, expr.where, span=expr.span))
        size = r.number(expr.what.count)
        if not (isinstance(size, ty.Const) and size.value > 0):
            message = "The number after `per` is fixed and above 0."
            help_text = "Write it in digits: `1 coin per 2 cards in my hand`."
            r.report("E301", expr.what.span, message, help_text)
        return ty.Arith("/", count, size, type=NUMBER, span=expr.span)
    return r.number(expr)


def counted(r: Resolver, expr: ex.Amount | ex.Per) -> ty.Value:
    """Return an amount or a rate where a plain number is wanted."""
    if isinstance(expr, ex.Per) and not isinstance(expr.rate, ex.Amount):
        return _sum_over(r, expr)
    found = amount_of(r, expr)
    assert found is not None
    if found[0].type == UNKNOWN:
        return found[0]
    message = f"This is an amount of `{found[1]}`, but a plain number is needed."
    help_text = "Leave the noun out, or call a verb that takes it."
    return r.report("E301", expr.span, message, help_text, facts=PlainNumberWanted())


def _sum_over(r: Resolver, expr: ex.Per) -> ty.Value:
    """Return `E per THINGS`: E for each of them, added up."""
    domain, said = told_selection(r, expr.things)
    if said:
        return r.unknown(expr.span)
    if domain is None:
        return _times(r.number(expr.rate), _things(r, expr.things), expr.span)
    with r.scope.candidate(domain.element) as local:
        assume_member(r, local, domain)
        amount = r.number(expr.rate)
    read = {each.name for each in ty.walk(amount) if isinstance(each, ty.Local)}
    if local.name not in read:
        return _times(amount, r.count_of(domain, expr.span), expr.span)
    if Use.LIST not in uses(r.world, domain):
        help_text = "Count them place by place: `(... in it) per PLACES`."
        alike(r, domain.element.of, expr.rate.span, "none has a number of its own", help_text)
        return r.unknown(expr.span)
    return ty.SumOf(domain, local.name, amount, type=NUMBER, span=expr.span)
