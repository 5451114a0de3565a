"""`coloma simulate`: scores and statistics from many games between bots."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

import typer

from coloma.commands import parameters
from coloma.output import INTERRUPTED, USAGE, CommandError, say


def simulate(
    games: parameters.Games = 100,
    players: parameters.PlayerNumber = None,
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = 1,
    cluster: parameters.Cluster = None,
    prefer: Annotated[
        str,
        typer.Option(
            "--prefer",
            metavar="PATTERN=WEIGHT,...",
            help="Weights for options, by id or label, such as `buy*=5,done=0`; the default is 1.",
        ),
    ] = "",
    bots: parameters.Bots = "",
    by: parameters.Groups = None,
    asked: parameters.Asked = None,
    iterations: parameters.Iterations = None,
    option: parameters.OptionTexts = None,
    mod: parameters.ModNames = None,
    pack: parameters.PackName = None,
    *,
    json: parameters.AsJson = False,
    csv: Annotated[
        bool,
        typer.Option("--csv", help="Print CSV: a row per --by item or, without --by, per seat."),
    ] = False,
) -> None:
    """Let bots play many games, and print statistics.

    By default, bots choose at random. With --prefer, random bots choose options that match a
    pattern (* matches anything) in proportion to its weight. The result does not depend
    on --jobs. If interrupted, the command reports the games played so far, notes that the result
    is partial, and exits with status 130. The speed is reported on stderr.
    """
    from coloma.bots import learned_by, parse_bots, seated, think
    from coloma.loading import load_setting
    from coloma.session.screen import shown
    from coloma.simulation.games import GamePlan as Plan
    from coloma.simulation.games import Taste, groups_to_count, parse_taste, play_all
    from coloma.simulation.tables import Simulated
    from coloma.simulation.work import Hands

    hands = Hands(jobs, cluster)
    kinds = parse_bots(bots) if bots else ()
    taste = parse_taste(prefer) if prefer else Taste()
    chosen = load_setting(pack, mod, option, players or len(kinds) or None)
    for pattern in taste.idle(chosen.setting.option_names) if prefer else ():
        say(f"note: `{shown(pattern)}` matches no option in this game", err=True)
    game, seats = chosen.selection.game, chosen.seats
    if bots and prefer:
        raise CommandError("--prefer is only for random bots: leave out --bots", USAGE)
    if json and csv:
        raise CommandError("--json and --csv are alternatives: leave one out", USAGE)
    if asked is not None and not by:
        raise CommandError("--in limits what --by counts: add --by", USAGE)
    if iterations and not think(kinds):
        raise CommandError("--iterations is only for bots that search, such as quick", USAGE)
    if kinds:
        kinds = seated(bots, "", seats)
        learned_by(kinds, chosen.pack, chosen.setting, game, partial(say, err=True))
    groups = groups_to_count(chosen.setting, by or (), asked)
    plan = Plan.of(
        *(chosen, games, seed),
        taste=taste,
        bots=kinds,
        by=groups.names,
        asked=asked,
        iterations=iterations,
    )
    began = time.perf_counter()
    figures, complete = play_all(plan, hands)
    took = time.perf_counter() - began
    found = Simulated(plan, chosen, groups, figures)
    say(found.json() if json else found.csv() if csv else found.text(), nl=False)
    say(f"{found.played / took:.1f} games a second", err=True)
    if not complete:
        note = f"interrupted after {found.played} of {games} games; the result is partial"
        say(note, err=True)
        raise typer.Exit(INTERRUPTED)
