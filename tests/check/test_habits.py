"""Habits from other languages: for each row of the table, what is said, and what the fix makes.

`habits/NAME.rules` is added to the stock game; `habits/NAME.txt` has the first finding, its fix
and the lines that this changes. `pytest --update-golden tests/check` writes it again.
"""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path

import pytest

from check.stock import STOCK, check_texts
from rulesdsl.source.diagnostics import Report, edited
from rulesdsl.source.render import render_text
from rulesdsl.syntax.unreadable_lines import TABLE

HABITS = Path(__file__).parent / "habits"
GROUPS = tomllib.loads(TABLE.read_text(encoding="utf-8"))
ROWS = {name: row for rows in GROUPS.values() for name, row in rows.items()}
NAMES = sorted(each.stem for each in HABITS.glob("*.rules"))  # and slips that are in no table


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_habit_is_understood_and_put_right(name: str, update_golden: bool) -> None:
    text = (HABITS / f"{name}.rules").read_text(encoding="utf-8")

    report = _check(text)
    finding = report.diagnostics[0]
    told = render_text([finding], report.sources) + "\n"
    if finding.fixes:
        fix = finding.fixes[0]
        after = edited(text, fix.edits)
        told += f"{'sure' if fix.safe else 'perhaps'}: {fix.title}\n{_difference(text, after)}"
        assert _check(after).errors == ()

    expected = HABITS / f"{name}.txt"
    if update_golden:
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    row = ROWS.get(name, {"says": finding.help, "change": []})
    assert finding.help == row["says"]
    assert bool(finding.fixes) == bool(row.keys() & {"write", "change", "lower"})


def test_there_is_an_example_of_every_habit() -> None:
    assert ROWS.keys() <= set(NAMES)
    assert sorted(each.stem for each in HABITS.glob("*.txt")) == NAMES


def _check(rules: str) -> Report:
    return check_texts(Path("pack"), STOCK | {"extra.rules": rules})


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "".join(f"{line}\n" for line in [*lines][2:])
