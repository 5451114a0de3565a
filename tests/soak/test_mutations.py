"""What lints clean cannot fail: a few slips of each class, in a small pack."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from packs_on_the_fly import written
from rulesdsl.check.read import check_pack
from rulesdsl.scenarios.mutation.names import families
from soak.mutations import FAILED, PLAYED, REFUSED, files_of, try_slip
from soak.slips import KINDS, WAYS, Slipper

ACT = """
    move up to 2 dudes from my purse into field
    repeat 2 times: move top of deck into my hand
    if able: both
    menu:
        once: gain 3 coins
        once "Play" for each card c in my hand where not spent: use-up c
        any time: pay 1 coin to raise my fame by 2 or else move my pawn into two
    let s = the stall with most room
    if any s: raise my fame by size of s
"""
MORE = """
value room of stall s: size of s + pawns in s
verb use-up card c:
    do use of c
    move c into pile
verb both:
    let m = a number in 0..2
    let b = a number in 1..3
    needs m + b = 4
    raise my fame by m
after gain n coins when my fame < 9: raise note by n
instead of choose-fame when my fame > 5:
    may choose-fame
"""


@pytest.mark.parametrize("kind", KINDS)
def test_content_with_a_slip_is_refused_or_plays(kind: str, tmp_path: Path) -> None:
    folder = written(tmp_path, ACT, MORE)
    files = files_of(folder)
    verdicts = []
    for number in range(6):
        outcome = try_slip((str(folder), files, 1, number * len(KINDS) + KINDS.index(kind)))
        assert outcome.verdict != FAILED, f"{outcome.slip}\n{outcome.details}"
        verdicts.append(outcome.verdict)

    assert set(verdicts) <= {REFUSED, PLAYED}


def test_slips_change_one_place_and_say_where(tmp_path: Path) -> None:
    folder = written(tmp_path, ACT, MORE)
    _, checked, _ = check_pack(folder)
    assert checked
    slipper = Slipper(files_of(folder), families(checked.program.world))
    chance = random.Random(1)
    for kind in {*KINDS, *WAYS}:
        slip = slipper.slip(kind, chance)
        before = (folder / slip.path).read_text().splitlines()
        after = slipper.slipped(slip).splitlines()
        assert before != after
        assert before[: slip.line - 1] == after[: slip.line - 1]
