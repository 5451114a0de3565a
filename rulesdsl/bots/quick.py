"""Flat Monte Carlo with sequential halving; sampling of worlds, and evaluation of results."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import ceil, exp, log2, sqrt, tanh

import attrs

from rulesdsl.bots.bot import ByWeight, decision_of
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.mixing import (
    SealedOptions,
    Tried,
    drawn_answer,
    mixes,
    of_player,
    sealed_options,
    shares,
)
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.display.results import Outcome, Playouts, playout_outcomes
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.knowledge.sampling import NoWorld
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.simulator.action_space import Weighing, Weights
from rulesdsl.interpreter.simulator.simulator import Simulator


@attrs.define
class Judge:
    """Evaluator of finished games: a value from 0 to 1 per player, scaled for one decision."""

    # Half of the value is victory, half the lead in points. Victories alone say nothing in
    # one-sided positions, and points alone would put victories at risk. Leads are scaled by the
    # spread of leads in the first games valued, so there are no constants for each game. Players
    # who win or lose together share a lead: their mean score over the best other seat.

    _setting: CompiledSetting
    _centre: float = 0.0
    _spread: float = 0.0

    def values(self, found: Playouts) -> list[list[float]]:
        """Evaluate each game for each player; the first call sets the scale."""
        width, players = len(found.seats), self._setting.layout.players
        every = found.numbers["scores"]
        games = [every[at * width : (at + 1) * width] for at in range(found.games)]
        if not self._spread:  # leads are scaled by mean and standard deviation
            leads = [self._lead(scores, at) for scores in games for at in range(width)]
            many = max(len(leads), 1)
            self._centre = sum(leads) / many
            squares = sum((each - self._centre) ** 2 for each in leads)
            self._spread = max(1.0, sqrt(squares / many))
        return [
            [self._value(outcomes[at], scores, at) for at in range(players)]
            for outcomes, scores in zip(playout_outcomes(found), games, strict=True)
        ]

    def _value(self, outcome: Outcome, scores: Sequence[int], at: int) -> float:
        lead = (1 + tanh((self._lead(scores, at) - self._centre) / self._spread)) / 2
        return (outcome.share + lead) / 2 if outcome.rivals > 1 else lead

    def _lead(self, scores: Sequence[int], at: int) -> float:
        """Return a seat's lead over the best other seat; its score if it is the only one."""
        if self._setting.cooperative:
            players = self._setting.layout.players
            return sum(scores[:players]) / players - max(scores[players:], default=0)
        others = [*scores[:at], *scores[at + 1 :]]
        return scores[at] - max(others) if others else scores[at]


ITERATIONS = 100  # about 10 ms in a long game with 4 players
WORLDS = 4  # worlds in a round, if there are enough iterations
PLAYOUTS = 2  # minimum playouts of an option in a world
WIDEST = 16  # options considered, best learned weights first
FIRST = 12  # games that calibrate the scale of leads before a sealed question is answered
REUSED = 8  # joint answers played out in each world; sampling costs about as much as a playout
JOINT = 4  # joint answers in an iteration: they try everybody's options at once
TRUST = 0.3  # worth of a unit of learned log weight, relative to a single playout


@attrs.frozen
class Quick:
    """Bot that plays out its options: flat Monte Carlo with sequential halving."""

    # Each round samples worlds consistent with the player's information, plays all remaining
    # options from the same worlds with the same random numbers, and drops the worse half. Playouts
    # use learned weights. The learned weight of an option counts as a prior, fading with the root
    # of its playouts.
    #
    # A sealed question has no best option: if all bots took it, it would not be the best. All
    # players' answers are drawn together and played out, each player learns by regret matching,
    # and the answer is drawn from the player's frequencies. `Strong` does the same in its tree.

    worlds: Worlds
    thought: Thought = attrs.Factory(Thought)

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of the best option, or of a drawn answer in secret; see `Bot`."""
        try:
            if mixes(game, player):
                return drawn_answer(self._answered(game, player, seed), seed)
            return self._tried(game, player, seed)[0][0]
        except NoWorld:
            return self.worlds.by_weight.choose(game, player, seed)

    def estimates(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        """Return (index, value) for each option tried, with values from 0 to 1.

        Options that survived more rounds come first: their values rest on more games. At a sealed
        decision the values are shares of a mixed strategy. The list is empty if no world fits what
        the player knows.
        """
        try:
            if mixes(game, player):
                return shares(self._answered(game, player, seed))
            return self._tried(game, player, seed)
        except NoWorld:
            return []

    def _tried(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        decision = decision_of(game, player)
        if decision.count == 1:
            return [(0, 0.5)]
        thinking = self.thought.begin(ITERATIONS)
        chance = random.Random(seed)  # noqa: S311 - not cryptographic
        judge, worlds = Judge(game.setting), self.worlds.of(game, player, chance)
        learned = self.worlds.learned(game, player)
        totals, counts = [0.0] * decision.count, [0] * decision.count
        order = sorted(range(decision.count), key=learned.__getitem__, reverse=True)
        rivals, dropped = order[:WIDEST], order[WIDEST:]

        def merit(option: int) -> float:
            mean = totals[option] / counts[option]
            return mean + TRUST * learned[option] / sqrt(counts[option])

        rounds = ceil(log2(len(rivals)))
        for number in range(1, rounds + 1):
            share = number / rounds
            games = max(PLAYOUTS, thinking.room(share) // (len(rivals) * WORLDS))
            while thinking.goes_on(share) or not counts[rivals[-1]]:
                world = next(worlds)
                run = chance.getrandbits(63)
                for option in rivals:
                    playouts = self.worlds.play_on(world, (option,), run, games)
                    totals[option] += sum(value[player - 1] for value in judge.values(playouts))
                    counts[option] += games
                thinking.done += games * len(rivals)
            rivals.sort(key=merit, reverse=True)
            half = ceil(len(rivals) / 2)
            rivals, dropped = rivals[:half], rivals[half:] + dropped
        return [(at, totals[at] / counts[at]) for at in [*rivals, *dropped] if counts[at]]

    def _answered(self, game: Game, player: int, seed: int) -> list[Tried]:
        """Return statistics of a player's answers to a sealed question."""
        if decision_of(game, player).count == 1:
            return [Tried(1)]
        thinking = self.thought.begin(ITERATIONS)
        chance = random.Random(seed)  # noqa: S311 - not cryptographic
        judge, worlds = Judge(game.setting), self.worlds.of(game, player, chance)
        judge.values(self.worlds.play_on(next(worlds), (), chance.getrandbits(63), FIRST))
        tables: dict[int, dict[int, Tried]] = defaultdict(dict)
        while thinking.goes_on() or not tables:
            world = next(worlds)
            players = [*self.worlds.sealed(world, tables)]
            for _ in range(REUSED):
                answers = [options.draw(chance) for options in players]
                choices, run = [at for at, _ in answers], chance.getrandbits(63)
                (values,) = judge.values(self.worlds.play_on(world, choices, run))
                for _, visit in answers:
                    visit.learn(values[visit.player - 1])
            thinking.done += REUSED // JOINT
        return of_player(tables[player], game, player)


COOL = 2.0  # temperature of the learned prior in searches
MOST = 400  # decisions after which a playout is cut off and scored


@attrs.define(slots=False)
class Worlds:
    """Sampler of worlds, and playouts from them with learned weights."""

    simulator: Simulator
    knowledge: Learned = attrs.Factory(Learned)
    _likely: dict[tuple[int, tuple[int, ...]], float] = attrs.Factory(dict)

    @cached_property
    def _taste(self) -> Weights:
        return self.knowledge.taste

    @cached_property
    def by_weight(self) -> ByWeight:
        """The bot that chooses where no world fits what it knows."""
        return ByWeight(self._taste)

    @cached_property
    def _weighing(self) -> Weighing:
        return self.simulator.weighing(self._taste)

    def learned(self, game: Game, player: int) -> list[float]:
        """Return the log weights of a player's options (players are numbered from 1)."""
        names = game.setting.option_names
        levels = game.setting.levels(game.state, self._taste, player)
        options = decision_of(game, player).numbered
        return [self.knowledge.logarithm(names[each], levels) for each in options]

    def likely(self, player: int, options: Sequence[int]) -> list[float]:
        """Return the prior weights for the options at the simulator's position."""
        levels, known = self.simulator.levels(self._taste, player), self._likely
        found = []
        for each in options:
            key = each, levels
            if key not in known:
                name = self.simulator.setting.option_names[each]
                known[key] = exp(self.knowledge.logarithm(name, levels) / COOL)
            found.append(known[key])
        return found

    def of(self, game: Game, player: int, chance: random.Random) -> Iterator[bytes]:
        """Yield an endless series of worlds that fit what a player (numbered from 1) knows.

        Raises NoWorld if none is found.
        """
        return self.simulator.worlds(game, player, iter(lambda: chance.getrandbits(63), -1))

    def sealed(
        self, world: bytes, tables: Mapping[int, dict[int, Tried]]
    ) -> Iterator[SealedOptions]:
        """Yield the options of each player in a sealed question, with statistics from a table."""
        self.simulator.restore(world)
        last, question = 0, self.simulator.question
        while question and question.sealed and question.player > last:
            likely = self.likely(question.player, question.options)
            order = sorted(range(len(likely)), key=likely.__getitem__, reverse=True)
            yield sealed_options(tables[question.player], question, order[:WIDEST], likely)
            self.simulator.choose(0)  # no player's options depend on another's answer
            last, question = question.player, self.simulator.question

    def play_on(self, world: bytes, choices: Sequence[int], run: int, count: int = 1) -> Playouts:
        """Play games from a world, beginning with the given choices."""
        return self.simulator.playouts(
            count, run, position=world, choices=choices, weights=self._weighing, most=MOST
        )
