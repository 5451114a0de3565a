"""Every scenario of the shipped games is a test of its own; each game is compiled once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from coloma.catalogue import bundled_packs
from rulesdsl.scenarios import Suite, load_suite
from rulesdsl.scenarios.coverage import CHECKLIST, covered_rules
from rulesdsl.scenarios.weaving import WovenScenario
from rulesdsl.source.render_text import render

GAMES = [each.folder for each in bundled_packs() if not each.is_mod]

each_game = pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)


@cache
def suite(folder: Path) -> Suite:
    return load_suite(folder)


@cache
def by_name(folder: Path) -> dict[str, WovenScenario]:
    return {each.scenario.name: each for each in suite(folder).scenarios}


def named() -> list[tuple[Path, str]]:
    """Read no more than the names, so that broken content fails tests and not their collection."""
    found: list[tuple[Path, str]] = []
    for folder in GAMES:
        for file in sorted((folder / "scenarios").glob("*.toml")):
            tables = tomllib.loads(file.read_text(encoding="utf-8")).get("scenario", ())
            found += [(folder, each["name"]) for each in tables]
    return found


@each_game
def test_the_scenarios_can_be_read(folder: Path) -> None:
    found = suite(folder)

    assert not found.findings, render(found.findings, found.sources)


@pytest.mark.parametrize(("folder", "name"), named(), ids=lambda part: getattr(part, "name", part))
def test_scenario(folder: Path, name: str) -> None:
    result = suite(folder).run(by_name(folder)[name])

    assert result.passed, str(result)


@pytest.mark.parametrize(
    "folder", [each for each in GAMES if (each / CHECKLIST).exists()], ids=lambda each: each.name
)
def test_scenarios_name_rules_of_the_checklist(folder: Path) -> None:
    found = suite(folder)
    rules = covered_rules(found.pack, [each.scenario for each in found.scenarios])

    assert rules is not None
    assert not rules.findings, render(rules.findings, found.layers.sources)
    assert not rules.missing
