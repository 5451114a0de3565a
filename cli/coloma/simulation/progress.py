"""A bar on stderr, where somebody watches."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; the function yielded advances it by a number of steps.

    Meanwhile `kill` interrupts as Ctrl-C does: in the background nothing else may reach us.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if sys.stderr.isatty():
            with typer.progressbar(length=length, label=label, file=sys.stderr) as bar:
                yield bar.update
        else:
            yield lambda _: None
    finally:
        signal.signal(signal.SIGTERM, before)
