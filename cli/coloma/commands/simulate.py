"""`coloma simulate`: scores and statistics of many games between bots."""

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
from coloma.output import INTERRUPTED, USAGE, CommandError, say
from rulesdsl.source.english import so_many

if TYPE_CHECKING:
    from coloma.loading import LoadedSelection
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.uses import Groups


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
            help="Preferences by pattern of id or label, such as `buy*=5,done=0`; others weigh 1.",
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
            help="Count `option`, `verb` or a kind of entry: how often chosen, with what result.",
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
        bool, typer.Option("--csv", help="CSV: a line per item of --by, else per seat.")
    ] = False,
) -> None:
    """Let bots play many games; the result is the same for any --jobs.

    By default, bots choose at random; `coloma bots` lists others. With --prefer, random bots
    choose options that match a pattern (* matches anything) in proportion to its weight. When
    interrupted, the command reports the games played so far, says so, and exits with status 130.
    The speed is reported on stderr.
    """
    from coloma.bots import parse_bots, think
    from coloma.loading import load_setting
    from coloma.session.screen import shown
    from coloma.simulation.games import GamePlan as Plan
    from coloma.simulation.games import Taste, outcomes, parse_taste
    from coloma.simulation.tables import Simulated
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
        raise CommandError("--prefer is for random bots: leave out --bots", USAGE)
    if json and csv:
        raise CommandError("--json and --csv are alternatives: leave one out", USAGE)
    if asked is not None and not by:
        raise CommandError("--in narrows the counts of --by: add --by", USAGE)
    if iterations and not think(seated):
        raise CommandError("--iterations is for searching bots: --bots quick", USAGE)
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
        say(f"interrupted after {played} of {games} games; the result is partial", err=True)
        raise typer.Exit(INTERRUPTED)


def _groups(chosen: LoadedSelection, by: Sequence[str], asked: str | None) -> Groups:
    """Return the groups to count; `CommandError` for an unknown one."""
    from rulesdsl.figures.uses import groups_of

    try:
        return groups_of(chosen.setting, tuple(dict.fromkeys(by)), asked)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _check(seated: Sequence[str], chosen: LoadedSelection) -> None:
    from coloma.bots import learned_by

    if len(seated) != chosen.seats:
        named = so_many(len(seated), "bot", "bots")
        there = so_many(chosen.seats, "player", "players")
        raise CommandError(f"--bots names {named}, for {there}", USAGE)
    learned_by(seated, chosen.pack, chosen.setting, chosen.selection.game, partial(say, err=True))


def _all_of(outcomes: Iterable[tuple[int, Figures]], games: int) -> tuple[int, list[Figures]]:
    """Return the number of games played and their figures; fewer after an interruption."""
    from coloma.simulation.work import progress

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
