from __future__ import annotations

import ast
from pathlib import Path

import pytest

from packs_on_the_fly import findings, loaded
from rulesdsl.interpreter.compile import generate

NUMBERS = {
    "in a sum": "raise note by 99999999999999999999",
    "of 5,000 digits": f"raise note by {'9' * 5000}",
    "on a stack": f"look at top {'9' * 5000} of deck",
}


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_a_number_beyond_the_bounds_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, NUMBERS[name]) == ["E407"]


EXACT = {
    "tracks with bounds": "raise note by my fame + 1",
    "counts": "raise note by (all coins in heap) * 3 + 2",
    "fields": "for each stall s: raise note by size of s * 2 + 1",
    "amounts that are given": "gain (2 + 1) coins",
    "numbers to choose from": "let n = a number in 1..3\nraise note by n * n + 1",
    "locals": "let f = my fame * my fame\nraise note by f * f - 1",
    "positions": "raise note by position of me",
    "a sum": "raise note by (size of it + 1) per stalls",
}


@pytest.mark.parametrize("name", sorted(EXACT))
def test_what_cannot_overflow_costs_nothing(name: str, tmp_path: Path) -> None:
    pack = loaded(tmp_path, EXACT[name])
    engine = pack.setting(2, {}, log=True).engine
    module = generate(engine.flat, engine.states)

    assert "saturated" not in {each.id for each in ast.walk(module) if isinstance(each, ast.Name)}
