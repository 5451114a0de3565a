"""What is a word of the language, and what is one of another language."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rulesdsl.source.diagnostic import Findings
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.habits import TABLE, habit_at
from rulesdsl.syntax.parser import parse_effect, parse_formula
from rulesdsl.syntax.token_words import NO_NAMES, STATEMENTS

GRAMMAR = Path(__file__).parents[2] / "rulesdsl" / "grammar.lark"
HABITS = Path(__file__).parents[1] / "check" / "broken" / "foreign-habits" / "expected.txt"


def keywords() -> set[str]:
    text = GRAMMAR.read_text(encoding="utf-8")
    return {part for part in text.split('"')[1::2] if part.isalpha() and part.islower()}


def test_the_words_that_cannot_name_things_are_those_that_the_grammar_reads_otherwise() -> None:
    found = {
        word for word in keywords() if not isinstance(parse_formula(word, "", Findings()), ex.Name)
    }

    assert found == NO_NAMES


def test_the_words_that_cannot_name_verbs_are_those_that_the_grammar_reads_otherwise() -> None:
    found: set[str] = set()
    for word in keywords():
        findings = Findings()
        body = parse_effect(word, "", findings)
        if body is None or findings.has_errors or not isinstance(body.statements[0], st.Call):
            found.add(word)

    assert found == STATEMENTS


@pytest.mark.parametrize("group", ["signs", "words"])
def test_every_habit_has_a_case(group: str) -> None:
    told = HABITS.read_text(encoding="utf-8")
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))[group]
    advice = [each if isinstance(each, str) else each["instead"] for each in table.values()]

    assert [each for each in advice if f"= help: {each}" not in told] == []


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('    may "Really? Yes!": win 1', 5),
        ("    gain 1 or else win 1 x", 26),
        ("    repeat at most 3 times until done", 10),
    ],
)
def test_what_is_said_here_is_no_habit(line: str, column: int) -> None:
    assert habit_at(line, column) is None
