"""Small changes of the checker: which are drawn, and what becomes of them in a tree of two."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mutmut", reason="of the extra `soak`")

from soak.checker_mutants import Draw, Mutant, key_of

ROOT = Path(__file__).parents[2]
CODE = '''\
"""Two functions and a table."""

WORDS = {1: "one"}


def said(number: int) -> str:
    match number:
        case 0:
            return "none"
        case _:
            return WORDS.get(number, "many")


def unheard(number: int) -> int:
    return number + 1
'''
TESTS = """\
from tree.words import said


def test_none():
    assert said(0) == "none"


def test_one():
    assert said(1) == "one"
"""
TRY = """\
import sys
from pathlib import Path
from soak.checker_mutants import Draw
from soak.checker_trial import Looked, Trials

root = Path.cwd()
draw = Draw(root, ("tree",), 99, 1)
found = []
trials = Trials(root, ("tests",), Looked(root / "calls", "now"))
trials.run(map(draw.mutant, range(len(draw))), lambda mutant, trial: found.append((mutant, trial)))
for mutant, trial in found:
    print(f"{trial.verdict}|{mutant.before}|{mutant.after}")
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {
        "tree/__init__.py": "",
        "tree/words.py": CODE,
        "tests/test_words.py": TESTS,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def drawn(tree: Path, count: int, seed: int) -> list[Mutant]:
    draw = Draw(tree, ("tree",), count, seed)
    return [draw.mutant(number) for number in range(len(draw))]


def test_the_same_seed_draws_the_same_and_another_others(tree: Path) -> None:
    one, again, other = (drawn(tree, 5, seed) for seed in (1, 1, 2))

    assert one == again != other
    assert [each.number for each in one] == [0, 1, 2, 3, 4]


def test_no_more_is_drawn_than_there_is(tree: Path) -> None:
    assert 5 < len(Draw(tree, ("tree",), 500, 1)) < 500


def test_a_case_is_left_out_and_a_table_is_changed(tree: Path) -> None:
    keys = {key_of(each.path, each.before, each.after) for each in drawn(tree, 500, 1)}

    assert 'tree/words.py: case 0: return "none" => ' in keys
    assert any("XXoneXX" in key for key in keys)


def test_what_tests_notice_and_what_they_do_not(tree: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRY],
        cwd=tree,
        env={"PYTHONPATH": f"{ROOT}:{tree}", "PATH": "/usr/bin:/bin", "HOME": str(tree)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [line.split("|") for line in done.stdout.splitlines() if line.count("|") == 2]
    verdicts = {(before, after): verdict for verdict, before, after in found}

    assert verdicts['case 0: return "none"', ""] == "noticed"
    assert verdicts['WORDS = {1: "one"}', 'WORDS = {1: "XXoneXX"}'] == "noticed"
    assert verdicts["return number + 1", "return number - 1"] == "survived"
    assert (tree / "tree" / "words.py").read_text("utf-8") == CODE
