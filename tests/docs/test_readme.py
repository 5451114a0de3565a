import contextlib
import io
import json
import re
import shutil
from pathlib import Path

import pytest
import typer

from cli.conftest import Run
from coloma.app import app
from docs.reference import stock
from rulesdsl.scenarios import run_scenarios

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "content/README.md",
        "content/game.md",
        "content/modding.md",
        "content/characters.md",
        "content/sutters_mill/README.md",
        "rulesdsl/README.md",
        "cli/coloma/guide/mods.md",
    )
]
POSITION = """
[[scenario]]
name = "The card of the README"
given = [
  "move bust-tile into three",
  "move 9 gold from box into middle-pool",
  "for p2: move 1 brewery from my deck into my tableau",
  "for p2: move 1 camp-barrel from cellar into my play-area",
  "for each barrel b in play-area of p2: mark used of b",
]
play = "for p2: take-turn on one"
do = ["p2 common:brewery"]
open = ["p2"]
"""


def blocks(language: str) -> list[str]:
    found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", README)
    return [text for each, text in found if each == language]


def test_the_card_stands_in_the_content() -> None:
    (card,) = blocks("toml")
    assert card in (ROOT / "content" / "buildings.toml").read_text(encoding="utf-8")


def test_the_verb_stands_in_the_content() -> None:
    (verb,) = blocks("rules")
    assert verb in (ROOT / "content" / "gains.rules").read_text(encoding="utf-8")


def test_the_card_plays_as_shown(tmp_path: Path) -> None:
    shown = next(block for block in blocks("") if block.startswith("Ben (bot) "))
    lines = [line.rstrip(".") for line in shown.replace("Ben (bot)", "Player 2").splitlines()]
    copy = tmp_path / "content"
    shutil.copytree(ROOT / "content", copy, ignore=shutil.ignore_patterns("scenarios"))
    (copy / "scenarios").mkdir()
    position = f"{POSITION}log = {json.dumps(lines)}\n"
    (copy / "scenarios" / "readme.toml").write_text(position, encoding="utf-8")

    report = run_scenarios(copy)
    assert report.ok, str(report)
    assert len(report.results) == 1


# So that a test does not take as long as a designer may wait for figures.
LESS = {"compare": ("--train", "400", "--games", "300"), "report": ("--games", "300")}
COMMANDS = re.findall(r"(?m)^(?:pip .* && )?coloma ((?:\S+ )*\S+)", "".join(blocks("")))


@pytest.mark.nightly
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_shown_runs(run: Run, command: str, tmp_path: Path) -> None:
    words = [str(tmp_path / each) if each.endswith(".html") else each for each in command.split()]
    ran = run(*words, *LESS.get(words[0], ()), typed=["quit"])
    assert ran.status == 0, ran.err
    assert ran.lines


def test_every_command_that_is_shown_can_be_read() -> None:
    group = typer.main.get_group(app)
    assert len(COMMANDS) > 10
    for command in COMMANDS:
        name, *words = command.split()
        group.commands[name].make_context(name, words)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.parent.name + "/" + path.name)
def test_links_lead_somewhere(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (guide.parent / link).exists(), link


def test_every_file_that_the_content_guide_names_is_there() -> None:
    guide = ROOT / "content" / "game.md"
    for name in re.findall(r"`([a-z_]+\.(?:rules|toml))`", guide.read_text(encoding="utf-8")):
        assert (guide.parent / name).exists(), name


@pytest.mark.parametrize("page", ["README.md", "cli/coloma/guide/figures.md"])
def test_what_charts_need_comes_before_the_command_that_draws_them(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert 0 < text.index("pip install 'coloma[report]'") < text.index("coloma report content")


PAGE = Path(__file__).parents[2] / "rulesdsl" / "ARCHITECTURE.md"
SHOWN = re.findall(r"^\$ coloma (dump .*)\n((?:(?!\$ |```).*\n)*)", PAGE.read_text(), re.MULTILINE)


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    for path, text in stock().items():
        (tmp_path / path).write_text(text)
    return tmp_path


def test_every_stage_is_shown() -> None:
    assert {command.split()[-1] for command, _ in SHOWN} == {"tree", "form", "python", "wat"}


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[each[0] for each in SHOWN])
def test_what_is_shown_is_printed(run: Run, lanterns: Path, command: str, shown: str) -> None:
    printed = run(*command.split(), "--pack", str(lanterns)).out

    at = 0
    for part in shown.split("...\n"):
        found = printed.find(part, at)
        assert found >= 0, f"{part}\nis not in what follows\n{printed[at:]}"
        at = found + len(part)
    if "..." not in shown:
        assert printed == shown


def test_every_file_that_is_named_is_there() -> None:
    named = re.findall(r"`((?:\w+/)*\w+(?:\.\w+|/))`", PAGE.read_text())
    assert len(named) > 10
    for each in named:
        places = [PAGE.parent / each, *PAGE.parent.rglob(each.rstrip("/"))]
        assert any(place.exists() for place in places), each


TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([\w./-]+(?:\.py|\.md|\.toml|\.lark|\.txt|/))`", TEXT)


def test_every_file_and_folder_exists() -> None:
    roots = [ROOT / each for each in ("rulesdsl", "cli", "content")]
    known = {path.name for root in roots for path in root.rglob("*")}
    missing = [
        name
        for name in NAMED
        if not (ROOT / name).exists()
        and ("/" in name.rstrip("/") or name.rstrip("/") not in known)
    ]
    assert len(NAMED) > 1
    assert not missing


ADAPTERS = (ROOT / "rulesdsl" / "adapters" / "README.md").read_text(encoding="utf-8")
TRAINING, SEARCH = re.findall(r"(?ms)^```python\n(.*?)^```$", ADAPTERS)
LINES = 60  # what a reader takes in


def printed(code: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(ROOT)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})
    return said.getvalue()


def test_the_learner_learns_for_200_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: the extra `adapters`")
    assert len(TRAINING.splitlines()) <= LINES
    assert "STEPS = 200\n" in TRAINING
    assert re.fullmatch(
        r"\d+ games, the last 500 worth -?[\d.]+ on average\n", printed(TRAINING, monkeypatch)
    )


def test_openspiel_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: the extra `adapters`")
    assert re.fullmatch(r"[\w-]+:[\w-]+/[\w:-]+\n", printed(SEARCH, monkeypatch))
