"""Tests that the soak of screens finds what is cut."""

import pytest
from rich.text import Text

import rulesdsl
from coloma.session.board.panels import Pen, panel_lines, seat_signs
from rulesdsl import BoardPanel, Form, Item, Role, Row, Rows, When
from soak.screens import CUT_DIGITS, lost, measure

SEATS = ("Ann", "Bob")
PEN = Pen(60, SEATS, seat_signs(SEATS))
HAND = BoardPanel(
    "Hand",
    1,
    When.ALWAYS,
    Rows(
        Form.LINE,
        (
            Row("Cards", (Item("Saloon", Role.PIECE), Item("2 Camps of Bob", Role.PIECE, 2))),
            Row("Coins", (Item("12", Role.NUMBER, None, 12),)),
            Row("Debts", ()),
        ),
    ),
)


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("Hand  Cards Saloon, B:2 · Coins 12", []),
        ("Hand  Cards Saloon, B:2 · Coins …", ["12"]),
        ("Hand  Cards Sal…, B:2 · 12", ["Coins", "Saloon"]),
        ("Hand", ["Cards", "Coins", "Saloon", "2 Camps of Bob", "12"]),
    ],
)
def test_what_a_panel_holds_and_does_not_show_is_lost(line: str, texts: list[str]) -> None:
    assert [*lost(HAND, [Text(line)], PEN)] == texts
    assert [*lost(HAND, panel_lines(HAND, PEN), PEN)] == []


@pytest.mark.parametrize(
    ("line", "is_cut"),
    [
        ("Ann 1…", True),
        ("Ann  …", True),
        ("Hand  Saloon … board hand", False),
        ("… 12 earlier lines: log", False),
        ("Pros. 12", False),
    ],
)
def test_numbers_end_in_no_ellipsis(line: str, is_cut: bool) -> None:
    assert bool(CUT_DIGITS.search(line)) is is_cut


def test_a_game_is_measured() -> None:
    measured = measure(rulesdsl.load("content/classics/tic_tac_toe"), 1, 1)
    assert (measured.games, measured.wrong) == (1, [])
    assert measured.summary().startswith(f"1 games, {measured.positions} positions")
