"""Playing games of bots; the same games whatever number of processes share the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import overload

import attrs

from coloma import bots, loading
from coloma.simulation.taste import Taste
from coloma.simulation.work import Hands, shared
from rulesdsl import OptionValue, Pack
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.table import table
from rulesdsl.bots.thought import Thought
from rulesdsl.figures.games import Figures
from rulesdsl.figures.groups import groups_of
from rulesdsl.interpreter.simulator.simulator import Simulator
from rulesdsl.interpreter.simulator.weighing import Weights

_GAMES = 4096  # in one piece of work
_WATCHED = 512  # where items are counted, game by game
_THOUGHT = 1  # of bots that think


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
    iterations: int | None = None
    """How much those think that do; None as much as they are used to."""

    @property
    def starts(self) -> range:
        """The first games of the pieces of work: the same for any number of processes."""
        size = _WATCHED if self.by else _GAMES
        return range(0, self.games, _THOUGHT if bots.think(self.bots) else size)


@attrs.frozen
class Pieces(Sequence[range]):
    """The games of the pieces of work of a plan; there may be more than fit into memory."""

    plan: Plan

    def __len__(self) -> int:
        return len(self.plan.starts)

    @overload
    def __getitem__(self, at: int) -> range: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[range]: ...
    def __getitem__(self, at: int | slice) -> range | Sequence[range]:
        """Return the games of a piece, or of several."""
        starts = self.plan.starts
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        return range(starts[at], min(starts[at] + starts.step, self.plan.games))


def outcomes(plan: Plan, hands: Hands) -> Iterator[tuple[int, Figures]]:
    """Yield how many games were played, and what they came to, piece by piece."""
    for figures in shared(partial(player, plan), Pieces(plan), hands):
        yield figures.games, figures


def player(plan: Plan, pack: Pack | None = None) -> Callable[[range], Figures]:
    """Return what plays some games of a plan; its pack may have been loaded before."""
    pack = pack or loading.load_pack(plan.pack, plan.mods)
    if bots.think(plan.bots):
        setting = pack.setting(plan.players, plan.options, log=True)
        thought, learned = Thought(plan.iterations), plan.learned
        made = bots.make_bots(
            plan.bots, pack, setting, plan.pack, thought=thought, learned=learned
        )
        simulator = table(setting, made)
        weights: Weights | list[Weights] | None = None
    else:
        simulator = pack.simulator(plan.players, plan.options)
        weights = weights_of(plan, pack, simulator)
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


def weights_of(plan: Plan, pack: Pack, simulator: Simulator) -> Weights | list[Weights] | None:
    """Return how often bots that do not think take options, None where all are random."""
    if bots.TRAINED not in plan.bots:
        return plan.taste.weight if plan.taste.weights else None
    learned = plan.learned or bots.learned_by(plan.bots, pack, simulator.setting, plan.pack)
    return [learned.taste if each == bots.TRAINED else {} for each in plan.bots]
