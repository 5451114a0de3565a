from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from examples import examples
from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.expressions import (
    At,
    Contents,
    Expr,
    Logic,
    My,
    Name,
    Not,
    NounAmount,
    Number,
)
from rulesdsl.syntax.node import Identifier
from rulesdsl.syntax.printer import print_body, print_expression, print_label, print_statement
from rulesdsl.syntax.statements import Body
from syntax.reading import (
    SHIPPED,
    print_declaration,
    print_file,
    read_effect,
    read_file,
    read_value,
)
from syntax.strategies import bodies, expressions, files

# Values, statements, and a file as they are printed.
VALUES, STATEMENTS, RULES = (
    (Path(__file__).parent / "printed.txt").read_text("utf-8").split("\n\n", 2)
)


@given(expressions)
@examples(100)
def test_a_printed_value_reads_back_as_it_was(value: Expr) -> None:
    assert read_value(print_expression(value)) == value


@given(bodies)
@examples(50)
def test_a_printed_effect_reads_back_as_it_was(body: Body) -> None:
    assert read_effect(print_body(body)) == body


@given(files)
@examples(50)
def test_a_printed_file_reads_back_as_it_was(file: File) -> None:
    assert read_file(print_file(file)) == file


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_read_back_as_they_were(path: Path) -> None:
    file = read_file(path.read_text(encoding="utf-8"))
    assert read_file(print_file(file)) == file


@pytest.mark.parametrize("text", VALUES.splitlines())
def test_a_value_keeps_only_the_parentheses_it_needs(text: str) -> None:
    assert print_expression(read_value(text)) == text


@pytest.mark.parametrize("text", STATEMENTS.splitlines())
def test_a_statement_prints_in_one_line(text: str) -> None:
    (statement,) = read_effect(text).statements
    assert print_statement(statement) == text


def test_a_file_prints_as_a_person_would_write_it() -> None:
    assert print_file(read_file(RULES)) == RULES


def test_parentheses_without_need_go() -> None:
    text = "((coins in (my purse)) + (2 * (3))) > (worth of (it))"
    assert print_expression(read_value(text)) == "coins in my purse + 2 * 3 > worth of it"


def test_parentheses_come_from_the_tree_alone() -> None:
    either = Logic("or", Name("a"), My("b"))
    nested = Contents(NounAmount(At(Number(2), Not(either)), Identifier("coins")), Name("pile"))
    assert print_expression(nested) == "2 at (not (a or my b)) coins in pile"


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("may:\n    draw 1 card\n", "may draw 1 card"),
        ("for each card c:\n    discard c\n", "for each card c: discard c"),
        (
            "if a:\n    draw 1 card\n    gain 1 coin\notherwise: nothing\n",
            "if a: draw 1 card, gain 1 coin, otherwise: nothing",
        ),
        ("let c = top of deck\nmove c into hand\n", "let c = top of deck, move c into hand"),
        (
            'choose one:\n    gain 1 coin\n    "Draw": draw 1 card\n',
            'choose one: gain 1 coin, "Draw": draw 1 card',
        ),
    ],
)
def test_a_label_is_one_line(written: str, label: str) -> None:
    assert print_label(read_effect(written)) == label


def test_what_is_too_long_for_its_line_goes_below_it() -> None:
    text = f"verb gain: for each card c: draw {' + '.join(['1000000'] * 9)} cards\n"
    lines = print_file(read_file(text)).splitlines()
    assert [line.strip().split(" ")[0] for line in lines] == ["verb", "for"]
    assert read_file("\n".join(lines) + "\n") == read_file(text)


def test_a_declaration_prints_without_its_neighbours() -> None:
    first, second = read_file("flag used per card\nwin with most score\n").declarations
    assert print_declaration(first) == "flag used per card"
    assert print_declaration(second) == "win with most score"
