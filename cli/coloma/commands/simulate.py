"""`coloma simulate`: many games of bots, and their scores."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial, reduce
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import Iterations, ModNames, OptionTexts, PackName, PlayerNumber
from coloma.errors import INTERRUPTED, USAGE, CommandError
from coloma.output import say
from rulesdsl.source.english import so_many

if TYPE_CHECKING:
    from coloma.loading import Chosen
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
            help="The bots of all players (`coloma bots`); `3xtrained,random` for four.",
        ),
    ] = "",
    iterations: Iterations = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """Let bots play many games; the result is the same for any --jobs.

    By default they choose at random; `coloma bots` lists others.  With --prefer random ones take
    what fits a pattern (* for anything) as often as its weight says.  Interrupted, it shows what
    was played so far.  How fast it went is said on stderr.
    """
    from coloma.bots import parse_bots, think
    from coloma.loading import load_setting
    from coloma.session.screen import shown
    from coloma.simulation.games import Plan, outcomes
    from coloma.simulation.summary import Summary
    from coloma.simulation.taste import Taste, parse_taste

    seated = parse_bots(bots) if bots else ()
    chosen = load_setting(pack, mod, option, players or len(seated) or None)
    taste = parse_taste(prefer) if prefer else Taste()
    for pattern in taste.idle(chosen.setting.option_names) if prefer else ():
        say(f"note: `{shown(pattern)}` matches no option of this game", err=True)
    game, seats, mods = chosen.selection.game, chosen.seats, chosen.selection.mods
    if bots and prefer:
        raise CommandError("--prefer says what random bots like: leave out --bots", USAGE)
    if iterations and not think(seated):
        raise CommandError("--iterations is for bots that think: --bots quick", USAGE)
    if seated:
        _check(seated, chosen)
    plan = Plan(game, mods, chosen.options, seats, games, seed, taste, seated, iterations)
    began = time.perf_counter()
    played, parts = _all_of(outcomes(plan, jobs), games)
    took = time.perf_counter() - began
    ids = ", ".join(chosen.pack.mods)
    with_mods = f" with {shown(ids)}" if ids else ""
    say(f"{shown(chosen.pack.name)}{with_mods}: {played} games of {seats}, seed {seed}")
    if seated:
        say(f"bots: {', '.join(seated)}")
    for line in reduce(Summary.with_more, parts).lines() if parts else ():
        say(line)
    say(f"{played / took:.1f} games a second", err=True)
    if played < games:
        say(f"interrupted after {played} of {games} games: this is not all", err=True)
        raise typer.Exit(INTERRUPTED)


def _check(seated: Sequence[str], chosen: Chosen) -> None:
    """Say at once what is wrong with the bots."""
    from coloma.bots import learned_by

    if len(seated) != chosen.seats:
        named = so_many(len(seated), "bot", "bots")
        there = so_many(chosen.seats, "player", "players")
        raise CommandError(f"--bots names {named}, for {there}", USAGE)
    learned_by(seated, chosen.pack, chosen.setting, chosen.selection.game, partial(say, err=True))


def _all_of(outcomes: Iterable[tuple[int, Summary]], games: int) -> tuple[int, list[Summary]]:
    """Return how many games were played and what they came to; fewer where that is interrupted.

    There is a bar where somebody watches.
    """
    parts: list[Summary] = []
    played = 0
    with ExitStack() as stack:
        bar = None
        if sys.stderr.isatty():
            bar = typer.progressbar(length=games, label="Playing", file=sys.stderr)
            stack.enter_context(bar)
        try:
            for count, each in outcomes:
                parts.append(each)
                played += count
                if bar:
                    bar.update(count)
        except KeyboardInterrupt:
            pass
    return played, parts
