"""`coloma report`: statistics on many games, as one page."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands import parameters
from coloma.output import INTERRUPTED, say

if TYPE_CHECKING:
    from coloma.loading import LoadedSelection
    from coloma.report.report import Extra
    from coloma.simulation.games import GamePlan

LENGTHS = 500  # house: games in the chart of lengths
LOOKED_AT = 100  # house: games in the chart of points over time; each is played 25 times


def report(
    context: typer.Context,
    pack: parameters.PackPath = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write the page to.")
    ] = Path("report.html"),
    games: parameters.Games = 2000,
    players: parameters.PlayerNumber = None,
    bots: parameters.Bots = "",
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = 1,
    together: Annotated[
        str | None,
        typer.Option("--together", metavar="KIND", help="Kind of entry to report in pairs."),
    ] = None,
    asked: parameters.Asked = None,
    option: parameters.OptionTexts = None,
    mod: parameters.ModNames = None,
    cluster: parameters.Cluster = None,
) -> None:
    """Let bots play many games, and write a page of statistics.

    The page works offline. It shows the strength of every entry and option, points over time and
    by source, pairs of entries that win together, results by seat, game lengths, unused entries,
    and the command that generated it. By default, the bots are `trained` if the game has weights,
    and otherwise `random`. If interrupted, the command reports the games played so far, notes that
    the result is partial, and exits with status 130. The command requires optional libraries: pip
    install 'coloma[report]'.
    """
    from coloma.bots import parse_bots
    from coloma.commands.games import words_again
    from coloma.files import check_can_write, write_whole
    from coloma.loading import load_setting
    from coloma.report.page import check_library
    from coloma.report.report import Extra, Reported
    from coloma.simulation.games import play_all
    from coloma.simulation.work import Hands
    from rulesdsl.figures.uses import groups_of

    check_library()
    hands = Hands(jobs, cluster)
    check_can_write(out)
    named = parse_bots(bots) if bots else ()
    chosen = load_setting(pack, mod, option, players or len(named) or None)
    plan = _plan(chosen, bots, games, seed, together, asked)
    began = time.perf_counter()
    figures, complete = play_all(plan, hands)
    if figures is None:
        say("interrupted before the first games were played: nothing was written", err=True)
        raise typer.Exit(INTERRUPTED)
    extra = Extra()
    try:
        extra = _extra(chosen, plan) if complete else extra
    except KeyboardInterrupt:
        complete = False
    groups = groups_of(chosen.setting, plan.by, asked)
    command = words_again(
        context,
        pack=pack or str(chosen.selection.game),
        players=plan.players,
        bots=",".join(plan.bots),
        together=plan.together,
    )
    page = Reported(plan, chosen, groups, figures, extra, command, complete).page
    write_whole(out, page.html())
    say(f"games: {figures.games}, in {time.perf_counter() - began:.0f} s", err=True)
    say(str(out))
    if not complete:
        say(f"interrupted after {figures.games} of {games} games; the report is partial", err=True)
        raise typer.Exit(INTERRUPTED)


def _plan(
    chosen: LoadedSelection,
    bots: str,
    games: int,
    seed: int,
    together: str | None,
    asked: str | None,
) -> GamePlan:
    """Return the plan of the games to play; raise `CommandError` for unknown bots or groups."""
    from coloma.bots import RANDOM, TRAINED, learned_by, seated
    from coloma.report.report import kind_of_pairs, kinds_to_count
    from coloma.simulation.games import GamePlan as Plan
    from coloma.simulation.games import groups_to_count
    from rulesdsl.bots.weights import FILE
    from rulesdsl.figures.uses import group_names

    game, seats = chosen.selection.game, chosen.seats
    kinds = seated(bots, TRAINED if (game / FILE).exists() else RANDOM, seats)
    learned_by(kinds, chosen.pack, chosen.setting, game, lambda said: say(said, err=True))
    counted = kinds_to_count(chosen.setting, group_names(chosen.setting))
    groups_to_count(chosen.setting, (*counted, *([together] if together else [])), asked)
    together = together or kind_of_pairs(chosen.setting, counted)
    more = {"bots": kinds, "by": counted, "asked": asked, "together": together}
    return Plan.of(chosen, games, seed, **more)


def _extra(chosen: LoadedSelection, plan: GamePlan) -> Extra:
    from coloma.bots import think
    from coloma.report.report import Extra
    from coloma.simulation.games import weights_of
    from rulesdsl.figures.games import curve

    if think(plan.bots):
        return Extra()
    simulator = chosen.pack.simulator(plan.players, plan.options)
    weights = weights_of(plan, chosen.pack, simulator)
    many = min(plan.games, LOOKED_AT)
    decisions = simulator.playouts(min(plan.games, LENGTHS), plan.seed, weights=weights).numbers[
        "decisions"
    ]
    return Extra(curve(simulator, many, plan.seed, weights=weights), many, decisions)
