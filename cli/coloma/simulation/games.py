"""Simulation of games between bots; the games do not depend on the number of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import attrs

from coloma import bots, loading
from coloma.output import USAGE, CommandError
from coloma.simulation.work import Hands, progress, shared
from rulesdsl import OptionValue, Pack
from rulesdsl.bots.kinds import table
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.figures.games import Figures
from rulesdsl.figures.uses import groups_of
from rulesdsl.interpreter.simulator.action_space import Weights
from rulesdsl.interpreter.simulator.simulator import Simulator
from rulesdsl.source.ranges import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from coloma.loading import LoadedSelection
    from rulesdsl import Option, OptionName
    from rulesdsl.figures.uses import Groups
    from rulesdsl.interpreter.setting import CompiledSetting

LIKED = 10  # default weight of a pattern


@attrs.frozen
class Taste:
    """Weights for options by pattern; the first matching pattern counts."""

    weights: tuple[tuple[str, int], ...] = ()

    def weight(self, option: OptionName | Option) -> int:
        """Return the weight of an option; it is 1 if no pattern matches."""
        words = option.id.lower(), option.label.lower()
        for pattern, weight in self.weights:
            if any(fnmatchcase(word, pattern) for word in words):
                return weight
        return 1

    def idle(self, options: Iterable[OptionName]) -> list[str]:
        """Return the patterns that match none of the options."""
        words = [word.lower() for each in options for word in (each.id, each.label)]
        every = (pattern for pattern, _ in self.weights)
        return [each for each in every if not any(fnmatchcase(word, each) for word in words)]


def parse_taste(text: str) -> Taste:
    """Parse patterns of ids or labels with their weights: `buy*=20, *discard*=0, done`."""
    found: list[tuple[str, int]] = []
    for part in text.split(","):
        pattern, sign, weight = (each.strip() for each in part.partition("="))
        is_weight = weight.isdecimal() and len(weight) < 10 and int(weight) <= WEIGHT.most  # noqa: PLR2004
        if not pattern or (sign and not is_weight):
            raise CommandError(
                f"`{part.strip()}` is not a preference for bots: write PATTERN, or"
                f" PATTERN=WEIGHT with a whole number {WEIGHT}",
                USAGE,
            )
        found.append((pattern.lower(), int(weight) if sign else LIKED))
    return Taste(tuple(found))


_GAMES = 4096  # games per piece of work
_WATCHED = 512  # the same if items are counted, which takes longer
_THOUGHT = 1  # the same for searching bots


@attrs.frozen
class GamePlan:
    """Plan of games to play."""

    pack: Path
    mods: tuple[Path, ...]
    options: dict[str, OptionValue]
    players: int
    games: int
    seed: int
    taste: Taste = attrs.Factory(Taste)
    bots: tuple[str, ...] = ()
    """Kind of bot for each player; if empty, all are random bots with this taste."""
    by: tuple[str, ...] = ()
    """Groups whose items are counted."""
    asked: str | None = None
    """Question to which the counts are limited."""
    together: str | None = None
    """Group whose items are also counted in pairs."""
    learned: Learned | None = None
    """Weights of trained bots; by default those in the game's folder."""
    iterations: int | None = None
    """Playouts per choice for bots that search; None for the default."""

    @classmethod
    def of(cls, chosen: LoadedSelection, games: int, seed: int, **more: Any) -> GamePlan:  # noqa: ANN401
        """Return a plan for a loaded selection; `more` are values of further fields."""
        game, mods = chosen.selection.game, chosen.selection.mods
        return cls(game, mods, chosen.options, chosen.seats, games, seed, **more)

    @property
    def starts(self) -> range:
        """Number of the first game in each piece, whatever the number of processes."""
        size = _WATCHED if self.by else _GAMES
        return range(0, self.games, _THOUGHT if bots.think(self.bots) else size)


@attrs.frozen
class Pieces(Sequence[range]):
    """Numbers of the games in each piece of work; computed on demand, since there may be many."""

    plan: GamePlan

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


def outcomes(plan: GamePlan, hands: Hands) -> Iterator[tuple[int, Figures]]:
    """Play the games of a plan; yield each piece's number of games and figures."""
    for figures in shared(partial(player, plan), Pieces(plan), hands):
        yield figures.games, figures


def groups_to_count(
    setting: CompiledSetting, names: Iterable[str], asked: str | None = None
) -> Groups:
    """Return the groups to count; raise `CommandError` for an unknown one."""
    try:
        return groups_of(setting, tuple(dict.fromkeys(names)), asked)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def play_all(plan: GamePlan, hands: Hands) -> tuple[Figures | None, bool]:
    """Play the games; return their figures, and False if the run was interrupted."""
    parts: list[Figures] = []
    try:
        with progress(plan.games, "Playing") as step:
            for count, each in outcomes(plan, hands):
                parts.append(each)
                step(count)
    except KeyboardInterrupt:
        pass
    figures = reduce(Figures.with_more, parts) if parts else None
    return figures, figures is not None and figures.games == plan.games


def player(plan: GamePlan, pack: Pack | None = None) -> Callable[[range], Figures]:
    """Return a function that plays a plan's games by number; `pack` is loaded unless given."""
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


def weights_of(plan: GamePlan, pack: Pack, simulator: Simulator) -> Weights | list[Weights] | None:
    """Return the weights for bots that do not search; None if all choose uniformly."""
    if bots.TRAINED not in plan.bots:
        return plan.taste.weight if plan.taste.weights else None
    learned = plan.learned or bots.learned_by(plan.bots, pack, simulator.setting, plan.pack)
    return [learned.taste if each == bots.TRAINED else {} for each in plan.bots]
