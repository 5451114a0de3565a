from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from soak.slips import (
    RULES,
    Slip,
    changed_line,
    little_game,
    misspelt_names,
    one_word_slips,
    outcome,
)

LEAST_RESTORED = 21  # of 30 names; at 03f27c4, when fixes were not proved, there were 13


def test_a_slip_is_left_alone_or_restored(tmp_path: Path) -> None:
    for slip in one_word_slips(40, random.Random(7)):
        came_to, after = outcome(tmp_path, slip)

        assert came_to != "wrong", (slip.what, changed_line(slip.text, after))


def test_misspelt_names_are_repaired(tmp_path: Path) -> None:
    count = Counter(outcome(tmp_path, slip)[0] for slip in misspelt_names(30, random.Random(7)))

    assert count["restored"] >= LEAST_RESTORED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gain 3 coins", "Gain 3 coins."),
        ("        once: visit a stall", "        onec visit a stall"),
        ('place hand "Hand" per player', 'place hand "Hand" per per player'),
        ("repeat 3 times:", "repeat 3 :"),
        ("holds coin, lantern\nplace purse", "holds coin lantern\nplace purse"),
    ],
)
def test_it_is_restored(old: str, new: str, tmp_path: Path) -> None:
    text = little_game()[RULES]
    assert text.count(old) == 1

    assert outcome(tmp_path, Slip("", text.replace(old, new)))[0] == "restored"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("coins from bank into my purse", "coins of bank into my purse"),
        ("coins from bank into my purse", "coins on bank into my purse"),
        ("coins from bank into my purse", "coins from bank or my purse"),
        ("raise my fame by n", "raise my fame by one"),
        ("    cost: bundle", "    most: bundle"),
        ("top of my deck", "of my deck"),
    ],
)
def test_a_word_of_the_language_is_no_slip_of_another(old: str, new: str, tmp_path: Path) -> None:
    text = little_game()[RULES]
    assert text.count(old) == 1

    assert outcome(tmp_path, Slip("", text.replace(old, new)))[0] == "alone"
