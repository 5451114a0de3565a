from __future__ import annotations

import json

import pytest

from cli.conftest import Run
from coloma.session.score_view import leader_line, show_scores
from coloma.session.screen import Screen
from rulesdsl import Score, ScoreLine


def _score(seat: int, *points: int | None, place: int | None = None, name: str = "") -> Score:
    total = None if None in points else sum(each or 0 for each in points)
    lines = tuple(ScoreLine(f"Source {at}", each) for at, each in enumerate(points, 1))
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
        ((2, None), (None, None), "Nobody can tell yet who leads."),
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


def test_names_steer_no_terminal_and_many_seats_are_told_in_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [f"\x1b[2J{at} {'long ' * 4}" for at in range(5)]
    show_scores(Screen(), [_score(at, 3, place=1, name=name) for at, name in enumerate(names)])
    out = capsys.readouterr().out

    assert "\x1b" not in out
    assert "  Source 1: 3" in out.splitlines()
