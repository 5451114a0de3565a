"""Scenarios that processes share: what is said is the same for any number of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.scenarios.scenario import Scenario
from rulesdsl.scenarios.sharing import Task, run_shared, shares, usual_jobs
from rulesdsl.source.diagnostic import LintError
from rulesdsl.source.span import Span
from scenarios.small_pack import scenario, write_pack

RIGHT = scenario(name="right", given=["for p1: take 2 coins"], expect=["coins in purse of p1 = 2"])
THREE = scenario(
    name="three", players=3, given=["for p3: take 1 coins"], expect=["coins in purse of p3 = 1"]
)
WRONG = scenario(name="wrong", given=["for p1: take 2 coins"], expect=["coins in purse of p1 = 3"])
UNKNOWN = scenario(name="unknown", expect=["coins in heep"])
UNREADABLE = scenario(expect=["coins in purse of p1 = 3"])


def test_a_report_is_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, RIGHT, WRONG, THREE, UNKNOWN, UNREADABLE)

    one, two = (run_shared(Task(pack), jobs) for jobs in (1, 2))

    assert one == two
    assert one.scenarios.summary == "2 passed, 1 failed, 2 not run"


def test_content_with_errors_is_refused_by_any_number_of_processes(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, RIGHT, THREE, thief__rules="verb steal:\n    take 1 koin\n")
    found = []
    for jobs in (1, 2):
        with pytest.raises(LintError) as caught:
            run_shared(Task(pack), jobs)
        found.append(caught.value.diagnostics)

    assert found[0] == found[1]


def about(name: str, players: int, line: int) -> Scenario:
    return Scenario(name, Span("a.toml", line, 1, line, 2), (line, line), players=players)


def test_each_scenario_is_in_one_share() -> None:
    scenarios = [about(f"s{at}", at % 7, at) for at in range(100)]

    found = shares(scenarios, 3)

    assert sorted(each.span for share in found for each in share) == [e.span for e in scenarios]
    assert max(map(len, found)) - min(map(len, found)) < 20


def test_a_crowd_of_one_setting_is_split() -> None:
    found = shares([about(f"s{at}", 2, at) for at in range(100)], 4)

    assert [len(each) for each in found] == [25] * 4


def test_few_scenarios_are_worth_no_other_process() -> None:
    assert usual_jobs(20) == 1
