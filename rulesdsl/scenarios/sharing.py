"""The scenarios of a pack shared among processes: the report is that of one process.

The scenarios alone fix which process runs what, so each finds its share by itself: it reads the
pack, but parses, checks and compiles its own scenarios only. Those that share compiled code stay
together, except where there are so many that one process would run long after the others.

Each process begins with those of its share that failed last. Their names are kept on disk, in one
small file for a pack with its mods.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeAlias

import attrs

from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios.lessons import load_lessons
from rulesdsl.scenarios.reading import count_scenarios
from rulesdsl.scenarios.report import ScenarioReport, ScenarioResult, join_reports
from rulesdsl.scenarios.suite import load_suite
from rulesdsl.source import cache
from rulesdsl.source.diagnostic import Findings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing import synchronize

    from rulesdsl.scenarios.scenario import Scenario

    Flag: TypeAlias = threading.Event | synchronize.Event

WORTH_A_PROCESS = 100  # house: so many scenarios take as long as to check a pack once more
COMPILING = 60  # house: the code of one setting takes about as long as so many texts
TEACHING = 800  # house: and lessons as so many, since the pack is checked once more for them


@attrs.frozen
class Ran:
    """Outcomes of scenarios and of lessons. `lessons` is None where none were played."""

    scenarios: ScenarioReport
    lessons: ScenarioReport | None


@attrs.frozen
class Task:
    """The scenarios of a game, or of the mod in the folder `of`, and its lessons.

    `only` leaves out scenarios as `run_scenarios` does. With `first`, nothing is begun after the
    first failure.
    """

    path: Path
    mods: tuple[Path, ...] = ()
    of: Path | None = None
    only: str | None = None
    lessons: bool = False
    first: bool = False


class Processes:
    """The processes that share the work: this one, and others that wait for more between two runs.

    Another run is faster than the first: what has been imported and parsed stays.
    """

    def __init__(self, jobs: int | None = None) -> None:
        """Use so many processes; without a number, as many as the scenarios are worth."""
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._others = 0
        self._stop: Flag = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def run(self, task: Task) -> Ran:
        """Run scenarios and lessons; LintError where the content has errors."""
        if self._jobs is not None:  # a process that has nothing to run is not worth its start
            jobs = min(self._jobs, max(1, _number_of_scenarios(task)))
        else:
            jobs = 1 if task.only else usual_jobs(_number_of_scenarios(task))
        before = failed_last(task)
        if jobs - 1 > self._others:  # more than another pack was worth
            self._close()
            self._pool, self._others = self._begun(jobs - 1), jobs - 1
        self._stop.clear()
        if jobs > 1 and self._pool is not None:
            submit = self._pool.submit
            others = [submit(_run_there, task, before, at, jobs) for at in range(1, jobs)]
            taught = submit(_teach_there, task)
            parts = [_run(task, before, 0, jobs, self._stop), *(each.result() for each in others)]
            lessons = taught.result()
        else:
            parts = [_run(task, before, 0, 1, self._stop)]
            lessons = _teach(task, self._stop)
        report = join_reports(parts)
        _keep_failed(task, before, report)
        return Ran(report, lessons)

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _begun(self, number: int) -> ProcessPoolExecutor:
        """Return a pool of other processes, which hear of a failure here as we do of theirs."""
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        return ProcessPoolExecutor(number, context, _start, (self._stop, gc.get_threshold()))


def usual_jobs(scenarios: int) -> int:
    """Return how many processes so many scenarios are worth: at most one for each processor."""
    return min(os.cpu_count() or 1, 1 + scenarios // WORTH_A_PROCESS)


def shares(
    scenarios: Sequence[Scenario], jobs: int, *, lessons: bool = False
) -> list[list[Scenario]]:
    """Split scenarios into as many shares that take about as long, each in their order.

    With `lessons`, the last process has these to do as well.
    """
    groups: dict[tuple[object, ...], list[Scenario]] = {}
    for each in scenarios:
        groups.setdefault(each.group, []).append(each)
    most = max(1, sum(map(_work, groups.values())) // jobs)
    chunks: list[list[Scenario]] = []
    for group in groups.values():
        size = -(-len(group) // -(-_work(group) // most))
        chunks += [group[at : at + size] for at in range(0, len(group), size)]
    found: list[list[Scenario]] = [[] for _ in range(jobs)]
    loads = [0] * (jobs - 1) + [TEACHING if lessons else 0]
    for chunk in sorted(chunks, key=_work, reverse=True):
        at = loads.index(min(loads))
        found[at] += chunk
        loads[at] += _work(chunk)
    return [sorted(share, key=lambda each: each.span) for share in found]


def _work(chunk: Sequence[Scenario]) -> int:
    """Return how long scenarios with the same code take, counted in their texts."""
    return COMPILING + sum(
        len(each.given) + len(each.do) + len(each.expect) + (each.play is not None)
        for each in chunk
    )


def _number_of_scenarios(task: Task) -> int:
    pack = read_layers(task.path, task.mods).at(task.of)
    return sum(map(count_scenarios, pack.scenarios(Findings())))


def _run(task: Task, early: frozenset[str], at: int, jobs: int, stop: Flag) -> ScenarioReport:
    """Run one share of the scenarios, those with early names first."""

    def mine(scenarios: Sequence[Scenario]) -> Sequence[Scenario]:
        share = shares(scenarios, jobs, lessons=task.lessons)[at]
        return sorted(share, key=lambda each: each.name not in early)

    only = "" if at and task.only is None else task.only  # the first share counts what is lost
    suite = load_suite(task.path, task.mods, of=task.of, only=only, among=mine)
    results: list[ScenarioResult] = []
    if suite.findings:
        stop.set()
    for woven in suite.scenarios:
        if task.first and stop.is_set():
            break
        results.append(suite.run(woven))
        if not results[-1].passed:
            stop.set()
    left = len(suite.scenarios) - len(results)
    return ScenarioReport(tuple(results), suite.findings, suite.unreadable + left, suite.sources)


def _teach(task: Task, stop: Flag) -> ScenarioReport | None:
    """Play the lessons, unless they come after the first failure."""
    if not task.lessons or (task.first and stop.is_set()):
        return None
    return load_lessons(task.path, task.mods, of=task.of).report()


class _Worker:
    """State of one of the other processes."""

    stop: Flag


def _start(stop: Flag, thresholds: tuple[int, int, int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
    gc.set_threshold(*thresholds)
    _Worker.stop = stop


def _run_there(task: Task, early: frozenset[str], at: int, jobs: int) -> ScenarioReport:
    return _run(task, early, at, jobs, _Worker.stop)


def _teach_there(task: Task) -> ScenarioReport | None:
    return _teach(task, _Worker.stop)


# -------------------------------------------------------------------- what failed last
def failed_last(task: Task) -> frozenset[str]:
    """Return the names of the scenarios of a pack that failed when they were last run."""
    match cache.read_kept(_key(task)):
        case [*names]:
            return frozenset(map(str, names))
        case _:
            return frozenset()


def _keep_failed(task: Task, before: frozenset[str], report: ScenarioReport) -> None:
    """Keep the names of what fails now; what was left out fails as before."""
    failed = {each.scenario.name for each in report.failed}
    if task.only is not None or task.first:
        failed |= before - {each.scenario.name for each in report.results}
    if failed != before:
        cache.write_kept(_key(task), sorted(failed))


def _key(task: Task) -> str:
    folders = [*task.mods, task.of or task.path, task.path]
    return "\0".join(["failed scenarios", *(str(each.resolve()) for each in folders)])
