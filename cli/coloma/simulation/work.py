"""Work in pieces, shared among processes; what comes out is the same for any number of them."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import attrs

from coloma.errors import USAGE, CommandError

_AHEAD = 4  # pieces of work for each process
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/]+:[0-9]{1,5}")  # Dask tells no other way

Piece = TypeVar("Piece")
Done = TypeVar("Done")
Begin = Callable[[], Callable[[Piece], Done]]
"""Gets ready, once in each process, and returns what does a piece; it can be pickled."""


@attrs.frozen
class Hands:
    """Who does the work: so many processes here, or a cluster at an address."""

    jobs: int = 1
    cluster: str | None = attrs.field(default=None)

    @cluster.validator
    def _check_cluster(self, _: object, value: str | None) -> None:
        if value is not None and not _ADDRESS.fullmatch(value):
            raise CommandError(
                "--cluster is the address of a Dask scheduler, such as tcp://10.0.0.1:8786,"
                f" not `{value}`",
                USAGE,
            )


def shared(begin: Begin[Piece, Done], pieces: Sequence[Piece], hands: Hands) -> Iterator[Done]:
    """Yield what the pieces come to, in their order."""
    if hands.cluster is not None:
        from coloma.simulation.cluster import on_cluster

        yield from on_cluster(begin, pieces, hands.cluster)
        return
    jobs = hands.jobs
    if jobs == 1 or len(pieces) == 1:
        yield from map(begin(), pieces)
        return
    workers = min(jobs, len(pieces))
    pool = ProcessPoolExecutor(workers, initializer=_start, initargs=(begin,))
    try:
        waiting: deque[Future[Done]] = deque()
        for piece in pieces:  # few at a time: there may be more than fit into memory
            waiting.append(pool.submit(_do, piece))
            if len(waiting) > _AHEAD * jobs:
                yield waiting.popleft().result()
        for each in waiting:
            yield each.result()
    except BrokenProcessPool:
        raise CommandError("one of the processes that shared the work has died") from None
    except BaseException:  # interrupted: nobody waits for the pieces that are under way
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Worker:
    """What one process keeps between its pieces."""

    do: Callable[[Any], Any]


def _start(begin: Begin[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_leave_with_the_command, daemon=True).start()
    _Worker.do = staticmethod(begin())


def _leave_with_the_command() -> None:
    """End this process when the command has gone, however that came about."""
    command = multiprocessing.parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _do(piece: Any) -> Any:  # noqa: ANN401 - whatever the pieces are
    return _Worker.do(piece)
