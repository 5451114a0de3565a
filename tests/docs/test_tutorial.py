import json
import random
import re
from pathlib import Path

import pytest
import typer.main

import rulesdsl
from cli.conftest import Run
from coloma.app import app
from coloma.commands import COMMANDS
from coloma.simulation.tables import schema_text
from docs.tutorial import TUTORIAL, Typed, Written, steps
from rulesdsl.scenarios import load_suite
from rulesdsl.source.codes import CODES
from rulesdsl.syntax.format import format_rules
from some import some

STEPS = steps()
FILES = [step for step in STEPS if isinstance(step, Written)]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    folder = tmp_path / "honey"
    folder.mkdir()
    for step in FILES:
        step.carry_out(folder)
    return folder


def test_following_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert len(some(game.result).scores) == players


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


GUIDE = Path(__file__).parents[2] / "cli" / "coloma" / "guide" / "mods.md"


def test_every_command_and_code_that_the_guide_names_is_there() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert set(re.findall(r"\bcoloma ([a-z]+)\b", text)) <= set(COMMANDS)
    assert set(re.findall(r"\b[EW]\d{3}\b", text)) <= set(CODES)


CONTENT = Path(__file__).parents[2] / "content"
PAGE = (CONTENT / "modding.md").read_text(encoding="utf-8")
HOOKS = re.findall(r"`((?:before|after|instead of) [^`]*):`", PAGE)
VALUES = re.findall(r"`instead of value ([^`]*)`", PAGE)
TABLES = re.findall(r"(?ms)^```toml (\S+)\n(.*?)^```$", PAGE)
MANIFEST = """\
id = "my-mod"
name = "Page"
version = "1"
kind = "mod"
for_game = "coloma"
language = "0.2"
"""
RULES = """\
source "house"
track my-mod.note quiet
option my-mod.on "On": off
score my-mod.score "Noted": my-mod.note
"""
CARD = 'source = "house"\n[my-mod.mary]\nname = "Mary"\n'
SCENARIO = """\
[[scenario]]
name = "The card is put before a player"
players = 3
given = ["{given}"]
expect = ["any my-mod.mary in persona of p1", "not my-mod.unlucky of p1"]
"""


def own_name(words: str) -> str:
    name, _, things = words.partition(" of ")
    if not things:
        return name
    parts = [part.split()[-1] for part in things.split(" at ")]
    return f"{name} of {' at '.join('me' if part == 'seat' else part for part in parts)}"


def test_every_hook_of_the_page_is_one(tmp_path: Path) -> None:
    hooks = []
    for hook in HOOKS:
        head, when, condition = hook.partition(" when ")
        extra = f" and {condition}" if when else ""
        again = head.removeprefix("instead of ") if head.startswith("instead") else ""
        call = re.sub(r"\b(card|barrel|site|land|space|row|tool|number) (?=[a-z]\b)", "", again)
        body = f"\n    {call}" if again else ""
        hooks.append(f"{head} when my-mod.on{extra}:\n    raise my-mod.note by 1{body}\n")
    values = [f"instead of value {words} when my-mod.on: {own_name(words)}\n" for words in VALUES]
    blocks = re.findall(r"(?ms)^```rules\n(.*?)^```$", PAGE)
    (tmp_path / "scenarios").mkdir()
    given = re.findall(r"`(for p1: move 1 my-mod[^`]*)`", PAGE)[0]
    checks = re.findall(r"(?ms)^<!-- check\n(.*?)-->$", PAGE)
    scenarios = [SCENARIO.format(given=given)] + [
        f'[[scenario]]\nname = "check {number}"\n{check}' for number, check in enumerate(checks)
    ]
    for name, text in {
        "pack.toml": MANIFEST,
        "page.rules": RULES + "".join([*hooks, *values, *blocks]),
        "characters.toml": CARD,
        **{name: f'source = "house"\n{text}' for name, text in TABLES},
        "scenarios/page.toml": "\n".join(scenarios),
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    found = rulesdsl.lint(CONTENT, [tmp_path]).diagnostics

    report = load_suite(CONTENT, [tmp_path], of=tmp_path).report()

    assert [str(each) for each in found if each.code != "W601"] == []
    assert len(report.results) > 4
    assert report.ok, str(report)
    assert len(HOOKS) > 30
    assert len(VALUES) > 8


FIGURES = Path(__file__).parents[2] / "cli" / "coloma" / "guide" / "figures.md"
FIGURES_TEXT = FIGURES.read_text()
TYPED = [line for line in FIGURES_TEXT.splitlines() if line.startswith("coloma ")]


@pytest.mark.parametrize("line", TYPED)
def test_commands_and_their_options_are_there(line: str) -> None:
    _, name, *words = re.split(r"  +", line)[0].split()
    group = typer.main.get_command(app)
    command = group.commands[name]  # type: ignore[attr-defined]
    known = {option for each in command.params for option in each.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_every_key_of_a_simulation_is_explained() -> None:
    kinds = json.loads(schema_text())["$defs"]
    keys = {key for kind in ("simulated", "seat", "item") for key in kinds[kind]["properties"]}
    missing = {key for key in keys - {"confidence"} if f"`{key}`" not in FIGURES_TEXT}
    assert not missing


def test_what_a_comparison_writes_is_explained() -> None:
    keys = json.loads(schema_text())["$defs"]["compared"]["properties"]
    missing = {key for key in keys.keys() - {"confidence"} if f"`{key}`" not in FIGURES_TEXT}
    assert missing <= {"bots", "until"}
