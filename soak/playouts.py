"""`python -m soak playouts`: a module plays the same games as sessions do, choice by choice."""

from __future__ import annotations

import random
import traceback
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.interpreter.simulator.chance import Dice, seeds
from rulesdsl.lower.fold import signed
from soak.games import settings
from soak.sitting import Case, Outcome, Sitting, results_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soak.games import Value

GAMES_A_SETTING = 8


class Different(AssertionError):  # noqa: N818 - says what is different
    """A module that plays another game than a session."""


@attrs.frozen
class Played:
    """A game that a session has played by chance: its choices, and its end."""

    choices: tuple[int, ...]
    trace: int
    game: rulesdsl.Game

    def row(self) -> dict[str, list[int]]:
        """Return what a run of a simulator tells of the game."""
        result = self.game.result
        assert result is not None
        return {
            "decisions": [len(self.choices)],
            "traces": [signed(self.trace)],
            "scores": [*result.scores],
            "places": [*result.places],
            "points": [number for _, points in result.breakdown for number in points],
        }


def run(
    pack: str, count: int, seed: int, jobs: int, players: int | None, mods: Sequence[str]
) -> int:
    """Play so many games in both ways, print what came of it, return the exit status."""
    chosen = settings(rulesdsl.load(pack, mods), -(-count // GAMES_A_SETTING), seed, players)

    def one(number: int) -> Case:
        setting = chosen[number]
        try:  # with a fresh pack: it keeps what it has compiled
            fresh = rulesdsl.load(pack, mods)
            compare(fresh, setting.players, setting.options, seed, GAMES_A_SETTING)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
            about = f"{setting} --seed {seed}: {error!r}"
            return Case(Outcome.FAILED, about, traceback.format_exc())
        return Case(Outcome.PLAYED)

    with results_in(None) as out:
        name = f"playouts {pack}, {GAMES_A_SETTING} games of each setting"
        return Sitting(name, range(len(chosen)), one, out).run(jobs)


def by_choices(
    pack: rulesdsl.Pack, players: int, options: Mapping[str, Value], run: int, number: int
) -> Played:
    """Play a game of a run in a session, as a simulator plays it."""
    seed, choices = seeds(run, number)
    dice = Dice(choices)
    game = pack.new_game(players, seed, options, log=False)
    chosen: list[int] = []
    while decision := game.decision:
        dice.asked(decision.count, decision.player - 1)
        chosen.append(dice.below(decision.count))
        game.choose(chosen[-1], decision.player)
    return Played(tuple(chosen), dice.trace, game)


def compare(
    pack: rulesdsl.Pack, players: int, options: Mapping[str, Value], run: int, count: int
) -> None:
    """Play games of a run in both ways; Different where they are not the same.

    They are equal at every decision, at the end, and in the middle of each first one.
    """
    simulator = pack.simulator(players, options)
    if simulator.in_python:
        raise Different("there is no other back end to compare with")
    found = simulator.playouts(count, run)
    for number in range(count):
        played = by_choices(pack, players, options, run, number)
        for name, numbers in played.row().items():
            every = found.numbers[name].tolist()
            width = len(every) // count
            if every[number * width :][:width] != numbers:
                raise Different(f"game {number}: other {name} than by choices")
        _same_states(pack, simulator, options, played, seeds(run, number)[0])


def _same_states(
    pack: rulesdsl.Pack,
    simulator: rulesdsl.Simulator,
    options: Mapping[str, Value],
    played: Played,
    seed: int,
) -> None:
    """Carry out the choices of a game in a module, with a look at the state on the way."""
    middle = random.Random(seed).randint(0, len(played.choices))
    game = pack.new_game(played.game.players, seed, options, log=False)
    for choice in played.choices[:middle]:
        decision = game.decision
        assert decision is not None
        game.choose(choice, decision.player)
    simulator.begin(seed)
    simulator.choose(*played.choices[:middle])
    if _data(simulator.to_game()) != _data(game):
        raise Different(f"another state at decision {middle}")
    position = simulator.save()
    simulator.choose(*played.choices[middle:])
    if _data(simulator.to_game()) != _data(played.game):
        raise Different("another state at the end")
    simulator.begin(seed + 1)
    simulator.from_game(game)
    if not game.over and simulator.save() != position and simulator.decision is None:
        raise Different("a position came in otherwise than it went out")
    simulator.choose(*played.choices[middle:])
    if _data(simulator.to_game()) != _data(played.game):
        raise Different("another state at the end, on from a session")


def _data(game: rulesdsl.Game) -> dict[str, object]:
    """Return a game as data; a list in a frame that is not made yet is none."""
    data = game.to_data()
    state = dict(data["state"])
    state["frames"] = [[each or 0 for each in frame] for frame in state["frames"]]
    return {**data, "state": state, "seed": 0}
