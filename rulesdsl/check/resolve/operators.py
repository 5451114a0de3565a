"""Operators and amounts: logic, comparison, arithmetic, rings, prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.holes import NOUN
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.resolve.selections import (
    assume_member,
    kind_and_name,
    misspelt_head,
    piece_names,
    reported_selection,
)
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
)
from rulesdsl.check.symbols.wording import sort_of
from rulesdsl.check.typed.traits import Capability, uses
from rulesdsl.source.diagnostics import WordedFinding, among, similar
from rulesdsl.source.facts import DivisorMayBeZero, PlainNumberWanted
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.printer import print_expression


# -------------------------------------------------------------------- amounts and prices
def amount_of(r: Resolver, expr: ex.Expr) -> tuple[ty.Value, str, Span] | None:
    """Resolve an amount to its number, noun and span; return None for other expressions."""
    if isinstance(expr, ex.NounAmount):
        noun = r.world.singular(expr.noun.text)
        r.expect(expr.noun, NOUN)
        if noun not in r.world.pieces and noun not in r.world.numbers:
            if slip := misspelt_head(r, expr):
                return r.report(slip, expr.count.span), noun, expr.span
            if named := kind_and_name(r, expr):
                return r.report(named, expr.span), noun, expr.span
            said = wording.NO_NOUN(similar(expr.noun.text, piece_names(r)), name=expr.noun.text)
            return r.not_known(said, expr.noun.text, expr.noun.span), noun, expr.span
        r.note(expr.noun.span, SymbolKind.NOUN, noun)
        return r.number(expr.count), noun, expr.span
    if isinstance(expr, ex.Per) and isinstance(expr.rate, ex.NounAmount):
        rate = amount_of(r, expr.rate)
        assert rate is not None
        if rate[0].type == UNKNOWN:
            return rate
        return _times(rate[0], _things(r, expr.things), expr.span), rate[1], expr.span
    return None


def noun_of(r: Resolver, expr: ex.Expr) -> str | None:
    """Return the noun of an amount, in the singular; None for other expressions."""
    if isinstance(expr, ex.Per):
        expr = expr.rate
    return r.world.singular(expr.noun.text) if isinstance(expr, ex.NounAmount) else None


def with_brackets(expr: ex.Expr) -> tuple[str, str, str] | None:
    """Add brackets to an operation before a noun: `(my fame + 1) coins`, or return None.

    Also return the noun, and the operand that it would belong to without the brackets.
    """
    found = _amount_at_end(expr)
    if found is None or isinstance(expr, ex.NounAmount):
        return None
    number, last = found
    noun, operand = last.noun.text, print_expression(last.count)
    return f"({print_expression(number)}) {noun}", noun, operand


def _amount_at_end(expr: ex.Expr) -> tuple[ex.Expr, ex.NounAmount] | None:
    """Return an operation without the noun of its last operand, and that operand with its noun."""
    if isinstance(expr, ex.NounAmount):
        return expr.count, expr
    if isinstance(expr, ex.Arithmetic):
        found = _amount_at_end(expr.right)
        return found and (ex.Arithmetic(expr.op, expr.left, found[0]), found[1])
    if isinstance(expr, ex.Cap):
        found = _amount_at_end(expr.bound)
        return found and (ex.Cap(expr.at_most, expr.value, found[0]), found[1])
    return None


def _times(rate: ty.Value, count: ty.Value, span: Span) -> ty.Value:
    if isinstance(rate, ty.Const) and rate.value == 1:
        return count
    return ty.Arith("*", rate, count, type=NUMBER, span=span)


def _things(r: Resolver, expr: ex.Expr) -> ty.Value:
    """Resolve the number of items after `per`; `per 2 cards in ...` counts pairs."""
    if isinstance(expr, ex.Contents) and isinstance(expr.what, ex.NounAmount):
        name = ex.Name(expr.what.noun.text, span=expr.what.noun.span)
        count = r.number(ex.Contents(name, expr.where, span=expr.span))
        size = r.number(expr.what.count)
        if not (isinstance(size, ty.Const) and size.value > 0):
            r.report(wording.OPEN_NUMBER_AFTER_PER(), expr.what.span)
        return ty.Arith("/", count, size, type=NUMBER, span=expr.span)
    if isinstance(expr, ex.NounAmount):
        size_text = print_expression(expr.count)
        message = wording.NUMBER_AFTER_PER(size=size_text, noun=expr.noun.text)
        return r.report(message, expr.span)
    number = r.number(expr)
    if isinstance(number, ty.Const) and number.type != UNKNOWN:
        return r.report(wording.NOTHING_AFTER_PER(size=number.value), expr.span)
    return number


def counted(r: Resolver, expr: ex.NounAmount | ex.Per) -> ty.Value:
    """Resolve a rate as a number; report an amount where a plain number is needed."""
    if isinstance(expr, ex.Per) and not isinstance(expr.rate, ex.NounAmount):
        return _sum_over(r, expr)
    found = amount_of(r, expr)
    assert found is not None
    said = wording.NO_PLAIN_NUMBER(noun=found[1])
    return r.report(said, expr.span, found[0], facts=PlainNumberWanted())


def _sum_over(r: Resolver, expr: ex.Per) -> ty.Value:
    """Resolve `E per THINGS`: the sum of E over a domain."""
    domain, said = reported_selection(r, expr.things)
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
        plural = r.world.pieces[domain.element.of].plural
        return r.report(wording.ALIKE_IN_SUM(plural=plural), expr.rate.span)
    return ty.SumOf(domain, local.name, amount, type=NUMBER, span=expr.span)


def price_of(r: Resolver, expr: ex.Expr) -> ty.Value:
    """Resolve a price; an amount becomes a price with one noun."""
    amount = amount_of(r, expr)
    if amount is None:
        found = r.value(expr, BUNDLE)
        return found if fits(found.type, BUNDLE) else r.mismatch(expr.span, found, "a price")
    number, noun, _ = amount
    nouns = r.world.bundle_nouns
    if number.type == UNKNOWN:
        return number
    if noun not in nouns:
        return r.report(wording.NOT_IN_PRICES(among(noun, nouns), noun=noun), expr.span)
    if isinstance(number, ty.Const):
        fixed = tuple(number.value if each == noun else 0 for each in nouns)
        return ty.Bundle(fixed, type=BUNDLE, span=expr.span)
    zero = ty.Const(0, type=NUMBER)
    parts = tuple(number if each == noun else zero for each in nouns)
    return ty.MakeBundle(parts, type=BUNDLE, span=expr.span)


# -------------------------------------------------------------------- operators
@attrs.frozen
class Operator:
    """Binary operator: the type of its operands (None: any type), and its node."""

    operands: Type | None
    node: Callable[[str, ty.Value, ty.Value, Span], ty.Value]


def _arith(word: str, left: ty.Value, right: ty.Value, span: Span) -> ty.Value:
    return ty.Arith(word, left, right, type=NUMBER, span=span)


def _comparison(word: str, left: ty.Value, right: ty.Value, span: Span) -> ty.Value:
    if isinstance(left, ty.CountOf) and isinstance(right, ty.Const):
        some = ty.AnyOf(left.domain, type=YES_NO, span=left.span)
        if (word, right.value) in {(">", 0), (">=", 1), ("<>", 0)}:
            return some
        if (word, right.value) in {("=", 0), ("<", 1), ("<=", 0)}:
            return ty.Negation(some, type=YES_NO, span=span)
    return ty.Comparison(word, left, right, type=YES_NO, span=span)


def _joining(word: str, left: ty.Value, right: ty.Value, span: Span) -> ty.Value:
    return (ty.And if word == "and" else ty.Or)((left, right), type=YES_NO, span=span)


OPERATORS = {
    **dict.fromkeys(("+", "-", "*", "/", "min", "max"), Operator(NUMBER, _arith)),
    **dict.fromkeys(("<", "<=", ">", ">="), Operator(NUMBER, _comparison)),
    **dict.fromkeys(("=", "<>"), Operator(None, _comparison)),
    **dict.fromkeys(("and", "or"), Operator(YES_NO, _joining)),
}


def logic(r: Resolver, expr: ex.Logic) -> ty.Value:
    """Resolve `and` or `or`; the left side is assumed in the right one."""
    left = r.condition(expr.left)
    some = set(r.scope.some)
    r.scope.assume(left if expr.op == "and" else ty.Negation(left, type=YES_NO))
    if expr.op == "or" and isinstance(left, ty.Negation) and isinstance(left.value, ty.IsSome):
        r.scope.assume(left.value)  # in `no x or f of x`, x is not none after `or`
    right = r.condition(expr.right, _repeated(expr))
    r.scope.some = some
    return OPERATORS[expr.op].node(expr.op, left, right, expr.span)


def _repeated(expr: ex.Logic) -> str:
    """Return the comparison that the right operand may stand for, as in `x = 2 or 3`, or ""."""
    left = expr.left
    while isinstance(left, ex.Logic):
        left = left.right if isinstance(left.right, ex.Compare) else left.left
    if not isinstance(left, ex.Compare):
        return ""
    return print_expression(ex.Compare(left.op, left.left, expr.right))


def compare(r: Resolver, expr: ex.Compare) -> ty.Value:
    """Resolve a comparison of two values of the same type."""
    left = r.value(expr.left)
    right = r.value(expr.right, left.type)
    entry_meant = right.type.family == "entry" and left.type != right.type
    if isinstance(expr.left, ex.Name) and entry_meant:
        left = as_entry(r, expr.left, right.type) or left
    if _are_same(left, right):
        r.report(_compared_with_itself(r, left), expr.span)
    left, right = _as_entries(r, left, right)
    if not (fits(left.type, right.type) or fits(right.type, left.type)):
        r.report(wording.NOT_COMPARABLE(left=left.type, right=right.type), expr.span)
        return ty.Const(0, type=YES_NO, span=expr.span)
    operator = OPERATORS[expr.op]
    for side, part in ((left, expr.left), (right, expr.right)):
        if operator.operands is not None and not fits(side.type, operator.operands):
            r.mismatch(part.span, side, "a number")
    return operator.node(expr.op, left, right, expr.span)


def _compared_with_itself(r: Resolver, value: ty.Value) -> WordedFinding:
    names = {part.name for part in ty.walk(value) if isinstance(part, ty.Local)}
    candidates = names & {candidate.name for candidate in r.scope.candidates}
    if isinstance(r.scope.me, ty.Local) and r.scope.me.name in candidates:
        return wording.ACTOR_WITH_ITSELF()
    if candidates:
        return wording.CANDIDATE_WITH_ITSELF()
    return wording.COMPARED_WITH_ITSELF()


def _are_same(left: ty.Value, right: ty.Value) -> bool:
    """Return whether two values are computed in the same way, from a local and without chance."""
    parts = [*ty.walk(left)]
    is_fixed = not any(isinstance(part, ty.RandomOf) for part in parts)
    return left == right and is_fixed and any(isinstance(part, ty.Local) for part in parts)


def _as_entries(r: Resolver, left: ty.Value, right: ty.Value) -> tuple[ty.Value, ty.Value]:
    """Convert printed pieces to entries for a comparison, in which copies are equal."""
    if left.type.family == right.type.family == "piece" and left.type.of == right.type.of:
        printed = left.type.of in r.world.kinds
        return (_print(left), _print(right)) if printed else (left, right)
    if left.type.family == "piece" and right.type.total() == entry(left.type.of):
        left = _print(left) if right.type.maybe else _print_as(left, right.type)
    elif right.type.family == "piece" and left.type.total() == entry(right.type.of):
        right = _print(right) if left.type.maybe else _print_as(right, left.type)
    return left, right


def _print_as(value: ty.Value, kind: Type) -> ty.Value:
    return ty.EntryOf(value.type.of, value, type=kind, span=value.span)


def _print(value: ty.Value) -> ty.Value:
    kind = attrs.evolve(value.type, family="entry")
    return ty.EntryOf(value.type.of, value, type=kind, span=value.span)


def arithmetic(r: Resolver, word: str, left: ex.Expr, right: ex.Expr, span: Span) -> ty.Value:
    """Resolve a sum, difference, product, quotient, minimum or maximum of two numbers."""
    one, other = r.number(left), r.number(right)
    if word == "/" and not surely_positive(r, other):
        r.report(wording.DIVISOR_MAY_BE_ZERO(), right.span, facts=DivisorMayBeZero())
    return OPERATORS[word].node(word, one, other, span)


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
        return all(surely_positive(r, each) for each in value.values)
    return isinstance(value, ty.Seats) or value in r.positive


def _positive(value: object) -> bool:
    """Return whether a field's number, or every number in a chart, is positive."""
    if isinstance(value, tuple):
        return bool(value) and all(number > 0 for _, number in value)
    return isinstance(value, int) and value > 0


def no_kind(r: Resolver, name: str, kinds: Iterable[str]) -> WordedFinding:
    """Return the finding about a name that is not a kind."""
    sort = sort_of(name, r.world)
    words = wording.NO_KIND if sort is None else wording.OTHER_SORT
    return words(similar(name, kinds), name=name, sort=sort)


def beside(r: Resolver, expr: ex.Beside) -> ty.Value:
    """Resolve `N KINDS before/after X`: an entry N steps away in the cyclic order."""
    ring = r.world.singular(expr.noun.text)
    steps = r.number(expr.steps)
    if ring in SEAT_WORDS:
        origin = r.of_type(expr.origin, SEAT)
        ring, kind_type = "player", PLAYER
    elif ring not in r.world.kinds:
        return r.report(
            no_kind(r, expr.noun.text, [*r.world.kinds, "player", "seat"]), expr.noun.span
        )
    else:
        r.note(expr.noun.span, SymbolKind.NOUN, ring)
        kind_type = entry(ring)
        origin = r.of_type(expr.origin, kind_type)
    if expr.side == "before":
        steps = _arith("-", ty.Const(0, type=NUMBER), steps, expr.span)
    return ty.Ring(ring, origin, steps, type=kind_type, span=expr.span)


def as_entry(r: Resolver, expr: ex.Name, want: Type | None) -> ty.Value | None:
    """Resolve a name as an entry of the expected kind; for other names, return None silently."""
    kind = None if want is None else r.world.kinds.get(want.of)
    if kind is None or want is None or want.family not in {"entry", "piece"}:
        return None
    at = kind.index.get(expr.name)
    return None if at is None else ty.Const(at, type=entry(want.of), span=expr.span)
