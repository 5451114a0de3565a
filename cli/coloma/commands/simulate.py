"""`coloma simulate`: many games of bots, and their scores."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PackName, PlayerNumber
from coloma.errors import USAGE, CommandError
from coloma.output import say

if TYPE_CHECKING:
    from coloma.simulation.summary import Summary


def simulate(
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="How many games.")
    ] = 100,
    players: PlayerNumber = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="The same seed gives the same games.")
    ] = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, help="How many processes share the work.")
    ] = 1,
    prefer: Annotated[
        str,
        typer.Option(
            "--prefer",
            metavar="PATTERN=WEIGHT,...",
            help="What bots prefer: patterns of ids or labels, such as `buy*=5,done=0`; others 1.",
        ),
    ] = "",
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            metavar="BOT,...",
            help="The bot of each player: random or trained; `3xtrained,random` for four.",
        ),
    ] = "",
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """Let bots play many games; the result is the same for any --jobs.

    By default they choose at random; `trained` ones as they have learned (`coloma train`).  With
    --prefer they take what fits a pattern (* for anything) as often as its weight says.
    How fast it went is said on stderr.
    """
    from coloma.loading import load_setting
    from coloma.session.screen import shown
    from coloma.simulation.games import Plan, outcomes
    from coloma.simulation.seats import parse_bots, weights_of
    from coloma.simulation.taste import Taste, parse_taste

    chosen = load_setting(pack, mod, option, players)
    taste = parse_taste(prefer) if prefer else Taste()
    for pattern in taste.idle(chosen.setting.option_names) if prefer else ():
        say(f"note: `{shown(pattern)}` matches no option of this game", err=True)
    game, seats, mods = chosen.selection.game, chosen.seats, chosen.selection.mods
    if bots and prefer:
        raise CommandError("--prefer says what random bots like: leave out --bots", USAGE)
    seated = parse_bots(bots, seats) if bots else ()
    if seated:
        weights_of(seated, chosen.pack, chosen.setting, game)  # what is wrong is said at once
    plan = Plan(game, mods, chosen.options, seats, games, seed, taste, seated)
    began = time.perf_counter()
    found = _added_up(outcomes(plan, jobs), games)
    took = time.perf_counter() - began
    ids = ", ".join(chosen.pack.mods)
    with_mods = f" with {shown(ids)}" if ids else ""
    say(f"{shown(chosen.pack.name)}{with_mods}: {games} games of {seats}, seed {seed}")
    if seated:
        say(f"bots: {', '.join(seated)}")
    for line in found.lines():
        say(line)
    say(f"{games / took:.1f} games a second", err=True)


def _added_up(played: Iterable[tuple[int, Summary]], games: int) -> Summary:
    """Add the outcomes up, with a bar where somebody watches."""
    from coloma.simulation.summary import Summary

    if not sys.stderr.isatty():
        return reduce(Summary.with_more, (each for _, each in played))
    parts: list[Summary] = []
    with typer.progressbar(length=games, label="Playing", file=sys.stderr) as bar:
        for count, each in played:
            parts.append(each)
            bar.update(count)
    return reduce(Summary.with_more, parts)
