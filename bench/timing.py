"""Measurement of work in slices of CPU time, with two contenders alternating.

A machine's speed drifts with heat, other processes and the processor's clock, so that two
consecutive measurements compare two moments as much as two programs. Therefore the contenders
alternate in slices of a tenth of a second; each pair of slices gives a ratio, and the median of
the ratios is reported.

The clock is the CPU time of this process.
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
"""Function that does a piece of work, such as a game, and returns its units, such as decisions."""


SLICE_SECONDS: Final = 0.1
_FEWEST_SLICES: Final = 3
_CALIBRATION_SHARE: Final = 0.2


@attrs.frozen
class Spread:
    """The median of some samples, and their lower and upper quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: list[float]) -> Spread:
        """Summarize at least one sample."""
        if len(samples) == 1:
            return cls(samples[0], samples[0], samples[0])
        low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
        return cls(median, low, high)


@attrs.frozen
class Rate:
    """Speed of a workload, per second of CPU time."""

    calls: Spread
    units: Spread
    units_per_call: float


@attrs.frozen
class Comparison:
    """Two workloads measured alternately; a ratio is the second one's speed over the first one's.

    `ratio` compares calls, `unit_ratio` compares units. The latter is more stable if calls differ
    in length and both workloads count the same units.
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
    """Run a workload for a given CPU time."""
    count, length = _slicing(seconds)
    calls = _calls_in_a_slice(work, length, clock)
    gc.collect()
    return _rate([_run(work, calls, clock) for _ in range(count)])


def compare(
    first: Work, second: Work, seconds: float, clock: Clock = time.process_time
) -> Comparison:
    """Run two workloads alternately, each for a given CPU time."""
    count, length = _slicing(seconds)
    first_calls = _calls_in_a_slice(first, length, clock)
    second_calls = _calls_in_a_slice(second, length, clock)
    first_slices: list[_Slice] = []
    second_slices: list[_Slice] = []
    gc.collect()
    for turn in range(count):
        # The order alternates too, so that a steady drift favours neither contender.
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
    """Divide the time into slices; return their number and length."""
    count = max(_FEWEST_SLICES, round(seconds / SLICE_SECONDS))
    return count, seconds / count


def _calls_in_a_slice(work: Work, seconds: float, clock: Clock) -> int:
    """Return the number of calls that fill a slice; this also warms up the work."""
    calls = 1
    while True:
        trial = _run(work, calls, clock)
        if trial.seconds >= seconds * _CALIBRATION_SHARE:
            return max(1, math.ceil(seconds * trial.calls_per_second))
        calls *= 2


def _run(work: Work, calls: int, clock: Clock) -> _Slice:
    units = 0
    start = clock()
    for _ in range(calls):
        units += work()
    spent = clock() - start
    # The resolution of the clock may be coarser than a short slice.
    return _Slice(calls, units, max(spent, 1e-9))


def _rate(slices: list[_Slice]) -> Rate:
    return Rate(
        calls=Spread.of([each.calls_per_second for each in slices]),
        units=Spread.of([each.units_per_second for each in slices]),
        units_per_call=sum(each.units for each in slices) / sum(each.calls for each in slices),
    )
