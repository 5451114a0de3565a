"""Playing games of bots; the same games whatever number of processes share the work."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import attrs

from coloma.engine import loading
from coloma.engine.pack import OptionValue, Pack
from coloma.errors import CommandError
from coloma.session.seating import chance, pick
from coloma.simulation.taste import Taste

_CHUNK = 25
_AHEAD = 4  # chunks for each process


@attrs.frozen
class Plan:
    """Which games are played."""

    pack: Path
    mods: tuple[Path, ...]
    options: dict[str, OptionValue]
    players: int
    games: int
    seed: int
    taste: Taste = attrs.Factory(Taste)


@attrs.frozen
class Outcome:
    """What one game came to; scores and places by seat, verdicts (or nothing) by player."""

    seats: tuple[str, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    verdicts: tuple[str, ...]
    decisions: int


def outcomes(plan: Plan, jobs: int) -> Iterator[Outcome]:
    """Yield the outcome of every game, in the order of their numbers."""
    if jobs == 1 or plan.games <= _CHUNK:
        pack = loading.load_pack(plan.pack, plan.mods)
        for number in range(plan.games):
            yield _play(pack, plan, number)
        return
    starts = range(0, plan.games, _CHUNK)
    chunks = (range(start, min(start + _CHUNK, plan.games)) for start in starts)
    pool = ProcessPoolExecutor(min(jobs, len(starts)), initializer=_start, initargs=(plan,))
    try:
        waiting: deque[Future[list[Outcome]]] = deque()
        for chunk in chunks:  # few at a time: there may be more than fit into memory
            waiting.append(pool.submit(_play_chunk, chunk))
            if len(waiting) > _AHEAD * jobs:
                yield from waiting.popleft().result()
        for each in waiting:
            yield from each.result()
    except BrokenProcessPool:
        raise CommandError("one of the processes that shared the work has died") from None
    finally:
        pool.shutdown(cancel_futures=True)


def seed_of(seed: int, number: int) -> int:
    """Return the seed of one game: its own, whoever plays it."""
    digest = hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1  # what a signed number of 64 bits can hold


def _play(pack: Pack, plan: Plan, number: int) -> Outcome:
    game = pack.new_game(plan.players, seed_of(plan.seed, number), plan.options, log=False)
    step = 0
    while decision := game.decision:
        drawn = (game.seed, decision.player, step)
        if plan.taste.weights:
            index = plan.taste.index(decision.options, chance(*drawn))
        else:
            index = pick(*drawn, decision.count)
        game.choose(index, player=decision.player)
        step += 1
    result = game.result
    assert result, "a game without an open decision is over"
    verdicts = tuple(each.word if each else "" for each in result.verdicts)
    return Outcome(tuple(result.seats), tuple(result.scores), tuple(result.places), verdicts, step)


class _Worker:
    """What one process keeps between its chunks."""

    plan: Plan
    pack: Pack


def _start(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
    threading.Thread(target=_leave_with_the_command, daemon=True).start()
    _Worker.plan = plan
    _Worker.pack = loading.load_pack(plan.pack, plan.mods)


def _leave_with_the_command() -> None:
    """End this process when the command has gone, however that came about."""
    command = multiprocessing.parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _play_chunk(numbers: range) -> list[Outcome]:
    return [_play(_Worker.pack, _Worker.plan, number) for number in numbers]
