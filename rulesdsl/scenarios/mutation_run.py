"""Mutation testing: runs the scenarios on mutants of a pack and reports the survivors."""

from __future__ import annotations

import multiprocessing
import signal
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Self

import attrs

from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.packs.overlay import read_layers
from rulesdsl.scenarios.coverage import Touched, likely_first, touched_by
from rulesdsl.scenarios.mutation import choose_mutants
from rulesdsl.scenarios.reading import parse_scenarios, read_scenarios
from rulesdsl.scenarios.suite import Suite, build_suite, declarations, load_suite
from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.source.files import copy_files, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from rulesdsl.packs.overlay import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.scenarios.mutation import Mutant
    from rulesdsl.scenarios.reading import ParsedScenario


MIN_SECONDS = 10.0
MORE_THAN_USUAL = 10.0
CRASHES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)


class Fate(StrEnum):
    """Outcome of a mutant."""

    REFUSED = "refused"
    NOTICED = "noticed"
    SURVIVED = "survived"
    ENDLESS = "endless"
    CRASHED = "crashed"


@attrs.frozen
class MutantResult:
    """A mutant, its fate, and the scenario or exception responsible."""

    mutant: Mutant
    fate: Fate
    by: str = ""


@attrs.frozen
class MutationPlan:
    """The packs, the index of the mutated one, line coverage, and a time limit for each mutant."""

    packs: tuple[Path, ...]
    broken: int
    touched: dict[str, Touched] = attrs.field(repr=False)
    seconds: float


class _Endless(Exception):  # noqa: N818 - a limit was reached, not an error
    """A mutant has exceeded its time limit."""


def break_pack(
    path: Path,
    mods: Sequence[Path],
    number: int,
    seed: int,
    jobs: int,
    files: Sequence[str] = (),
    *,
    of: Path | None = None,
) -> Iterator[MutantResult]:
    """Test a game on `number` mutants chosen by a seed; yield the results.

    With `of`, the mod in that folder is mutated, and its scenarios run. `files` are paths within
    it that restrict the mutations. Raises LintError for content with errors, ValueError if a
    scenario fails unmutated or a file is missing.
    """
    began = time.perf_counter()
    suite = load_suite(path, mods, of=of)
    report = suite.report()
    if not report.ok:
        message = "some scenarios fail even without mutations: fix these first"
        raise ValueError(message)
    took = time.perf_counter() - began
    world = suite.checked.program.world
    mutants = choose_mutants(suite.layers, suite.pack, world, number, seed, files)
    touched = {each.scenario.name: touched_by(suite, each) for each in suite.scenarios}
    seconds = max(MIN_SECONDS, MORE_THAN_USUAL * took)
    packs = tuple(pack.folder for pack in suite.layers.packs)
    plan = MutationPlan(packs, packs.index(suite.pack.folder), touched, seconds)
    jobs = min(jobs, number)
    if jobs == 1:
        with _Breaker(plan) as breaker:
            yield from map(breaker.result, mutants)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _start, (plan,))
    try:
        yield from pool.map(_result, mutants)
    finally:
        pool.shutdown(cancel_futures=True)  # only one call: a second would not wait


class _Worker:
    """State of a worker process."""

    breaker: _Breaker


def _start(plan: MutationPlan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles interrupts
    _Worker.breaker = _Breaker(plan)


def _result(mutant: Mutant) -> MutantResult:
    return _Worker.breaker.result(mutant)


class _Breaker:
    """A copy of the packs in which one file at a time is mutated and restored."""

    def __init__(self, plan: MutationPlan) -> None:
        self.plan = plan
        self._kept = tempfile.TemporaryDirectory(prefix="broken-")
        self.folders = [Path(self._kept.name) / str(at) for at in range(len(plan.packs))]
        for folder, source in zip(self.folders, plan.packs, strict=True):
            copy_files(source, folder, MAX_BYTES)
        self.parsed = self._scenarios()
        self.kills: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._kept.cleanup()

    def _layers(self) -> Layered:
        return read_layers(self.folders[0], self.folders[1:])

    def _scenarios(self) -> tuple[ParsedScenario, ...]:
        layers = self._layers()
        files = self._tested(layers).scenarios(Findings())
        scenarios = read_scenarios(files, layers.players, Findings())
        return parse_scenarios(scenarios, Findings())

    def _tested(self, layers: Layered) -> PackSource:
        return layers.at(self.folders[self.plan.broken])

    def result(self, mutant: Mutant) -> MutantResult:
        """Apply a mutant and run the scenarios until one fails."""
        file = self.folders[self.plan.broken] / mutant.path
        whole = read_file(file, MAX_BYTES)
        text = whole.decode("utf-8-sig")
        file.write_bytes(mutant.apply(text).encode())
        try:
            with _limit(self.plan.seconds):
                return self._judge(mutant)
        except LintError:
            return MutantResult(mutant, Fate.REFUSED)
        except _Endless:
            return MutantResult(mutant, Fate.ENDLESS)
        except CRASHES as error:
            return MutantResult(mutant, Fate.CRASHED, f"{type(error).__name__}: {error}")
        finally:
            file.write_bytes(whole)

    def _judge(self, mutant: Mutant) -> MutantResult:
        layers = self._layers()
        suite = build_suite(
            layers, self._tested(layers), self.parsed, declarations(layers), Findings()
        )
        if suite.findings:
            return MutantResult(mutant, Fate.NOTICED, "a scenario with errors")
        return self._run(suite, mutant)

    def _run(self, suite: Suite, mutant: Mutant) -> MutantResult:
        for woven in likely_first(suite.scenarios, mutant, self.plan.touched, self.kills):
            if not suite.run(woven).passed:
                name = woven.scenario.name
                self.kills[name] = self.kills.get(name, 0) + 1
                return MutantResult(mutant, Fate.NOTICED, name)
        return MutantResult(mutant, Fate.SURVIVED)


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise `_Endless` after a time limit, on systems with interval timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise _Endless
