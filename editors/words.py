"""The words of the language by what they are for, as the rules of the grammar say."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax.lexer import alternatives, spelled, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark.grammar import Rule

_WORD = re.compile(r"[a-z]+( [a-z]+)*")
_OPERATORS = ("AND", "OR", "NOT", "AT_MOST", "AT_LEAST")
_PRONOUNS = ("MY", "ME", "IT")


@attrs.frozen
class Words:
    """Groups of words; one may stand for several: `at most`.

    `functions` begin a declaration of what is carried out or computed, `things` that of anything
    else with a name, `other_heads` one without. `statements` begin a statement, `asides` are all
    that is left.
    """

    functions: tuple[str, ...]
    things: tuple[str, ...]
    other_heads: tuple[str, ...]
    statements: tuple[str, ...]
    operators: tuple[str, ...]
    pronouns: tuple[str, ...]
    switches: tuple[str, ...]
    asides: tuple[str, ...]
    bound: dict[str, str]
    """Those of the asides that always follow one other word, and that word."""

    @property
    def inside(self) -> tuple[str, ...]:
        """All that can stand within a line."""
        groups = (self.statements, self.operators, self.pronouns, self.switches, self.asides)
        return _sorted(word for group in groups for word in group)


@cache
def words() -> Words:
    """Return all words of the language."""
    functions, things, other_heads = _heads()
    heads = {*functions, *things, *other_heads}
    begun = {*_declarations(), *(_first(each) for each in _declarations())}
    statements = _firsts("stmt")
    operators = {spelled()[each] for each in _OPERATORS}
    pronouns = {spelled()[each] for each in _PRONOUNS}
    switches = set(words_of("switch"))
    inside = {
        word
        for rule in _rules()
        for at, symbol in enumerate(rule.expansion)
        if (word := spelled().get(symbol.name, "")) and _WORD.fullmatch(word)
        if not (at == 0 and word in heads and rule.origin.name in begun)
    }
    others = statements | operators | pronouns | switches
    return Words(
        _sorted(functions),
        _sorted(things),
        _sorted(other_heads),
        _sorted(statements),
        _sorted(operators),
        _sorted(pronouns),
        _sorted(switches),
        _sorted(inside - others),
        {word: one for word in sorted(inside - others) if (one := _only_before(word))},
    )


def name_pattern() -> str:
    """Return what a name looks like, as a regular expression without groups that count."""
    return spelled()["NAME"].replace("(", "(?:")


def _heads() -> tuple[set[str], set[str], set[str]]:
    """Return the words that begin declarations, by what is declared."""
    functions: set[str] = set()
    things: set[str] = set()
    others: set[str] = set()
    for name in _declarations():
        for rule in alternatives()[name]:
            kinds = [each.name for each in rule.expansion]
            found = _firsts(kinds[0])
            if {"header", "formula"} & {*kinds}:
                functions |= found
            elif kinds[1:2] in (["NAME"], ["names"]):
                things |= found
            else:
                others |= found
    return functions, things - functions, others - functions - things


@cache
def _declarations() -> tuple[str, ...]:
    return tuple(rule.expansion[0].name for rule in alternatives()["decl"])


def _only_before(word: str) -> str:
    """Return the word that stands before another one wherever that is used, if it is one."""
    before = {
        spelled().get(rule.expansion[at - 1].name, "") if at else ""
        for rule in _rules()
        for at, symbol in enumerate(rule.expansion)
        if spelled().get(symbol.name) == word
    }
    only = before.pop() if len(before) == 1 else ""
    return only if _WORD.fullmatch(only) else ""


def _first(declaration: str) -> str:
    return str(alternatives()[declaration][0].expansion[0].name)


def _firsts(symbol: str) -> set[str]:
    """Return the words that a phrase can begin with."""
    found: set[str] = set()
    seen: set[str] = set()
    left = [symbol]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in spelled():
            word = spelled()[name]
            found |= {word} if _WORD.fullmatch(word) else set()
        left += [rule.expansion[0].name for rule in _of(name) if rule.expansion]
    return found


def _of(name: str) -> list[Rule]:
    return [rule for rule in _rules() if rule.origin.name == name]


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(rule for rules in alternatives().values() for rule in rules)


def _sorted(found: Iterable[str]) -> tuple[str, ...]:
    """Return words with the longest first, as a pattern needs them."""
    return tuple(sorted(found, key=lambda word: (-len(word), word)))
