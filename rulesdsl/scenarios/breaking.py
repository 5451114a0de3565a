"""Breaking a pack in many small ways, to see which of them no scenario notices."""

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
from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios.mutation.choosing import choose_mutants
from rulesdsl.scenarios.parsing import parse_scenarios
from rulesdsl.scenarios.reading import read_scenarios
from rulesdsl.scenarios.suite import (
    Suite,
    build_suite,
    declarations,
    load_suite,
)
from rulesdsl.scenarios.touched import Touched, likely_first, touched_by
from rulesdsl.source.diagnostic import Findings, LintError
from rulesdsl.source.files import copy_files, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.scenarios.mutation.mutant import Mutant
    from rulesdsl.scenarios.parsing import ParsedScenario

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
    """What became of a mutant."""

    REFUSED = "refused"
    NOTICED = "noticed"
    SURVIVED = "survived"
    ENDLESS = "endless"
    CRASHED = "crashed"


@attrs.frozen
class MutantResult:
    """A mutant, what became of it, and who noticed it, or how it crashed."""

    mutant: Mutant
    fate: Fate
    by: str = ""


@attrs.frozen
class Plan:
    """Which packs there are, which is broken, and how long one mutant may take."""

    packs: tuple[Path, ...]
    broken: int
    touched: dict[str, Touched] = attrs.field(repr=False)
    seconds: float


class _Endless(Exception):  # noqa: N818 - it is no error: a limit was reached
    """A mutant has taken too long."""


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
    """Break a game in so many ways, chosen by a seed; yield what became of each.

    With `of` it is the mod in that folder that is broken, and that has to notice. `files` are
    paths within it: only these are broken, where any are given. Raises LintError for content with
    errors, ValueError where a scenario fails beforehand or a file is not there.
    """
    began = time.perf_counter()
    suite = load_suite(path, mods, of=of)
    report = suite.report()
    if not report.ok:
        message = "some scenarios fail without any change: fix these first"
        raise ValueError(message)
    took = time.perf_counter() - began
    world = suite.checked.program.world
    mutants = choose_mutants(suite.layers, suite.pack, world, number, seed, files)
    touched = {each.scenario.name: touched_by(suite, each) for each in suite.scenarios}
    seconds = max(MIN_SECONDS, MORE_THAN_USUAL * took)
    packs = tuple(pack.folder for pack in suite.layers.packs)
    plan = Plan(packs, packs.index(suite.pack.folder), touched, seconds)
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
        pool.shutdown(cancel_futures=True)  # once, and with waiting: a second call waits no more


class _Worker:
    """What one process keeps."""

    breaker: _Breaker


def _start(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
    _Worker.breaker = _Breaker(plan)


def _result(mutant: Mutant) -> MutantResult:
    return _Worker.breaker.result(mutant)


class _Breaker:
    """A copy of a pack in which one file after another is broken and fixed again."""

    def __init__(self, plan: Plan) -> None:
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
        """Break the pack in one way and run the scenarios until one notices it."""
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
            return MutantResult(mutant, Fate.NOTICED, "a text of a scenario that is wrong now")
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
    """Stop what takes longer; where the system has no such clock, nothing is stopped."""
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
