"""`coloma train`: bots learn a game by playing against themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PackName
from coloma.errors import INTERRUPTED
from coloma.output import say

if TYPE_CHECKING:
    from coloma.loading import Chosen
    from rulesdsl.bots.training import Learned
    from rulesdsl.interpreter.simulator.simulator import Weights

_MEASURED = 400  # house: games that show how good the weights are


def train(
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", min=1, help="How many games, all players together."),
    ] = 8000,
    players: Annotated[
        int | None,
        typer.Option("--players", metavar="N", help="How many play; by default all in turn."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="The same seed teaches the same.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where to; by default bots/trained.toml of the game.",
        ),
    ] = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """Let bots learn a game by playing against themselves, and write down what they learned.

    Interrupted, it writes what has been learned so far.
    """
    from coloma.files import write_whole
    from coloma.loading import load_setting
    from rulesdsl.bots.weights import FILE, written

    chosen = load_setting(pack, mod, option, players)
    numbers = [players] if players else _every_number(chosen)
    learned, status = _learn(chosen, numbers, games, seed)
    path = out or chosen.selection.game / FILE
    write_whole(path, written(learned, chosen.pack, seed))
    if status:
        say(f"interrupted after {learned.games} of {games} games: this is not all", err=True)
    say(f"{len(learned.weights)} options, learned in {learned.games} games: {path}")
    if not status:
        for each in numbers:
            _measure(chosen, each, learned)
    raise typer.Exit(status)


def _every_number(chosen: Chosen) -> list[int]:
    least, most = chosen.pack.players
    return [*range(least, most + 1)]


def _learn(chosen: Chosen, numbers: list[int], games: int, seed: int) -> tuple[Learned, int]:
    """Play batch by batch, one number of players after the other; return the exit status too."""
    from rulesdsl.bots.training import Learned, train

    learned = Learned()
    try:
        simulators = [chosen.pack.simulator(each, chosen.options) for each in numbers]
        for each in train(simulators, learned, games, seed):
            learned = each
            say(f"{learned.games} of {games} games", err=True)
    except KeyboardInterrupt:
        return learned, INTERRUPTED
    return learned, 0


def _measure(chosen: Chosen, players: int, learned: Learned) -> None:
    """Say how often one that has learned wins against others that choose at random."""
    from coloma.simulation.intervals import share

    if players == 1:
        return
    simulator = chosen.pack.simulator(players, chosen.options)
    each = -(-_MEASURED // players)
    won = 0
    for seat in range(players):
        weights: list[Weights] = [learned.weigh if at == seat else {} for at in range(players)]
        won += simulator.playouts(each, seed=1, weights=weights).totals.wins[seat]
    say(f"{players} players: {share(won, each * players)} of games won against random bots")
