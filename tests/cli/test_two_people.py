from __future__ import annotations

import re

import pytest

from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("pack")

# Both draw in both rounds; then the secret bids. (The bids' words stand in the options of both.)
_ROUND = ["take:one", "draw", "take:two", "draw", "bid:low", "bid:high"]


def _sections(out: str) -> list[tuple[str, str]]:
    parts = re.split(r"^Pass the keyboard to (Player \d)\.$", out, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def test_neither_sees_what_the_other_has_drawn(run: Run) -> None:
    ran = run("play", "--seed", "1", "--players", "2", typed=_ROUND * 2)
    sections = _sections(ran.out)
    drawn = {
        name: {
            card
            for who, text in sections
            if who == name
            for card in re.findall(r"draws the (\d+)", text)
        }
        for name in ("Player 1", "Player 2")
    }

    assert len(sections) == 8
    assert len(drawn["Player 1"]) == len(drawn["Player 2"]) == 2
    for who, text in sections:
        others = drawn["Player 2" if who == "Player 1" else "Player 1"]
        assert not others & set(re.findall(r"\d+", text))
