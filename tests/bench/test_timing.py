from __future__ import annotations

import pytest

from bench.timing import Elsewhere, Spread, compare, measure


class Machine:
    def __init__(self, slowdown: float = 0.0) -> None:
        self.now = 0.0
        self.slowdown = slowdown
        self.order: list[str] = []

    def clock(self) -> float:
        return self.now

    def work(self, name: str, seconds: float, units: int = 1) -> int:
        self.now += seconds * (1 + self.slowdown * self.now)
        if self.order[-1:] != [name]:
            self.order.append(name)
        return units


def test_a_rate_counts_calls_and_units() -> None:
    machine = Machine()

    rate = measure(lambda: machine.work("a", 0.002, units=5), 1.0, machine.clock)

    assert rate.calls.median == pytest.approx(500)
    assert rate.units.median == pytest.approx(2500)
    assert rate.units_per_call == 5


def test_a_measurement_lasts_about_as_long_as_it_was_told() -> None:
    machine = Machine()

    measure(lambda: machine.work("a", 0.001), 2.0, machine.clock)

    assert machine.now == pytest.approx(2.0, rel=0.2)


def test_work_longer_than_a_slice_is_measured_whole() -> None:
    machine = Machine()

    rate = measure(lambda: machine.work("a", 7.0), 0.3, machine.clock)

    assert rate.calls.median == pytest.approx(1 / 7)


def test_the_ratio_is_the_speed_of_the_second_over_the_first() -> None:
    machine = Machine()

    both = compare(
        lambda: machine.work("a", 0.001, units=2),
        lambda: machine.work("b", 0.004, units=6),
        1.0,
        machine.clock,
    )

    assert both.ratio.median == pytest.approx(0.25)
    assert both.unit_ratio.median == pytest.approx(0.75)


def test_a_machine_that_slows_down_does_not_bend_the_ratio() -> None:
    machine = Machine(slowdown=0.5)

    both = compare(
        lambda: machine.work("a", 0.001), lambda: machine.work("b", 0.001), 2.0, machine.clock
    )

    assert both.first.calls.high > 1.2 * both.first.calls.low
    assert both.ratio.median == pytest.approx(1.0, abs=0.05)


def test_the_contenders_take_turns_and_turns_at_going_first() -> None:
    machine = Machine()

    compare(lambda: machine.work("a", 0.01), lambda: machine.work("b", 0.01), 0.4, machine.clock)

    # First both are calibrated, then come ab, ba, ab, ba; here neighbours of one name count once.
    assert "".join(machine.order) == "abababa"


def test_work_elsewhere_is_measured_by_its_own_clock() -> None:
    machine = Machine()

    both = compare(
        Elsewhere(lambda calls: (3 * calls, 0.002 * calls)),
        lambda: machine.work("b", 0.004, units=2),
        1.0,
        machine.clock,
    )

    assert both.first.calls.median == pytest.approx(500)
    assert both.first.units_per_call == 3
    assert both.second.calls.median == pytest.approx(250)
    assert both.ratio.median == pytest.approx(0.5)


def test_a_clock_that_has_not_ticked_does_not_divide_by_zero() -> None:
    ticks = iter([0.0, 1.0] + [2.0] * 6)

    assert measure(lambda: 1, 0.3, lambda: next(ticks)).calls.median > 0


def test_a_spread_gives_the_median_and_the_quartiles() -> None:
    assert Spread.of([4.0, 1.0, 3.0, 2.0, 5.0]) == Spread(3.0, 2.0, 4.0)
    assert Spread.of([2.0]) == Spread(2.0, 2.0, 2.0)
