"""Tests of the changes to the game that CONTRIBUTING.md describes, made in a copy of `content/`.

A block under one of the headings is a file of the pack. Rules and scenarios are new files; a TOML
block that begins with `[name]` is appended to the file, and other lines `key = value` replace the
line of that key.
"""

import random
import re
import shutil
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import attrs
import pytest

import rulesdsl
from kept import shipped_pack
from rulesdsl.scenarios import run_scenarios

ROOT = Path(__file__).parents[1]
CONTENT = ROOT / "content"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

HORSES, ROUNDS, BUILDING = (
    "A different price for horses",
    "A game of four rounds",
    "A new building",
)
OUTLAWS_LEAVE = re.compile(r"The Outlaws are now 0")


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


@attrs.frozen(slots=False)
class Copy:
    folder: Path

    @cached_property
    def pack(self) -> rulesdsl.Pack:
        if self.folder == CONTENT:
            return shipped_pack(CONTENT)
        return rulesdsl.load(self.folder, cache=False)

    @cached_property
    def games(self) -> tuple[rulesdsl.Game, ...]:
        return tuple(self._played(players) for players in players_of(self.pack))

    def _played(self, players: int) -> rulesdsl.Game:
        game = self.pack.new_game(players=players, seed=players)
        chance = random.Random(players)
        while decision := game.decision:
            game.choose(chance.randrange(decision.count))
        return game


Changed = Callable[[str | None], Copy]


def players_of(pack: rulesdsl.Pack) -> range:
    least, most = pack.players
    return range(least, most + 1)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    @cache
    def made(heading: str | None) -> Copy:
        if heading is None:
            return Copy(CONTENT)
        copy = tmp_path_factory.mktemp("changed") / "content"
        shutil.copytree(CONTENT, copy, ignore=shutil.ignore_patterns("scenarios"))
        change(copy, heading)
        return Copy(copy)

    return made


@pytest.mark.parametrize("heading", [HORSES, ROUNDS, BUILDING])
def test_a_change_lints_and_plays(changed: Changed, heading: str) -> None:
    copy = changed(heading)
    for game in copy.games:
        assert game.over
        assert game.result is not None


@pytest.mark.parametrize("heading", [HORSES, BUILDING])
def test_a_change_does_what_its_scenarios_say(changed: Changed, heading: str) -> None:
    report = run_scenarios(changed(heading).folder)
    assert len(report.results) >= 2
    assert report.ok, str(report)


@pytest.mark.nightly
def test_a_card_more_fails_no_scenario_of_the_game(tmp_path: Path) -> None:
    copy = tmp_path / "content"
    shutil.copytree(CONTENT, copy)
    change(copy, BUILDING)
    report = run_scenarios(copy)
    assert len(report.results) > 500
    assert report.ok, str(report)


@pytest.mark.parametrize("heading", [HORSES, BUILDING])
def test_scenarios_need_the_change(changed: Changed, heading: str, tmp_path: Path) -> None:
    copy = tmp_path / "content"
    shutil.copytree(changed(heading).folder, copy)
    for name in ("numbers.toml", "buildings.toml"):
        shutil.copy(CONTENT / name, copy / name)
    assert not run_scenarios(copy).ok


@pytest.mark.parametrize(("heading", "shootouts"), [(None, 3), (ROUNDS, 4)])
def test_a_shootout_each_round(changed: Changed, heading: str | None, shootouts: int) -> None:
    for game in changed(heading).games:
        assert sum(bool(OUTLAWS_LEAVE.fullmatch(line.text)) for line in game.log) == shootouts
        assert game.position_data()["state"]["t_round"] == shootouts


def test_the_new_ability_is_met_in_play(changed: Changed) -> None:
    pack = changed(BUILDING).pack

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
    assert "courthouse" not in (CONTENT / "buildings.toml").read_text(encoding="utf-8")
