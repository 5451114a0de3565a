from __future__ import annotations

import pytest

from coloma.session.score_view import outcome_lines
from rulesdsl import Result, Verdict

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
    result = Result(seats, (1, 2, 3), (9, 8, 7), (), (1,), verdicts=verdicts)

    assert outcome_lines(result) == lines
