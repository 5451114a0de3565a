"""Operators and amounts: logic, comparison, arithmetic, rings, prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.holes import NOUN
from rulesdsl.check.resolve.selections import alike, assume_member, piece_names, told_selection
from rulesdsl.check.symbols.symbol_table import SymbolKind
from rulesdsl.check.symbols.types import (
    BUNDLE,
    NUMBER,
    PLAYER,
    SEAT,
    SEAT_WORDS,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    fits,
    told,
)
from rulesdsl.check.typed.traits import Capability, uses
from rulesdsl.source.diagnostics import among, similar
from rulesdsl.source.facts import DivisorMayBeZero, PlainNumberWanted
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span


Amount = tuple[ty.Value, str, "Span"]


def amount_of(r: Resolver, expr: ex.Expr) -> Amount | None:
    """Resolve an amount of a noun: number, noun, span; None for other expressions."""
    if isinstance(expr, ex.NounAmount):
        noun = r.world.singular(expr.noun.text)
        r.expect(expr.noun, NOUN)
        if noun not in r.world.pieces and noun not in r.world.tracks:
            name, span = expr.noun.text, expr.noun.span
            message = f"There are no pieces or tracks called `{name}`."
            advice = similar(name, piece_names(r))
            return r.not_known(name, span, message, advice), noun, expr.span
        r.note(expr.noun.span, SymbolKind.NOUN, noun)
        return r.number(expr.count), noun, expr.span
    if isinstance(expr, ex.Per) and isinstance(expr.rate, ex.NounAmount):
        rate = amount_of(r, expr.rate)
        assert rate is not None
        if rate[0].type == UNKNOWN:
            return rate
        number = _times(rate[0], _things(r, expr.things), expr.span)
        return number, rate[1], expr.span
    return None


def _times(rate: ty.Value, count: ty.Value, span: Span) -> ty.Value:
    if isinstance(rate, ty.Const) and rate.value == 1:
        return count
    return ty.Arith("*", rate, count, type=NUMBER, span=span)


def _things(r: Resolver, expr: ex.Expr) -> ty.Value:
    """Resolve the count after `per`; `per 2 cards in ...` counts pairs."""
    if isinstance(expr, ex.Contents) and isinstance(expr.what, ex.NounAmount):
        name = ex.Name(expr.what.noun.text, span=expr.what.noun.span)
        count = r.number(ex.Contents(name, expr.where, span=expr.span))
        size = r.number(expr.what.count)
        if not (isinstance(size, ty.Const) and size.value > 0):
            message = "The number after `per` is fixed and above 0."
            help_text = "Write it in digits: `1 coin per 2 cards in my hand`."
            r.report("E301", expr.what.span, message, help_text)
        return ty.Arith("/", count, size, type=NUMBER, span=expr.span)
    return r.number(expr)


def counted(r: Resolver, expr: ex.NounAmount | ex.Per) -> ty.Value:
    """Resolve an amount or rate where a plain number is needed."""
    if isinstance(expr, ex.Per) and not isinstance(expr.rate, ex.NounAmount):
        return _sum_over(r, expr)
    found = amount_of(r, expr)
    assert found is not None
    if found[0].type == UNKNOWN:
        return found[0]
    message = f"This is an amount of `{found[1]}`, but a plain number is needed."
    help_text = "Leave the noun out, or call a verb that takes it."
    return r.report("E301", expr.span, message, help_text, facts=PlainNumberWanted())


def _sum_over(r: Resolver, expr: ex.Per) -> ty.Value:
    """Resolve `E per THINGS`: the sum of E over a domain."""
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
    if Capability.LIST not in uses(r.world, domain):
        help_text = "Count them place by place: `(... in it) per PLACES`."
        alike(r, domain.element.of, expr.rate.span, "none has a number of its own", help_text)
        return r.unknown(expr.span)
    return ty.SumOf(domain, local.name, amount, type=NUMBER, span=expr.span)


def logic(r: Resolver, expr: ex.Logic) -> ty.Value:
    """Resolve `and` or `or`; the right side may rely on the left."""
    left = r.condition(expr.left)
    some = set(r.scope.some)
    r.scope.assume(left if expr.op == "and" else ty.Negation(left, type=YES_NO))
    if expr.op == "or" and isinstance(left, ty.Negation) and isinstance(left.value, ty.IsSome):
        r.scope.assume(left.value)  # in `no x or f of x`, x is present after `or`
    right = r.condition(expr.right)
    r.scope.some = some
    node = ty.And if expr.op == "and" else ty.Or
    return node((left, right), type=YES_NO, span=expr.span)


def compare(r: Resolver, expr: ex.Compare) -> ty.Value:
    """Resolve a comparison of two values of one type."""
    left = r.value(expr.left)
    right = r.value(expr.right, left.type)
    if isinstance(expr.left, ex.Name) and left.type != right.type:
        left = _as_entry(r, expr.left, right.type) or left
    if isinstance(left, ty.Local) and isinstance(right, ty.Local) and left.name == right.name:
        _same_thing(r, expr.span, left)
    left, right = _as_entries(r, left, right)
    if not (fits(left.type, right.type) or fits(right.type, left.type)):
        message = f"{told(left.type)} cannot be compared with {right.type}."
        help_text = "Compare numbers with numbers, and things with things of the same kind."
        r.report("E301", expr.span, message, help_text)
        return ty.Const(0, type=YES_NO, span=expr.span)
    if expr.op not in {"=", "<>"}:
        for side, part in ((left, expr.left), (right, expr.right)):
            if not fits(side.type, NUMBER):
                r.mismatch(part.span, side, "a number")
    return _comparison(expr.op, left, right, expr.span)


def _same_thing(r: Resolver, span: Span, local: ty.Local) -> None:
    """Report a comparison of a local with itself."""
    mine = isinstance(r.scope.me, ty.Local) and r.scope.me.name == local.name
    r.report(
        "E301",
        span,
        "This compares a thing with itself.",
        "After `where`, `me` is the seat being tested. Give the acting seat a name "
        "first: `let actor = me`, and compare with that."
        if mine
        else "Compare it with something else.",
    )


def _comparison(op: str, left: ty.Value, right: ty.Value, span: Span) -> ty.Value:
    if isinstance(left, ty.CountOf) and isinstance(right, ty.Const):
        some = ty.AnyOf(left.domain, type=YES_NO, span=left.span)
        if (op, right.value) in {(">", 0), (">=", 1), ("<>", 0)}:
            return some
        if (op, right.value) in {("=", 0), ("<", 1), ("<=", 0)}:
            return ty.Negation(some, type=YES_NO, span=span)
    return ty.Comparison(op, left, right, type=YES_NO, span=span)


def _as_entries(r: Resolver, left: ty.Value, right: ty.Value) -> tuple[ty.Value, ty.Value]:
    """Convert printed pieces to entries for comparison: copies are equal."""
    if left.type.family == right.type.family == "piece" and left.type.of == right.type.of:
        if left.type.of in r.world.kinds:
            return _print(left), _print(right)
        return left, right
    if left.type.family == "piece" and right.type == entry(left.type.of):
        return ty.EntryOf(left.type.of, left, type=right.type, span=left.span), right
    if right.type.family == "piece" and left.type == entry(right.type.of):
        return left, ty.EntryOf(right.type.of, right, type=left.type, span=right.span)
    return left, right


def _print(value: ty.Value) -> ty.Value:
    kind = entry(value.type.of)
    kind = kind.or_none() if value.type.maybe else kind
    return ty.EntryOf(value.type.of, value, type=kind, span=value.span)


def _as_entry(r: Resolver, expr: ex.Name, want: Type) -> ty.Value | None:
    """Resolve a name as an entry of the wanted kind, without reporting."""
    kind = r.world.kinds.get(want.of)
    if want.family == "entry" and kind is not None and expr.name in kind.index:
        return ty.Const(kind.index[expr.name], type=want.total(), span=expr.span)
    return None


def arithmetic(r: Resolver, expr: ex.Arithmetic) -> ty.Value:
    """Resolve a sum, difference, product or quotient."""
    left, right = r.number(expr.left), r.number(expr.right)
    if expr.op == "/" and not surely_positive(r, right):
        help_text = "Write `(... at least 1)` around it, or divide by a fixed number."
        message = "The divisor could be 0."
        r.report("E301", expr.right.span, message, help_text, facts=DivisorMayBeZero())
    return ty.Arith(expr.op, left, right, type=NUMBER, span=expr.span)


def surely_positive(r: Resolver, value: ty.Value) -> bool:
    """Return whether a number is provably positive."""
    if isinstance(value, ty.Const):
        return value.value > 0 or value.type == UNKNOWN
    if isinstance(value, ty.Arith) and value.op == "max":
        return surely_positive(r, value.left) or surely_positive(r, value.right)
    if isinstance(value, ty.Chart):
        return all(number > 0 for _, number in value.points)
    if isinstance(value, ty.FieldOf):
        values = (each.values.items() for each in r.world.kinds[value.kind].entries)
        return all(_positive(v) for some in values for (f, _), v in some if f == value.field)
    if isinstance(value, ty.TrackCell):
        return r.world.tracks[value.track].low > 0
    if isinstance(value, ty.SettingValue):
        return r.world.options[value.option].low > 0
    if isinstance(value, ty.CallValue):
        body = r.bodies.value_body(value.name, value.layer)
        return body is not None and surely_positive(r, body)
    if isinstance(value, ty.LetIn):
        return surely_positive(r, value.inner)
    if isinstance(value, ty.Cases):
        every = [*(found for _, found in value.cases), value.otherwise]
        return all(surely_positive(r, each) for each in every)
    return isinstance(value, ty.Seats) or value in r.positive


def beside(r: Resolver, expr: ex.Beside) -> ty.Value:
    """Resolve `N KINDS before/after X`: an entry on a ring."""
    singular = r.world.singular(expr.noun.text)
    kind = r.world.kinds.get(singular)
    steps = r.number(expr.steps)
    if singular in SEAT_WORDS:
        origin = r.of_type(expr.origin, SEAT)
        ring, kind_type = "player", PLAYER
    elif kind is None:
        message = f"There is no kind of things called `{expr.noun.text}`."
        help_text = similar(expr.noun.text, r.world.kinds)
        return r.report("E201", expr.noun.span, message, help_text)
    else:
        r.note(expr.noun.span, SymbolKind.NOUN, singular)
        origin = r.of_type(expr.origin, entry(singular))
        ring, kind_type = singular, entry(singular)
    if expr.side == "before":
        zero = ty.Const(0, type=NUMBER)
        steps = ty.Arith("-", zero, steps, type=NUMBER, span=expr.span)
    return ty.Ring(ring, origin, steps, type=kind_type, span=expr.span)


def bundle(r: Resolver, expr: ex.Expr) -> ty.Value:
    """Resolve a price; an amount becomes a price of one noun."""
    amount = amount_of(r, expr)
    if amount is None:
        found = r.value(expr, BUNDLE)
        if not fits(found.type, BUNDLE):
            return r.mismatch(expr.span, found, "a price")
        return found
    number, noun, _ = amount
    if number.type == UNKNOWN:
        return number
    if noun not in r.world.bundle_nouns:
        message = f"A price cannot ask for `{noun}`."
        return r.report("E301", expr.span, message, among(noun, r.world.bundle_nouns))
    zero = ty.Const(0, type=NUMBER)
    parts = tuple(number if each == noun else zero for each in r.world.bundle_nouns)
    if isinstance(number, ty.Const):
        fixed = tuple(number.value if each == noun else 0 for each in r.world.bundle_nouns)
        return ty.Bundle(fixed, type=BUNDLE, span=expr.span)
    return ty.MakeBundle(parts, type=BUNDLE, span=expr.span)


def _positive(value: object) -> bool:
    """Return whether a field's number, or every number of a chart, is positive."""
    if isinstance(value, tuple):
        return bool(value) and all(number > 0 for _, number in value)
    return isinstance(value, int) and value > 0
