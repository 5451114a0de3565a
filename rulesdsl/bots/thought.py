"""A bot's budget for one decision: iterations or seconds."""

from __future__ import annotations

import time

import attrs

from rulesdsl.interpreter.arguments import whole
from rulesdsl.source.ranges import ITERATIONS, SECONDS


@attrs.frozen
class Thought:
    """A thinking budget in seconds or iterations; the default depends on the kind of bot."""

    # An iteration is one playout. Budgets in iterations make games among bots reproducible;
    # budgets in seconds are for games with people, who have to wait.

    iterations: int | None = attrs.field(default=None)
    seconds: float | None = attrs.field(default=None)

    @iterations.validator
    def _check_iterations(self, _: object, value: int | None) -> None:
        if value is not None:
            whole("iterations", value, ITERATIONS)

    @seconds.validator
    def _check_seconds(self, _: object, value: float | None) -> None:
        least, most = SECONDS
        if value is not None and not least <= value <= most:
            raise ValueError(f"`seconds` must be a number from {least:g} to {most:g}, not {value}")

    def or_else(self, iterations: int) -> Thought:
        """Return this budget, or these iterations if it is the default."""
        return Thought(iterations) if self == Thought() else self

    def begin(self, usual: int) -> Thinking:
        """Begin to think about a decision."""
        return Thinking(self.iterations or usual, self.seconds, time.monotonic())


@attrs.define
class Thinking:
    """The budget left for one decision."""

    _most: int
    _seconds: float | None
    _began: float
    done: int = 0  # iterations so far

    def goes_on(self, share: float = 1.0) -> bool:
        """Return True until a share of the budget (by default, all of it) is used up."""
        if self._seconds is None:
            return self.done < self._most * share
        return time.monotonic() - self._began < self._seconds * share

    def room(self, share: float = 1.0) -> int:
        """Return the number of iterations left in a share of the budget, at least 1."""
        return max(1, int(self._most * share) - self.done)
