from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.expressions import Amount, At, Contents, Expr, Logic, My, Name, Not, Number
from rulesdsl.syntax.node import Word
from rulesdsl.syntax.printer import (
    print_body,
    print_expression,
    print_label,
    print_statement,
)
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


# -------------------------------------------------------------------- there and back
@given(expressions)
@settings(max_examples=100, deadline=None)
def test_a_printed_value_reads_back_as_it_was(value: Expr) -> None:
    assert read_value(print_expression(value)) == value


@given(bodies)
@settings(max_examples=50, deadline=None)
def test_a_printed_effect_reads_back_as_it_was(body: Body) -> None:
    assert read_effect(print_body(body)) == body


@given(files)
@settings(max_examples=50, deadline=None)
def test_a_printed_file_reads_back_as_it_was(file: File) -> None:
    assert read_file(print_file(file)) == file


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_read_back_as_they_were(path: Path) -> None:
    file = read_file(path.read_text(encoding="utf-8"))
    assert read_file(print_file(file)) == file


# -------------------------------------------------------------------- values
@pytest.mark.parametrize(
    "text",
    [
        "2 coins",
        "my coins + 2 * cards in hand - 1",
        "3 - (2 - 1)",
        "(1 + 2) * 3",
        "6 / (2 * 3)",
        "n at most 3 at least 1",
        "(n at most 3) + 1",
        "1 coin per 2 cards in my hand",
        "worth of card at left",
        "worth of (card at left)",
        "(size of p - coins in p) coins",
        "worth of top 3 of my deck",
        "2 places after here",
        "not x and (y or z) or done",
        "not (x and y)",
        "any cards in hand and no coins in my purse and coins in row = 0",
        "any cards in hand where worth of it > 2",
        "x and (any cards where y)",
        "a card c in 1..3 where c > 2",
        "an ace",
        "a unit",
        "random card in deck where free",
        "the pile in row where any card in it with most worth of it then least size of it",
        "the first place in road of r after here where free",
        "all cards in my hand where not covered",
        "position of (the first x in row)",
    ],
)
def test_a_value_keeps_only_the_parentheses_it_needs(text: str) -> None:
    assert print_expression(read_value(text)) == text


def test_parentheses_without_need_go() -> None:
    text = "((coins in (my purse)) + (2 * (3))) > (worth of (it))"
    assert print_expression(read_value(text)) == "coins in my purse + 2 * 3 > worth of it"


def test_parentheses_come_from_the_tree_alone() -> None:
    either = Logic("or", Name("a"), My("b"))
    nested = Contents(Amount(At(Number(2), Not(either)), Word("coins")), Name("pile"))
    assert print_expression(nested) == "2 at (not (a or my b)) coins in pile"


# -------------------------------------------------------------------- effects
ONE_LINE = [
    "gain 2 coins",
    "pay 1 coin to draw 2 cards",
    "pay 1 coin, discard a card to draw 2 cards, gain 1 gem",
    "gain 1 coin or else pay 1 gem to draw 1 card",
    "put a card c where worth of c > 2 on pile with n",
    "move up to 2 coins from stock into my purse",
    "move all cards in row where used into top of deck",
    "raise my score by 2 * coins in my purse",
    "lower heat by 1",
    "mark used of it",
    "clear used of c",
    "do effect of c at left",
    'let c = a card in my hand "Which card?"',
    "needs any coins in my purse and not done",
    "shuffle my deck",
    "look at top 3 of my deck",
    "end game",
    "nothing",
    "may pay 1 coin to draw 2 cards",
    "may any number of times: pay 1 coin to draw 1 card",
    'may "Pay for more" any number of times: pay 1 coin to draw 1 card',
    'may "Draw more" up to 3 times: draw 1 card',
    'may "Draw": draw 1 card',
    "may up to 3 times: draw 1 card",
    "repeat cards in row times: draw 1 card",
    "repeat at most 200 times until any cards in row: turn",
    "for each player p: gain 1 coin",
    "for each number n in 1..3: deal n",
    "for each seat starting with leader where score of it > 0: may draw 1 card",
    "for dealer: repeat 2 times: draw 1 card",
    "all choose secretly a place p in row: go-to p",
    "if any cards in row: draw 1 card",
    "if able: draw 1 card",
]


@pytest.mark.parametrize("text", ONE_LINE)
def test_a_statement_prints_in_one_line(text: str) -> None:
    (statement,) = read_effect(text).statements
    assert print_statement(statement) == text


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


# -------------------------------------------------------------------- declarations
CANONICAL = """\
source "house"
kind tool: hammer, saw
kind coin-side "Side" from "sides.toml"

kind place-of-rest/places-of-rest "Rest":
    size: number per tool seen by owner = 2
    open: yes-no = on
    rule: effect

piece coin/coins "Coin" (5 * 2) per seat in stock
piece token 2 in (a pile)
place hand "Hand" per player seen by owner holds card, coin
stack deck from "decks.toml" per seat per tool seen by nobody holds card
track score/scores "Score" per seat seen by owner from 0..20 during turn
flag used per card during turn
constants from "numbers.toml"
option fast "Fast game": off
option rounds "Rounds": 3 in 2..4
option turning "Turning": left, right, none
option cards-used "Cards": off, dealt, chosen
rival dealer "The dealer" without score when players <= 2

tool saw "Saw":
    worth = 2 * 3
    rule: may draw 1 card
    other-rule:
        draw 1 card
        gain 1 coin

panel "Table" per seat: hand, score
value worth of card c at tool t: price of c at t + 1

value front of seat:
    let r = the row where any my coins in it with least position of it
    position of r if any r
    otherwise rows + 1

verb gain n coins: move up to n coins from stock into my purse
verb put card c on pile p with n: nothing

step turn:
    menu:
        once: draw 1 card
        any time "Trade" for each card c in my hand where not used of c: discard c to gain 1 coin
        once:
            draw 1 card
            draw 1 card
    choose one:
        gain 1 coin
        "Two cards":
            draw 1 card
            draw 1 card
        if a: nothing
        otherwise: draw 1 card
    if able: gain 1 coin
    otherwise: nothing

before turn when any coins in stock: gain 1 coin
after put card c on pile p: nothing
instead of gain n coins: gain n coins

add to menu of turn on site s when s = saw:
    once: draw 1 card
    any time "Sell" for each card c in my hand: sell c

add to choices of gain n coins:
    gain 2 coins
    "Both":
        gain 1 coin
        draw 1 card

instead of value worth of card c at tool t when t = saw: worth of c at t + 1
instead of text of sell card c: "sells the {c}"
instead of text "Sell {c}" of turn on site s: "Sell it at {s}?"
score purse "Coins": coins in my purse
win with most score then least cards in my hand
"""


def test_a_file_prints_as_a_person_would_write_it() -> None:
    assert print_file(read_file(CANONICAL)) == CANONICAL


def test_what_is_too_long_for_its_line_goes_below_it() -> None:
    text = f"verb gain: for each card c: draw {' + '.join(['1000000'] * 9)} cards\n"
    lines = print_file(read_file(text)).splitlines()
    assert [line.strip().split(" ")[0] for line in lines] == ["verb", "for"]
    assert read_file("\n".join(lines) + "\n") == read_file(text)


def test_a_declaration_prints_without_its_neighbours() -> None:
    first, second = read_file("flag used per card\nwin with most score\n").declarations
    assert print_declaration(first) == "flag used per card"
    assert print_declaration(second) == "win with most score"
