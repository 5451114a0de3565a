"""Measure work in slices of CPU time, two contenders by turns.

A machine's speed drifts: heat, other processes, the clock of the processor. Two measurements one
after the other compare two moments as much as two programs. So the contenders take turns in slices
of a tenth of a second, each pair of slices gives one ratio, and the median of the ratios counts.

The clock is the CPU time of this process. Work that another process does brings its own.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable
from typing import Final

import attrs

Clock = Callable[[], float]
Work = Callable[[], int]
"""One call does one piece of work (a game) and returns how many units (decisions) it held."""


@attrs.frozen
class Elsewhere:
    """Work done by another process: it is told how many calls, and reads its own clock.

    `run` returns the units of all those calls, and the CPU seconds that they took there.
    """

    run: Callable[[int], tuple[int, float]]


SLICE_SECONDS: Final = 0.1
_FEWEST_SLICES: Final = 3
_CALIBRATION_SHARE: Final = 0.2


@attrs.frozen
class Spread:
    """The median of some samples, and their lower and upper quartile."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: list[float]) -> Spread:
        """Summarise at least one sample."""
        if len(samples) == 1:
            return cls(samples[0], samples[0], samples[0])
        low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
        return cls(median, low, high)


@attrs.frozen
class Rate:
    """How fast a work ran, per second of CPU time."""

    calls: Spread
    units: Spread
    units_per_call: float


@attrs.frozen
class Comparison:
    """Two works measured by turns; the ratios are the second's speed over the first's.

    `ratio` compares calls, `unit_ratio` units; the latter is the steadier of the two where calls
    differ in length and both works count the same units.
    """

    first: Rate
    second: Rate
    ratio: Spread
    unit_ratio: Spread


@attrs.frozen
class _Slice:
    calls: int
    units: int
    seconds: float

    @property
    def calls_per_second(self) -> float:
        return self.calls / self.seconds

    @property
    def units_per_second(self) -> float:
        return self.units / self.seconds


def measure(work: Work, seconds: float, clock: Clock = time.process_time) -> Rate:
    """Run a work for about so many seconds of CPU time."""
    count, length = _slicing(seconds)
    calls = _calls_in_a_slice(work, length, clock)
    gc.collect()
    return _rate([_run(work, calls, clock) for _ in range(count)])


def compare(
    first: Work | Elsewhere, second: Work, seconds: float, clock: Clock = time.process_time
) -> Comparison:
    """Run two works by turns, each for about so many seconds of CPU time."""
    count, length = _slicing(seconds)
    first_calls = _calls_in_a_slice(first, length, clock)
    second_calls = _calls_in_a_slice(second, length, clock)
    first_slices: list[_Slice] = []
    second_slices: list[_Slice] = []
    gc.collect()
    for turn in range(count):
        # Who goes first changes too, so that a steady drift favours neither.
        if turn % 2 == 0:
            first_slices.append(_run(first, first_calls, clock))
        second_slices.append(_run(second, second_calls, clock))
        if turn % 2 == 1:
            first_slices.append(_run(first, first_calls, clock))
    pairs = list(zip(first_slices, second_slices, strict=True))
    return Comparison(
        first=_rate(first_slices),
        second=_rate(second_slices),
        ratio=Spread.of([two.calls_per_second / one.calls_per_second for one, two in pairs]),
        unit_ratio=Spread.of([two.units_per_second / one.units_per_second for one, two in pairs]),
    )


def _slicing(seconds: float) -> tuple[int, float]:
    """Cut the time into slices: how many, and how long each."""
    count = max(_FEWEST_SLICES, round(seconds / SLICE_SECONDS))
    return count, seconds / count


def _calls_in_a_slice(work: Work | Elsewhere, seconds: float, clock: Clock) -> int:
    """Find how many calls fill a slice; this also warms the work up."""
    calls = 1
    while True:
        trial = _run(work, calls, clock)
        if trial.seconds >= seconds * _CALIBRATION_SHARE:
            return max(1, math.ceil(seconds * trial.calls_per_second))
        calls *= 2


def _run(work: Work | Elsewhere, calls: int, clock: Clock) -> _Slice:
    if isinstance(work, Elsewhere):
        units, spent = work.run(calls)
    else:
        units = 0
        start = clock()
        for _ in range(calls):
            units += work()
        spent = clock() - start
    # A clock may tick more coarsely than a short slice lasts.
    return _Slice(calls, units, max(spent, 1e-9))


def _rate(slices: list[_Slice]) -> Rate:
    return Rate(
        calls=Spread.of([each.calls_per_second for each in slices]),
        units=Spread.of([each.units_per_second for each in slices]),
        units_per_call=sum(each.units for each in slices) / sum(each.calls for each in slices),
    )
