from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import Run
from rulesdsl.source import cache
from scenarios.small_pack import scenario, write_pack

GOOD = scenario(name="good", covers=["A-1"], after="deal", expect=["coins in purse of p1 = 1"])
BAD = scenario(name="bad", covers=["A-2"], after="deal", expect=["coins in purse of p1 = 2"])


def test_scenarios_that_pass(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)))

    assert (ran.status, ran.lines) == (0, ["1 passed, 0 failed"])


def test_a_scenario_that_fails(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD, BAD)))

    assert ran.status == 1
    assert "all.toml:8: bad [A-2]" in ran.lines[0]
    assert ran.lines[-1] == "1 passed, 1 failed"


def test_only_some_of_them(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD, BAD)), "--only", "good")

    assert (ran.status, ran.lines) == (0, ["1 passed, 0 failed"])


def test_a_word_that_no_scenario_has_is_no_success(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--only", "goood")

    assert ran.status == 2
    assert "no scenario has goood in its name, file or rules" in ran.err


@pytest.mark.parametrize("flag", [("--seed", "1"), ("--in", "numbers.toml")])
def test_what_is_about_mutants_is_refused_without_them(
    run: Run, tmp_path: Path, flag: tuple[str, str]
) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), *flag)

    assert ran.status == 2
    assert "goes with --mutants" in ran.err


def test_no_scenarios_at_all(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path)))

    assert (ran.status, ran.lines) == (0, ["no scenarios"])


def test_a_mistake_in_a_scenario(run: Run, tmp_path: Path) -> None:
    ran = run(
        "test", str(write_pack(tmp_path, GOOD, scenario(name="x", expect=["coins in heep"])))
    )

    assert ran.status == 1
    assert "E201 unknown-name" in ran.out
    assert ran.lines[-1] == "1 passed, 0 failed, 1 not run"


def test_a_scenario_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD, scenario(name="x", over=1))))

    assert ran.status == 1
    assert "E005 wrong-value" in ran.out
    assert ran.lines[-1] == "1 passed, 0 failed, 1 not run"


def test_content_with_errors(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD, numbers__toml="x = 1\n")))

    assert ran.status == 1
    assert "start-coins" in ran.err


def test_coverage(run: Run, tmp_path: Path) -> None:
    pack = write_pack(tmp_path, GOOD, scenario(name="x", covers=["A-4"], after="deal", over=False))
    ran = run("test", str(pack), "--coverage")

    assert ran.status == 1
    assert ran.lines == [
        "2 passed, 0 failed",
        "without a scenario: 1",
        "  A-2: The baker pays back",
        "exempt: 1",
        "  A-3: nothing to compute",
        "2 of 3 rules covered, 1 exempt",
    ]


def test_coverage_without_a_checklist(run: Run, tmp_path: Path) -> None:
    pack = write_pack(tmp_path, GOOD)
    (pack / "rules_covered.toml").unlink()
    ran = run("test", str(pack), "--coverage")

    assert ran.status == 1
    assert "no file rules_covered.toml" in ran.err


def test_mutants(run: Run, tmp_path: Path) -> None:
    pack = str(write_pack(tmp_path, GOOD))
    ran = run("test", pack, "--mutants", "30", "--jobs", "1")

    assert ran.status == 1
    assert any(line.startswith("nobody notices ") for line in ran.lines)
    assert ran.lines[-1].startswith("30 mutants, seed 0: ")
    assert run("test", pack, "--mutants", "30", "--jobs", "1").out == ran.out
    assert run("test", pack, "--mutants", "30", "--seed", "1", "--jobs", "1").out != ran.out


def test_mutants_in_one_file(run: Run, tmp_path: Path) -> None:
    pack = str(write_pack(tmp_path, GOOD))
    ran = run("test", pack, "--mutants", "500", "--in", "numbers.toml", "--jobs", "1")
    broken = [line for line in ran.lines if line.startswith("nobody notices ")]

    assert re.match(r"\d{1,2} mutants, seed 0: ", ran.lines[-1])
    assert all("numbers.toml" in line for line in broken)


def test_mutants_in_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--mutants", "1", "--in", "number.toml")

    assert ran.status == 1
    assert "there is nothing to break in number.toml" in ran.err
    assert "`numbers.toml`" in ran.err


def test_a_file_without_mutants_is_a_wrong_call(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--in", "numbers.toml")

    assert ran.status == 2
    assert "--mutants" in ran.err


@pytest.mark.parametrize("flag", [("--coverage",), ("--mutants", "1")])
def test_a_part_of_the_scenarios_cannot_be_measured(
    run: Run, tmp_path: Path, flag: tuple[str, ...]
) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--only", "good", *flag)

    assert ran.status == 2
    assert "--only" in ran.err


def test_the_first_failure_ends_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")
    pack = str(write_pack(tmp_path / "pack", GOOD, BAD, scenario(name="x", over=False)))
    once = run("test", pack, "--first")
    again = run("test", pack, "--first")

    assert (once.status, once.lines[-1]) == (1, "1 passed, 1 failed, 1 not run")
    assert (again.status, again.lines[-1]) == (1, "0 passed, 1 failed, 2 not run")


def test_a_run_that_may_stop_measures_no_coverage(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--first", "--coverage")

    assert ran.status == 2
    assert "--first" in ran.err
