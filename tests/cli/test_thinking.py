import concurrent.futures
import json
import threading
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest

from cli.conftest import Run
from cli.fake import FakeDecision, option_of
from coloma import loading
from coloma.session.hint_view import hint_lines
from packs_on_the_fly import loaded
from rulesdsl.scenarios import parallel
from rulesdsl.table.table import GameTable

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
def test_wrong_times(folder: str, run: Run, given: tuple[str, ...], message: str) -> None:
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
    assert "--iterations is only for bots that search" in refused.err


# -------------------------------------------------------------------- hints
def test_a_hint_names_the_best_choice(folder: str, run: Run) -> None:
    out = run(*play(folder, "--iterations", "90", "--plain"), typed=["hint", "quit"]).out
    assert "Hint: 3, Gold. It is by far the best choice." in " ".join(out.split())
    assert "Estimates, from 0 (lost) to 100 (a clear win): 3: " in " ".join(out.split())


UNFORESEEN = "Others choose at the same time: who never varies is foreseen."


@pytest.mark.parametrize(
    ("estimates", "mixed", "advice", "figures"),
    [
        ([(1, 0.9), (0, 0.5)], False, "7, Pier. It is by far the best choice.", "7: 90, 4: 50"),
        (
            [(1, 0.7), (0, 0.5)],
            False,
            "7, Pier. It is clearly better than 4, Pier.",
            "7: 70, 4: 50",
        ),
        (
            [(1, 0.7), (2, 0.65)],
            False,
            "7, Pier. It is a little better than 9, Pier.",
            "7: 70, 9: 65",
        ),
        ([(1, 0.7), (2, 0.69)], False, "7, Pier. It is about as good as 9, Pier.", "7: 70, 9: 69"),
        (
            [(1, 0.7), (2, 0.69), (0, 0.68)],
            False,
            "7, Pier. It is about as good as 9 and 4.",
            "7: 70, 9: 69, 4: 68",
        ),
        ([(0, 0.7)], False, "4, Pier.", "4: 70"),
        (
            [(2, 0.6), (0, 0.4)],
            True,
            f"9, Pier, 60 times in 100. {UNFORESEEN}",
            "9: 60, 4: 40",
        ),
        (
            [(2, 1.0)],
            True,
            f"9, Pier, in every trial. {UNFORESEEN}",
            "9: 100",
        ),
    ],
)
def test_a_hint_says_the_numbers_to_type_and_why(
    estimates: list[tuple[int, float]], mixed: bool, advice: str, figures: str
) -> None:
    options = tuple(
        attrs.evolve(option_of(f"pier:{at}", f"{at} Pier", f"pier:{at}"), number=at)
        for at in (4, 7, 9)
    )
    decision: Any = FakeDecision(1, "Where?", options)
    of = "How often a bot would choose each, in 100 times"
    if not mixed:
        of = "Estimates, from 0 (lost) to 100 (a clear win)"
    lines = hint_lines(decision, estimates, mixed=mixed)
    assert lines == [f"Hint: {advice}", f"{of}: {figures}"]


def test_a_program_is_told_estimates(folder: str, run: Run) -> None:
    ran = run(*play(folder, "--iterations", "90", "--json"), typed=["hint", "hint", "2", "quit"])
    hints = [json.loads(each)["hint"] for each in ran.lines if each.startswith('{"hint"')]
    assert hints[0] == hints[1]
    assert hints[0][0]["id"] == "raise-my-fame-by-3"
    assert {each["index"] for each in hints[0]} == {0, 1, 2}
    assert all(0 <= each["estimate"] <= 1 for each in hints[0])


def test_a_hint_at_a_secret_choice_says_how_to_mix(tmp_path: Path, run: Run) -> None:
    loaded(
        tmp_path, "nothing", "step hide: all choose secretly a stall s: nothing\nafter game: hide"
    )
    of = ("--players", "2", "--iterations", "90")
    typed = ["hint", "quit"]
    out = run(*play(str(tmp_path), *of, "--plain"), typed=typed).out
    assert f"times in 100. {UNFORESEEN}" in " ".join(out.split())
    lines = run(*play(str(tmp_path), *of, "--json"), typed=typed).lines
    (hint,) = [json.loads(line)["hint"] for line in lines if line.startswith('{"hint"')]
    assert sum(option["share"] for option in hint) == pytest.approx(1, abs=0.01)


def test_a_hint_may_be_interrupted(folder: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(GameTable, "hint", interrupted)
    ran = run(*play(folder, "--plain"), typed=["hint", "quit"])

    assert ran.status == 0
    assert "No hint: interrupted." in ran.out


def test_a_bot_is_interrupted(folder: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulesdsl.bots.quick.Quick.choose", interrupted)
    ran = run(*play(folder, "--bots", "quick", "--plain"), typed=["1"] * 3)

    assert ran.status == 130
    assert "Interrupted." in ran.out
    assert "Resume with: coloma play --resume" in ran.out


HUGE = "99999999999"
PLAYING = ("simulate", "compare", "report", "train")
Given = tuple[threading.Event, object]
SMALL = ("--pack", "content/classics/tic_tac_toe")


@pytest.mark.parametrize(
    "words",
    [
        *(f"{each} --players {HUGE}" for each in ("play", "rules", *PLAYING)),
        *(f"{each} --games {HUGE}" for each in PLAYING),
        *(f"{each} --seed {2**64}" for each in ("play", *PLAYING)),
        *(f"{each} --jobs 999999" for each in ("simulate", "compare", "report", "test")),
        *(f"{each} --iterations {HUGE}" for each in ("play", "simulate", "compare")),
        f"compare --train {HUGE}",
        f"learn --lesson {HUGE}",
        f"replay --to {2**64} game.toml",
        f"compare --until {HUGE}",
        f"compare --until {'9' * 400}",
        f"test --mutants {HUGE}",
        f"play --bots {HUGE}",
        f"play --bots {'9' * 5000}",
        "play --think 1ms",
        f"play --think {'9' * 6}s",
        "simulate --prefer *=2097152",
        f"simulate --prefer *={'9' * 5000}",
    ],
)
def test_out_of_range(run: Run, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.delattr(loading, "load_pack")
    ran = run(*words.split())
    assert ran.status == 2, ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("line", [f"iterations = {HUGE}", "iterations = -1", "seconds = 1e9"])
def test_a_journal_has_bots_that_come_to_an_end(run: Run, tmp_path: Path, line: str) -> None:
    file = tmp_path / "game.toml"
    run("play", *SMALL, "--bots", "1", "--journal", str(file), typed=["quit"])
    name = line.partition(" ")[0]
    kept = [e for e in file.read_text().splitlines() if not e.startswith(f"{name} =")]
    file.write_text("\n".join([kept[0], line, *kept[1:]]) + "\n")

    ran = run("play", "--resume", str(file))

    assert ran.status == 1
    assert f"is not a journal of a game: `{name}` " in ran.err


def test_number_of_processes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "game", str(tmp_path / "demo"))
    started: list[int] = []

    class Pool(concurrent.futures.ThreadPoolExecutor):
        def __init__(self, most: int, _context: object, _start: object, given: Given) -> None:
            started.append(most)
            monkeypatch.setattr(
                "rulesdsl.scenarios.parallel._Worker.stop", given[0], raising=False
            )
            super().__init__(most)

    monkeypatch.setattr(parallel, "ProcessPoolExecutor", Pool)

    ran = run("test", str(tmp_path / "demo"), "--jobs", "200")

    assert ran.status == 0, ran.err
    assert started
    assert max(started) < 10
