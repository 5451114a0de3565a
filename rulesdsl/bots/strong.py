"""Information-set Monte Carlo tree search.

Each iteration draws a world that the player cannot tell from the real one, walks down one tree
that all worlds share, adds a node and plays the game out.  A node is known by the choices that led
to it; of its options only those count that are offered in the world at hand.  Which one is walked
is decided by what it was worth so far, how seldom it was tried, and how often bots take it that
have learned the game (PUCT).  Where many options are offered, the likely ones come first and the
others little by little (progressive widening).

What all choose in secret is a table for each player at one node: nobody's choice depends on the
others'.  Who always takes what was best so far is found out there, and two who do so see only what
happens when both take the same.  So options are drawn, in proportion to how much one would rather
have taken them (regret matching), and so is the choice in the end.

No tree is kept for the next decision.  What a bot chooses depends on nothing but the position, the
seed and the iterations: a game that is resumed, or in which a choice was taken back, goes on as it
would have, and a tree that knew other worlds could tell what its player must not know.

Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012; Lanctot, Lisy and
Winands, "Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel", 2013;
the prior as in AlphaZero.
"""

from __future__ import annotations

import random
from math import ceil, sqrt
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.bot import decision_of
from rulesdsl.bots.by_weight import drawn
from rulesdsl.bots.judge import Judge
from rulesdsl.bots.thought import Thought

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.bots.worlds import Worlds
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.question import Question

ITERATIONS = (
    1000  # house: 0.3 to 0.4 s of a long game with 4 players; with 700 it may lose at noughts
)
REUSED = 4  # house: walks down the tree in one world; to draw another takes as long as a walk
CURIOSITY = 0.6  # house: how much it counts that an option was seldom tried
WIDENING = 2.0  # house: so many options times the root of the visits are looked at
FIRST = 24  # house: games that show how far leads are spread
SEARCHING = 0.2  # house: in secret, how often any option is taken, as often as it is likely
MIXED = (
    0.4  # house: in secret, only those are chosen that came this often beside the most frequent
)


@attrs.define
class _Tried:
    """How often an option was taken, and what it was worth to who chooses."""

    count: int = 0
    total: float = 0.0
    regret: float = 0.0
    """How much better it would have been than what was taken in secret, all in all."""

    def worth(self, else_: float) -> float:
        """Return what it was worth on average; something else where it was never taken."""
        return self.total / self.count if self.count else else_


@attrs.define
class _Node:
    """A question after certain choices: what was tried, by player, and where that led."""

    tried: dict[int, dict[int, _Tried]] = attrs.Factory(dict)
    visits: int = 0
    after: dict[tuple[int, ...], _Node] = attrs.Factory(dict)


@attrs.frozen
class _Step:
    """An option that a player (from 1) took, and in secret all that they looked at."""

    player: int
    taken: _Tried
    beside: Sequence[_Tried] = ()

    def learn(self, value: float) -> None:
        """Take in what it was worth."""
        self.taken.count += 1
        self.taken.total += value
        for each in self.beside:
            each.regret += each.worth(value) - value


@attrs.frozen
class Strong:
    """One that searches."""

    worlds: Worlds
    thought: Thought = attrs.Factory(Thought)

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of an option; see `Bot`."""
        found = self._searched(game, player, seed)
        best = max(range(len(found)), key=lambda at: (found[at].count, found[at].total))
        if not decision_of(game, player).sealed:
            return best
        enough = MIXED * found[best].count
        likely = [each.count if each.count >= enough else 0 for each in found]
        return drawn(likely, random.Random(seed).getrandbits(64))  # noqa: S311 - it plays games

    def estimates(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        """Return the options that were tried with what they are worth, from 0 to 1.

        Those that were tried most often are the first.
        """
        found = self._searched(game, player, seed)
        order = sorted(range(len(found)), key=lambda at: (-found[at].count, -found[at].total))
        return [(at, found[at].total / found[at].count) for at in order if found[at].count]

    def _searched(self, game: Game, player: int, seed: int) -> list[_Tried]:
        """Return what was found of each option."""
        decision = decision_of(game, player)
        if decision.count == 1:
            return [_Tried(1, 0.5)]
        thinking = self.thought.begin(ITERATIONS)
        search = _Search(self.worlds, Judge(game.setting), random.Random(seed))  # noqa: S311
        worlds = self.worlds.of(game, player, search.chance)
        thinking.done += search.look_around(next(worlds))
        while thinking.goes_on() or not search.root.visits:
            world = next(worlds)
            for _ in range(REUSED):
                search.iterate(world)
                thinking.done += 1
        tried = search.root.tried.get(player, {})
        return [tried.get(number) or _Tried() for number in decision.numbered]


@attrs.define
class _Search:
    worlds: Worlds
    judge: Judge
    chance: random.Random
    root: _Node = attrs.Factory(_Node)

    def look_around(self, world: bytes) -> int:
        """Play some games, which show how far leads are spread; return how many."""
        self.judge.values(self.worlds.play_on(world, (), self.chance.getrandbits(63), FIRST))
        return FIRST

    def iterate(self, world: bytes) -> None:
        """Walk down the tree in a world, play the game out, and note what it was worth."""
        simulator = self.worlds.simulator
        simulator.restore(world)
        path: list[_Step] = []
        self._walk(path)
        found = self.worlds.play_on(simulator.save(), (), self.chance.getrandbits(63))
        (values,) = self.judge.values(found)
        for step in path:
            step.learn(values[step.player - 1])

    def _walk(self, path: list[_Step]) -> None:
        """Take options down to the first that is new, or to the end of the game."""
        simulator, node = self.worlds.simulator, self.root
        secret: list[int] = []
        question = simulator.question
        while question is not None:
            player, options = question.player, question.options
            if len(options) == 1 and not question.sealed:
                simulator.choose(0)
                question = simulator.question
                continue
            if not secret:
                node.visits += 1
            select = self._drawn if question.sealed else self._selected
            at, step = select(node, player, options)
            simulator.choose(at)
            path.append(step)
            secret.append(options[at])
            sealed, question = question.sealed, simulator.question
            if sealed and _goes_on(question, player):
                continue
            if not step.taken.count:
                return
            node = node.after.setdefault(tuple(secret), _Node())
            secret = []

    def _wide(self, node: _Node, likely: Sequence[float]) -> Sequence[int]:
        """Return the indexes of the options that are looked at by now."""
        many = ceil(WIDENING * sqrt(node.visits))
        if many >= len(likely):
            return range(len(likely))
        return sorted(range(len(likely)), key=likely.__getitem__, reverse=True)[:many]

    def _selected(self, node: _Node, player: int, options: Sequence[int]) -> tuple[int, _Step]:
        """Return the index of the option to walk: good ones, and those seldom tried."""
        table = node.tried.setdefault(player, {})
        likely = self.worlds.likely(player, options)
        wide = self._wide(node, likely)
        tried = [table.get(options[at]) for at in wide]
        visits = sum(each.count for each in tried if each)
        mean = sum(each.total for each in tried if each) / visits if visits else 0.5
        eager = CURIOSITY * sqrt(visits + 1) / sum(likely)
        best, most = 0, -1.0
        for at, each in zip(wide, tried, strict=True):
            count = each.count if each else 0
            merit = (each.total / count if each and count else mean) + eager * likely[at] / (
                1 + count
            )
            if merit > most:
                best, most = at, merit
        return best, _Step(player, table.setdefault(options[best], _Tried()))

    def _drawn(self, node: _Node, player: int, options: Sequence[int]) -> tuple[int, _Step]:
        """Return the index of the option to walk in secret."""
        table = node.tried.setdefault(player, {})
        likely = self.worlds.likely(player, options)
        wide = self._wide(node, likely)
        tried = [table.setdefault(options[at], _Tried()) for at in wide]
        chances = [likely[at] for at in wide]
        regrets = [max(each.regret, 0.0) for each in tried]
        if sum(regrets) and self.chance.random() >= SEARCHING:
            chances = regrets
        (at,) = self.chance.choices(range(len(wide)), chances)
        return wide[at], _Step(player, tried[at], tried)


def _goes_on(question: Question | None, player: int) -> bool:
    """Whether the next one chooses in secret, too: they are asked in their order."""
    return question is not None and question.sealed and question.player > player
