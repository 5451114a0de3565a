import json
from pathlib import Path
from typing import Any

import attrs
import pytest

import rulesdsl
from cli.conftest import Run
from cli.fake import FakeDecision, option_of
from coloma.session.board.layout import compact_board, whole_board
from coloma.session.board.panels import Pen, panel_lines, seat_colour, seat_signs
from coloma.session.board.parts import changed, parts_named, title_of
from coloma.session.ending.chart import show_chart
from coloma.session.ending.score_view import (
    leader_line,
    show_result,
    show_scores,
    tie_lines,
)
from coloma.session.question import NumberedQuestion, decision_lines
from coloma.session.screen import Screen
from rulesdsl import BoardPanel, Form, Item, Rank, Result, Role, Row, Rows, Score, Verdict, When
from rulesdsl.interpreter.display.results import outcome_lines
from rulesdsl.table.points import PointHistory, history
from some import some

SEATS = ("Player 1", "Player 2")
PEN = Pen(80, SEATS, seat_signs(SEATS))


def number(value: int) -> tuple[Item, ...]:
    return (Item(str(value), Role.NUMBER, None, value),)


def players(coins: int, where: str = "Town") -> BoardPanel:
    lines = tuple(
        rulesdsl.TableLine(name, seat, (number(coins + seat), (Item(where, Role.TEXT),)))
        for seat, name in enumerate(SEATS, start=1)
    )
    return BoardPanel("Players", None, When.ALWAYS, rulesdsl.Table(("Coins", "Wagon"), lines))


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


def test_a_table_that_is_too_wide_loses_names_and_then_has_words_below() -> None:
    def far(width: int) -> list[str]:
        return plain(players(8, "a very long way from here"), width=width)

    assert far(35)[1:] == [
        "P1     9 a very long way from here",
        "P2    10 a very long way from here",
    ]
    assert far(33)[1:] == [
        *("P1 Player 1      9", "P2 Player 2     10"),
        *("Wagon  P1 a very long way from", "  here · P2 a very long way from", "  here"),
    ]


def test_headings_are_cut_and_numbers_never() -> None:
    titles = tuple(f"Very long heading {at}" for at in range(9))
    lines = tuple(
        rulesdsl.TableLine(name, seat, tuple(number(seat * 7) for _ in titles))
        for seat, name in enumerate(SEATS, start=1)
    )
    panel = BoardPanel("Players", None, When.ALWAYS, rulesdsl.Table(titles, lines))
    for width in (120, 80):
        heads, *rows = plain(panel, width=width)
        assert "Very long heading" not in heads
        assert [row.split()[-9:] for row in rows] == [["7"] * 9, ["14"] * 9]
    for parts in (plain(panel, width=50), plain(panel, width=80, whole=True)):
        assert len(parts) > 3  # columns without room are below
        assert sum(line.split().count("14") for line in parts) == 9


def test_a_grid_that_is_too_wide_explains_short_names_or_has_columns_below() -> None:
    def grid(*names: str) -> BoardPanel:
        cells = tuple((Item(name, Role.PIECE),) for name in names)
        columns = tuple(map(str, range(1, len(names) + 1)))
        return BoardPanel("Board", None, When.ALWAYS, rulesdsl.Grid(("top",), columns, (cells,)))

    assert plain(grid("Trading Post", "Trading Company", "Inn"), width=25) == [
        *("Board   1      2     3", "top   Tradi… Trad…2 Inn"),
        *("Tradi… Trading Post ·", "  Trad…2 Trading Company"),
    ]
    assert plain(grid(*"abcdefgh"), width=16) == [
        *("Board 1 2 3 4 5", "top   a b c d e", "Board 6 7 8", "top   f g h"),
    ]


def test_pieces_that_lie_face_down_are_explained() -> None:
    hidden = (Item("1 Tile", Role.HIDDEN, None, 1, "Tile"),)
    back = (Item("1 Tile (Blue)", Role.HIDDEN, None, 1, "Tile"),)
    grid = rulesdsl.Grid(("a",), ("1", "2", "3"), ((hidden, back, ()),))
    assert plain(BoardPanel("Board", None, When.ALWAYS, grid)) == [
        *("Board  1        2        3", "a      ?  1 Tile (Blue)  ·", "? Tile, face down"),
    ]


def test_squares_are_cut_before_they_are_centred() -> None:
    grid = rulesdsl.Grid(
        ("1", "2"), ("a very long file", "b"), ((number(5), number(6)), (number(7), number(8)))
    )
    rows = plain(BoardPanel("Board", None, When.ALWAYS, grid), width=16)
    assert ["5" in rows[1], "6" in rows[1], "7" in rows[2], "8" in rows[2]] == [True] * 4


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
    first = [line.plain.split()[0] for line in compact_board(panels, PEN)]
    assert first == ["Players", "P1", "P2"]
    assert len(whole_board(panels, PEN)) == 3  # the market is beside the players


def test_what_has_no_room_is_named() -> None:
    panels = [
        listed("Market", *"abcdef"),
        listed("Harbour", *(f"{each} pier" * 12 for each in "xyz")),
    ]
    lines = [line.plain for line in whole_board(panels, PEN, 9)]
    assert len(lines) == 8
    assert lines[-1] == "For more, type board NAME: Harbour"


def test_a_list_that_has_no_room_is_cut_with_a_mark() -> None:
    long = listed("Hand", *(f"card number {each}" for each in range(20)), form=Form.LINE)
    lines = [line.plain for line in whole_board([long], PEN, 2)]
    assert len(lines) == 2
    assert lines[-1].endswith(" 1 … board hand")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("market", ["Market"]),
        ("mark", ["Fish market", "Market"]),
        ("eel", ["Fish market"]),  # a label
        ("10", ["Players"]),
        ("ann", ["Town: Ann"]),
        ("town: ann", ["Town: Ann"]),
        ("purse", ["Town: Ann"]),
        ("TROUT", "`TROUT` is in Fish market (Trout) and Market (Trout)."),
        (
            "moon",
            "The board has no part `moon`; its parts are Fish market, Market, Town or Players.",
        ),
    ],
)
def test_a_part_of_the_board_is_found_by_any_word_in_it(name: str, parts: list[str] | str) -> None:
    owned = attrs.evolve(listed("Town", "Purse", "Pier"), of="Ann")
    market = listed("Market", "Trout", "Pier")
    named = parts_named([listed("Fish market", "Eel", "Trout"), market, owned, players(8)], name)
    if isinstance(named, str):
        assert named.removesuffix(" Type board and the name of one of them.") == parts
    else:
        assert [title_of(each) for each in named] == parts


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


BOTS = ("play", "--players", "2", "--bots", "2xrandom", "--seed", "1")


def drawn(capsys: pytest.CaptureFixture[str], past: PointHistory, screen: Screen) -> list[str]:
    capsys.readouterr()
    show_chart(screen, past)
    return capsys.readouterr().out.splitlines()


ROUNDS = ("Round 1", "Round 2", "Round 3")


def past_of(*rows: tuple[int, ...], names: tuple[str, ...] = ("Ann", "Bob")) -> PointHistory:
    return PointHistory(names, ROUNDS[: len(rows[0])], rows)


def test_a_chart_has_a_column_for_each_part_and_a_bar_for_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert drawn(capsys, past_of((0, 4, 8), (0, 12, -8), names=("Ann", "Bo")), Screen()) == [
        "",
        "If the game had ended after",
        "Round    1    2  end",
        f"Ann      0    4    8  {'#' * 38}",
        "Bo       0   12   -8",
    ]


def test_plain_it_is_told_in_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    lines = drawn(capsys, past_of((0, 4), (0, -8)), Screen(plain=True))
    assert lines[1:] == [
        "Points over the game",
        "After Round 1: Ann 0, Bob 0",
        "At the end: Ann 4, Bob -8",
    ]


@pytest.mark.parametrize("rows", [((0, 0), (0, 0)), ((5,), (3,)), ((), ())])
def test_without_points_or_parts_there_is_no_chart(
    capsys: pytest.CaptureFixture[str], rows: tuple[tuple[int, ...], ...]
) -> None:
    assert drawn(capsys, past_of(*rows), Screen()) == []


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_it_fits_the_terminal(capsys: pytest.CaptureFixture[str], columns: int) -> None:
    screen = Screen(is_terminal=True, width=columns)
    names = ("Ann with a long name", "\x1b[2JBob of the very long name")
    lines = drawn(capsys, past_of((1, 2), (3, 4), names=names), screen)
    assert max(map(len, lines)) == min(columns, 80)
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("most", [1, 2, 99])
def test_history_ends_with_the_result_and_has_no_more_parts_than_asked_for(
    most: int,
) -> None:
    pack = rulesdsl.load(Path(__file__).parents[2] / "content" / "sutters_mill")
    game = pack.new_game(2, 5)
    begun, moves = game.clone(), []
    while decision := game.decision:
        moves.append((decision.player, decision.options[0].id))
        game.choose(0, player=decision.player)
    past = history(begun, moves, most)

    assert tuple(row[-1] for row in past.totals) == some(game.result).scores
    assert past.parts[0].startswith("A new round ")
    assert len(past.parts) <= most
    assert {len(row) for row in past.totals} == {len(past.parts)}


@pytest.mark.usefixtures("pack")
def test_the_end_names_journal_and_log(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.toml"
    ran = run(*BOTS, "--journal", str(kept))
    assert ran.lines[-2:] == [
        f"The game is saved in {kept}",
        f"See the whole log: coloma replay {kept}",
    ]
    assert "The game is kept" not in run(*BOTS).out


@pytest.mark.usefixtures("pack")
def test_what_was_taken_back_is_not_in_the_result(run: Run) -> None:
    play = ("play", "--bots", "1xrandom", "--seed", "1", "--plain")
    rest = ["1"] * 20
    straight = run(*play, typed=["1", *rest])
    back = run(*play, typed=["2", "undo", "1", *rest])
    assert straight.ending == back.ending


def _score(seat: int, *points: int | None, place: int | None = None, name: str = "") -> Score:
    total = None if None in points else sum(each or 0 for each in points)
    lines = tuple(rulesdsl.ScoreLine(f"Source {at}", each) for at, each in enumerate(points, 1))
    return Score(seat, name or f"Player {seat}", lines, total, place)


@pytest.mark.usefixtures("pack")
def test_a_program_is_told_what_its_player_may_know(run: Run) -> None:
    ran = run("play", "--json", "--players", "2", typed=["1", "done", "0"])
    questions = [each for each in map(json.loads, ran.lines) if "decision" in each]

    assert questions[1]["score"][0] == {
        "seat": 1,
        "name": "Player 1",
        "lines": [{"title": "Coins", "points": 2}, {"title": "Cards", "points": 0}],
        "total": 2,
        "place": None,
    }
    assert questions[2]["player"] == 2
    assert [each["total"] for each in questions[2]["score"]] == [None, 0]


@pytest.mark.parametrize(
    ("points", "places", "line"),
    [
        ((1, 2), (2, 1), "Player 2 leads by 1."),
        ((2, 2), (2, 1), "Player 2 leads by the tie-break."),
        ((2, 2, 1), (1, 1, 3), "Player 1 and Player 2 lead together by 1."),
        ((2, 2, 2), (1, 1, 1), "All are level."),
        ((2, None), (None, None), "Nobody can tell yet who is leading."),
    ],
)
def test_who_leads(
    points: tuple[int | None, ...], places: tuple[int | None, ...], line: str
) -> None:
    told = zip(points, places, strict=True)
    scores = [_score(seat, own, place=place) for seat, (own, place) in enumerate(told, 1)]
    assert leader_line(scores) == line


def test_who_is_alone_leads_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    show_scores(Screen(), [_score(1, 4, place=1)])
    assert capsys.readouterr().out.splitlines()[-1].split() == ["Total", "4"]


def test_a_game_without_points_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_scores(Screen(), [_score(1), _score(2)])
    assert capsys.readouterr().out == "Nobody scores points in this game.\n"


def test_scores_of_many_seats_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"\x1b[2J{at} {'long ' * 4}" for at in range(5)]
    show_scores(Screen(), [_score(at, 3, place=1, name=name) for at, name in enumerate(names)])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.count("3 points (Source 1 3)") == 5


NAMES = ("Ann", "Bob", "Cy", "Dee")


def result_of(places: tuple[int, ...], *ranking: Rank) -> Result:
    scores = ranking[0].values
    return Result(NAMES[: len(scores)], places, scores, (("All", scores),), (1,), (), ranking)


def test_who_is_not_level_is_not_compared() -> None:
    ranking = Rank(True, "score", (3, 2)), Rank(True, "gold", (0, 9))
    assert tie_lines(result_of((1, 2), *ranking)) == []


def test_each_step_is_told_until_they_are_told_apart() -> None:
    ranking = (
        Rank(True, "score", (7, 5, 7, 7)),
        Rank(True, "gold in lodge", (2, 0, 2, 1)),
        Rank(False, "losses", (4, 0, 1, 0)),
        Rank(True, "cards", (0, 0, 0, 0)),
    )

    assert tie_lines(result_of((2, 4, 1, 3), *ranking)) == [
        "Ann, Cy and Dee are level. Next: most gold in lodge (Ann 2, Cy 2, Dee 1).",
        "Ann and Cy are level. Next: least losses (Ann 4, Cy 1).",
    ]


def test_where_nothing_more_is_compared_nothing_is_said() -> None:
    assert tie_lines(result_of((1, 1), Rank(True, "score", (3, 3)))) == []


def test_it_is_shown_below_the_table_in_lines_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    ranking = Rank(True, "score", (3, 3)), Rank(True, "beads on a string " * 5, (1, 2))
    result = result_of((2, 1), *ranking)
    show_result(Screen(), result)
    lines = capsys.readouterr().out.splitlines()

    assert lines[-3].startswith("Ann and Bob are level. Next: most beads on a string")
    assert lines[-2].endswith("(Ann 1, Bob 2).")
    assert lines[-1] == "Bob wins."
    assert max(map(len, lines)) <= 80


def test_the_winner_has_a_mark(capsys: pytest.CaptureFixture[str]) -> None:
    show_result(Screen(), result_of((2, 1), Rank(True, "score", (3, 4))))
    assert "Place    * 1      2" in capsys.readouterr().out.splitlines()


WON, LOST = Verdict("won", "All are home"), Verdict("lost", "It stays dark")


@pytest.mark.parametrize(
    ("verdicts", "lines"),
    [
        ((), ["Player 1 wins."]),
        ((None, None), ["Player 1 wins."]),
        ((WON,), ["Won: All are home."]),
        ((WON, WON), ["Won: All are home."]),
        ((WON, LOST), ["Player 1 has won: All are home.", "Player 2 has lost: It stays dark."]),
        ((None, WON), ["Player 2 has won: All are home."]),
    ],
)
def test_verdicts_in_words(verdicts: tuple[Verdict | None, ...], lines: list[str]) -> None:
    seats = ("Player 1", "Player 2", "Robot rival")
    result = Result(seats, (1, 2, 3), (9, 8, 7), (), (1,), verdicts)
    assert outcome_lines(result) == lines
