"""What lints keep quiet about: that they speak is shown by the broken contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import STOCK, check_more, check_texts
from rulesdsl.check.lints import LINTS

CLOWN = """\
[clown]
worth = 1
cost = { coins = 1 }
colour = "red"
"""


def _card(folder: Path, text: str) -> list[str]:
    cards = STOCK["cards.toml"] + CLOWN + text
    report = check_texts(folder, STOCK | {"cards.toml": cards})
    return [each.code for each in report.diagnostics]


def test_the_stock_is_clean(tmp_path: Path) -> None:
    assert check_texts(tmp_path, STOCK).diagnostics == ()


def test_each_lint_is_listed_once() -> None:
    assert len(set(LINTS)) == len(LINTS)


def test_warnings_wait_until_there_are_no_errors(tmp_path: Path) -> None:
    assert check_more(tmp_path, "track luck\nverb cheer: gian 2 coins\n") == ["E204 2:13"]


@pytest.mark.parametrize(
    "rules",
    [
        "verb cheer: gain 1 coin\nafter take-turn: cheer\n",
        "value luck: 3\npanel 'More': luck\n".replace("'", '"'),
        "value luck: 3\nscore luck-score 'Luck': luck\n".replace("'", '"'),
        "value luck: doom + 1\nvalue doom: 2\nafter take-turn: gain luck coins\n",
        "option loud 'Loud': off\nrival ghost 'Ghost' when loud\n".replace("'", '"'),
        "flag tired per player\nafter take-turn when not my tired: mark my tired\n",
    ],
)
def test_what_is_used_in_any_way_is_not_unused(tmp_path: Path, rules: str) -> None:
    assert check_more(tmp_path, rules) == []


def test_only_the_outermost_of_unused_verbs_is_told(tmp_path: Path) -> None:
    rules = "verb shout: gain 1 coin\nverb cheer: shout\n"

    assert check_more(tmp_path, rules) == ["W601 2:6"]


@pytest.mark.parametrize(
    ("text", "use", "codes"),
    [
        ("Gain 2 coins.", "gain 2 coins", []),
        ("Gain two Coins.", "gain 2 coins", []),
        ("Gain 3 coins.", "gain 2 coins", ["W605"]),
        ("Gain 1 fame.", "gain 1 coin", ["W605"]),
        ("Pay 1 coin: gain 2 coins.", "pay 1 coin to gain 2 coins", []),
        ("Gain 2 coins per fame.", "gain 2 coins per my fame", []),
        ("With 2 coins or more, gain 1 fame.", "gain 1 fame", []),
        ("With 2 coins, gain 1 fame.", "if any coins in my purse: gain 1 fame", []),
        ("It looks like 7 hats.", "gain 2 coins", []),
    ],
)
def test_a_text_is_held_against_the_effect(
    tmp_path: Path, text: str, use: str, codes: list[str]
) -> None:
    assert _card(tmp_path, f'text = "{text}"\nuse = "{use}"\n') == codes


def test_a_text_may_say_numbers_in_words(tmp_path: Path) -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    clown = f'{CLOWN.replace("1 }", "11 }")}text = "Gain clown coins."\nuse = "gain 11 coins"\n'
    clowns = "".join(clown.replace("clown", word) for word in words)

    report = check_texts(tmp_path, STOCK | {"cards.toml": STOCK["cards.toml"] + clowns})

    assert [each.message for each in report.diagnostics] == [
        f"The text says {number} coins, but the effect says 11." for number in range(1, 11)
    ]


@pytest.mark.parametrize(
    ("use", "codes"),
    [
        ("pay 40 coins to gain 1 fame", []),
        ("pay 41 coins to gain 1 fame", ["W603"]),
        ("needs my fame >= 20", []),
        ("needs my fame > 20", ["W602"]),
        ("needs cards in my hand > 12", ["W602"]),
        ("needs cards in my hand >= 10", []),
        ("may pay 41 coins", ["W602"]),
    ],
)
def test_bounds_tell_what_can_never_be(tmp_path: Path, use: str, codes: list[str]) -> None:
    found = _card(tmp_path, f'use = "{use}"\n')

    assert found == codes


def test_a_field_that_some_entries_lack_needs_no_nothing(tmp_path: Path) -> None:
    assert _card(tmp_path, 'use = "nothing"\n') == []
    shorter = STOCK["cards.toml"].replace('use = "gain 2 coins"\n', "") + CLOWN
    texts = STOCK | {"cards.toml": shorter + 'use = "nothing"\n'}

    codes = [each.code for each in check_texts(tmp_path, texts).diagnostics]

    assert codes == ["W604"]


def test_the_checklist_of_a_pack_is_read_by_its_tests(tmp_path: Path) -> None:
    texts = STOCK | {"rules_covered.toml": 'source = "house"\n'}

    assert check_texts(tmp_path, texts).diagnostics == ()
