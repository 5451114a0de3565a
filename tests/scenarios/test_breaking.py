from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from rulesdsl.scenarios import load_suite
from rulesdsl.scenarios.mutation import Mutant, all_mutants, choose_mutants
from rulesdsl.scenarios.mutation_run import Fate, MutantResult, break_pack
from scenarios.small_pack import scenario, write_pack

DEALS = scenario(name="deals", after="deal", expect=["coins in purse of p1 = 1"])
BAKES = scenario(
    name="bakes",
    given=["for p1: take 1 coins"],
    play="for p1: visit",
    do=["p1 stall:baker"],
    expect=["coins in purse of p1 = 2"],
)


def mutants_of(pack: Path) -> list[Mutant]:
    suite = load_suite(pack)
    return all_mutants(suite.layers, suite.pack, suite.checked.program.world)


def broken(pack: Path, mutant: Mutant) -> str:
    text = (pack / mutant.path).read_text(encoding="utf-8")
    return mutant.apply(text).splitlines()[mutant.line - 1].strip()


def test_the_ways_to_break_a_pack(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    lines = {broken(pack, each) for each in mutants_of(pack)}

    assert {
        "start-coins = 2",
        "price = 0",
        'wares = "move up to 3 coins from heap into my purse"',
        'wares = "move 2 coins from heap into my purse"',
        'wares = "nothing"',
        "if not (rich): for each player: take 1 coins",
        "let s = a stall where price of it < coins in my purse",
        "let s = a stall",
        "nothing",
        "move up to n coins from my purse into heap",
        "verb take n coins: move n coins from heap into my purse",
        "win with least score",
        'option rich "Everybody begins with a coin": on',
    } <= lines


def test_what_nobody_plays_is_left_alone(tmp_path: Path) -> None:
    changed = {each.path for each in mutants_of(write_pack(tmp_path))}

    assert changed == {"coins.rules", "numbers.toml", "stalls.toml"}


def test_the_same_seed_chooses_the_same_mutants(tmp_path: Path) -> None:
    suite = load_suite(write_pack(tmp_path))
    one, same, other = (choose_mutants(suite, 10, seed) for seed in (1, 1, 2))

    assert one == same
    assert one != other
    assert len(one) == 10


def fates(pack: Path, number: int = 400) -> dict[str, MutantResult]:
    return {broken(pack, each.mutant): each for each in break_pack(pack, [], number, 1, jobs=1)}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, MutantResult]:
    return fates(write_pack(tmp_path_factory.mktemp("pack"), DEALS, BAKES))


def test_a_change_is_noticed_by_a_scenario_about_it(verdicts: dict[str, MutantResult]) -> None:
    found = verdicts["start-coins = 2"]

    assert (found.fate, found.by) == (Fate.NOTICED, "deals")


def test_a_change_that_no_scenario_is_about_survives(verdicts: dict[str, MutantResult]) -> None:
    found = verdicts["win with least score"]

    assert found.fate is Fate.SURVIVED
    assert "another word: most -> least" in str(found.mutant)


def test_a_change_that_lint_refuses_is_told_apart(verdicts: dict[str, MutantResult]) -> None:
    refused = [each for each in verdicts.values() if each.fate is Fate.REFUSED]

    assert refused
    assert not [each for each in verdicts.values() if each.fate is Fate.CRASHED]


def test_the_pack_itself_stays_as_it_is(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, DEALS)
    before = {each: each.read_bytes() for each in pack.rglob("*") if each.is_file()}

    list(break_pack(pack, [], 5, 1, jobs=1))

    assert {each: each.read_bytes() for each in pack.rglob("*") if each.is_file()} == before


def test_more_processes_come_to_the_same(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, DEALS)
    one, two = (
        [(each.mutant, each.fate) for each in break_pack(pack, [], 8, 3, jobs)] for jobs in (1, 2)
    )

    assert one == two
    assert not multiprocessing.active_children()


def test_scenarios_that_fail_anyway_are_no_measure(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, scenario(name="wrong", expect=["coins in heap = 1"]))

    with pytest.raises(ValueError, match="fix these first"):
        list(break_pack(pack, [], 1, 1, jobs=1))
