"""Mutation testing: runs the scenarios on mutants of a pack and reports the survivors."""

from __future__ import annotations

import multiprocessing
import re
import signal
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.packs.overlay import read_layers
from rulesdsl.scenarios.abandon import abandon, unheard
from rulesdsl.scenarios.reading import parse_scenarios, read_scenarios
from rulesdsl.scenarios.suite import build_suite, load_suite
from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.source.files import Overlay, read_inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from rulesdsl.packs.overlay import Layered
    from rulesdsl.scenarios.mutation import Mutant
    from rulesdsl.scenarios.reading import ParsedScenario
    from rulesdsl.scenarios.scenario import Scenario
    from rulesdsl.scenarios.suite import Suite


WORD = re.compile(r"[\w-]+")
LIKELY = 30  # house: scenarios that are checked and run before all others
MIN_SECONDS = 10.0
MORE_THAN_USUAL = 10.0
FAULTS = (AssertionError, AttributeError, NameError, RecursionError, SyntaxError)
CRASHES = (*FAULTS, ArithmeticError, LookupError, TypeError, ValueError)


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


_Plan: TypeAlias = tuple[tuple[Path, ...], Path, float]


class _Endless(Exception):  # noqa: N818 - a limit was reached, not an error
    """A mutant has exceeded its time limit."""


@attrs.frozen
class MutantTrial:
    """Mutants to try until one is noticed, and the scenarios to run by name; None for all.

    The first `decisive` mutants are the only ones tried unless lint refuses them all.
    """

    mutants: tuple[Mutant, ...]
    among: frozenset[str] | None = None
    decisive: int = 0


@attrs.frozen
class Breaking:
    """Trials of mutants of a pack, in the order of their results."""

    trials: Sequence[MutantTrial]
    plan: _Plan = attrs.field(repr=False)

    def results(self, jobs: int) -> Iterator[MutantResult]:
        """Run the trials in a number of processes."""
        jobs = max(1, min(jobs, len(self.trials)))
        if jobs == 1:
            yield from map(_Breaker(*self.plan).result, self.trials)
            return
        context = multiprocessing.get_context("spawn")
        # the main process handles interrupts
        pool = ProcessPoolExecutor(jobs, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
        try:
            with unheard():
                results = pool.map(partial(_result, self.plan), self.trials)
            yield from results
        except BaseException:  # interrupted, or not read to the end
            abandon(pool)
            raise
        pool.shutdown()


def break_pack(
    path: Path,
    mods: Sequence[Path],
    choose: Callable[[Suite], Sequence[MutantTrial]],
    *,
    of: Path | None = None,
) -> Breaking:
    """Prepare trials of mutants of a game, chosen by a function of its suite.

    With `of`, the mod in that folder is mutated, and its scenarios are run. Raises LintError for
    content with errors, and ValueError if a scenario fails without mutation or `choose` raises it.
    """
    began = time.process_time()
    suite = load_suite(path, mods, of=of)
    if not suite.report().ok:
        raise ValueError("some scenarios fail even without mutations: fix these first")
    took = time.process_time() - began
    packs = tuple(pack.folder for pack in suite.layers.packs)
    seconds = max(MIN_SECONDS, MORE_THAN_USUAL * took)
    return Breaking(choose(suite), (packs, suite.pack.folder, seconds))


def _result(plan: _Plan, trial: MutantTrial) -> MutantResult:
    return _breaker(*plan).result(trial)


class _Breaker:
    """Packs in memory, of which one file at a time is mutated and restored."""

    def __init__(self, packs: tuple[Path, ...], broken: Path, seconds: float) -> None:
        """Read the packs; `broken` is the mutated one; `seconds` is a time limit."""
        self._packs, self._broken, self._seconds = packs, broken, seconds
        self._files = Overlay()
        layers = read_layers(packs[0], packs[1:])
        for pack in layers.packs:  # they may be edited meanwhile
            for path in pack.files:
                text = read_inside(pack.folder, pack.folder / path, MAX_BYTES)
                self._files.put(pack.folder / path, text.decode("utf-8-sig"))
        files = layers.at(broken).scenarios(Findings())
        scenarios = read_scenarios(files, layers.players, Findings())
        self.parsed = parse_scenarios(scenarios, Findings())
        self.words = {each.scenario.name: _words(each.scenario) for each in self.parsed}
        self.frequency = Counter(word for words in self.words.values() for word in words)
        self.kills = Counter[str]()

    def result(self, trial: MutantTrial) -> MutantResult:
        """Return the result of the first mutant that is noticed, or else of one that is not."""
        best = MutantResult(trial.mutants[0], Fate.REFUSED)
        for at, mutant in enumerate(trial.mutants):
            if at == trial.decisive and best.fate is Fate.SURVIVED:
                break
            result = self._result(mutant, trial.among)
            if result.fate not in (Fate.REFUSED, Fate.SURVIVED):
                return result
            if best.fate is Fate.REFUSED:
                best = result
        return best

    def _result(self, mutant: Mutant, among: frozenset[str] | None) -> MutantResult:
        """Apply a mutant and run the scenarios, or those with certain names, until one fails."""
        file = self._broken / mutant.path
        text = self._files.read(self._broken, file, MAX_BYTES).decode()
        self._files.put(file, mutant.apply(text))
        try:
            with _limit(self._seconds):
                return self._judge(mutant, text.split("\n")[mutant.line - 1], among)
        except LintError:
            return MutantResult(mutant, Fate.REFUSED)
        except _Endless:
            return MutantResult(mutant, Fate.ENDLESS)
        except CRASHES as error:
            return MutantResult(mutant, Fate.CRASHED, f"{type(error).__name__}: {error}")
        finally:
            self._files.put(file, text)

    def _judge(self, mutant: Mutant, line: str, among: frozenset[str] | None) -> MutantResult:
        layers = read_layers(self._packs[0], self._packs[1:], self._files)
        subject = {*WORD.findall(line), *mutant.about}

        # scenarios that share rare words with the changed line, then those that killed the most
        def likelihood(parsed: ParsedScenario) -> tuple[float, int]:
            name = parsed.scenario.name
            rare = sum(1 / self.frequency[word] for word in subject & self.words[name])
            return rare, self.kills[name]

        wanted = [each for each in self.parsed if among is None or each.scenario.name in among]
        wanted.sort(key=likelihood, reverse=True)
        first = wanted[:LIKELY]
        by = self._noticed_by(layers, first) or self._noticed_by(layers, wanted[len(first) :])
        return MutantResult(mutant, Fate.NOTICED if by else Fate.SURVIVED, by)

    def _noticed_by(self, layers: Layered, wanted: Sequence[ParsedScenario]) -> str:
        """Return the first of some scenarios that fails, or an empty string."""
        if not wanted:
            return ""
        suite = build_suite(layers, layers.at(self._broken), wanted, Findings(), brief=True)
        if suite.findings:
            return "a scenario with errors"
        found = {each.scenario.name: each for each in suite.scenarios}
        for name in (each.scenario.name for each in wanted):
            if not suite.run(found[name], brief=True).passed:
                self.kills[name] += 1
                return name
        return ""


def _words(scenario: Scenario) -> set[str]:
    """Return the words of a scenario that hint at the rules that it tests."""
    texts = [each.text for each in (*scenario.given, *scenario.expect)]
    texts += [each.text for each in (scenario.play, scenario.after) if each is not None]
    texts += [each.option for each in (*scenario.do, *scenario.offered, *scenario.not_offered)]
    return {*WORD.findall(" ".join((scenario.name.lower(), *texts)))}


_breaker = cache(_Breaker)


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise `_Endless` after some seconds of processor time, on systems with interval timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)  # again, as a destructor ignores exceptions
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise _Endless
