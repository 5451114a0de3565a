"""Every scenario of the shipped game is a test of its own; the game is compiled once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from rulesdsl.scenarios import Suite, load_suite
from rulesdsl.scenarios.coverage import covered_rules
from rulesdsl.scenarios.weaving import WovenScenario
from rulesdsl.source.render_text import render

CONTENT = Path(__file__).parents[2] / "content"


@cache
def suite() -> Suite:
    return load_suite(CONTENT)


@cache
def by_name() -> dict[str, WovenScenario]:
    return {each.scenario.name: each for each in suite().scenarios}


def names() -> list[str]:
    """Read no more than the names, so that broken content fails tests and not their collection."""
    files = sorted((CONTENT / "scenarios").glob("*.toml"))
    tables = [tomllib.loads(each.read_text(encoding="utf-8")) for each in files]
    return [each["name"] for table in tables for each in table.get("scenario", ())]


def test_the_scenarios_can_be_read() -> None:
    assert not suite().findings, render(suite().findings, suite().sources)


@pytest.mark.parametrize("name", names())
def test_scenario(name: str) -> None:
    result = suite().run(by_name()[name])

    assert result.passed, str(result)


def test_scenarios_name_rules_of_the_checklist() -> None:
    found = covered_rules(suite().pack, [each.scenario for each in suite().scenarios])

    assert found is not None
    assert not found.findings, render(found.findings, suite().layers.sources)
