from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import rulesdsl
from coloma.commands import COMMANDS
from docs.reference import Section, sections
from rulesdsl.scenarios import load_suite
from rulesdsl.source.codes import CODES
from rulesdsl.syntax.format import format_rules

GUIDE = Path(__file__).parents[2] / "cli" / "coloma" / "guide" / "mods.md"
SECTIONS = sections(GUIDE)


def by_title(section: Section) -> str:
    return section.title


@pytest.mark.parametrize("section", SECTIONS, ids=by_title)
def test_an_example_lints_clean(section: Section, tmp_path: Path) -> None:
    game, mod = section.write_mod(tmp_path)

    assert [str(each) for each in rulesdsl.lint(game, [mod]).diagnostics] == []


@pytest.mark.parametrize("section", SECTIONS, ids=by_title)
def test_an_example_is_formatted(section: Section) -> None:
    for path, text in section.files.items():
        if path.endswith(".rules"):
            assert format_rules(text, path) == text, path


@pytest.mark.parametrize("section", SECTIONS, ids=by_title)
def test_an_example_can_be_played(section: Section, tmp_path: Path) -> None:
    game, mod = section.write_mod(tmp_path)
    pack = rulesdsl.load(game, [mod], cache=False)
    for seed in range(3):
        played = pack.new_game(players=2 + seed, seed=seed)
        chance = random.Random(seed)
        while decision := played.decision:
            played.choose(chance.randrange(decision.count))
        assert played.result is not None


@pytest.mark.parametrize("section", SECTIONS, ids=by_title)
def test_an_example_does_what_it_says(section: Section, tmp_path: Path) -> None:
    game, mod = section.write_mod(tmp_path)
    report = load_suite(game, [mod], of=mod).report()

    assert report.results
    assert report.ok, str(report)


def test_every_command_and_code_that_the_guide_names_is_there() -> None:
    text = GUIDE.read_text(encoding="utf-8")

    assert set(re.findall(r"\bcoloma ([a-z]+)\b", text)) <= set(COMMANDS)
    assert set(re.findall(r"\b[EW]\d{3}\b", text)) <= set(CODES)
