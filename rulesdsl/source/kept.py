"""What functions of plain input have returned, kept for the next time, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Results by their input: those that were asked for lately, at most twice as many as `most`.

    There are a young and an old half. What is asked for is young; when the young half is full, it
    becomes the old one, and what nobody has asked for since the last time is forgotten. Threads
    may use it at once: the worst that happens is that something is made twice.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}
        self.new = 0  # how many were made

    def fill(self, known: dict[K, V]) -> None:
        """Take in results that are known, as if they had been asked for before."""
        self._old |= known

    def forget(self) -> None:
        """Forget all results."""
        self._young, self._old, self.new = {}, {}, 0

    def asked(self) -> dict[K, V]:
        """Return what was asked for lately."""
        return dict(self._young)

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept under a key, made where nothing is."""
        young = self._young
        try:
            return young[key]
        except KeyError:
            pass
        try:
            found = self._old[key]
        except KeyError:
            found = make()
            self.new += 1
        young[key] = found
        if len(young) > self._most:
            self._old, self._young = young, {}
        return found


class KeptOf(Generic[K, V]):
    """What a function has returned of values that nothing changes, each kept with its result.

    Values are told apart by which they are, and not by what they say: two that say the same may
    be at different places.
    """

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        self._make = make
        self._kept: Kept[int, tuple[K, V]] = Kept(most)

    def __call__(self, value: K) -> V:
        """Return what the function returns of a value."""
        return self._kept.get(id(value), lambda: (value, self._make(value)))[1]
