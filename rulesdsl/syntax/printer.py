"""Printer of syntax trees in canonical form."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, product
from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.format import INDENT, WIDTH, spaced
from rulesdsl.syntax.lexer import alternatives, escaped, spelled, words_of
from rulesdsl.syntax.node import FIELDS, SHAPES, Identifier, Node, Slot

if TYPE_CHECKING:
    from lark.grammar import Rule, Symbol


# Inverted grammar (invertible syntax descriptions, Rendel and Ostermann 2010).
#
# The printer needs no template per node: the grammar and the `@node` decorators are its only
# description. Lark expands each rule into alternatives, for example `"move" [UP_TO] arg` into one
# with and one without UP_TO. `_forms_of` turns every alternative of a node's rules into a
# `NodeForm`: literal words where the grammar has fixed terminals, a `FieldPart` where a field of
# the node is printed. `form_of` selects the form by the presence of the node's fields (absent,
# false, present); forms that differ only in fixed values or in an operator are distinguished by
# `NodeForm.fits`.
#
# Parentheses follow from the nesting of the rules for expressions: `_LEVELS` lists them from
# loosest to tightest, and `phrase` adds parentheses where a node's form is looser than its context
# accepts.
#
# Nodes whose children are not their fields are printed by hand in `phrase` and `lines`: texts,
# calls, sequences, `or else`, `may`, `if`, hooks that add lines. A new rule of that kind, or two
# alternatives with the same presence of fields, defeats the inversion and needs such a case.
#
# Invariant, checked by tests/syntax: the printed text parses to an equal tree. `coloma fmt` does
# not use the printer; see `format.py`.


# Rules for expressions, from loosest to tightest precedence.
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
_OPERATORS = {"SUM", "PRODUCT"}  # each terminal has two signs
_Signs = tuple[bool | None, ...]  # None: absent, False: false, True: any other value


@attrs.frozen
class FieldPart:
    """Field of a node that is printed as a terminal or rule of the grammar."""

    field: str
    symbol: str

    @property
    def takes(self) -> _Signs:
        """The states of the field (absent, false or set) in which it can be printed."""
        if words_of(self.symbol):
            return (False, True)
        return (None, True) if self.symbol == "pers" else (True,)


Part = str | FieldPart
"""Part of a form: a literal token, `_NL`, `_INDENT`, `_DEDENT`, or a field."""


@attrs.frozen
class NodeForm:
    """Printed form of a rule's alternative: its parts in order, and its precedence.

    `takes` has the allowed states of each field that the form covers; `fixed` has the values of
    fields that it implies.
    """

    level: int
    parts: tuple[Part, ...]
    fixed: Mapping[str, object]
    takes: Mapping[str, _Signs]

    def fits(self, node: Node) -> bool:
        """Return true if a node has the fixed values and the operators of the form."""
        signs = (
            each
            for each in self.parts
            if isinstance(each, FieldPart) and each.symbol in _OPERATORS
        )
        return all(getattr(node, name) == value for name, value in self.fixed.items()) and all(
            re.fullmatch(spelled()[each.symbol], getattr(node, each.field)) for each in signs
        )


def form_of(node: Node) -> NodeForm:
    """Return the form in which to print a node."""
    kind: type = type(node)
    forms = _forms_with(kind, tuple([_sign(getattr(node, each)) for each in FIELDS[kind]]))
    return forms[0] if len(forms) == 1 else next(form for form in forms if form.fits(node))


@cache
def level(symbol: str) -> int:
    """Return the precedence that the grammar requires of a symbol."""
    if symbol in {"range_or", "within"}:  # no other rule contains a range or `other than`
        return level("lookup")
    if symbol in _LEVELS:
        return _LEVELS.index(symbol)
    within = (name for name in _LEVELS for rule in alternatives()[name] if _kept(rule) == [symbol])
    return next(map(_LEVELS.index, within), len(_LEVELS))


def _sign(value: object) -> bool | None:
    return None if value is None or value == () else value is not False


@cache
def _forms_with(kind: type, signs: _Signs) -> tuple[NodeForm, ...]:
    said = dict(zip(FIELDS[kind], signs, strict=True))
    return tuple(
        form
        for form in _forms_of(kind)
        if all(said[each] in takes for each, takes in form.takes.items())
    )


@cache
def _forms_of(kind: type) -> tuple[NodeForm, ...]:
    found: list[NodeForm] = []
    for name, shape in SHAPES.items():
        for rule in alternatives()[name] if shape.kind is kind else ():
            if rule.options.expand1 and not rule.alias and len(_kept(rule)) == 1:
                continue  # lark inlines such a tree
            for parts in _ways(rule, shape.slots, shape.more):
                takes: dict[str, _Signs] = {
                    each: (None, False) for each in FIELDS[kind] if each not in shape.fixed
                }
                takes |= {each.field: each.takes for each in parts if isinstance(each, FieldPart)}
                found.append(NodeForm(level(rule.origin.name), parts, shape.fixed, takes))
    return tuple(found)


def _kept(rule: Rule) -> list[str]:
    return [each.name for each in rule.expansion if not getattr(each, "filter_out", False)]


def _ways(rule: Rule, slots: tuple[Slot, ...], more: str) -> list[tuple[Part, ...]]:
    """Return the forms of an alternative; there may be several because of inlined rules."""
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
    """Return the forms of a symbol; a symbol that is a child of the tree consumes a slot."""
    name = symbol.name
    if getattr(symbol, "filter_out", False):
        return [(name if name in _LAYOUT else spelled()[name],)]
    if name.startswith("__"):
        return [(FieldPart(more, name),)]
    slot = () if name.startswith("_") else next(left)
    if isinstance(slot, dict):
        slot = slot[name]
    if slot is None:
        return [(spelled()[name],)]
    inside = alternatives().get(name, ())
    if isinstance(slot, str):
        if [_kept(rule) for rule in inside] != [["NAME"]]:
            return [(FieldPart(slot, name),)]
        slot = (slot,)
    return [way for rule in inside for way in _ways(rule, slot, more)]


_SOUNDS_LIKE_A_VOWEL = re.compile(r"(?!eu|one|uni|use|usu)[aeiou]")

# The text before the first item of a list and the text between items; other lists have neither.
_LISTS = {
    "members": ("", ","),
    "shows": ("", ","),
    "ranking": ("", "then"),
    "pers": ("per", "per"),
}


def print_expression(expr: ex.Expr) -> str:
    """Return an expression as text, without outer parentheses."""
    return in_line(phrase(expr))


def in_line(words: list[str]) -> str:
    """Join words and signs with canonical spacing."""
    return spaced(words, named=False)


def phrase(node: Node, needed: int = 0) -> list[str]:
    """Return the words of a node, in parentheses if it binds more loosely than `needed`."""
    if isinstance(node, ex.Switch):
        return [words_of("switch")[not node.on]]
    if isinstance(node, ex.Text):
        return [print_text(node)]
    if isinstance(node, st.Call):
        return [node.verb.text, *(word for each in node.arguments for word in _argument(each))]
    if isinstance(node, st.Sequence):
        return _in_order(node.steps) + (["to", *_in_order(node.gains)] if node.gains else [])
    if isinstance(node, st.Either):
        return _joined([phrase(way) for way in node.ways], "or else")
    form = form_of(node)
    words: list[str] = []
    for part in form.parts:
        words += [part] if isinstance(part, str) else said(getattr(node, part.field), part.symbol)
    if isinstance(node, ex.Choice) and _SOUNDS_LIKE_A_VOWEL.match(node.kind.text):
        words[0] = "an"
    if isinstance(node, de.Names) and node.plural is not None:
        words[:3] = ["".join(words[:3])]
    return words if form.level >= needed else ["(", *words, ")"]


def said(value: object, symbol: str) -> list[str]:
    """Return the words of a field's value, printed as a symbol of the grammar."""
    if isinstance(value, Identifier):
        return [value.text]
    if isinstance(value, Node):
        return phrase(value, level(symbol))
    if isinstance(value, bool):
        return [(words_of(symbol) or [spelled()[symbol]])[not value]]
    if isinstance(value, tuple):
        before, between = _LISTS.get(symbol, ("", ""))
        items = _joined([said(each, "expr") for each in value], between)
        return [before, *items] if before and items else items
    return [f'"{escaped(str(value))}"' if symbol == "STRING" else str(value)]


def print_text(text: ex.Text) -> str:
    """Return a text literal in quotation marks, with its values in braces."""
    first, *rest = map(escaped, text.words)
    values = (f"{{{print_expression(each)}}}" for each in text.values)
    return (
        f'"{first}{"".join(f"{value}{words}" for value, words in zip(values, rest, strict=True))}"'
    )


def _argument(argument: st.Argument) -> list[str]:
    before = [] if argument.preposition is None else [argument.preposition]
    return before + phrase(argument.value)


def _in_order(steps: tuple[st.Stmt, ...]) -> list[str]:
    return _joined([phrase(step) for step in steps], ",")


def _joined(parts: list[list[str]], between: str) -> list[str]:
    words: list[str] = []
    for part in parts:
        words += [between, *part] if words and between else part
    return words


# Statements that fit on one line, and statements allowed after a colon.
_OneLine = st.Simple | st.Sequence | st.Either
_Inline = _OneLine | st.May | st.Loop


@attrs.frozen
class LineBudget:
    """Width left on a line, and the layout of one statement's bodies.

    With `join`, a body is printed on the line of its colon if it fits; without `join`, only if it
    was also written there.
    """

    room: int = WIDTH
    join: bool = False

    @property
    def deeper(self) -> LineBudget:
        """The budget for lines one level deeper."""
        return attrs.evolve(self, room=self.room - len(INDENT))


_ONE_LINE = LineBudget(sys.maxsize, join=True)


def print_statement(stmt: st.Stmt) -> str:
    """Print a statement, on one line if the grammar allows it."""
    return "\n".join(lines(stmt, _ONE_LINE))


def print_body(body: st.Body) -> str:
    """Print the statements of a body, one per line."""
    return "\n".join(print_statement(stmt) for stmt in body.statements)


_REPEATED = ("may any number of times", "may up to")


def print_label(body: st.Body) -> str:
    """Print a body on one line as a label: its effects without its preconditions."""
    label = ""
    does = tuple(each for each in body.statements if not isinstance(each, st.Needs))
    for line in print_body(st.Body(does, body.inline) if does else body).split("\n"):
        joint = "" if not label else " " if label.endswith(":") else ", "
        words = line.strip()
        label += joint + (words.removeprefix("may ") if words.startswith(_REPEATED) else words)
    return label


def lines(node: Node, page: LineBudget) -> list[str]:
    """Return the lines of a statement or declaration, without a margin."""
    if isinstance(node, st.Call | st.Sequence | st.Either):
        return [in_line(phrase(node))]
    if isinstance(node, st.May):
        return _may(node, page)
    if isinstance(node, st.If):
        return _if(node, page)
    if isinstance(node, st.Line) and node.label is None:
        return [line for stmt in node.body.statements for line in lines(stmt, page)]
    if isinstance(node, de.HookDecl) and node.time.startswith("add to"):
        asked = [] if node.when is None else ["when", *said(node.when, "expr")]
        head = in_line([node.time, *phrase(node.header), *asked, ":"])
        return [head, *lines(node.body.statements[0], page)[1:]]
    return _as_formed(node, page)


def _as_formed(node: Node, page: LineBudget) -> list[str]:
    done: list[str] = []
    line: list[str] = []
    for part in form_of(node).parts:
        if part == "_NL":
            done.append(in_line(line))
            line = []
        elif isinstance(part, str):
            line += [] if part in {"_INDENT", "_DEDENT"} else [part]
        elif isinstance(value := getattr(node, part.field), st.Body | st.Formula):
            done += _behind(line, value, page)
            line = []
        elif isinstance(value, tuple) and done:
            done += _below(value, page)
        else:
            line += said(value, part.symbol)
    return [*done, in_line(line)] if line else done


def _behind(head: list[str], what: st.Body | st.Formula, page: LineBudget) -> list[str]:
    """Return a head and its body, on one line if allowed and short enough.

    A line that is too long is broken after its first colon.
    """
    if isinstance(what, st.Formula):
        return _formula(head, what, page)
    only = what.statements[0] if len(what.statements) == 1 else None
    if isinstance(only, _Inline) and (what.inline or page.join):
        first, *rest = lines(only, attrs.evolve(page, room=sys.maxsize))
        line = f"{in_line([*head, ':'])} {first}"
        if len(line) <= page.room:
            return [line, *rest]
    return [in_line([*head, ":"]), *_below(what.statements, page)]


def _below(nodes: tuple[Node, ...], page: LineBudget) -> list[str]:
    return [INDENT + line for node in nodes for line in lines(node, page.deeper)]


def _if(stmt: st.If, page: LineBudget) -> list[str]:
    found: list[str] = []
    for branch in stmt.branches:
        words = ["otherwise", "if"] if found else ["if"]
        found += _behind([*words, *said(branch.condition, "expr")], branch.body, page)
    return found + (_behind(["otherwise"], stmt.otherwise, page) if stmt.otherwise else [])


def _may(stmt: st.May, page: LineBudget) -> list[str]:
    head = [] if stmt.label is None else phrase(stmt.label)
    head += ["confirm"] if stmt.confirm else []
    only = stmt.body.statements[0] if len(stmt.body.statements) == 1 else None
    if not head and isinstance(only, _OneLine) and (stmt.body.inline or page.join):
        line = in_line(["may", *phrase(only)])
        if len(line) <= page.room:
            return [line]
    return _behind(["may", *head], stmt.body, page)


def _formula(head: list[str], formula: st.Formula, page: LineBudget) -> list[str]:
    line = in_line([*head, ":", *phrase(formula.otherwise)])
    before = [*formula.lets, *formula.cases]
    if not before and formula.inline and len(line) <= page.room:
        return [line]
    last = ["otherwise"] if formula.cases else []
    final = INDENT + in_line([*last, *phrase(formula.otherwise)])
    return [in_line([*head, ":"]), *_below(tuple(before), page), final]
