from __future__ import annotations

from typing import TYPE_CHECKING

from coloma.session.score_view import show_result, tie_lines
from coloma.session.screen import Screen
from rulesdsl import Rank, Result

if TYPE_CHECKING:
    import pytest

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


def test_it_is_shown_below_the_table_in_lines_that_fit(
    capsys: pytest.CaptureFixture[str],
) -> None:
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

    assert "Place      2    * 1" in capsys.readouterr().out.splitlines()
