from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from cli.conftest import Run
from rulesdsl.source import cache
from scenarios.small_pack import scenario, write_pack

if TYPE_CHECKING:
    import pytest

GOOD = scenario(name="good", covers=["A-1"], after="deal", expect=["coins in purse of p1 = 1"])
BAD = scenario(name="bad", covers=["A-2"], after="deal", expect=["coins in purse of p1 = 2"])


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
    assert any(line.startswith("not noticed: ") for line in ran.lines)
    assert ran.lines[-1].startswith("30 mutants, seed 0: ")
    assert run("test", pack, "--mutants", "30", "--jobs", "1").out == ran.out
    assert run("test", pack, "--mutants", "30", "--seed", "1", "--jobs", "1").out != ran.out


def test_mutants_in_one_file(run: Run, tmp_path: Path) -> None:
    pack = str(write_pack(tmp_path, GOOD))
    ran = run("test", pack, "--mutants", "500", "--in", "numbers.toml", "--jobs", "1")
    broken = [line for line in ran.lines if line.startswith("not noticed: ")]

    assert re.match(r"\d{1,2} mutants, seed 0: ", ran.lines[-1])
    assert all("numbers.toml" in line for line in broken)


def test_mutants_in_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--mutants", "1", "--in", "number.toml")

    assert ran.status == 1
    assert "there is nothing to break in number.toml" in ran.err
    assert "`numbers.toml`" in ran.err


def test_the_first_failure_ends_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")
    pack = str(write_pack(tmp_path / "pack", GOOD, BAD, scenario(name="x", over=False)))
    once = run("test", pack, "--first")
    again = run("test", pack, "--first")

    assert (once.status, once.lines[-1]) == (1, "1 passed, 1 failed, 1 not run")
    assert (again.status, again.lines[-1]) == (1, "0 passed, 1 failed, 2 not run")
