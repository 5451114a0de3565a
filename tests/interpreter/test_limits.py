from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import findings, played, written


def _nested(opening: str, depth: int) -> str:
    lines = ["    " * at + opening.format(at) for at in range(depth)]
    return "\n".join([*lines, "    " * depth + "raise my fame by 1"])


def branching(levels: int, branches: int = 30) -> str:
    """Return tests of many branches, each in the last one of that before."""
    lines: list[str] = []
    for level in range(levels):
        branch = "    " * level + "{}if note = 9: nothing"
        more = [branch.format("otherwise ")] * branches
        lines += [branch.format(""), *more, "    " * level + "otherwise:"]
    return "\n".join([*lines, "    " * levels + "raise my fame by 1"])


DEEP = {
    "loops": _nested("for each stall s{} where size = 1:", 25),
    "ifs": _nested("if my fame = {}:", 150),
    "offers": _nested("may:", 200),
    "branches in one another": branching(6),
    "a sum": "raise my fame by " + " + ".join(["note"] * 2000),
    "brackets": "raise my fame by " + "(1 + " * 500 + "1" + ")" * 500,
    "alternatives": "if " + " or ".join(["note = 1"] * 2000) + ": raise my fame by 1",
    "negations": "if " + "not " * 2000 + "note = 1: raise my fame by 1",
}


@pytest.mark.parametrize("name", sorted(DEEP))
def test_what_is_nested_too_deeply_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, DEEP[name]) == ["E407"]


def test_what_people_write_is_not_too_deep(tmp_path: Path) -> None:
    act = _nested("for each stall s{} where size = 1:", 8)

    assert played(tmp_path, act).fame() == 1


def test_branches_of_branches_are_not_too_deep_yet(tmp_path: Path) -> None:
    assert played(tmp_path, branching(5)).fame() == 1


def test_a_chain_of_values_too_long_to_check_is_refused(tmp_path: Path) -> None:
    chain = "".join(f"value v{at} of seat: v{at + 1} of me + 1\n" for at in range(400))

    assert findings(tmp_path, "raise my fame by v0 of me", f"{chain}value v400 of seat: 1\n") == [
        "E407"
    ]


def test_a_circle_begins_with_what_stands_there(tmp_path: Path) -> None:
    hook = "instead of value zeal of seat: my awe\n"
    circle = f"value zeal of seat: 3\n{hook}value awe of seat: my zeal\n"
    found = rulesdsl.lint(written(tmp_path, "raise my fame by my zeal", circle)).diagnostics
    told = next(each for each in found if each.code == "E404")

    assert "zeal -> awe -> zeal" in told.message
    assert (tmp_path / "box.rules").read_text().splitlines()[told.span.line - 1][6:10] == "zeal"


def test_what_calls_a_chain_that_is_too_much_is_not_told_too(tmp_path: Path) -> None:
    chain = "".join(f"value v{at}: v{at + 1} + v{at + 1} + v{at + 1}\n" for at in range(30))

    assert findings(tmp_path, "raise note by v0", f"{chain}value v30: note\n") == ["E407"]


def test_verbs_that_call_each_other_in_many_ways_are_checked_at_once(tmp_path: Path) -> None:
    chain = "".join(
        f"verb v{at}:\n    if note > {at}: v{at + 1}\n    otherwise if note > 1: v{at + 1}\n"
        f"    otherwise: v{at + 1}\n"
        for at in range(40)
    )

    assert findings(tmp_path, "if able: v0", f"{chain}verb v40: pay 1 coin\n") == []
