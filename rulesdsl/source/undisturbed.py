"""Work without collections of garbage in between."""

from __future__ import annotations

import gc
from threading import Lock


class Undisturbed:
    """While it lasts, garbage waits: to go through all that is kept takes long.

    Several threads may be in it at once.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._was_on = gc.isenabled()
                gc.disable()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._was_on:
                gc.enable()


UNDISTURBED = Undisturbed()
