"""`coloma train`: weights for bots, learned by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PackName, Seed, number
from coloma.output import INTERRUPTED, CommandError, say
from rulesdsl.source.ranges import GAMES, PLAYERS

if TYPE_CHECKING:
    from coloma.loading import LoadedSelection
    from rulesdsl.bots.learned import Learned
    from rulesdsl.interpreter.simulator.action_space import Weights

_MEASURED = 400  # house: games against random bots, to measure the strength of the weights


def train(
    games: Annotated[
        int, number("--games", GAMES, "Total number of games, across all player counts.")
    ] = 8000,
    players: Annotated[
        int | None,
        number(
            "--players", PLAYERS, "Number of players; by default, each possible number in turn."
        ),
    ] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file to write; by default, bots/trained.toml in the game's folder.",
        ),
    ] = None,
    holding: Annotated[
        list[str] | None,
        typer.Option(
            "--holding",
            metavar="WHAT",
            help="Up to 3 amounts that bots take into account, such as `cards in hand`; by"
            " default, those from the last training run.",
        ),
    ] = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """Train bots by self-play, and save their weights.

    The bots play against themselves and against random bots. If interrupted, the command saves
    the weights learned so far.
    """
    from coloma.files import check_can_write, write_whole
    from coloma.loading import load_setting
    from rulesdsl.bots.weights import FILE, written

    chosen = load_setting(pack, mod, option, players)
    least, most = chosen.pack.players
    numbers = [players] if players else [*range(least, most + 1)]
    path = out or chosen.selection.game / FILE
    check_can_write(path)
    holdings = _holdings(chosen, holding)
    learned, status = _learn(chosen, numbers, games, seed, holdings)
    write_whole(path, written(learned, chosen.pack, seed))
    if status:
        say(
            f"interrupted after {learned.games} of {games} games; the weights are preliminary",
            err=True,
        )
    say(f"options: {len(learned.weights)}, games: {learned.games}, weights: {path}")
    if not status:
        for each in numbers:
            _measure(chosen, each, learned)
    raise typer.Exit(status)


def _holdings(chosen: LoadedSelection, asked: list[str] | None) -> list[str]:
    """Return the amounts that bots consider; raise `CommandError` for an unknown one."""
    from rulesdsl.bots.learned import Learned
    from rulesdsl.bots.weights import FILE, holdings_in
    from rulesdsl.interpreter.simulator.action_space import holdings_for

    found = asked or holdings_in(chosen.selection.game / FILE)
    taste = Learned(held={each: {} for each in found}).taste
    try:
        setting = chosen.pack.setting(chosen.pack.players[0], chosen.options, log=False)
        holdings_for(taste, setting.holdings)
    except ValueError as error:
        raise CommandError(f"--holding: {error}") from None
    return [*dict.fromkeys(found)]


def _learn(
    chosen: LoadedSelection, numbers: list[int], games: int, seed: int, holdings: list[str]
) -> tuple[Learned, int]:
    from rulesdsl.bots.learned import Learned
    from rulesdsl.bots.training import train

    learned = Learned(held={each: {} for each in holdings})
    try:
        simulators = [chosen.pack.simulator(each, chosen.options) for each in numbers]
        for each in train(simulators, learned, games, seed):
            learned = each
            say(f"{learned.games} of {games} games", err=True)
    except KeyboardInterrupt:
        return learned, INTERRUPTED
    return learned, 0


def _measure(chosen: LoadedSelection, players: int, learned: Learned) -> None:
    from coloma.simulation.tables import PERCENT, about
    from rulesdsl.figures.intervals import Confidence
    from rulesdsl.figures.uses import winners

    if players == 1:
        return
    simulator = chosen.pack.simulator(players, chosen.options)
    each = -(-_MEASURED // players)
    won = 0
    for seat in range(players):
        weights: list[Weights] = [learned.taste if at == seat else {} for at in range(players)]
        won += sum(game[seat] for game in winners(simulator.playouts(each, 1, weights=weights)))
    share = Confidence(planned=each * players).share(won, each * players).scaled(PERCENT)
    say(f"{players} players: {about(share, ' %')} of games won against random bots")
