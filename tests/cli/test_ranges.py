from __future__ import annotations

import concurrent.futures
import threading
from pathlib import Path

import pytest

from cli.conftest import Run
from coloma import loading
from rulesdsl.scenarios import parallel

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
def test_what_is_out_of_range_is_refused_at_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
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


def test_as_many_processes_as_there_are_scenarios(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
