import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.conftest import run as run  # noqa: PLC0414 - the fixture
from cli.mods_on_disk import write_game
from coloma.simulation.games import GamePlan, outcomes
from coloma.simulation.work import Hands, shared
from hostile.bounded import HANGS, bounded

NO_HOME = """
import sys
import platformdirs
from coloma.app import main
from rulesdsl.source import cache
def nowhere(*_):
    raise RuntimeError("Could not determine home directory.")
from coloma.app import main
cache.user_cache_path = platformdirs.user_state_path = nowhere
main()
"""


def test_without_a_home_games_are_played_and_not_kept(tmp_path: Path) -> None:
    box = write_game(tmp_path / "box")
    (tmp_path / "script").write_text("quit\n")

    play = ("play", "--pack", box, "--plain", "--script", tmp_path / "script")
    ran = bounded(NO_HOME, *play, home=tmp_path)
    kept = bounded(NO_HOME, *play, "--journal", tmp_path / "kept", home=tmp_path)

    assert (ran.returncode, kept.returncode) == (0, 0), ran.stderr + kept.stderr
    assert ran.stderr == (
        "coloma: this game is not saved, because HOME is not set (--journal FILE saves it,"
        " or set COLOMA_GAMES to a folder)\n"
    )
    assert kept.stderr == ""
    assert (tmp_path / "kept").exists()


def _children(parent: int) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = each.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has gone meanwhile
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(each.parent.name))
    return found


def _until(what: Callable[[], object], seconds: float = HANGS) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes cannot be listed")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_command(tmp_path: Path, how: signal.Signals) -> None:
    box = write_game(tmp_path / "box")
    code = "from coloma.app import main; main()"
    argv = ("simulate", "--games", "1000000000", "--jobs", "2", "--pack", str(box))
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code, *argv], env=environment) as command:
        _until(lambda: len(_children(command.pid)) == 2)
        workers = _children(command.pid)
        command.send_signal(how)
        command.wait(HANGS)

    def gone() -> bool:
        return not any(Path(f"/proc/{each}/cmdline").exists() for each in workers)

    _until(gone)


def _slow() -> Callable[[int], int]:
    def piece(seconds: int) -> int:
        time.sleep(seconds)
        return seconds

    return piece


def test_who_interrupts_waits_for_no_piece_that_is_under_way() -> None:
    before, workers = time.monotonic(), shared(_slow, (0, 600, 600), Hands(2))
    assert next(workers) == 0
    workers.close()  # type: ignore[attr-defined]
    assert time.monotonic() - before < HANGS
    assert not multiprocessing.active_children()


def test_more_games_than_fit_into_memory_are_begun(tmp_path: Path) -> None:
    played = outcomes(GamePlan(write_game(tmp_path), (), {}, 2, 10**9, 0), Hands(2))
    assert len(next(played)[1].seats) == 2
    played.close()  # type: ignore[attr-defined]


@pytest.fixture
def looped(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert run is not None  # which goes to the checkout
    write_game(tmp_path / "box")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "loop"


@pytest.mark.parametrize(
    "words",
    [
        "lint --format json --output loop box",
        "play --pack box --bots 1 --journal loop",
        "train --pack box --games 4 -o loop",
        "new game loop/game",
    ],
)
def test_circular_links_are_reported(run: Run, looped: Path, words: str) -> None:
    ran = run(*words.split())
    assert ran.status == 1
    assert "coloma: cannot write " in ran.err
    assert looped.is_symlink()


def test_a_session_survives_circular_links(run: Run, looped: Path) -> None:
    play = ("play", "--pack", "box", "--journal", "kept", "--plain")
    ran = run(*play, typed=[f"save {looped.name}", "quit"])
    assert ran.status == 0
    assert "Not saved: cannot write loop: " in ran.out


@pytest.mark.parametrize("named", ["more.rules", "."])
def test_rules_are_not_written_through_links(run: Run, tmp_path: Path, named: str) -> None:
    box = write_game(tmp_path / "box")
    outside = tmp_path / "outside.rules"
    outside.write_text("#  untidy\nverb   x:  nothing\n")
    (box / "more.rules").symlink_to(outside)
    before = outside.read_text()
    ran = run("fmt", str(box / named))
    assert ran.status == 1
    assert "more.rules: it is a link to a place outside its pack" in ran.err
    assert outside.read_text() == before
