"""Tests of the soak test of the story: it must notice what is not told."""

import random
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from packs_on_the_fly import loaded
from rulesdsl.interpreter.log.lines import LogLine
from rulesdsl.interpreter.log.reader import LogReader
from soak.story import Tally, compare

ACT = """
gain 2 coins
move top of deck into my hand
mark my busy
move up to 1 dude from my purse into field
move my pawn into two
if able: roam
may gain 1 coin
earn
"""
MORE = """
verb earn "counts the coins":
    gain 1 coin
    raise heat of one by 1
    gain 1 coin
    gain 1 coin
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


def test_the_last_of_several_equal_gains_is_not_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = import_module("rulesdsl.interpreter.log.story")
    whole = story._sums  # noqa: SLF001

    def last(changes: Sequence[object]) -> Any:  # noqa: ANN401 - the sums
        return whole(changes[-1:])

    monkeypatch.setattr(story, "_sums", last)
    assert tally_of(tmp_path).missing["counted"]
