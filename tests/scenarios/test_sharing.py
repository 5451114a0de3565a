from pathlib import Path

import pytest

from rulesdsl.scenarios.parallel import Processes, Ran, Task, failed_last, shares, usual_jobs
from rulesdsl.scenarios.scenario import Scenario
from rulesdsl.source import cache
from rulesdsl.source.diagnostics import LintError
from rulesdsl.source.span import Span
from scenarios.small_pack import scenario, write_pack

RIGHT = scenario(name="right", given=["for p1: take 2 coins"], expect=["coins in purse of p1 = 2"])
THREE = scenario(
    name="three", players=3, given=["for p3: take 1 coins"], expect=["coins in purse of p3 = 1"]
)
WRONG = scenario(name="wrong", given=["for p1: take 2 coins"], expect=["coins in purse of p1 = 3"])
UNKNOWN = scenario(name="unknown", expect=["coins in heep"])
UNREADABLE = scenario(expect=["coins in purse of p1 = 3"])


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")


def run(task: Task, jobs: int = 1) -> Ran:
    with Processes(jobs) as processes:
        return processes.run(task)


def names(ran: Ran) -> list[str]:
    return [each.scenario.name for each in ran.scenarios.results]


def test_a_report_is_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", RIGHT, WRONG, THREE, UNKNOWN, UNREADABLE)
    one, two = (run(Task(pack), jobs) for jobs in (1, 2))
    assert one == two
    assert one.scenarios.summary == "2 passed, 1 failed, 2 not run"


def test_content_with_errors_is_refused_by_any_number_of_processes(tmp_path: Path) -> None:
    pack = write_pack(
        tmp_path / "pack", RIGHT, THREE, thief__rules="verb steal:\n    take 1 koin\n"
    )
    found = []
    for jobs in (1, 2):
        with pytest.raises(LintError) as caught:
            run(Task(pack), jobs)
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


def test_processes_run_what_is_there_each_time(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", RIGHT, THREE)
    with Processes(2) as processes:
        before = processes.run(Task(pack))
        write_pack(pack, RIGHT.replace("take 2", "take 1"), THREE)
        after = processes.run(Task(pack))
    assert before.scenarios.ok
    assert [each.scenario.name for each in after.scenarios.failed] == ["right"]


def test_the_first_failure_is_the_last_one_that_is_run(tmp_path: Path) -> None:
    ran = run(Task(write_pack(tmp_path / "pack", RIGHT, WRONG, THREE), first=True))
    assert names(ran) == ["right", "wrong"]
    assert ran.scenarios.summary == "1 passed, 1 failed, 1 not run"


def test_other_processes_stop_at_a_failure_too(tmp_path: Path) -> None:
    every = [WRONG.replace("wrong", f"wrong {at}") for at in range(40)]
    ran = run(Task(write_pack(tmp_path / "pack", *every), first=True), jobs=2)
    assert 1 <= len(ran.scenarios.failed) <= 2
    assert ran.scenarios.unreadable == 40 - len(ran.scenarios.results)


def test_a_mistake_in_a_scenario_is_a_failure(tmp_path: Path) -> None:
    ran = run(Task(write_pack(tmp_path / "pack", RIGHT, UNKNOWN), first=True))
    assert (names(ran), ran.scenarios.unreadable) == ([], 2)
    assert ran.scenarios.findings


def test_what_failed_last_is_run_first(tmp_path: Path) -> None:
    also = WRONG.replace("wrong", "also wrong")
    pack = write_pack(tmp_path / "pack", RIGHT, WRONG, THREE, also)
    task, first = Task(pack), Task(pack, first=True)

    assert names(run(first)) == ["right", "wrong"]
    assert failed_last(task) == {"wrong"}
    run(task)
    assert failed_last(task) == {"wrong", "also wrong"}
    assert names(run(first)) == ["wrong"]
    write_pack(pack, RIGHT, WRONG.replace("take 2", "take 3"), THREE, also)
    assert names(run(first)) == ["wrong", "also wrong"]
    assert failed_last(task) == {"also wrong"}
    write_pack(pack, RIGHT, THREE)
    assert names(run(first)) == ["right", "three"]


def test_a_part_of_the_scenarios_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    task = Task(write_pack(tmp_path / "pack", RIGHT, WRONG))
    run(task)
    run(Task(task.path, only="right"))
    assert failed_last(task) == {"wrong"}


def test_a_record_that_is_damaged_is_as_good_as_none(tmp_path: Path) -> None:
    task = Task(write_pack(tmp_path / "pack", RIGHT, WRONG))
    run(task)
    (record,) = (tmp_path / "cache").iterdir()
    record.write_bytes(record.read_bytes()[:-9])
    assert failed_last(task) == frozenset()
    assert run(task).scenarios.summary == "1 passed, 1 failed"
    assert failed_last(task) == {"wrong"}
