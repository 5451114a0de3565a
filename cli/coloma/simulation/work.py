"""Distribution of work among processes or a Dask cluster, and a progress bar."""

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
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import attrs
import typer

from coloma.output import USAGE, CommandError, say
from rulesdsl.scenarios.abandon import abandon

_AHEAD = 4  # pieces submitted ahead, per process or thread
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/]+:[0-9]{1,5}")  # as Dask accepts

Piece = TypeVar("Piece")
Done = TypeVar("Done")
Begin = Callable[[], Callable[[Piece], Done]]
"""Picklable initializer, run once per process; it returns the function that processes a piece."""


@attrs.frozen
class Hands:
    """Workers: a number of local processes, or a cluster at an address."""

    jobs: int = 1
    cluster: str | None = attrs.field(default=None)

    @cluster.validator
    def _check_cluster(self, _: object, value: str | None) -> None:
        if value is not None and not _ADDRESS.fullmatch(value):
            raise CommandError(
                "--cluster needs the address of a Dask scheduler, such as tcp://10.0.0.1:8786,"
                f" not `{value}`",
                USAGE,
            )


def shared(begin: Begin[Piece, Done], pieces: Sequence[Piece], hands: Hands) -> Iterator[Done]:
    """Process the pieces, and yield their results in order."""
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
        waiting: deque[Any] = deque()
        yield from _in_order(lambda piece: pool.submit(_do, piece), pieces, waiting, _AHEAD * jobs)
    except BrokenProcessPool:
        abandon(pool)
        raise CommandError("a worker process has died") from None
    except BaseException:  # interrupted, or not read to the end
        abandon(pool)
        raise
    pool.shutdown()


def _in_order(
    submit: Callable[[Any], Any], pieces: Sequence[Any], waiting: deque[Any], most: int
) -> Iterator[Any]:
    """Submit pieces, and yield their results in order; up to `most` pieces wait for a worker."""
    for piece in pieces:
        waiting.append(submit(piece))
        if len(waiting) > most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class _Worker:
    do: Callable[[Any], Any]


def _start(begin: Begin[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command handles interrupts
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_leave_with_the_command, daemon=True).start()
    _Worker.do = staticmethod(begin())


def _leave_with_the_command() -> None:
    command = multiprocessing.parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _do(piece: Any) -> Any:  # noqa: ANN401 - any kind of piece
    return _Worker.do(piece)


# A Dask cluster computes the same results as one machine. When a worker dies, the scheduler gives
# its pieces to another one; a piece always consists of the same games, so no game is counted twice
# or lost. Workers load the content from their own disks, so it must be in the same folder on all
# machines.


_RETRIES = 3  # house: further attempts for a piece whose worker died
_PATIENCE = 10  # house: seconds to wait for the scheduler


def on_cluster(begin: Begin[Piece, Done], pieces: Sequence[Piece], address: str) -> Iterator[Done]:
    """Process the pieces on a cluster, and yield their results in order.

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
            say(f"the cluster at {address} has no workers yet: waiting", err=True)
        yield from _done(client, pickle.dumps(begin), pieces)


def _done(client: Any, begin: bytes, pieces: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    def submit(piece: Any) -> Any:  # noqa: ANN401 - any kind of piece
        return client.submit(_do_on_cluster, begin, piece, pure=False, retries=_RETRIES)

    threads = max(sum(client.nthreads().values()), 1)
    waiting: deque[Any] = deque()
    try:
        yield from _in_order(submit, pieces, waiting, _AHEAD * threads)
    except KilledWorker as error:
        raise CommandError(f"workers in the cluster died repeatedly: {error}") from None
    except FutureCancelledError as error:
        raise CommandError(f"the cluster is gone: {error}") from None
    finally:
        client.cancel([*waiting])


@lru_cache(maxsize=2)  # pieces of the previous work may still be running
def _ready(begin: bytes) -> Callable[[Any], Any]:
    done: Callable[[Any], Any] = pickle.loads(begin)()  # noqa: S301 - Dask itself uses pickle
    return done


def _do_on_cluster(begin: bytes, piece: Any) -> Any:  # noqa: ANN401 - any kind of piece
    return _ready(begin)(piece)


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; the yielded function advances it by a number of steps.

    While it is shown, SIGTERM interrupts like Ctrl-C: background jobs may ignore SIGINT.
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
