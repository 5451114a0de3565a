"""How much a bot may think about a decision: so many iterations, or so many seconds.

An iteration is one game that is played on to its end.  Games of bots count iterations: what they
choose is the same on any machine then.  Seconds are for people, who wait.
"""

from __future__ import annotations

import time

import attrs

from rulesdsl.interpreter.arguments import whole
from rulesdsl.source.ranges import ITERATIONS, SECONDS


@attrs.frozen
class Thought:
    """So many seconds, else so many iterations, else as many as a kind of bot is used to."""

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
            raise ValueError(f"`seconds` is a number from {least:g} to {most:g}, not {value}")

    def begin(self, usual: int) -> Thinking:
        """Begin to think about a decision."""
        return Thinking(self.iterations or usual, self.seconds, time.monotonic())


@attrs.define
class Thinking:
    """What is left of the thought about a decision."""

    _most: int
    _seconds: float | None
    _began: float
    done: int = 0
    """Iterations so far."""

    def goes_on(self, share: float = 1.0) -> bool:
        """Whether a share of it, by default all, is not used up yet."""
        if self._seconds is None:
            return self.done < self._most * share
        return time.monotonic() - self._began < self._seconds * share

    def room(self, share: float = 1.0) -> int:
        """Return how many iterations are left of a share; at least 1."""
        return max(1, int(self._most * share) - self.done)
