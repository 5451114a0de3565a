"""Information-set Monte Carlo tree search.

Each iteration draws a world that the player cannot tell from the real one, walks down one tree
that all worlds share, adds a node and plays the game out.  A node is known by the choices that led
to it; of its options only those count that are offered in the world at hand.  Which one is walked
is decided by what it was worth so far, how seldom it was tried, and how often bots take it that
have learned the game (PUCT).  Where many options are offered, the likely ones come first and the
others little by little (progressive widening).  What all choose in secret is a table for each
player: nobody's choice depends on the others'.

Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012.
"""

from __future__ import annotations

import random
import time
from math import ceil, exp, sqrt
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.bot import decision_of
from rulesdsl.bots.judge import Judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.bots.worlds import World, Worlds
    from rulesdsl.interpreter.game import Game

ITERATIONS = 400  # house: about 0.3 s of Coloma with 4 players
REUSED = 4  # house: iterations from one world; to draw another takes longer than a playout
CURIOSITY = 0.6  # house: how much it counts that an option was seldom tried
WIDENING = 2.0  # house: so many options times the root of the visits are looked at


@attrs.define
class _Tried:
    """How often an option was taken, and what it was worth to who chooses."""

    count: int = 0
    total: float = 0.0


@attrs.define
class _Node:
    """A question after certain choices: what was tried, by player, and where that led."""

    tried: dict[int, dict[int, _Tried]] = attrs.Factory(dict)
    visits: int = 0
    after: dict[tuple[int, ...], _Node] = attrs.Factory(dict)


Step = tuple[int, _Tried]
"""A player (from 1), and the option that they took."""


@attrs.frozen
class Strong:
    """One that searches; for so many iterations, or so many seconds if there are any."""

    worlds: Worlds
    iterations: int = ITERATIONS
    seconds: float | None = None

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of the option that was tried most; see `Bot`."""
        return self.estimates(game, player, seed)[0][0]

    def estimates(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        """Return options with what they are worth (from 0 to 1), those tried most often first."""
        decision = decision_of(game, player)
        if decision.count == 1:
            return [(0, 0.5)]
        search = _Search(self.worlds, Judge(game.setting), random.Random(seed))  # noqa: S311
        end = None if self.seconds is None else time.monotonic() + self.seconds
        done = 0
        while done < self.iterations if end is None else time.monotonic() < end or not done:
            world = self.worlds.draw(game, player, search.chance)
            for _ in range(REUSED):
                search.iterate(world)
            done += REUSED
        tried = search.root.tried.get(player, {})
        found = [tried.get(number, _Tried()) for number in decision.numbered]
        order = sorted(range(len(found)), key=lambda at: (-found[at].count, -found[at].total))
        return [(at, found[at].total / max(found[at].count, 1)) for at in order]


@attrs.define
class _Search:
    worlds: Worlds
    judge: Judge
    chance: random.Random
    root: _Node = attrs.Factory(_Node)

    def iterate(self, world: World) -> None:
        """Walk down the tree in a world, play the game out, and note what it was worth."""
        simulator = self.worlds.simulator
        simulator.restore(world.position)
        simulator.choose(*world.before)
        path: list[Step] = []
        self._walk(path)
        found = self.worlds.play_on(self.chance.getrandbits(63))
        (values,) = self.judge.values(found)
        for player, tried in path:
            tried.count += 1
            tried.total += values[player - 1]

    def _walk(self, path: list[Step]) -> None:
        """Take options down to the first that is new, or to the end of the game."""
        simulator, node = self.worlds.simulator, self.root
        secret: list[int] = []
        while (asked := simulator.decision) is not None:
            player, count = asked
            sealed, options = simulator.offered
            if count == 1 and not sealed:
                simulator.choose(0)
                continue
            if not secret:
                node.visits += 1
            at = self._selected(node, player, options)
            simulator.choose(at)
            tried = node.tried[player].setdefault(options[at], _Tried())
            path.append((player, tried))
            secret.append(options[at])
            if sealed and _goes_on(simulator.offered[0], simulator.decision, player):
                continue
            if not tried.count:
                return
            node = node.after.setdefault(tuple(secret), _Node())
            secret = []

    def _selected(self, node: _Node, player: int, options: Sequence[int]) -> int:
        """Return the index of the option to walk."""
        table = node.tried.setdefault(player, {})
        names = self.worlds.simulator.setting.option_names
        likely = [exp(self.worlds.learned(names[each])) for each in options]
        share = sum(likely)
        many = ceil(WIDENING * sqrt(node.visits))
        wide = sorted(range(len(options)), key=likely.__getitem__, reverse=True)[:many]
        tried = {at: table.get(options[at], _Tried()) for at in wide}
        visits = sum(each.count for each in tried.values())
        mean = sum(each.total for each in tried.values()) / visits if visits else 0.5
        eager = CURIOSITY * sqrt(visits + 1)

        def merit(at: int) -> float:
            worth = tried[at].total / tried[at].count if tried[at].count else mean
            return worth + eager * likely[at] / share / (1 + tried[at].count)

        return max(wide, key=merit)


def _goes_on(sealed: bool, asked: tuple[int, int] | None, player: int) -> bool:  # noqa: FBT001
    """Whether the next one chooses in secret, too: they are asked in their order."""
    return sealed and asked is not None and asked[0] > player
