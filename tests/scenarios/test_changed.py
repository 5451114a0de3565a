"""What a change touches: no scenario is overlooked that then comes to something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios import load_suite
from rulesdsl.scenarios.rerun import Rerun, parts_of, run_all, run_touched
from rulesdsl.scenarios.sharing import Task
from rulesdsl.source import cache
from scenarios.small_pack import scenario, write_pack

RICH = scenario(name="rich", given=["for p1: take 3 coins"], expect=["coins in purse of p1 = 3"])
DEAL = scenario(name="deal", after="deal", expect=["coins in purse of p1 = start-coins"])
BAKER = scenario(
    name="baker",
    given=["for p1: take 3 coins"],
    play="for p1: visit",
    do=["p1 stall:baker"],
    expect=["coins in purse of p1 = 4"],
)
BEGGAR = scenario(
    name="beggar",
    given=["for p1: take 1 coins"],
    play="for p1: visit",
    expect=["coins in purse of p1 = 2"],
    do=["p1 stall:beggar"],
    log=["gains 1 coin"],
)
ALL = (RICH, DEAL, BAKER)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")


def change(pack: Path, name: str, old: str, new: str) -> None:
    file = pack / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def names(found: Rerun) -> list[str]:
    return [each.scenario.name for each in found.ran.scenarios.results]


def test_only_what_depends_on_a_card_is_run(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    run_all(Task(pack))
    change(pack, "stalls.toml", "move up to 2 coins", "move up to 1 coins")

    found = run_touched(Task(pack))

    assert (found.recorded, found.every, names(found)) == (True, 3, ["baker"])
    assert not found.ran.scenarios.ok
    assert names(run_touched(Task(pack))) == ["baker"], "it has not passed since"


def test_what_passes_again_is_not_run_again(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    run_all(Task(pack))
    change(
        pack,
        "stalls.toml",
        "move up to 2 coins",
        "move up to 2 coins from heap into my purse, move up to 0 coins",
    )

    assert names(run_touched(Task(pack))) == ["baker"]
    assert names(run_touched(Task(pack))) == []


def test_a_number_that_only_a_scenario_names(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    run_all(Task(pack))
    change(pack, "numbers.toml", "start-coins = 1", "start-coins = 2")

    assert names(run_touched(Task(pack))) == ["deal"]


def test_a_comment_touches_nothing(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    run_all(Task(pack))
    change(pack, "numbers.toml", "start-coins", "# how many\nstart-coins")

    assert names(run_touched(Task(pack))) == []


def test_a_scenario_that_has_changed_is_run(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    run_all(Task(pack))
    change(pack, "scenarios/all.toml", "take 3 coins", "take 1 coins, take 2 coins")

    assert names(run_touched(Task(pack))) == ["rich", "baker"]


def test_without_a_record_all_are_run(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    found = run_touched(Task(pack))

    assert (found.recorded, len(names(found))) == (False, 3)
    assert names(run_touched(Task(pack))) == []


def test_what_a_scenario_depends_on_is_the_same_in_any_company(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    together, alone = load_suite(pack), load_suite(pack, only="baker")
    found = []
    for suite in (together, alone):
        suite.report()
        found.append(suite.record.passed["baker"])

    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Too poor"', '"Much too poor"'),
        ("once: take 1 coins", "once: take 2 coins"),
        ("with most price", "with least price"),
    ],
)
def test_what_people_read_and_what_is_offered_are_parts(
    tmp_path: Path, old: str, new: str
) -> None:
    pack = write_pack(tmp_path / "pack", *ALL)
    shop = pack / "shop.rules"
    text = """verb shop:
    needs any coin in my purse "Too poor"
    menu:
        once: take 1 coins
        once: take 3 coins
    let s = the stall with most price
    if any s: take price of s coins
"""
    shop.write_text(text, encoding="utf-8")
    before = parts_of(read_layers(pack))
    change(pack, "shop.rules", old, new)
    after = parts_of(read_layers(pack))

    assert {each for each in after if before[each] != after[each]} & {"proc shop", "guard shop"}
