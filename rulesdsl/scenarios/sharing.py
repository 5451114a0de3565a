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
from typing import TYPE_CHECKING

from rulesdsl.scenarios.lessons import load_lessons
from rulesdsl.scenarios.report import ScenarioReport
from rulesdsl.scenarios.suite import load_suite
from rulesdsl.source.diagnostic import Findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.scenarios.scenario import Scenario

COMPILING = 7  # house: the code of one setting takes about as long as so many scenarios
WORTH_A_PROCESS = 50_000  # house: bytes of scenarios, about 150 of them: a second's work
TEACHING = 60  # house: and so do lessons, for which the pack is checked once more
Share = tuple[int, int, bool]
"""Which share it is, from 0, of how many, and whether the last process has lessons to do."""


def run_shared(
    path: Path,
    mods: Sequence[Path] = (),
    *,
    of: Path | None = None,
    only: str | None = None,
    jobs: int = 1,
    lessons: bool = False,
) -> tuple[ScenarioReport, ScenarioReport | None]:
    """Run the scenarios of a game, or of the mod in the folder `of`, and its lessons if wanted.

    `only` leaves out scenarios as `run_scenarios` does. Raises LintError where the content has
    errors.
    """
    with _pool(jobs) as submit:
        parts = [submit(_run, path, mods, of, only, (at, jobs, lessons)) for at in range(1, jobs)]
        taught = submit(_teach, path, mods, of) if lessons else None
        first = _run(path, mods, of, only, (0, jobs, lessons))
        report = _together([first, *(each.result() for each in parts)])
        return report, None if taught is None else taught.result()


def usual_jobs(pack: PackSource) -> int:
    """Return how many processes the scenarios of a pack are worth: one for each processor."""
    size = sum(each.stat().st_size for each in pack.scenario_files())
    return min(os.cpu_count() or 1, 1 + size // WORTH_A_PROCESS)


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


def _run(
    path: Path, mods: Sequence[Path], of: Path | None, only: str | None, share: Share
) -> ScenarioReport:
    at, jobs, lessons = share
    if at and only is None:
        only = ""  # all, but the first share counts what cannot be read
    suite = load_suite(
        path, mods, of=of, only=only, among=lambda all_: shares(all_, jobs, lessons=lessons)[at]
    )
    return suite.report()


def _teach(path: Path, mods: Sequence[Path], of: Path | None) -> ScenarioReport:
    return load_lessons(path, mods, of=of).report()


def _together(parts: Sequence[ScenarioReport]) -> ScenarioReport:
    """Return the report of all shares; what several of them found is said once."""
    findings = Findings()
    for each in (finding for part in parts for finding in part.findings):
        findings.add(each)
    results = sorted(
        (each for part in parts for each in part.results), key=lambda each: each.scenario.span
    )
    unreadable = sum(part.unreadable for part in parts)
    return ScenarioReport(tuple(results), findings.sorted(), unreadable, parts[0].sources)


@contextmanager
def _pool(jobs: int) -> Iterator[Callable[..., Future[ScenarioReport]]]:
    """Let all but one of the processes wait for work; this one is the last of them."""
    if jobs == 1:
        yield _at_once
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs - 1, context, _start)
    try:
        yield pool.submit
    finally:
        pool.shutdown(cancel_futures=True)


def _at_once(work: Callable[..., ScenarioReport], *arguments: object) -> Future[ScenarioReport]:
    found: Future[ScenarioReport] = Future()
    found.set_result(work(*arguments))
    return found


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
