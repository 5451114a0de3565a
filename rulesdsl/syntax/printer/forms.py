"""The grammar read backwards: the ways in which a kind of node may be written.

Lark has a rule as its alternatives: `"move" [UP_TO] arg` is two, with and without. So what a node
says chooses the alternative, and the alternative says how it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, product
from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax.grammar import alternatives, spelled, words_of
from rulesdsl.syntax.node import FIELDS, SHAPES, Node, Slot

if TYPE_CHECKING:
    from lark.grammar import Rule, Symbol


# How tightly a phrase holds together: the rules of values, each made of those after it.
_LEVELS = [
    "arg",
    "expr",
    "or_",
    "and_",
    "not_",
    "compare",
    "cap",
    "sum",
    "product",
    "per",
    "sel",
    "amount",
    "lookup",
    "of",
    "atom",
]
_LAYOUT = {"_NL", "_INDENT", "_DEDENT"}
_OPERATORS = {"SUM", "PRODUCT"}  # of each there are two signs
_Signs = tuple[bool | None, ...]  # whether nothing, no, or anything else is said


@attrs.frozen
class Said:
    """A field of a node, written as a terminal or a rule of the grammar."""

    field: str
    symbol: str

    @property
    def takes(self) -> _Signs:
        """What may be said here: nothing, no, or anything else."""
        if words_of(self.symbol):
            return (False, True)
        return (None, True) if self.symbol == "pers" else (True,)


Part = str | Said
"""A word, a sign, `_NL`, `_INDENT` or `_DEDENT`; or what a node says."""


@attrs.frozen
class Form:
    """One way to write a node: its parts in order, and how tightly they hold together.

    `takes` has for each field whether nothing, no or anything else may be said there.
    """

    level: int
    parts: tuple[Part, ...]
    fixed: Mapping[str, object]
    takes: Mapping[str, _Signs]

    def fits(self, node: Node) -> bool:
        """Whether a node says what the rule has as words or signs of its own."""
        signs = (
            each for each in self.parts if isinstance(each, Said) and each.symbol in _OPERATORS
        )
        return all(getattr(node, name) == value for name, value in self.fixed.items()) and all(
            re.fullmatch(spelled()[each.symbol], getattr(node, each.field)) for each in signs
        )


def form_of(node: Node) -> Form:
    """Return the way in which a node is written."""
    kind: type = type(node)
    forms = _forms_saying(kind, tuple([_sign(getattr(node, each)) for each in FIELDS[kind]]))
    return forms[0] if len(forms) == 1 else next(form for form in forms if form.fits(node))


@cache
def level(symbol: str) -> int:
    """Return how tightly a phrase has to hold together where the grammar has this symbol."""
    if symbol == "range_or":  # nothing else holds a range
        return level("lookup")
    if symbol in _LEVELS:
        return _LEVELS.index(symbol)
    within = (name for name in _LEVELS for rule in alternatives()[name] if _kept(rule) == [symbol])
    return next(map(_LEVELS.index, within), len(_LEVELS))


def _sign(value: object) -> bool | None:
    """Return whether a value says nothing, no, or anything else."""
    return None if value is None or value == () else value is not False


@cache
def _forms_saying(kind: type, signs: _Signs) -> tuple[Form, ...]:
    """Return the ways to write nodes of a kind whose fields say no more and no less than this."""
    said = dict(zip(FIELDS[kind], signs, strict=True))
    return tuple(
        form
        for form in _forms_of(kind)
        if all(said[each] in takes for each, takes in form.takes.items())
    )


@cache
def _forms_of(kind: type) -> tuple[Form, ...]:
    found: list[Form] = []
    for name, shape in SHAPES.items():
        for rule in alternatives()[name] if shape.kind is kind else ():
            if rule.options.expand1 and not rule.alias and len(_kept(rule)) == 1:
                continue  # lark leaves such a tree out
            for parts in _ways(rule, shape.slots, shape.more):
                takes: dict[str, _Signs] = {
                    each: (None, False) for each in FIELDS[kind] if each not in shape.fixed
                }
                takes |= {each.field: each.takes for each in parts if isinstance(each, Said)}
                found.append(Form(level(rule.origin.name), parts, shape.fixed, takes))
    return tuple(found)


def _kept(rule: Rule) -> list[str]:
    """Return what is left of a rule's symbols in a tree."""
    return [each.name for each in rule.expansion if not getattr(each, "filter_out", False)]


def _ways(rule: Rule, slots: tuple[Slot, ...], more: str) -> list[tuple[Part, ...]]:
    """Return the ways to write an alternative of a rule: several where rules are in it."""
    left = iter(slots)
    symbols = iter(rule.expansion)
    columns: list[list[tuple[Part, ...]]] = []
    for is_empty in rule.options.empty_indices or [False] * len(rule.expansion):
        if is_empty:
            next(left, None)
        else:
            columns.append(_written(next(symbols), left, more))
    return [tuple(chain(*parts)) for parts in product(*columns)]


def _written(symbol: Symbol, left: Iterator[Slot], more: str) -> list[tuple[Part, ...]]:
    """Return the ways to write a symbol, which takes a slot where it is a child of its tree."""
    name = symbol.name
    if getattr(symbol, "filter_out", False):
        return [(name if name in _LAYOUT else spelled()[name],)]
    if name.startswith("__"):
        return [(Said(more, name),)]
    slot = () if name.startswith("_") else next(left)
    if isinstance(slot, dict):
        slot = slot[name]
    if slot is None:
        return [(spelled()[name],)]
    inside = alternatives().get(name, ())
    if isinstance(slot, str):
        if [_kept(rule) for rule in inside] != [["NAME"]]:
            return [(Said(slot, name),)]
        slot = (slot,)
    return [way for rule in inside for way in _ways(rule, slot, more)]
