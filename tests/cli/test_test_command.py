import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from coloma.commands.test import FileWatcher, _follow, _look
from rulesdsl.scenarios.parallel import Processes, Task
from rulesdsl.source import cache
from scenarios.small_pack import RULES, scenario, write_pack
from some import some

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
    assert ran.lines[-1].startswith("mutants: 30, seed 0: ")
    assert run("test", pack, "--mutants", "30", "--jobs", "1").out == ran.out
    assert run("test", pack, "--mutants", "30", "--seed", "1", "--jobs", "1").out != ran.out


def test_mutants_in_one_file(run: Run, tmp_path: Path) -> None:
    pack = str(write_pack(tmp_path, GOOD))
    ran = run("test", pack, "--mutants", "500", "--in", "numbers.toml", "--jobs", "1")
    broken = [line for line in ran.lines if line.startswith("not noticed: ")]
    assert re.match(r"mutants: \d{1,2}, seed 0: ", ran.lines[-1])
    assert all("numbers.toml" in line for line in broken)


def test_mutants_in_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--mutants", "1", "--in", "number.toml")
    assert ran.status == 1
    assert "there is nothing to mutate in number.toml" in ran.err
    assert "`numbers.toml`" in ran.err


def test_rules_whose_loss_no_scenario_notices(run: Run, tmp_path: Path) -> None:
    pack = str(write_pack(tmp_path, GOOD))
    ran = run("test", pack, "--broken", "--jobs", "1")
    lost = [line.partition(": ")[2] for line in ran.lines if line.startswith("not noticed: ")]
    assert ran.status == 1
    assert any("score line removed: : coins in my purse -> : 0" in line for line in lost)
    assert not any("take start-coins coins" in line for line in lost)
    assert re.match(r"rules broken: \d+: ", ran.lines[-1])


def test_rules_covered_if_their_line_is_broken(run: Run, tmp_path: Path) -> None:
    rules = RULES.replace("take start-coins coins", "take start-coins coins  # A-1").replace(
        "    do wares of s", "    do wares of s  # A-2"
    )
    pack = write_pack(tmp_path, GOOD, scenario(name="b", covers=["A-2"], over=False))
    (pack / "coins.rules").write_text(rules, encoding="utf-8")
    ran = run("test", str(pack), "--coverage=broken", "--jobs", "1")
    assert ran.status == 1
    assert ran.lines[1:] == [
        "broken without a scenario that names it noticing: 1",
        "  A-2: The baker pays back",
        f"    {pack.as_posix()}/coins.rules:26:5: statement removed: do wares of s -> nothing",
        "without a scenario: 1",
        "  A-4: The beggar is thankful",
        "1 of 3 rules covered if their line is broken",
    ]
    assert run("test", str(pack), "--coverage", "--broken", "--jobs", "1").out == ran.out


def test_a_rule_is_covered_if_the_loss_of_each_line_is_noticed(run: Run, tmp_path: Path) -> None:
    rules = RULES.replace("take start-coins coins", "take start-coins coins  # A-1").replace(
        "take 1 coins", "take 1 coins  # A-1"
    )
    pack = write_pack(tmp_path, GOOD)
    (pack / "coins.rules").write_text(rules, encoding="utf-8")
    ran = run("test", str(pack), "--coverage=broken", "--jobs", "1")
    assert ran.lines[1] == "broken without a scenario that names it noticing: 1"
    removed = "if rich: for each player: take 1 coins -> nothing"  # `if not rich` would be noticed
    assert ran.lines[3].endswith(f"/coins.rules:19:5: statement removed: {removed}")


def test_a_rule_without_a_line_is_not_covered(run: Run, tmp_path: Path) -> None:
    ran = run("test", str(write_pack(tmp_path, GOOD)), "--coverage=broken", "--jobs", "1")
    assert "without a line that can be broken: 1" in ran.lines
    assert "  A-1: Everybody begins with a coin" in ran.lines


def test_first_failure_only(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")
    pack = str(write_pack(tmp_path / "pack", GOOD, BAD, scenario(name="x", over=False)))
    once = run("test", pack, "--first")
    again = run("test", pack, "--first")
    assert (once.status, once.lines[-1]) == (1, "1 passed, 1 failed, 1 not run")
    assert (again.status, again.lines[-1]) == (1, "0 passed, 1 failed, 2 not run")


RICH = scenario(name="rich", given=["for p1: take 3 coins"], expect=["coins in purse of p1 = 3"])
DEAL = scenario(name="deal", after="deal", expect=["coins in purse of p1 = 1"])


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_pack(tmp_path / "pack", RICH, DEAL)


def change(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def told(pack: Path, capsys: pytest.CaptureFixture[str], *, first: bool = False) -> list[str]:
    with Processes() as processes:
        _look([Task(pack, first=first)], processes)
    return [line.rpartition(" (")[0] or line for line in capsys.readouterr().out.splitlines()]


def test_scenarios_run_after_each_change(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(pack, capsys)
    change(pack / "numbers.toml", "start-coins = 1", "start-coins = 2")
    changed = told(pack, capsys)
    change(pack / "numbers.toml", "start-coins = 2", "start-coins = 1")
    back = told(pack, capsys)

    assert before == ["no findings; 2 passed, 0 failed"]
    assert changed[-1] == "no findings; 1 passed, 1 failed"
    assert "expected coins in purse of p1 = 1" in changed[1]
    assert back == before


def test_what_failed_last_comes_first(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(pack / "numbers.toml", "start-coins = 1", "start-coins = 2")
    assert told(pack, capsys, first=True)[-1] == "no findings; 1 passed, 1 failed"
    assert told(pack, capsys, first=True)[-1] == "no findings; 0 passed, 1 failed, 1 not run"


def test_temporarily_broken_content(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(pack / "coins.rules", "step deal:", "step deal")
    broken = told(pack, capsys)
    change(pack / "coins.rules", "step deal", "step deal:")
    assert broken[-1].endswith("; no scenarios were run")
    assert "coins.rules" in "".join(broken)
    assert told(pack, capsys) == ["no findings; 2 passed, 0 failed"]


def test_files_that_come_and_go(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = pack / "scenarios" / "more.toml"
    more.write_text(RICH.replace("rich", "richer"), encoding="utf-8")
    new = told(pack, capsys)
    more.unlink()
    gone = told(pack, capsys)
    (pack / "pack.toml").rename(pack / "pack.txt")
    without = told(pack, capsys)

    assert new == ["no findings; 3 passed, 0 failed"]
    assert gone == ["no findings; 2 passed, 0 failed"]
    assert without[-1] == "1 finding; no scenarios were run"


def test_mistakes_are_repeated(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(pack / "scenarios" / "all.toml", "take 3 coins", "take 3 koins")
    for _ in range(2):
        assert told(pack, capsys)[-1] == "2 findings; 1 passed, 0 failed, 1 not run"


def test_changes_are_noticed_whatever_they_are(pack: Path) -> None:
    changes = FileWatcher([pack])
    for happen, name in (
        (lambda: (pack / "numbers.toml").write_text("x = 1\n", encoding="utf-8"), "numbers.toml"),
        (lambda: (pack / "new.rules").write_text("", encoding="utf-8"), "new.rules"),
        ((pack / "new.rules").unlink, "new.rules"),
    ):
        threading.Timer(0.05, happen).start()
        assert [Path(each).name for each in changes.wait()] == [name]


def lines_of(process: subprocess.Popen[str]) -> Iterator[str]:
    return iter(some(process.stdout))


def test_the_command_goes_on_until_it_is_interrupted(pack: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "coloma", "watch", str(pack)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        lines = lines_of(process)
        begun = [next(lines), next(lines)]
        time.sleep(0.05)
        change(pack / "numbers.toml", "start-coins = 1", "start-coins = 1  # one")
        noticed = [next(lines), next(lines), next(lines)]
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read() if process.stderr else ""

    assert begun[0].startswith("watching ")
    assert "2 passed, 0 failed" in begun[1]
    assert "changed: " in noticed[1]
    assert "2 passed, 0 failed" in noticed[2]
    assert (process.returncode, rest) == (0, "")


PACKAGE = Path(__file__).parents[2] / "editors" / "vscode" / "package.json"


def matcher(name: str) -> list[re.Pattern[str]]:
    package: dict[str, Any] = json.loads(PACKAGE.read_text(encoding="utf-8"))
    matchers = package["contributes"]["problemMatchers"]
    found = next(each for each in matchers if each["name"] == name)
    return [re.compile(each["regexp"]) for each in found["pattern"]]


def test_findings_are_problems(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text("id = 3\n")
    lines = run("lint", str(tmp_path)).lines
    first, second = matcher("coloma-lint")
    found = [at for at, line in enumerate(lines) if first.match(line)]
    assert found
    assert all(second.match(lines[at + 1]) for at in found)


def test_scenarios_that_fail_are_problems(run: Run, tmp_path: Path) -> None:
    wrong = scenario(name="bad", after="deal", expect=["coins in purse of p1 = 2"])
    lines = run("test", str(write_pack(tmp_path, wrong))).lines
    first, second = matcher("coloma-test")
    assert first.match(lines[0])
    assert second.match(lines[1])


def test_an_editor_sees_when_a_look_begins_and_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    matchers = package["contributes"]["problemMatchers"]
    watched = next(each for each in matchers if each["name"] == "coloma-watch")["background"]
    pack = write_pack(tmp_path / "pack", scenario(name="good", after="deal", over=False))
    changes = FileWatcher([pack])
    monkeypatch.setattr(changes, "wait", iter([["a.rules"]]).__next__)

    with Processes() as processes, pytest.raises(StopIteration):
        _follow([Task(pack)], processes, changes)

    lines = capsys.readouterr().out.splitlines()
    assert [bool(re.match(watched["beginsPattern"], each)) for each in lines].count(True) == 1
    assert [bool(re.match(watched["endsPattern"], each)) for each in lines].count(True) == 2
