"""End of a process pool whose work nobody waits for any more."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


def abandon(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool at once, whatever they are doing, and wait until they are gone.

    Without that, an interrupted command would wait for the work in progress.
    """
    workers = [*(pool._processes or {}).values()]  # noqa: SLF001 - public only since Python 3.14
    for worker in workers:
        worker.terminate()
    pool.shutdown(cancel_futures=True)


@contextmanager
def unheard() -> Iterator[None]:
    """Keep Ctrl-C from processes that begin here, even while they load; this one gets it later."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
