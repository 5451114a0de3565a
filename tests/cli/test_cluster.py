from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from cli.conftest import Run
from coloma.simulation.games import GamePlan, outcomes
from coloma.simulation.work import Hands

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="Dask is not installed: pip install coloma[cluster]"
)

TIC_TAC_TOE = Path("content/classics/tic_tac_toe").resolve()
PATHS = os.pathsep.join(sys.path)
FOREIGN = "ignore"  # warnings of a library that runs in processes of its own


@contextlib.contextmanager
def scheduler_and_workers(
    folder: Path, late: float = 0
) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    environment = {**os.environ, "PYTHONPATH": PATHS, "PYTHONWARNINGS": FOREIGN}
    started: list[subprocess.Popen[str]] = []

    def start(module: str, *argv: str) -> subprocess.Popen[str]:
        asked = [sys.executable, "-m", f"distributed.cli.{module}", *argv]
        one = subprocess.Popen(
            asked, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
        )
        started.append(one)
        return one

    try:
        head = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        assert head.stderr is not None
        address = next(line.split()[-1] for line in head.stderr if "Scheduler at:" in line)
        workers: list[subprocess.Popen[str]] = []

        def join() -> None:
            for _ in range(2):
                given = (address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
                workers.append(start("dask_worker", *given))

        timer = threading.Timer(late, join)
        timer.start()
        if not late:
            timer.join()
        try:
            yield address, workers
        finally:
            timer.join()
    finally:
        for each in started:
            each.kill()
            each.wait()
            assert each.stderr is not None
            each.stderr.close()


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_changes_nothing(run: Run, tmp_path: Path) -> None:
    plan = GamePlan(TIC_TAC_TOE, (), {}, 2, games=6000, seed=3, by=("option",))
    alone = [figures for _, figures in outcomes(plan, Hands())]

    with scheduler_and_workers(tmp_path) as (address, workers):
        found = []
        for _, figures in outcomes(plan, Hands(cluster=address)):
            found.append(figures)
            if len(found) == 3:
                workers[0].send_signal(signal.SIGKILL)
        asked = ("simulate", "--pack", str(TIC_TAC_TOE), "--games", "3000", "--json")
        there, here = run(*asked, "--cluster", address), run(*asked)

    assert len(alone) == 12
    assert found == alone
    assert there.status == 0, there.err
    assert there.out == here.out


@pytest.mark.parametrize("address", ["", "local", "foo://x:1", "tcp://", "tcp://host:port"])
@pytest.mark.parametrize("command", ["simulate", "compare", "report"])
def test_what_is_no_address_is_said_at_once(run: Run, command: str, address: str) -> None:
    ran = run(command, f"--cluster={address}")

    assert ran.status == 2
    assert f"such as tcp://10.0.0.1:8786, not `{address}`" in ran.err


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_without_workers_is_said(run: Run, tmp_path: Path) -> None:
    with scheduler_and_workers(tmp_path, late=2) as (address, _):
        ran = run("simulate", "--pack", str(TIC_TAC_TOE), "--cluster", address)

    assert ran.status == 0, ran.err
    assert f"the cluster at {address} has no workers yet: waiting" in ran.err


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_no_cluster_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coloma.simulation.work._PATIENCE", 0.2)

    ran = run("simulate", "--pack", str(TIC_TAC_TOE), "--cluster", "tcp://127.0.0.1:9")

    assert ran.status == 1
    assert "there is no cluster at tcp://127.0.0.1:9" in ran.err
