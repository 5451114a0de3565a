"""`coloma simulate`: many games of bots, and their scores."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import (
    Asked,
    Cluster,
    Games,
    Iterations,
    Jobs,
    ModNames,
    OptionTexts,
    PackName,
    PlayerNumber,
    Seed,
)
from coloma.errors import INTERRUPTED, USAGE, CommandError
from coloma.output import say
from rulesdsl.source.english import so_many

if TYPE_CHECKING:
    from coloma.loading import Chosen
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.groups import Groups


def simulate(
    games: Games = 100,
    players: PlayerNumber = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    cluster: Cluster = None,
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
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="GROUP",
            help="Count `option`, `verb` or a kind of entry: how often chosen, what it goes with.",
        ),
    ] = None,
    asked: Asked = None,
    iterations: Iterations = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
    *,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object; `coloma explain figures`.")
    ] = False,
    csv: Annotated[
        bool, typer.Option("--csv", help="CSV: a line for each item of --by, else for each seat.")
    ] = False,
) -> None:
    """Let bots play many games; the result is the same for any --jobs.

    By default they choose at random; `coloma bots` lists others.  With --prefer random ones take
    what fits a pattern (* for anything) as often as its weight says.  Interrupted, it shows what
    was played so far, says so, and ends with status 130.  How fast it went is said on stderr.
    """
    from coloma.bots import parse_bots, think
    from coloma.loading import load_setting
    from coloma.session.screen import shown
    from coloma.simulation.games import Plan, outcomes
    from coloma.simulation.simulated import Simulated
    from coloma.simulation.taste import Taste, parse_taste
    from coloma.simulation.work import Hands
    from rulesdsl.figures.games import Figures

    hands = Hands(jobs, cluster)
    seated = parse_bots(bots) if bots else ()
    taste = parse_taste(prefer) if prefer else Taste()
    chosen = load_setting(pack, mod, option, players or len(seated) or None)
    for pattern in taste.idle(chosen.setting.option_names) if prefer else ():
        say(f"note: `{shown(pattern)}` matches no option of this game", err=True)
    game, seats, mods = chosen.selection.game, chosen.seats, chosen.selection.mods
    if bots and prefer:
        raise CommandError("--prefer says what random bots like: leave out --bots", USAGE)
    if json and csv:
        raise CommandError("--json and --csv are two ways to write: leave one out", USAGE)
    if asked is not None and not by:
        raise CommandError("--in says which question --by counts: add --by", USAGE)
    if iterations and not think(seated):
        raise CommandError("--iterations is for bots that think: --bots quick", USAGE)
    if seated:
        _check(seated, chosen)
    groups = _groups(chosen, by or (), asked)
    plan = Plan(
        game,
        mods,
        chosen.options,
        seats,
        games,
        seed,
        taste,
        seated,
        groups.names,
        asked,
        iterations=iterations,
    )
    began = time.perf_counter()
    played, parts = _all_of(outcomes(plan, hands), games)
    took = time.perf_counter() - began
    figures = reduce(Figures.with_more, parts) if parts else None
    found = Simulated(plan, chosen, groups, figures)
    say(found.json() if json else found.csv() if csv else found.text(), nl=False)
    say(f"{played / took:.1f} games a second", err=True)
    if played < games:
        say(f"interrupted after {played} of {games} games: this is not all", err=True)
        raise typer.Exit(INTERRUPTED)


def _groups(chosen: Chosen, by: Sequence[str], asked: str | None) -> Groups:
    """Return what is counted; CommandError where there is no such thing."""
    from rulesdsl.figures.groups import groups_of

    try:
        return groups_of(chosen.setting, tuple(dict.fromkeys(by)), asked)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _check(seated: Sequence[str], chosen: Chosen) -> None:
    """Say at once what is wrong with the bots."""
    from coloma.bots import learned_by

    if len(seated) != chosen.seats:
        named = so_many(len(seated), "bot", "bots")
        there = so_many(chosen.seats, "player", "players")
        raise CommandError(f"--bots names {named}, for {there}", USAGE)
    learned_by(seated, chosen.pack, chosen.setting, chosen.selection.game, partial(say, err=True))


def _all_of(outcomes: Iterable[tuple[int, Figures]], games: int) -> tuple[int, list[Figures]]:
    """Return how many games were played and what they came to; fewer where that is interrupted."""
    from coloma.simulation.progress import progress

    parts: list[Figures] = []
    played = 0
    try:
        with progress(games, "Playing") as step:
            for count, each in outcomes:
                parts.append(each)
                played += count
                step(count)
    except KeyboardInterrupt:
        pass
    return played, parts
