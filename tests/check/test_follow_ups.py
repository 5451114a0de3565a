from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import check_texts
from soak.slips import RULES, little_game

ONE_FINDING = {
    "a head with a word twice": (
        "verb draw-one: move top",
        "verb verb draw-one: move top",
        "E201 There is no kind of thing called `draw-one`.",
    ),
    "the first step with its name twice": (
        "step game:",
        "step game game:",
        "E201 There is no kind of thing called `game`.",
    ),
    "a head with its words swapped": (
        "verb take-turn:",
        "take-turn verb:",
        "E101 No declaration begins with `take-turn`.",
    ),
    "a head without its first word": (
        "verb win n fame: raise",
        "win n fame: raise",
        "E101 `n` does not fit here.",
    ),
    "pieces that cannot be made out, in a stack": (
        "1 per player in deck:",
        "1 player in deck:",
        "E101 `player` does not fit here.",
    ),
    "pieces with their words swapped, in prices": (
        'piece coin "Coin" 40',
        'coin piece "Coin" 40',
        "E101 `40` does not fit here.",
    ),
    "a field without a name": (
        "    rent: number = 0",
        "    : number = 0",
        "E101 `:` does not fit here.",
    ),
    "a dimension that nobody knows": (
        'stack deck "Deck" per player',
        'stack deck "Deck" per source',
        "E201 There are no kinds of things called `source`.",
    ),
    "an amount of nothing that is there": (
        "worth per cards in",
        "worth wroth per cards in",
        "E201 There are no pieces or tracks called `wroth`.",
    ),
    "the last line of a value": (
        "# ---- who wins",
        "value fee of seat:\n    0 if coins in bank > 3\n    otherwise coins in bank whre 3\n",
        "E101 `whre` does not fit here.",
    ),
}


@pytest.mark.parametrize("name", ONE_FINDING)
def test_one_slip_is_one_finding(name: str, tmp_path: Path) -> None:
    old, new, expected = ONE_FINDING[name]
    texts = little_game()
    assert texts[RULES].count(old) == 1

    report = check_texts(tmp_path, texts | {RULES: texts[RULES].replace(old, new)})

    assert [f"{each.code} {each.message}" for each in report.diagnostics] == [expected]


def test_the_first_step_takes_nothing(tmp_path: Path) -> None:
    texts = little_game()
    rules = texts[RULES].replace("step game:", "step game stall s:")

    report = check_texts(tmp_path, texts | {RULES: rules})

    said = [f"{each.code} {each.message}" for each in report.diagnostics]
    assert said == ["E408 `game` starts the game and takes no arguments."]


def test_a_file_that_cannot_be_read_may_have_the_first_step(tmp_path: Path) -> None:
    report = check_texts(tmp_path, little_game())
    assert report.diagnostics == ()
    (tmp_path / RULES).write_text(little_game()[RULES], encoding="utf-16")

    report = check_texts(tmp_path, {})

    assert [each.code for each in report.diagnostics] == ["E001"]
