"""Noun phrases and values as text, with parentheses only where the grammar needs them."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, assert_never

from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.syntax.node import Word

_SOUNDS_LIKE_A_VOWEL = re.compile(r"(?!eu|one|uni|use|usu)[aeiou]")


class Level(IntEnum):
    """How tightly a phrase holds together: one member for each such rule of the grammar."""

    ARG = 0
    EXPR = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARE = 5
    CAP = 6
    SUM = 7
    PRODUCT = 8
    PER = 9
    SEL = 10
    AMOUNT = 11
    LOOKUP = 12
    OF = 13
    ATOM = 14


def print_expression(expr: ex.Expr) -> str:
    """Return an expression as it stands where any expression may stand."""
    return at_level(expr, Level.ARG)


def at_level(expr: ex.Expr, needed: Level) -> str:
    """Return an expression for a place that takes only what holds together so tightly."""
    own, text = _leveled(expr)
    return text if own >= needed else f"({text})"


def print_ranking(ranking: tuple[ex.Best, ...]) -> str:
    """Return `most E then least F`."""
    return " then ".join(
        f"{'most' if best.most else 'least'} {at_level(best.value, Level.EXPR)}"
        for best in ranking
    )


def clause(word: str, expr: ex.Expr | None, needed: Level) -> str:
    """Return a part of a phrase that need not be there, with the space before it."""
    return "" if expr is None else f" {word} {at_level(expr, needed)}"


def optional_word(word: Word | None, before: str = "") -> str:
    """Return a word that need not be there, with what stands before it and a space."""
    return "" if word is None else f" {before}{word.text}"


def _leveled(expr: ex.Expr) -> tuple[Level, str]:  # noqa: C901, PLR0912 - one case for each node
    match expr:
        case ex.Number(value):
            return Level.ATOM, str(value)
        case ex.Switch(on):
            return Level.ATOM, "on" if on else "off"
        case ex.Name(name):
            return Level.ATOM, name
        case ex.My(name):
            return Level.ATOM, f"my {name}"
        case ex.Me():
            return Level.ATOM, "me"
        case ex.It():
            return Level.ATOM, "it"
        case ex.Of(name, owner):
            return Level.OF, f"{name.text} of {at_level(owner, Level.OF)}"
        case ex.Ends(end, count, stack):
            number = "" if count is None else f" {count}"
            return Level.OF, f"{end}{number} of {at_level(stack, Level.OF)}"
        case ex.At(base, key):
            return Level.LOOKUP, _two(base, Level.LOOKUP, "at", key, Level.OF)
        case ex.Amount(count, noun):
            return Level.AMOUNT, f"{at_level(count, Level.LOOKUP)} {noun.text}"
        case ex.Beside(steps, noun, side, origin):
            way = f"{noun.text} {side}"
            return Level.AMOUNT, _two(steps, Level.LOOKUP, way, origin, Level.LOOKUP)
        case ex.Contents(what, where):
            return Level.SEL, _two(what, Level.AMOUNT, "in", where, Level.LOOKUP)
        case ex.Per(rate, things):
            return Level.PER, _two(rate, Level.SEL, "per", things, Level.SEL)
        case ex.Arithmetic(op, left, right):
            level = Level.SUM if op in {"+", "-"} else Level.PRODUCT
            return level, _to_the_left(level, left, op, right)
        case ex.Cap(at_most, value, bound):
            word = "at most" if at_most else "at least"
            return Level.CAP, _to_the_left(Level.CAP, value, word, bound)
        case ex.Compare(op, left, right):
            return Level.COMPARE, _two(left, Level.CAP, op, right, Level.CAP)
        case ex.Not(value):
            return Level.NOT, f"not {at_level(value, Level.NOT)}"
        case ex.Logic(op, left, right):
            level = Level.OR if op == "or" else Level.AND
            return level, _to_the_left(level, left, op, right)
        case ex.Quantified():
            return _quantified(expr)
        case ex.Range(low, high):  # stands only where no parentheses may
            return (
                Level.ATOM,
                f"{at_level(low, Level.LOOKUP)}..{at_level(high, Level.LOOKUP)}",
            )
        case ex.Choice() | ex.RandomPick() | ex.The() | ex.First() | ex.All():
            return Level.ARG, _noun_phrase(expr)
        case _:
            assert_never(expr)


def _two(left: ex.Expr, left_level: Level, word: str, right: ex.Expr, right_level: Level) -> str:
    return f"{at_level(left, left_level)} {word} {at_level(right, right_level)}"


def _to_the_left(level: Level, left: ex.Expr, word: str, right: ex.Expr) -> str:
    """Print what groups from the left: `a - b - c` is `(a - b) - c`."""
    return _two(left, level, word, right, Level(level + 1))


def _quantified(expr: ex.Quantified) -> tuple[Level, str]:
    text = f"{'any' if expr.positive else 'no'} {at_level(expr.what, Level.SEL)}"
    if expr.where is None:
        return Level.COMPARE, text
    return Level.EXPR, text + clause("where", expr.where, Level.EXPR)


def _noun_phrase(phrase: ex.Choice | ex.RandomPick | ex.The | ex.First | ex.All) -> str:
    where = clause("where", phrase.where, Level.EXPR)
    match phrase:
        case ex.Choice(kind, variable, domain):
            article = "an" if _SOUNDS_LIKE_A_VOWEL.match(kind.text) else "a"
            name = optional_word(variable)
            return f"{article} {kind.text}{name}{clause('in', domain, Level.LOOKUP)}{where}"
        case ex.RandomPick(kind, domain):
            return f"random {kind.text}{clause('in', domain, Level.LOOKUP)}{where}"
        case ex.The(kind, domain):
            place = clause("in", domain, Level.LOOKUP)
            if not phrase.ranking:
                return f"the only {kind.text}{place}{where}"
            return f"the {kind.text}{place}{where} with {print_ranking(phrase.ranking)}"
        case ex.First(kind, domain, after):
            start = clause("after", after, Level.LOOKUP)
            return f"the first {kind.text} in {at_level(domain, Level.LOOKUP)}{start}{where}"
        case ex.All(what):
            return f"all {at_level(what, Level.SEL)}{where}"
        case _:
            assert_never(phrase)
