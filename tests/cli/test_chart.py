from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from cli.conftest import Run
from cli.fake import FakePack
from coloma.session.score_view import PointHistory, chart_columns, history, show_chart
from coloma.session.screen import Screen

BOTS = ("play", "--players", "2", "--bots", "2xrandom", "--seed", "1")


def drawn(capsys: pytest.CaptureFixture[str], past: PointHistory, screen: Screen) -> list[str]:
    capsys.readouterr()
    show_chart(screen, past)
    return capsys.readouterr().out.splitlines()


def past_of(*rows: tuple[int, ...], names: tuple[str, ...] = ("Ann", "Bob")) -> PointHistory:
    return PointHistory(names, tuple(range(0, 10 * len(rows[0]), 10)), rows)


def test_each_seat_has_a_sign_and_the_figures_are_at_the_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert drawn(capsys, past_of((0, 4, 8), (0, 0, -8)), Screen()) == [
        "",
        "Points over the game",
        "     8 |  1",
        "       |",
        "       | 1",
        "       |",
        "     0 |*2",
        "       |",
        "       |",
        "       |",
        "    -8 |  2",
        "       +---",
        "        start 20 choices",
        "1 Ann, 2 Bob, * several",
    ]


def test_plain_it_is_told_in_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    lines = drawn(capsys, past_of((0, 4), (0, -8)), Screen(plain=True))

    assert lines[1:] == [
        "Points over the game",
        "After 0 choices: Ann 0, Bob 0",
        "After 10 choices: Ann 4, Bob -8",
    ]


def test_without_points_there_is_no_chart(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(capsys, past_of((0, 0), (0, 0)), Screen()) == []


@pytest.mark.parametrize("columns", [30, 60, 80, 200])
def test_it_is_as_wide_as_the_terminal(capsys: pytest.CaptureFixture[str], columns: int) -> None:
    screen = Screen(is_terminal=True, width=columns)
    room = chart_columns(screen)
    names = ("Ann with a long name", "\x1b[2JBob of the long name")
    lines = drawn(capsys, past_of(tuple(range(room)), tuple([3] * room), names=names), screen)

    assert max(map(len, lines)) == max(columns, 32)
    assert "\x1b" not in "".join(lines)


def test_history_is_found_by_playing_again() -> None:
    begun = FakePack().new_game(2, 3)
    moves = [(1, "take:two"), (1, "done"), (2, 0), (2, "done")]
    past = history(begun, moves, 99)  # type: ignore[arg-type] # it plays like one

    assert past == PointHistory(
        ("Player 1", "Player 2"), (0, 1, 2, 3, 4), ((0, 2, 2, 2, 2), (0, 0, 0, 1, 1))
    )
    assert begun.coins == [0, 0]


@pytest.mark.parametrize("most", [1, 2, 3, 5, 40])
def test_history_has_beginning_and_end_and_no_more_than_asked_for(most: int) -> None:
    pack = rulesdsl.load(Path(__file__).parents[2] / "content" / "sutters_mill")
    game = pack.new_game(2, 5)
    begun, moves = game.clone(), []
    while decision := game.decision:
        moves.append((decision.player, decision.options[0].id))
        game.choose(0, player=decision.player)
    past = history(begun, moves, most)

    assert game.result is not None
    assert tuple(row[-1] for row in past.totals) == game.result.scores
    assert (past.choices[0], past.choices[-1]) == (0, len(moves))
    assert len(past.choices) == max(2, min(most, len(moves) + 1))
    assert {len(row) for row in past.totals} == {len(past.choices)}


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
def test_what_was_taken_back_is_not_in_the_chart(run: Run) -> None:
    play = ("play", "--bots", "1xrandom", "--seed", "1", "--plain")
    rest = ["1"] * 20
    straight = run(*play, typed=["1", *rest])
    back = run(*play, typed=["2", "undo", "1", *rest])

    assert "Points over the game" in straight.ending
    assert straight.ending == back.ending
