"""End of a process pool whose work nobody waits for any more."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor


def abandon(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool at once, whatever they are doing, and wait until they are gone.

    Without that, an interrupted command would wait for the work in progress.
    """
    workers = [*(pool._processes or {}).values()]  # noqa: SLF001 - public only since Python 3.14
    for worker in workers:
        worker.terminate()
    pool.shutdown(cancel_futures=True)
