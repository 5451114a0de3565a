"""Information-set Monte Carlo tree search, for strong bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import ceil, sqrt

import attrs

from rulesdsl.bots.bot import decision_of
from rulesdsl.bots.mixing import (
    Tried,
    Visit,
    drawn_answer,
    mixes,
    of_player,
    sealed_options,
    shares,
)
from rulesdsl.bots.quick import Judge, Worlds
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.knowledge.sampling import NoWorld
from rulesdsl.interpreter.simulator.runner import OpenQuestion

# 0.3 to 0.4 s in a long game with 4 players; with 700 it may lose even trivial games
ITERATIONS = 1000
REUSED = 4  # walks down the tree for each world; sampling costs about as much as a walk
CURIOSITY = 0.6  # weight of the exploration bonus
WIDENING = 2.0  # number of options considered, times the root of the visits
OFTEN = 0.5  # share of the visits of the favourite that makes a value reliable
FIRST = 24  # games that calibrate the scale of leads


@attrs.define
class _Node:
    """A decision after a sequence of choices: statistics for each player, and child nodes."""

    tried: dict[int, dict[int, Tried]] = attrs.Factory(dict)
    visits: int = 0
    after: dict[tuple[int, ...], _Node] = attrs.Factory(dict)


# Information-set Monte Carlo tree search. Each iteration samples a world consistent with the
# player's information, walks down one tree shared by all worlds, adds a node and plays the game
# out. A node is identified by the choices that led to it; only its options that are legal in the
# current world are considered. The walk maximises value plus an exploration bonus, weighted by a
# learned prior (PUCT); with many options the likely ones come first and the others are added as
# visits grow (progressive widening).
#
# A simultaneous decision is one node with a table of options for each player, since no choice
# depends on another. Greedy selection is exploitable there, and if all players are greedy, only
# one outcome is ever explored. So options are drawn in proportion to their regret (regret
# matching), and the final choice is drawn by the frequencies of the options taken.
#
# The tree is not reused for the next decision. The choice depends only on position, seed and
# iterations, so a game continues in the same way after it is resumed or a choice is undone; also,
# a tree from other worlds could leak hidden information.
#
# Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012; Lanctot, Lisy
# and Winands, "Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel",
# 2013; the prior as in AlphaZero.
@attrs.frozen
class Strong:
    """Bot that searches a tree over sampled worlds."""

    worlds: Worlds
    thought: Thought = attrs.Factory(Thought)

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of an option; see `Bot`."""
        try:
            options = self._searched(game, player, seed)
        except NoWorld:
            return self.worlds.by_weight.choose(game, player, seed)
        if mixes(game, player):
            return drawn_answer(options, seed)
        return max(range(len(options)), key=lambda at: (options[at].count, options[at].total))

    def estimates(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        """Return (index, value) for options that were tried, with values from 0 to 1, best first.

        Options that are rated above the best one of those visited often are left out: the search
        has lost interest in them, so their values rest on a few lucky games. At a sealed decision
        the values are shares of a mixed strategy. The list is empty if no world fits what the
        player knows.
        """
        try:
            options = self._searched(game, player, seed)
        except NoWorld:
            return []
        if mixes(game, player):
            return shares(options)
        tried = [*enumerate(options)]
        enough = OFTEN * max(option.count for _, option in tried)
        best = max(option.total / option.count for _, option in tried if option.count >= enough)
        values = ((at, option.total / option.count) for at, option in tried if option.count)
        reliable = (rated for rated in values if rated[1] <= best)
        return sorted(reliable, key=lambda rated: -rated[1])

    def _searched(self, game: Game, player: int, seed: int) -> list[Tried]:
        decision = decision_of(game, player)
        if decision.count == 1:
            return [Tried(1, 0.5)]
        thinking = self.thought.begin(ITERATIONS)
        search = _Search(self.worlds, Judge(game.setting), random.Random(seed))  # noqa: S311
        worlds = self.worlds.of(game, player, search.chance)
        first = self.worlds.play_on(next(worlds), (), search.chance.getrandbits(63), FIRST)
        search.judge.values(first)  # sets the scale of the judge
        thinking.done += FIRST
        while thinking.goes_on() or not search.root.visits:
            world = next(worlds)
            for _ in range(REUSED):
                search.iterate(world)
                thinking.done += 1
        return of_player(search.root.tried.get(player, {}), game, player)


@attrs.define
class _Search:
    worlds: Worlds
    judge: Judge
    chance: random.Random
    root: _Node = attrs.Factory(_Node)

    def iterate(self, world: bytes) -> None:
        """Walk down the tree in a world, play the game out, and back up its value."""
        simulator = self.worlds.simulator
        simulator.restore(world)
        path: list[Visit] = []
        self._walk(path)
        found = self.worlds.play_on(simulator.save(), (), self.chance.getrandbits(63))
        (values,) = self.judge.values(found)
        for visit in path:
            visit.learn(values[visit.player - 1])

    def _walk(self, path: list[Visit]) -> None:
        """Choose options until one is unvisited or the game ends; append the visits to `path`."""
        simulator, node, secret = self.worlds.simulator, self.root, list[int]()
        question = simulator.question
        while question is not None:
            player, options = question.player, question.options
            if len(options) == 1 and not question.sealed:
                simulator.choose(0)
                question = simulator.question
                continue
            if not secret:
                node.visits += 1
            mixed = question.sealed and simulator.setting.layout.players > 1
            at, visit = (self._drawn if mixed else self._selected)(node, question)
            simulator.choose(at)
            path.append(visit)
            secret.append(options[at])
            sealed, question = question.sealed, simulator.question
            if sealed and question and question.sealed and question.player > player:
                continue
            if not visit.taken.count:
                return
            node = node.after.setdefault(tuple(secret), _Node())
            secret = []

    def _wide(self, node: _Node, likely: Sequence[float]) -> Sequence[int]:
        """Return the indexes of the options considered, given the number of visits."""
        many = ceil(WIDENING * sqrt(node.visits))
        if many >= len(likely):
            return range(len(likely))
        return sorted(range(len(likely)), key=likely.__getitem__, reverse=True)[:many]

    def _selected(self, node: _Node, question: OpenQuestion) -> tuple[int, Visit]:
        """Select an option by PUCT."""
        player, options = question.player, question.options
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
            value = each.total / count if each and count else mean
            merit = value + eager * likely[at] / (1 + count)
            if merit > most:
                best, most = at, merit
        return best, Visit(player, table.setdefault(options[best], Tried()))

    def _drawn(self, node: _Node, question: OpenQuestion) -> tuple[int, Visit]:
        """Sample an option in a simultaneous decision by regret matching."""
        table = node.tried.setdefault(question.player, {})
        likely = self.worlds.likely(question.player, question.options)
        wide = self._wide(node, likely)
        return sealed_options(table, question, wide, likely).draw(self.chance)
