"""Rules of both games that can be broken unnoticed: `unnoticed.toml` lists them, with reasons."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from rulesdsl.scenarios.mutation import STATEMENT, rule_mutants
from rulesdsl.scenarios.mutation_run import Fate, MutantTrial, break_pack
from rulesdsl.scenarios.rule_lines import RuleTrials, Standing, rule_trials
from rulesdsl.scenarios.suite import Suite
from some import some

CONTENT = Path(__file__).parents[2] / "content"
GAMES = {"coloma": CONTENT, "sutters_mill": CONTENT / "sutters_mill"}


def listed(game: str) -> Mapping[str, Mapping[str, str]]:
    text = Path(__file__).with_name("unnoticed.toml").read_text(encoding="utf-8")
    lists: Mapping[str, Mapping[str, str]] = tomllib.loads(text)[game]
    return lists


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_that_can_be_removed_unnoticed_are_listed(game: str) -> None:
    """Remove each `needs`, hook, verdict and score line; single statements would take hours."""

    def choose(suite: Suite) -> list[MutantTrial]:
        return [MutantTrial((rule,)) for rule in rule_mutants(suite) if rule.way != STATEMENT]

    results = break_pack(GAMES[game], [], choose).results(jobs=1)
    rules = {result.mutant for result in results if result.fate is Fate.SURVIVED}
    assert {f"{e.path}: {' '.join(e.old.split())}" for e in rules} == listed(game)["rules"].keys()


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_whose_line_can_be_broken_unnoticed_are_listed(game: str) -> None:
    """Break the lines of each rule of the checklist, and run the scenarios that name it."""
    planned: list[RuleTrials] = []

    def choose(suite: Suite) -> list[MutantTrial]:
        planned.append(some(rule_trials(suite)))
        return planned[0].trials

    breaking = break_pack(GAMES[game], [], choose)
    results = zip(breaking.trials, breaking.results(jobs=1), strict=True)
    names = defaultdict[Standing, set[str]](set)
    for rule in planned[0].standings(results):
        names[rule.standing].add(rule.name)
    assert names[Standing.NO_SCENARIO] == set()
    coverage = listed(game)["coverage"]
    assert names[Standing.NO_LINE] == {*coverage["without-line"]}
    assert names[Standing.NOT_NOTICED] == {*coverage["not-noticed"]}
