"""`why not` names the first condition that fails: at some positions of each game."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from soak.reasons import compare

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("pack", ["content", "content/sutters_mill"])
def test_the_first_condition_that_fails_is_named(pack: str) -> None:
    found = compare(rulesdsl.load(ROOT / pack), 6, seed=5)

    assert found.wrong == {}
    assert found.struck > 10
    assert found.elsewhere > 100
