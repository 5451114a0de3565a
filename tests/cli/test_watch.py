from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from coloma.commands.test import FileWatcher, _look
from rulesdsl.scenarios.parallel import Processes, Task
from rulesdsl.source import cache
from scenarios.small_pack import scenario, write_pack

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


def test_scenarios_are_run_after_each_change(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_content_that_is_broken_for_a_while(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(pack / "coins.rules", "step deal:", "step deal")
    broken = told(pack, capsys)
    change(pack / "coins.rules", "step deal", "step deal:")

    assert broken[-1].endswith("; no scenario run")
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
    assert without[-1] == "1 finding; no scenario run"


def test_a_mistake_in_a_scenario_is_told_until_it_is_gone(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert process.stdout is not None
    return iter(process.stdout)


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
