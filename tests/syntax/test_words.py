from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest

from rulesdsl.source.diagnostics import Findings
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import alternatives, begins
from rulesdsl.syntax.node import FIELDS, SHAPES, GrammarRule
from rulesdsl.syntax.parser import parse_effect, parse_formula
from rulesdsl.syntax.unreadable_lines import habits_at

GRAMMAR = Path(__file__).parents[2] / "rulesdsl" / "grammar.lark"


def keywords() -> set[str]:
    text = GRAMMAR.read_text(encoding="utf-8")
    return {part for part in text.split('"')[1::2] if part.isalpha() and part.islower()}


def test_the_words_that_cannot_name_things_are_those_that_the_grammar_reads_otherwise() -> None:
    found = {
        word for word in keywords() if not isinstance(parse_formula(word, "", Findings()), ex.Name)
    }
    assert found == set(begins("arg"))


def test_the_words_that_cannot_name_verbs_are_those_that_the_grammar_reads_otherwise() -> None:
    found: set[str] = set()
    for word in keywords():
        findings = Findings()
        body = parse_effect(word, "", findings)
        if body is None or findings.has_errors or not isinstance(body.statements[0], st.Call):
            found.add(word)
    assert found == set(begins("stmt"))


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('    may "Really? Yes!": win 1', 5),
        ("    gain 1 or else win 1 x", 26),
        ("    repeat at most 3 times until done", 10),
    ],
)
def test_what_is_said_here_is_no_habit(line: str, column: int) -> None:
    assert not any(not each.habit.only for each in habits_at(line, column))


BY_HAND = {ex.Switch, st.Call, st.Sequence, st.Either, st.May, st.If}


def said(shape: GrammarRule) -> Iterator[str]:
    for slot in shape.slots:
        for part in slot.values() if isinstance(slot, Mapping) else (slot,):
            yield from part if isinstance(part, tuple) else [part] if part else []
    yield from shape.fixed
    yield from [shape.more] if shape.more else []


def test_every_kind_of_node_is_a_rule_of_the_grammar_or_made_by_hand() -> None:
    kinds = {*get_args(ex.Expr), *get_args(st.Stmt), *get_args(de.Decl)}
    assert kinds - {shape.kind for shape in SHAPES.values()} == BY_HAND
    assert SHAPES.keys() <= alternatives().keys()


def test_rules_say_all_that_their_nodes_have() -> None:
    found: dict[type, set[str]] = {}
    for shape in SHAPES.values():
        found.setdefault(shape.kind, set()).update(said(shape))
    assert found == {kind: set(FIELDS[kind]) for kind in found}
