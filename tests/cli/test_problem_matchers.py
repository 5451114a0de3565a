from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from coloma.commands.test import FileWatcher, _follow
from rulesdsl.scenarios.parallel import Processes, Task
from rulesdsl.source import cache
from scenarios.small_pack import scenario, write_pack

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
