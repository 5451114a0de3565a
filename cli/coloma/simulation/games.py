"""Playing games of bots; the same games whatever number of processes share the work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import attrs

from coloma import bots, loading
from coloma.errors import CommandError
from coloma.simulation.summary import Summary
from coloma.simulation.taste import Taste
from rulesdsl import OptionValue, Pack
from rulesdsl.bots.table import table
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.simulator.simulator import Simulator, Weights

_GAMES = 4096  # in one piece of work
_THOUGHT = 1  # of bots that think
_AHEAD = 4  # pieces of work for each process


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
    bots: tuple[str, ...] = ()
    """The kinds of bots of all players; random ones with this taste where it is empty."""
    iterations: int | None = None
    """How much those think that do; None as much as they are used to."""

    @property
    def starts(self) -> range:
        """The first games of the pieces of work: the same for any number of processes."""
        return range(0, self.games, _THOUGHT if bots.think(self.bots) else _GAMES)

    def piece(self, start: int) -> range:
        """Return the games of the piece of work that begins with one."""
        return range(start, min(start + self.starts.step, self.games))


def outcomes(plan: Plan, jobs: int) -> Iterator[tuple[int, Summary]]:
    """Yield how many games were played, and what they came to, piece by piece."""
    pieces = map(plan.piece, plan.starts)
    if jobs == 1 or len(plan.starts) == 1:
        play = player(plan)
        for piece in pieces:
            yield len(piece), play(piece)
        return
    workers = min(jobs, len(plan.starts))
    pool = ProcessPoolExecutor(workers, initializer=_start, initargs=(plan,))
    try:
        waiting: deque[tuple[int, Future[Summary]]] = deque()
        for piece in pieces:  # few at a time: there may be more than fit into memory
            waiting.append((len(piece), pool.submit(_play_piece, piece)))
            if len(waiting) > _AHEAD * jobs:
                count, first = waiting.popleft()
                yield count, first.result()
        for count, each in waiting:
            yield count, each.result()
    except BrokenProcessPool:
        raise CommandError("one of the processes that shared the work has died") from None
    finally:
        pool.shutdown(cancel_futures=True)


def player(plan: Plan) -> Callable[[range], Summary]:
    """Return what plays some games of a plan."""
    pack = loading.load_pack(plan.pack, plan.mods)
    if bots.think(plan.bots):
        setting = pack.setting(plan.players, plan.options, log=True)
        thought = Thought(plan.iterations)
        made = bots.make_bots(plan.bots, pack, setting, plan.pack, thought=thought)
        simulator = table(setting, made)
        weights: Weights | list[Weights] | None = None
    else:
        simulator = pack.simulator(plan.players, plan.options)
        weights = _weights(plan, pack, simulator)
    return lambda numbers: Summary.of_playouts(
        simulator.playouts(len(numbers), plan.seed, first=numbers.start, weights=weights)
    )


def _weights(plan: Plan, pack: Pack, simulator: Simulator) -> Weights | list[Weights] | None:
    """Return how often bots that do not think take options, None where all are random."""
    if bots.TRAINED not in plan.bots:
        return plan.taste.weight if plan.taste.weights else None
    learned = bots.learned_by(plan.bots, pack, simulator.setting, plan.pack)
    return [learned.weigh if each == bots.TRAINED else {} for each in plan.bots]


class _Worker:
    """What one process keeps between its chunks."""

    play: Callable[[range], Summary]


def _start(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts us means the command
    threading.Thread(target=_leave_with_the_command, daemon=True).start()
    _Worker.play = staticmethod(player(plan))


def _leave_with_the_command() -> None:
    """End this process when the command has gone, however that came about."""
    command = multiprocessing.parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _play_piece(numbers: range) -> Summary:
    return _Worker.play(numbers)
