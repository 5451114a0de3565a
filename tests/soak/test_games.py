"""Soaks with bots that prefer something, and what they say of how games end."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import written
from soak import games

ACT = """
menu:
    any time:
        needs note < 50
        raise note by 1
        pay-up
"""
MORE = """
verb pay-up: move 1 coin from heap into my purse
after pay-up:
    if coins in heap = 0: end game
"""


@pytest.mark.parametrize(
    ("prefer", "ended"),
    [("done=0", "ended by box.rules"), ("done=1,*=0", "ended by the end of its flow: 6 (100.0%)")],
)
def test_it_is_said_which_rule_ended_the_games(
    prefer: str, ended: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = games.run(str(written(tmp_path, ACT, MORE)), 6, 1, 1, prefer=prefer)
    told = capsys.readouterr().out

    assert status == 0
    assert ended in told
    assert told.count("ended by") == 1


def test_nothing_is_said_of_it_where_bots_prefer_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert games.run(str(written(tmp_path, ACT, MORE)), 2, 1, 1) == 0
    assert "ended by" not in capsys.readouterr().out
