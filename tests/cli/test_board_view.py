from __future__ import annotations

from typing import Any

import attrs
import pytest

from cli.fake import FakeDecision, option_of
from coloma.session.board_view import compact_board, named_panels, whole_board
from coloma.session.panel_view import Pen, changed, panel_lines, seat_colour, seat_signs
from coloma.session.question import NumberedQuestion, decision_lines
from rulesdsl import BoardPanel, Form, Item, Role, Row, Rows, Table, TableLine, When

SEATS = ("Player 1", "Player 2")
PEN = Pen(80, SEATS, seat_signs(SEATS))


def number(value: int) -> tuple[Item, ...]:
    return (Item(str(value), Role.NUMBER, None, value),)


def players(coins: int, where: str = "Town") -> BoardPanel:
    lines = tuple(
        TableLine(name, seat, (number(coins + seat), (Item(where, Role.TEXT),)))
        for seat, name in enumerate(SEATS, start=1)
    )
    return BoardPanel("Players", None, When.ALWAYS, Table(("Coins", "Wagon"), lines))


def listed(title: str, *labels: str, form: Form = Form.ROWS) -> BoardPanel:
    rows = tuple(Row(each, number(1)) for each in labels)
    return BoardPanel(title, None, When.BOARD, Rows(form, rows))


def plain(panel: BoardPanel, **pen: Any) -> list[str]:  # noqa: ANN401 - fields of a pen
    return [line.plain for line in panel_lines(panel, attrs.evolve(PEN, **pen))]


def test_a_table_has_numbers_on_the_right_and_signs_before_names() -> None:
    assert plain(players(8)) == [
        "Players      Coins  Wagon",
        "P1 Player 1      9  Town",
        "P2 Player 2     10  Town",
    ]


def test_a_table_that_is_too_wide_is_cut_with_a_mark_and_then_loses_the_names() -> None:
    assert plain(players(8, "a very long way from here"), width=35)[1] == (
        "P1 Player 1      9  a very long wa…"
    )
    assert plain(players(8, "a very long way from here"), width=22)[1] == "P1     9 a very long …"


def test_what_is_new_is_marked_without_colours_too() -> None:
    new = changed([players(8)], [players(9)])

    assert plain(players(9), new=new)[1].split() == ["P1", "Player", "1", "10*", "Town"]
    assert "*" not in "".join(plain(players(9), new=new, colour=True))
    assert changed([], [players(9)]) == frozenset()
    assert "reverse" in str(panel_lines(players(9), attrs.evolve(PEN, new=new))[1].spans)


def test_seats_have_signs_and_colours_of_their_own() -> None:
    assert seat_signs(("Player 1", "Player 2", "Ghost")) == ("P1", "P2", "G")
    assert seat_signs(("Ann", "Abe")) == ("A1", "A2")
    assert len({seat_colour(each) for each in range(1, 7)}) == 6
    assert seat_colour(None) == ""


def test_only_panels_of_each_question_are_beside_it() -> None:
    panels = [players(1), listed("Market", "Apples")]

    assert [line.plain.split()[0] for line in compact_board(panels, PEN)] == [
        "Players",
        "P1",
        "P2",
    ]
    assert len(whole_board(panels, PEN)) == 3  # the market is beside the players


def test_what_has_no_room_is_named() -> None:
    panels = [
        listed("Market", *"abcdef"),
        listed("Harbour", *(f"{each} pier" * 12 for each in "xyz")),
    ]
    lines = [line.plain for line in whole_board(panels, PEN, 9)]

    assert len(lines) == 8
    assert lines[-1] == "More with board NAME: Harbour"


def test_a_list_that_has_no_room_is_cut_with_a_mark() -> None:
    long = listed("Hand", *(f"card number {each}" for each in range(20)), form=Form.LINE)
    lines = [line.plain for line in whole_board([long], PEN, 2)]

    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert max(map(len, lines)) <= 80


def test_a_panel_is_found_by_a_word_of_its_title() -> None:
    panels = [listed("Fish market", "a"), listed("Market", "b"), listed("Harbour", "c")]

    assert [each.title for each in named_panels(panels, "market")] == ["Market"]
    assert [each.title for each in named_panels(panels, "mark")] == ["Fish market", "Market"]
    assert named_panels(panels, "moon") == []


def question(count: int, text: str = "") -> NumberedQuestion:
    options = tuple(option_of(f"o{each}", f"choice {each}", "", text) for each in range(count))
    decision = FakeDecision(1, "take one", options)
    return NumberedQuestion(decision, "Player 1", [False] * count, together=False)  # type: ignore[arg-type]


def test_the_oldest_news_are_cut_and_counted() -> None:
    news = [f"line {each}" for each in range(40)]
    lines = [line.plain for line in decision_lines(news, [], question(3), 80, 24)[0]]

    assert len(lines) == 23
    assert lines[0] == "… 24 earlier lines: log"
    assert lines[1:17] == news[24:]


def test_texts_of_options_are_cut_before_the_news_are() -> None:
    lines = decision_lines(["a", "b", "c"], [], question(8, "very long " * 20), 80, 14)[0]

    assert [line.plain for line in lines[:3]] == ["a", "b", "c"]
    assert sum(line.plain.endswith(" ...") for line in lines) == 8


@pytest.mark.parametrize(("count", "height"), [(15, 24), (60, 24)])
def test_long_menus_are_in_columns(count: int, height: int) -> None:
    lines = [line.plain for line in decision_lines([], [], question(count), 80, height)[0]]
    below = [line for line in lines if "choice 1" in line.split("  ")[0] or "choice 0" in line]

    assert len(lines) < height
    assert below[0].split().count("choice") > 1
    assert f"choice {count - 1}" in "\n".join(lines)
