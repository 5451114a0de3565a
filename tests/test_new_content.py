"""What CONTRIBUTING.md says about changing the game, carried out in a copy of `content/`.

A block under one of the headings is a file of the pack. Rules and scenarios are new files; tables
`[name]` of a TOML block are added at the end of the file, lines `key = value` replace the line of
that key.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesdsl
from rulesdsl.scenarios import run_scenarios
from rulesdsl.source.diagnostic import Severity

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

HORSES, ROUNDS, BUILDING = (
    "Another price of horses",
    "A game of four rounds",
    "A building that nobody has seen before",
)
OUTLAWS_LEAVE = re.compile(r"Outlaw: \d+ -> 0")


def blocks(heading: str) -> list[tuple[str, str]]:
    section = GUIDE.split(f"### {heading}\n")[1].split("\n## ")[0].split("\n### ")[0]
    return re.findall(r"(?ms)^```\w+ (\S+)\n(.*?)^```$", section)


def change(folder: Path, heading: str) -> None:
    found = blocks(heading)
    assert found
    for name, text in found:
        path = folder / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            continue
        old = path.read_text(encoding="utf-8")
        if text.startswith("["):
            path.write_text(f"{old.rstrip()}\n\n{text}", encoding="utf-8")
            continue
        for line in text.splitlines():
            key = line.split(" = ")[0]
            lines = old.splitlines()
            at = next(at for at, each in enumerate(lines) if each.startswith(f"{key} = "))
            old = "\n".join([*lines[:at], line, *lines[at + 1 :], ""])
        path.write_text(old, encoding="utf-8")


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A copy of the game, with no scenarios but those that are added."""
    copy = tmp_path / "content"
    shutil.copytree(ROOT / "content", copy, ignore=shutil.ignore_patterns("scenarios"))
    return copy


def games(pack: rulesdsl.Pack) -> Iterator[rulesdsl.Game]:
    """Play one random game for each number of players."""
    for players in range(pack.players[0], pack.players[1] + 1):
        game = pack.new_game(players=players, seed=players)
        chance = random.Random(players)
        while decision := game.decision:
            game.choose(chance.randrange(decision.count))
        yield game


@pytest.mark.parametrize("heading", [HORSES, ROUNDS, BUILDING])
def test_a_change_lints_and_plays(content: Path, heading: str) -> None:
    change(content, heading)

    found = rulesdsl.lint(content).diagnostics
    assert [str(each) for each in found if each.severity is Severity.ERROR] == []
    for game in games(rulesdsl.load(content, cache=False)):
        assert game.over
        assert game.result is not None


@pytest.mark.parametrize("heading", [HORSES, BUILDING])
def test_a_change_does_what_its_scenarios_say(content: Path, heading: str) -> None:
    change(content, heading)

    report = run_scenarios(content)
    assert len(report.results) >= 2
    assert report.ok, str(report)


@pytest.mark.parametrize("heading", [HORSES, BUILDING])
def test_the_scenarios_fail_without_the_change(content: Path, heading: str) -> None:
    change(content, heading)
    for name in ("numbers.toml", "buildings.toml"):
        shutil.copy(ROOT / "content" / name, content / name)

    assert not run_scenarios(content).ok


@pytest.mark.parametrize(("changed", "shootouts"), [(False, 3), (True, 4)])
def test_every_round_ends_in_a_shootout(content: Path, changed: bool, shootouts: int) -> None:
    if changed:
        change(content, ROUNDS)

    for game in games(rulesdsl.load(content, cache=False)):
        assert sum(bool(OUTLAWS_LEAVE.fullmatch(line.text)) for line in game.log) == shootouts
        rounds = f"Round: {shootouts - 1} -> {shootouts}"
        assert sum(line.text == rounds for line in game.log) == 1


def test_the_new_ability_is_met_in_play(content: Path) -> None:
    change(content, BUILDING)
    pack = rulesdsl.load(content, cache=False)

    used = 0
    for seed in range(12):
        game = pack.new_game(players=4, seed=seed)
        chance = random.Random(seed)
        while decision := game.decision:
            ids = [option.id for option in decision.options]
            wanted = [at for at, found in enumerate(ids) if "courthouse" in found]
            used += any(found == "common:courthouse" for found in ids)
            game.choose(wanted[0] if wanted else chance.randrange(decision.count))
    assert used


def test_nothing_but_the_copy_was_touched() -> None:
    assert "courthouse" not in (ROOT / "content" / "buildings.toml").read_text(encoding="utf-8")
