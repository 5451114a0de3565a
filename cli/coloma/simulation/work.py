"""Work in pieces, shared among processes or a Dask cluster, with a progress bar."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import attrs
import typer

from coloma.output import USAGE, CommandError, say

_AHEAD = 4  # pieces submitted ahead, per process
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/]+:[0-9]{1,5}")  # as Dask accepts

Piece = TypeVar("Piece")
Done = TypeVar("Done")
Begin = Callable[[], Callable[[Piece], Done]]
"""Picklable initializer, run once per process; returns a function that does a piece."""


@attrs.frozen
class Hands:
    """Resources for the work: a number of local processes, or a cluster at an address."""

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
    """Yield the results of the pieces, in order."""
    if hands.cluster is not None:
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
        for piece in pieces:  # only some are submitted ahead, since there may be very many
            waiting.append(pool.submit(_do, piece))
            if len(waiting) > _AHEAD * jobs:
                yield waiting.popleft().result()
        for each in waiting:
            yield each.result()
    except BrokenProcessPool:
        raise CommandError("a worker process has died") from None
    except BaseException:  # interrupted: abandon the running pieces
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Worker:
    """State that a process keeps between pieces."""

    do: Callable[[Any], Any]


def _start(begin: Begin[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command handles interrupts
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_leave_with_the_command, daemon=True).start()
    _Worker.do = staticmethod(begin())


def _leave_with_the_command() -> None:
    """End this process when its parent has ended for any reason."""
    command = multiprocessing.parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _do(piece: Any) -> Any:  # noqa: ANN401 - any kind of piece
    return _Worker.do(piece)


# Pieces on a Dask cluster give the same results as on one machine. When a worker dies, the
# scheduler gives its pieces to another one; a piece is always the same games, so none is counted
# twice or lost. Workers load the content from their own disks, so it must be in the same folder on
# all machines.


_CLUSTER_AHEAD = 4  # pieces submitted ahead, per thread of the cluster
_RETRIES = 3  # house: attempts for a piece whose worker died
_PATIENCE = 10  # house: seconds to wait for the scheduler


def on_cluster(begin: Begin[Piece, Done], pieces: Sequence[Piece], address: str) -> Iterator[Done]:
    """Yield the results of the pieces, in order.

    Raise `CommandError` if there is no cluster at the address, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise CommandError(
            "a cluster needs Dask: pip install 'coloma[cluster]', here and on all its machines"
        ) from None
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise CommandError(f"there is no cluster at {address}: {error}") from None
    with client:
        if not client.nthreads():  # some schedulers start workers on demand
            said = f"the cluster at {address} has no workers yet: waiting"
            say(said, err=True)
        yield from _done(client, pickle.dumps(begin), pieces)


def _done(client: Any, begin: bytes, pieces: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    threads = max(sum(client.nthreads().values()), 1)
    waiting: deque[Any] = deque()
    try:
        for piece in pieces:
            waiting.append(
                client.submit(_do_on_cluster, begin, piece, pure=False, retries=_RETRIES)
            )
            if len(waiting) > _CLUSTER_AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except KilledWorker as error:
        raise CommandError(f"workers of the cluster died repeatedly: {error}") from None
    except FutureCancelledError as error:
        raise CommandError(f"the cluster is gone: {error}") from None
    finally:
        client.cancel([*waiting])


@lru_cache(maxsize=2)  # the last one, and one more whose pieces may still be running
def _ready(begin: bytes) -> Callable[[Any], Any]:
    done: Callable[[Any], Any] = pickle.loads(begin)()  # noqa: S301 - Dask itself uses pickle
    return done


def _do_on_cluster(begin: bytes, piece: Any) -> Any:  # noqa: ANN401 - any kind of piece
    return _ready(begin)(piece)


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; the yielded function advances it by a number of steps.

    Meanwhile, SIGTERM interrupts as Ctrl-C does, because a background job may get no other signal.
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
