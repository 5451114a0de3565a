"""Tests of the soak test of the story: it must notice what is not told."""

import random
from pathlib import Path

import pytest

from packs_on_the_fly import loaded
from rulesdsl.interpreter.log.reader import LogReader
from rulesdsl.interpreter.log.sentences import LogLine
from soak.story import Tally, compare

ACT = """
gain 2 coins
move top of deck into my hand
mark my busy
move up to 1 dude from my purse into field
move my pawn into two
if able: roam
may gain 1 coin
"""
MORE = """
track heat "Heat" per stall
verb roam "roams for {1 coin}":
    pay 1 coin
    raise heat of two by 1
    if any badge in heap: move badge into my corner
"""


def tally_of(folder: Path) -> Tally:
    game, tally = loaded(folder, ACT, MORE).new_game(2, seed=3), Tally()
    compare(game, random.Random(3), tally, "a game")
    return tally


def test_a_whole_story_misses_nothing(tmp_path: Path) -> None:
    tally = tally_of(tmp_path)
    assert not tally.missing, tally.summary()
    assert set(tally.changes) == {"counted", "flag", "printed", "single", "track"}


@pytest.mark.parametrize(
    ("kind", "missing"),
    [
        ("move", "counted"),
        ("piece", "printed"),
        ("place", "single"),
        ("track", "track"),
        ("flag", "flag"),
    ],
)
def test_what_is_left_out_is_missed(
    kind: str, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = LogReader.line

    def line(self: LogReader, entries: list[tuple[int, ...]], at: int) -> LogLine:
        read = whole(self, entries, at)
        hidden = frozenset({-1})  # nobody
        return (
            LogLine(read.actor, read.kind, read.clause, None, hidden)
            if read.kind == kind
            else read
        )

    monkeypatch.setattr(LogReader, "line", line)
    assert tally_of(tmp_path).missing[missing]
