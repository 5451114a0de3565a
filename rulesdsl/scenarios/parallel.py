"""Distribution of a pack's scenarios over processes, with the same report as in one process."""

# The shares depend only on the scenarios, so each process computes its own: it reads the pack, but
# parses, checks and compiles only its share. Scenarios with the same compiled code stay together,
# except where one share ends and the next begins. Each process begins with the scenarios that
# failed last; their names are stored in the disk cache.

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

from rulesdsl.packs.overlay import read_layers
from rulesdsl.scenarios.abandon import abandon, unheard
from rulesdsl.scenarios.lessons import load_lessons
from rulesdsl.scenarios.reading import count_scenarios
from rulesdsl.scenarios.scenario import ScenarioReport, ScenarioResult, join_reports
from rulesdsl.scenarios.suite import load_suite
from rulesdsl.source import cache
from rulesdsl.source.diagnostics import Findings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing import synchronize

    from rulesdsl.scenarios.scenario import Scenario


if TYPE_CHECKING:
    Flag: TypeAlias = threading.Event | synchronize.Event

WORTH_A_PROCESS = 100  # scenarios that take about as long as another check of the pack
COMPILING = 60  # cost of compiling a setting, in texts
TEACHING = 800  # cost of the lessons, in texts; they check the pack again


@attrs.frozen
class Ran:
    """Results of scenarios and of lessons. `lessons` is None if none were played."""

    scenarios: ScenarioReport
    lessons: ScenarioReport | None


@attrs.frozen
class Task:
    """A game's scenarios and lessons, or only those for the mod in the folder `of`."""

    # `only` filters scenarios as in `run_scenarios`. With `first`, a failure stops the run.

    path: Path
    mods: tuple[Path, ...] = ()
    of: Path | None = None
    only: str | None = None
    lessons: bool = False
    first: bool = False


class Processes:
    """A process pool that stays warm between runs; this process takes a share too."""

    def __init__(self, jobs: int | None = None) -> None:
        """Use a fixed number of processes, or by default as many as are worthwhile."""
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._others = 0
        self._stop: Flag = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None and self._pool is not None:
            abandon(self._pool)
        else:
            self._close()

    def run(self, task: Task) -> Ran:
        """Run scenarios and lessons; raise LintError if the content has errors."""
        pack = read_layers(task.path, task.mods).at(task.of)
        number = sum(map(count_scenarios, pack.scenarios(Findings())))
        usual = 1 if task.only else usual_jobs(number)
        # more processes than scenarios are useless
        jobs = usual if self._jobs is None else min(self._jobs, max(1, number))
        before = failed_last(task)
        if jobs - 1 > self._others:  # grow the pool
            self._close()
            context = multiprocessing.get_context("spawn")
            self._stop, self._others = context.Event(), jobs - 1
            shared = self._stop, gc.get_threshold()
            self._pool = ProcessPoolExecutor(self._others, context, _start, shared)
        self._stop.clear()
        if jobs > 1 and self._pool is not None:
            submit = self._pool.submit
            with unheard():
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


def usual_jobs(scenarios: int) -> int:
    """Return the number of processes worth using, at most one for each processor."""
    return min(os.cpu_count() or 1, 1 + scenarios // WORTH_A_PROCESS)


def shares(
    scenarios: Sequence[Scenario], jobs: int, *, lessons: bool = False
) -> list[list[Scenario]]:
    """Split scenarios into `jobs` shares of similar cost, each in source order."""
    # with `lessons`, the last share is smaller: its process plays them too
    groups: dict[tuple[object, ...], list[Scenario]] = {}
    for each in scenarios:
        groups.setdefault(each.group, []).append(each)
    costs = {e.span: _work(e) + COMPILING / len(groups[e.group]) for e in scenarios}
    total = sum(costs.values()) + (TEACHING if lessons else 0)
    found: list[list[Scenario]] = [[] for _ in range(jobs)]
    done = 0.0
    for each in (each for group in groups.values() for each in group):
        found[int(done * jobs / total)].append(each)
        done += costs[each.span]
    return [sorted(share, key=lambda each: each.span) for share in found]


def _work(each: Scenario) -> int:
    """Estimate a scenario's cost, without compiling it, from the number of its parts."""
    return 1 + len(each.given) + len(each.do) + len(each.expect) + (each.play is not None)


def _run(task: Task, early: frozenset[str], at: int, jobs: int, stop: Flag) -> ScenarioReport:
    """Run one share of the scenarios, those in `early` first."""

    def mine(scenarios: Sequence[Scenario]) -> Sequence[Scenario]:
        share = shares(scenarios, jobs, lessons=task.lessons)[at]
        return sorted(share, key=lambda each: each.name not in early)

    only = "" if at and task.only is None else task.only  # the first share counts the invalid ones
    suite = load_suite(task.path, task.mods, of=task.of, only=only, among=mine)
    results: list[ScenarioResult] = []
    if suite.findings:
        stop.set()
    for bound in suite.scenarios:
        if task.first and stop.is_set():
            break
        results.append(suite.run(bound))
        if not results[-1].passed:
            stop.set()
    left = suite.unreadable + len(suite.scenarios) - len(results)
    return ScenarioReport(tuple(results), suite.findings, left, suite.sources)


def _teach(task: Task, stop: Flag) -> ScenarioReport | None:
    """Play the lessons, unless the run has stopped after its first failure."""
    if not task.lessons or (task.first and stop.is_set()):
        return None
    return load_lessons(task.path, task.mods, of=task.of).report()


class _Worker:
    """State of a worker process."""

    stop: Flag


def _start(stop: Flag, thresholds: tuple[int, int, int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles interrupts
    gc.set_threshold(*thresholds)
    _Worker.stop = stop


def _run_there(task: Task, early: frozenset[str], at: int, jobs: int) -> ScenarioReport:
    return _run(task, early, at, jobs, _Worker.stop)


def _teach_there(task: Task) -> ScenarioReport | None:
    return _teach(task, _Worker.stop)


# -------------------------------------------------------------------- last failures
def failed_last(task: Task) -> frozenset[str]:
    """Return the names of the scenarios that failed in the last run."""
    kept = cache.read_cached(_key(task))
    return frozenset(map(str, kept)) if isinstance(kept, list) else frozenset()


def _keep_failed(task: Task, before: frozenset[str], report: ScenarioReport) -> None:
    """Store the names of failed scenarios; those that were not run keep their state."""
    failed = {each.scenario.name for each in report.failed}
    if task.only is not None or task.first:
        failed |= before - {each.scenario.name for each in report.results}
    if failed != before:
        cache.write_cached(_key(task), sorted(failed))


def _key(task: Task) -> str:
    folders = [*task.mods, task.of or task.path, task.path]
    return "\0".join(["failed scenarios", *(str(each.resolve()) for each in folders)])
