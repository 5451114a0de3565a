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
from coloma.simulation.taste import Taste
from rulesdsl import OptionValue, Pack
from rulesdsl.bots.table import table
from rulesdsl.bots.training import Learned
from rulesdsl.figures.games import Figures
from rulesdsl.figures.groups import groups_of
from rulesdsl.interpreter.simulator.simulator import Simulator, Weights

_GAMES = 4096  # in one piece of work
_WATCHED = 512  # where items are counted, game by game
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
    by: tuple[str, ...] = ()
    """The groups whose items are counted."""
    asked: str | None = None
    """The question whose options alone are counted."""
    together: str | None = None
    """The group whose items are counted in pairs as well."""
    learned: Learned | None = None
    """What bots have learned, where it is not what is beside the content."""

    @property
    def starts(self) -> range:
        """The first games of the pieces of work: the same for any number of processes."""
        size = _WATCHED if self.by else _GAMES
        return range(0, self.games, _THOUGHT if bots.think(self.bots) else size)

    def piece(self, start: int) -> range:
        """Return the games of the piece of work that begins with one."""
        return range(start, min(start + self.starts.step, self.games))


def outcomes(plan: Plan, jobs: int) -> Iterator[tuple[int, Figures]]:
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
        waiting: deque[tuple[int, Future[Figures]]] = deque()
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


def player(plan: Plan) -> Callable[[range], Figures]:
    """Return what plays some games of a plan."""
    pack = loading.load_pack(plan.pack, plan.mods)
    if bots.think(plan.bots):
        setting = pack.setting(plan.players, plan.options, log=True)
        made = bots.make_bots(plan.bots, pack, setting, plan.pack, learned=plan.learned)
        simulator = table(setting, made)
        weights: Weights | list[Weights] | None = None
    else:
        simulator = pack.simulator(plan.players, plan.options)
        weights = _weights(plan, pack, simulator)
    if not plan.by:
        return lambda numbers: Figures.of(
            simulator.playouts(len(numbers), plan.seed, first=numbers.start, weights=weights)
        )
    groups = groups_of(simulator.setting, plan.by, plan.asked)
    weighing = simulator.weighing(weights or {})
    return lambda numbers: Figures.watched(
        simulator.watched(len(numbers), plan.seed, first=numbers.start, weights=weighing),
        simulator.setting,
        groups,
        plan.together,
    )


def _weights(plan: Plan, pack: Pack, simulator: Simulator) -> Weights | list[Weights] | None:
    """Return how often bots that do not think take options, None where all are random."""
    if bots.TRAINED not in plan.bots:
        return plan.taste.weight if plan.taste.weights else None
    learned = plan.learned or bots.learned_by(plan.bots, pack, simulator.setting, plan.pack)
    return [learned.weigh if each == bots.TRAINED else {} for each in plan.bots]


class _Worker:
    """What one process keeps between its chunks."""

    play: Callable[[range], Figures]


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


def _play_piece(numbers: range) -> Figures:
    return _Worker.play(numbers)
