"""Work in pieces on a Dask cluster; what comes out is the same as on one machine.

A worker that dies loses the pieces that it had: the scheduler gives them to another one.  A piece
is always the same games, so nothing is counted twice and nothing is lost.  Workers load the
content from their own disk, so it is in the same folder on all machines.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from coloma.errors import CommandError
from coloma.output import say
from coloma.simulation.work import Begin, Done, Piece

_AHEAD = 4  # pieces of work for each thread of the cluster
_RETRIES = 3  # house: times a piece is given to another worker after one died with it
_PATIENCE = 10  # house: seconds until a scheduler has answered


def on_cluster(begin: Begin[Piece, Done], pieces: Sequence[Piece], address: str) -> Iterator[Done]:
    """Yield what the pieces come to, in their order.

    CommandError where there is no cluster at the address, or no Dask to reach it with.
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
        if not client.nthreads():  # some schedulers start workers when there is work
            said = f"no worker has joined the cluster at {address} yet: waiting for one"
            say(said, err=True)
        yield from _done(client, pickle.dumps(begin), pieces)


def _done(client: Any, begin: bytes, pieces: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    """Yield what the pieces come to; few are handed in at a time."""
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    threads = max(sum(client.nthreads().values()), 1)
    waiting: deque[Any] = deque()
    try:
        for piece in pieces:
            waiting.append(client.submit(_do, begin, piece, pure=False, retries=_RETRIES))
            if len(waiting) > _AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except KilledWorker as error:
        raise CommandError(f"workers of the cluster die of this work: {error}") from None
    except FutureCancelledError as error:
        raise CommandError(f"the cluster has gone: {error}") from None
    finally:
        client.cancel([*waiting])


@lru_cache(maxsize=2)  # the last one, and one more while others still work at it
def _ready(begin: bytes) -> Callable[[Any], Any]:
    """Return what does a piece, which a worker gets ready once."""
    done: Callable[[Any], Any] = pickle.loads(begin)()  # noqa: S301 - Dask itself works with pickles
    return done


def _do(begin: bytes, piece: Any) -> Any:  # noqa: ANN401 - whatever the pieces are
    return _ready(begin)(piece)
