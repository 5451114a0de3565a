from __future__ import annotations

from pathlib import Path

import pytest

from kept import shipped_pack
from rulesdsl.scenarios import run_scenarios

CONTENT = Path(__file__).parents[2] / "content"
MODS = sorted(each.parent for each in (CONTENT / "mods").glob("*/pack.toml"))


@pytest.mark.parametrize("mod", MODS, ids=lambda mod: mod.name)
def test_the_scenarios_of_a_mod_pass_alone_and_with_the_others(mod: Path) -> None:
    for mods in ([mod], MODS):
        report = run_scenarios(CONTENT, mods, of=mod)

        assert report.results
        assert [str(each) for each in report.results if not each.passed] == []


@pytest.mark.nightly
def test_the_scenarios_of_the_game_pass_with_all_mods() -> None:
    report = run_scenarios(CONTENT, MODS, of=CONTENT)
    failed = [each.scenario for each in report.results if not each.passed]

    # those about how the characters are handed out count them: a mod brings more
    handing_out = {"CHAR-01", "RUL-104"}
    others = [each for each in failed if not {note.text for note in each.covers} <= handing_out]
    assert others == []


@pytest.mark.parametrize(("short", "rounds"), [(False, 3), (True, 2)])
def test_a_short_game_ends_after_two_rounds(short: bool, rounds: int) -> None:
    pack = shipped_pack(CONTENT, (CONTENT / "mods" / "variants",))
    game = pack.new_game(players=3, seed=5, options={"short-game": short})

    while decision := game.decision:
        game.choose(decision.count - 1)

    assert game.to_data()["state"]["t_round"] == rounds
