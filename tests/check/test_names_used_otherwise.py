from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import check_texts
from soak.slips import little_game

MOD = {
    "mods/bells/pack.toml": 'id = "bells"\nname = "Bells"\nversion = "1.0.0"\nkind = "mod"\n'
    'for_game = "lanterns"\n',
    "mods/bells/bells.rules": "verb bells.ring n fame: win n fame\n",
}


@pytest.mark.parametrize(
    ("rules", "message", "help_text"),
    [
        (
            "after take-turn:\n    if 1 coin in bank: gain 1 coin",
            "An amount in a place is not a condition.",
            "Compare how many there are, as in `coins in ... >= 1`.",
        ),
        (
            "after take-turn: raise my purse by 1",
            "`purse` is a place, not a value.",
            "Ask what is there, for example `any ... in my purse`.",
        ),
        (
            "after take-turn: raise my coin by 1",
            "`coin` could be anywhere.",
            "Say where they are: `coins in ...`.",
        ),
        (
            "value early of player: on",
            "`on` is a word of the language, which does not fit here.",
            "",
        ),
        (
            'place tray "Tray" holds comb',
            "`comb` is a sort of card, but pieces are needed here.",
            "Expected `coin`, `lantern`, `marker` or `card`.",
        ),
        (
            "after take-turn:\n    if bakery in my hand: gain 1 coin",
            "`bakery` is one of the stalls.",
            "",
        ),
        (
            "after take-turn: gain rent coins",
            "`rent` is a field of stall.",
            "Say which: `rent of ...`.",
        ),
        (
            "after take-turn: gain (bell.ring) coins",
            "Nothing is called `bell.ring`.",
            "Name its owner: `cost of c`.",
        ),
    ],
)
def test_a_name_is_called_what_it_is(
    rules: str, message: str, help_text: str, tmp_path: Path
) -> None:
    report = check_texts(tmp_path, little_game() | {"extra.rules": f"{rules}\n"})

    first = next(each for each in report.diagnostics if each.span.file.endswith("extra.rules"))
    assert (first.message, first.help) == (message, help_text)


def test_a_misspelt_name_of_a_mod_is_put_right(tmp_path: Path) -> None:
    rules = {"mods/bells/more.rules": "after take-turn: bell.ring 1 fame\n"}

    (finding,) = check_texts(tmp_path, little_game() | MOD | rules).diagnostics

    assert finding.message == "There is no verb or step called `bell.ring`."
    assert finding.help == "a similar name exists: `bells.ring`"
