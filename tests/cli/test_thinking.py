from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from coloma.session.table import GameTable
from packs_on_the_fly import loaded

GAME = """\
verb shop:
    choose one:
        "Copper": raise my fame by 1
        "Silver": raise my fame by 2
        "Gold": raise my fame by 3
"""
PLAY = ("play", "--pack")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "pack").mkdir()
    loaded(tmp_path / "pack", "repeat 3 times: shop", GAME)
    return str(tmp_path / "pack")


def play(folder: str, *more: str) -> tuple[str, ...]:
    return (*PLAY, folder, "--seed", "1", *more)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--think", "soon"), "`soon` is not a thinking time: write seconds"),
        (("--think", "0s"), "`0s` is not a thinking time"),
        (("--think", "2h"), "`2h` is not a thinking time"),
        (("--think", "90s"), "from 10ms to 60s"),
        (("--think", "1s", "--iterations", "5"), "--think and --iterations are alternatives"),
        (("--iterations", "0"), "'--iterations'"),
    ],
)
def test_how_much_is_said_in_seconds_or_iterations(
    folder: str, run: Run, given: tuple[str, ...], message: str
) -> None:
    ran = run(*play(folder, *given))

    assert ran.status == 2
    assert message in ran.err


@pytest.mark.parametrize("given", [("--think", "20ms"), ("--iterations", "40"), ()])
def test_the_journal_says_how_much(folder: str, run: Run, given: tuple[str, ...]) -> None:
    ran = run(
        *play(folder, "--bots", "strong,quick", "--journal", f"{folder}-journal.toml", *given)
    )
    header = tomllib.loads(Path(f"{folder}-journal.toml").read_text())

    assert ran.status == 0
    assert header["bots"] == ["strong", "quick"]
    assert header["seconds"] == (0.02 if "--think" in given else 0)
    assert header["iterations"] == (40 if "--iterations" in given else 0)


def test_a_game_that_is_resumed_thinks_as_much(folder: str, run: Run) -> None:
    journal = f"{folder}-journal.toml"
    bots = ("--bots", "strong", "--iterations", "30", "--plain")
    whole = run(*play(folder, *bots), typed=["1"] * 3)
    run(*play(folder, *bots, "--journal", journal), typed=["1"])
    resumed = run("play", "--resume", journal, "--plain", typed=["1"] * 2)

    assert resumed.ending == whole.ending
    refused = run("play", "--resume", journal, "--iterations", "3")
    assert "--iterations" in refused.err


def test_simulate_takes_iterations_for_bots_that_think(folder: str, run: Run) -> None:
    of = ("simulate", "--pack", folder, "--games", "3")
    ran = run(*of, "--bots", "strong,random", "--iterations", "20")
    refused = run(*of, "--iterations", "20")

    assert ran.status == 0
    assert refused.status == 2
    assert "--iterations is only for searching bots" in refused.err


# -------------------------------------------------------------------- hints
def test_a_hint_names_the_best_choice(folder: str, run: Run) -> None:
    out = run(*play(folder, "--iterations", "90", "--plain"), typed=["hint", "quit"]).out

    assert "Hint: 3, Gold. It is clearly better than" in " ".join(out.split())
    assert "Estimates, from 0 (lost) to 100 (a clear win): 3: " in " ".join(out.split())


def test_a_program_is_told_estimates(folder: str, run: Run) -> None:
    ran = run(*play(folder, "--iterations", "90", "--json"), typed=["hint", "hint", "2", "quit"])
    hints = [json.loads(each)["hint"] for each in ran.lines if each.startswith('{"hint"')]

    assert hints[0] == hints[1]
    assert hints[0][0]["id"] == "gold"
    assert {each["index"] for each in hints[0]} == {0, 1, 2}
    assert all(0 <= each["estimate"] <= 1 for each in hints[0])


def test_a_hint_may_be_interrupted(folder: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(GameTable, "hint", interrupted)
    ran = run(*play(folder, "--plain"), typed=["hint", "quit"])

    assert ran.status == 0
    assert "No hint: interrupted." in ran.out


def test_a_bot_that_thinks_may_be_interrupted(
    folder: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulesdsl.bots.quick.Quick.choose", interrupted)
    ran = run(*play(folder, "--bots", "quick", "--plain"), typed=["1"] * 3)

    assert ran.status == 130
    assert "Interrupted." in ran.out
    assert "Resume with: coloma play --resume" in ran.out
