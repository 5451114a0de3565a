"""Twice the rules are twice the work of a lint: calls are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesdsl.check.read import check_pack
from soak.growth import FAMILIES, Texts, write

LINES = 30
STEEPEST = 2.4


def calls_of_lint(folder: Path, texts: Texts) -> int:
    """Return how many functions a lint calls; the pack has no errors."""
    mods = write(folder, texts)
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        report = check_pack(folder, mods)[2]
    finally:
        sys.setprofile(None)
    assert [each.message for each in report.diagnostics if each.code[0] == "E"] == []
    return calls


@pytest.mark.parametrize("make", FAMILIES, ids=lambda make: make.__name__)
def test_twice_the_lines_are_twice_the_work(make: Callable[[int], Texts], tmp_path: Path) -> None:
    calls_of_lint(tmp_path / "first", make(LINES))  # the parser is made once
    once = calls_of_lint(tmp_path / "once", make(LINES * 2))
    twice = calls_of_lint(tmp_path / "twice", make(LINES * 4))

    assert twice < once * STEEPEST
