"""The scenarios of a pack shared among processes: the report is that of one process.

Which process runs what is fixed by the scenarios alone, so each finds its share by itself: it
reads the pack, but parses, checks and compiles its own scenarios only. Those that share compiled
code stay together, except where there are so many that one process would run long after the
others.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import attrs

from rulesdsl.scenarios.changed import Record
from rulesdsl.scenarios.lessons import load_lessons
from rulesdsl.scenarios.report import ScenarioReport
from rulesdsl.scenarios.suite import load_suite
from rulesdsl.source.diagnostic import Findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulesdsl.scenarios.scenario import Scenario

COMPILING = 7  # house: the code of one setting takes about as long as so many scenarios
WORTH_A_PROCESS = 100  # house: so many scenarios take as long as to check a pack once more
TEACHING = 60  # house: and so do lessons, for which the pack is checked once more
Part = tuple[ScenarioReport, Record]
Made = TypeVar("Made")


class Submit(Protocol):
    """Lets something be done, now or by another process."""

    def __call__(self, work: Callable[..., Made], *arguments: object) -> Future[Made]:
        """Return what will come of it."""


@attrs.frozen
class Ran:
    """What came of scenarios and lessons, and the record of those that passed."""

    scenarios: ScenarioReport
    lessons: ScenarioReport | None
    record: Record


@attrs.frozen
class Task:
    """What is run: the scenarios of a game, or of the mod in the folder `of`, and its lessons.

    `only` leaves out scenarios as `run_scenarios` does; of `names`, all that have no such name.
    """

    path: Path
    mods: tuple[Path, ...] = ()
    of: Path | None = None
    only: str | None = None
    names: frozenset[str] | None = None
    lessons: bool = False


def run_shared(task: Task, jobs: int = 1) -> Ran:
    """Run scenarios in so many processes; LintError where the content has errors."""
    with _pool(jobs) as submit:
        parts = [submit(_run, task, at, jobs) for at in range(1, jobs)]
        taught = submit(_teach, task) if task.lessons else None
        first = _run(task, 0, jobs)
        return _together(
            [first, *(each.result() for each in parts)],
            None if taught is None else taught.result(),
        )


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
    most = -(-len(scenarios) // jobs)
    chunks = [
        group[at : at + most] for group in groups.values() for at in range(0, len(group), most)
    ]
    found: list[list[Scenario]] = [[] for _ in range(jobs)]
    loads = [0] * (jobs - 1) + [TEACHING if lessons else 0]
    for chunk in sorted(chunks, key=len, reverse=True):
        at = loads.index(min(loads))
        found[at] += chunk
        loads[at] += COMPILING + len(chunk)
    return [sorted(share, key=lambda each: each.span) for share in found]


def _run(task: Task, at: int, jobs: int) -> Part:
    def mine(scenarios: Sequence[Scenario]) -> Sequence[Scenario]:
        named = [e for e in scenarios if task.names is None or e.name in task.names]
        return shares(named, jobs, lessons=task.lessons)[at]

    only = "" if at and task.only is None else task.only  # the first share counts what is lost
    suite = load_suite(task.path, task.mods, of=task.of, only=only, among=mine)
    return suite.report(), suite.record


def _teach(task: Task) -> ScenarioReport:
    return load_lessons(task.path, task.mods, of=task.of).report()


def _together(parts: Sequence[Part], lessons: ScenarioReport | None) -> Ran:
    """Return the report of all shares; what several of them found is said once."""
    findings = Findings()
    findings.extend(finding for part, _ in parts for finding in part.findings)
    results = sorted(
        (each for part, _ in parts for each in part.results), key=lambda each: each.scenario.span
    )
    unreadable = sum(part.unreadable for part, _ in parts)
    first, record = parts[0]
    report = ScenarioReport(tuple(results), findings.sorted(), unreadable, first.sources)
    passed = {name: each for _, other in parts for name, each in other.passed.items()}
    return Ran(report, lessons, attrs.evolve(record, passed=passed))


@contextmanager
def _pool(jobs: int) -> Iterator[Submit]:
    """Let all but one of the processes wait for work; this one is the last of them."""
    if jobs == 1:
        yield _at_once
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs - 1, context, _start)
    try:
        yield pool.submit  # type: ignore[misc] # it says so in other words
    finally:
        pool.shutdown(cancel_futures=True)


def _at_once(work: Callable[..., Made], *arguments: object) -> Future[Made]:
    found: Future[Made] = Future()
    found.set_result(work(*arguments))
    return found


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
