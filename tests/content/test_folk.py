from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import rulesdsl
from rulesdsl.scenarios import run_scenarios
from rulesdsl.syntax.format import format_rules

CONTENT = Path(__file__).parents[2] / "content"
PAGE = CONTENT / "characters.md"
SHIPPED = sorted(each.parent for each in (CONTENT / "mods").glob("*/pack.toml"))
_BLOCK = re.compile(r"^```\w+ +(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    found: dict[str, str] = {}
    for path, text in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        found[path] = f"{found[path]}\n{text}" if path in found else text
    return found


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    for path, text in files().items():
        place = tmp_path / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return tmp_path


def test_it_lints_clean_alone_and_with_the_shipped_mods(mod: Path) -> None:
    for mods in ([mod], [mod, *SHIPPED]):
        assert rulesdsl.lint(CONTENT, mods=mods).diagnostics == ()


def test_its_rules_are_formatted() -> None:
    text = files()["powers.rules"]

    assert format_rules(text, "powers.rules") == text


def test_its_scenarios_pass_and_there_is_one_for_every_character(mod: Path) -> None:
    report = run_scenarios(CONTENT, [mod], of=mod)
    characters = re.findall(r"(?m)^\[(folk\..*)\]$", files()["characters.toml"])

    assert [str(each) for each in report.results if not each.passed] == []
    assert len(report.results) == len(characters)
    for each in characters:
        assert each in files()["scenarios/powers.toml"]


def test_its_characters_are_played(mod: Path) -> None:
    pack = rulesdsl.load(CONTENT, mods=[mod], cache=False)
    least, most = pack.players
    for players in range(least, most + 1):
        game = pack.new_game(players, players, {"characters": "dealt"})
        chance = random.Random(players)
        while decision := game.decision:
            game.choose(chance.randrange(decision.count))
        assert game.result is not None
