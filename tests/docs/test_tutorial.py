from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl
from cli.conftest import Run
from coloma.commands import COMMANDS
from docs.tutorial import TUTORIAL, Typed, Written, steps
from rulesdsl.syntax.format import format_rules

STEPS = steps()
FILES = [step for step in STEPS if isinstance(step, Written)]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    folder = tmp_path / "honey"
    folder.mkdir()
    for step in FILES:
        step.carry_out(folder)
    return folder


def test_it_can_be_followed_to_the_letter(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "honey"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for step in STEPS:
        if isinstance(step, Written):
            changed = step.carry_out(folder)
            assert f"`{step.path}`" in step.told, step.path
            assert ("now read" in step.told) == changed, step.path
        else:
            ran = run(*step.command, typed=step.answers)
            assert step.differs(ran.out + ran.err) is None, ran.out + ran.err


def test_every_command_of_it_is_there() -> None:
    used = {step.command[0] for step in STEPS if isinstance(step, Typed)}

    assert {"lint", "play", "test", "simulate", "explain"} <= used <= set(COMMANDS)


@pytest.mark.parametrize("mods", [[], ["rain"]], ids=["game", "with its mod"])
def test_its_game_lints_clean_and_is_played_to_its_end(written: Path, mods: list[str]) -> None:
    folders = [written / mod for mod in mods]
    assert [str(each) for each in rulesdsl.lint(written, folders).diagnostics] == []

    pack = rulesdsl.load(written, folders, cache=False)
    for players in (2, 3, 4):
        game = pack.new_game(players=players, seed=players, options={"rounds": 12})
        chance = random.Random(players)
        while decision := game.decision:
            game.choose(chance.randrange(decision.count))
        assert game.result is not None
        assert len(game.result.scores) == players


def test_a_person_can_play_it_to_its_end(run: Run, written: Path) -> None:
    ran = run("play", "--pack", str(written), "--players", "2", "--plain", typed=["1"] * 200)

    assert "Final scoring" in ran.lines


def test_its_files_are_formatted() -> None:
    for step in FILES:
        if step.path.endswith(".rules"):
            assert format_rules(step.text, step.path) == step.text, step.path


def test_it_can_be_read_in_the_terminal(run: Run) -> None:
    ran = run("explain", "tutorial")

    assert ran.lines[0] == TUTORIAL.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
    assert "```" not in ran.out
