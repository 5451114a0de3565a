"""`python -m soak playouts`: test that WebAssembly plays the same games as sessions."""

from __future__ import annotations

import random
import traceback
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.interpreter.simulator.runner import Dice, seeds
from rulesdsl.lower.flat.walk import signed
from soak.games import settings
from soak.sitting import Case, Outcome, Sitting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soak.games import Value

GAMES_A_SETTING = 8


class Different(AssertionError):  # noqa: N818 - the name describes the failure
    """Difference between a game in WebAssembly and the same game in a session."""


@attrs.frozen
class Played:
    """Random game played in a session: its choices, a digest, and its final position."""

    choices: tuple[int, ...]
    trace: int
    game: rulesdsl.Game

    def row(self) -> dict[str, list[int]]:
        """Return the game's numbers as a simulator reports them."""
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
    """Play games in both back ends and print the results; return the exit status."""
    chosen = settings(rulesdsl.load(pack, mods), -(-count // GAMES_A_SETTING), seed, players)

    def one(number: int) -> Case:
        setting = chosen[number]
        try:  # loaded again, because packs cache compiled code
            fresh = rulesdsl.load(pack, mods)
            compare(fresh, setting.players, setting.options, seed, GAMES_A_SETTING)
        except Exception as error:  # noqa: BLE001 - any exception is a failure
            about = f"{setting} --seed {seed}: {error!r}"
            return Case(Outcome.FAILED, about, traceback.format_exc())
        return Case(Outcome.PLAYED)

    name = f"playouts {pack}, {GAMES_A_SETTING} games of each setting"
    return Sitting(name, range(len(chosen)), one).run(jobs)


def by_choices(
    pack: rulesdsl.Pack, players: int, options: Mapping[str, Value], run: int, number: int
) -> Played:
    """Play a game in a session, with the random numbers of game `number` in a simulator's run."""
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
    """Play `count` games in both back ends; raise `Different` unless they are the same.

    The results are compared, as are the states at a random decision and at the end.
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
    """Replay a game in WebAssembly, and compare the states at a random decision and at the end."""
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
    """Return a game as data; lists not yet created in frames count as empty."""
    data = game.position_data()
    state = dict(data["state"])
    state["frames"] = [[each or 0 for each in frame] for frame in state["frames"]]
    return {**data, "state": state, "seed": 0}
