"""A bar on stderr, where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show a bar while something is done; what is yielded moves it on by so many steps."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with typer.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update
