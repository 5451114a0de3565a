"""`coloma compare`: the effect that a change to the content has on the game."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands import parameters
from coloma.output import INTERRUPTED, USAGE, CommandError, say
from rulesdsl.source.english import so_many
from rulesdsl.source.ranges import GAMES

if TYPE_CHECKING:
    from coloma.simulation.comparing import ComparedVersion, Match
    from coloma.simulation.conclusion import Compared, Conclusion
    from coloma.simulation.work import Hands
    from rulesdsl.figures.uses import Item

_MOST_POINTS = 1_000_000  # house: no plausible difference is larger
_POINTS = re.compile(r"([0-9]+(?:\.[0-9]+)?) *[a-z]*", re.IGNORECASE)


def compare(
    context: typer.Context,
    before: Annotated[
        str | None,
        typer.Argument(
            help="A pack: a folder, a name, or COMMIT:FOLDER. By default, this folder, or Coloma."
        ),
    ] = None,
    after: Annotated[
        str | None, typer.Argument(help="The changed pack; by default, the same as BEFORE.")
    ] = None,
    with_mod: Annotated[
        list[str] | None,
        typer.Option("--with-mod", metavar="MOD", help="A mod for the second version only."),
    ] = None,
    with_option: Annotated[
        list[str] | None,
        typer.Option(
            "--with-option", metavar="NAME=VALUE", help="An option for the second version only."
        ),
    ] = None,
    margin: Annotated[
        str,
        typer.Option("--until", metavar="POINTS", help="Ignore smaller differences in points."),
    ] = "0.5",
    bots: parameters.Bots = "",
    iterations: parameters.Iterations = None,
    games: Annotated[
        int | None,
        parameters.number("--games", GAMES, "Maximum number of games for each version."),
    ] = None,
    training: Annotated[
        int | None,
        parameters.number("--train", GAMES, "Number of games in each training run of the bots."),
    ] = None,
    by: parameters.Groups = None,
    asked: parameters.Asked = None,
    players: parameters.PlayerNumber = None,
    seed: parameters.Seed = 0,
    jobs: Annotated[int | None, parameters.ALL_CORES] = None,
    cluster: parameters.Cluster = None,
    option: parameters.OptionTexts = None,
    mod: parameters.ModNames = None,
    *,
    json: parameters.AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write a page with charts to this file."),
    ] = None,
) -> None:
    """Measure the effect of a change on the game.

    The command compares points, the length of games, and how often each entry is used. Bots (by
    default, `trained`) are trained on both versions and then play both with the same seeds. This
    is repeated until it is clear that the change makes players score more points or fewer, or that
    any difference is below --until. If --games is reached first, the result is "not decided".
    Identical versions, or versions with identical random games, are reported without training. By
    default, all entries are counted. The result does not depend on --jobs. The command first says
    how long it takes. If interrupted, it reports the result so far and exits with status 130.
    """
    from coloma.files import check_can_write
    from coloma.report.page import check_library
    from coloma.simulation.comparing import no_difference, two_versions
    from coloma.simulation.conclusion import Compared
    from coloma.simulation.work import Hands

    if html is not None:
        check_library()
        check_can_write(html)
    points = _points(margin)
    hands = Hands(jobs or os.cpu_count() or 1, cluster)
    if after is None and not (with_mod or with_option):
        raise CommandError(
            "name two packs to compare, or additions to the second (--with-mod, --with-option)",
            USAGE,
        )
    shared, more = (mod or (), option or ()), (with_mod or (), with_option or ())
    with ExitStack() as stack:
        one, two = two_versions((before, after or before), shared, more, players, stack)
        match, most = _match(one, two, bots, iterations, games, training, seed, by, asked)
        alike = no_difference(one, two, seed, look=games is None)
        conclusion, complete = _decide(one, two, match, most, points, hands, alike)
        found = Compared(one, two, match, conclusion, complete)
        say(found.json() if json else found.text(), nl=False)
        if html is not None:
            _write(html, found, context)
    if not complete:
        pairs = so_many(len(conclusion.pairs.pairs), "pair", "pairs")
        say(f"interrupted after {pairs}; the result is partial", err=True)
        raise typer.Exit(INTERRUPTED)


def _write(path: Path, found: Compared, context: typer.Context) -> None:
    from coloma.commands.games import words_again
    from coloma.files import write_whole
    from coloma.report.report import differences

    bots = ",".join(found.match.before.bots)
    players = found.match.before.players
    command = words_again(context, bots=bots, players=players, training=found.match.training)
    write_whole(path, differences(found, command).html())


def _points(text: str) -> float:
    found = _POINTS.fullmatch(text.strip())
    if found is None or not 0 < (points := float(found[1])) <= _MOST_POINTS:
        raise CommandError(
            f"--until needs a number of points above 0, such as 0.5, not {text}", USAGE
        )
    return points


def _match(
    before: ComparedVersion,
    after: ComparedVersion,
    bots: str,
    iterations: int | None,
    games: int | None,
    training: int | None,
    seed: int,
    by: list[str] | None,
    asked: str | None,
) -> tuple[Match, int]:
    from coloma.bots import TRAINED, seated, think
    from coloma.simulation import comparing
    from coloma.simulation.games import GamePlan as Plan

    seats = before.chosen.seats
    kinds = seated(bots, TRAINED, seats)
    thinking = think(kinds)
    if iterations and not thinking:
        raise CommandError("--iterations is only for bots that search, such as 2xquick", USAGE)
    each = comparing.PAIR_THOUGHT if thinking else comparing.PAIR
    most = games or (comparing.MOST_THOUGHT if thinking else comparing.MOST)
    each = min(each, most)
    groups = _groups(before, after, by)
    plans = [
        Plan.of(
            *(version.chosen, each, seed),
            bots=kinds,
            by=tuple(name for name in groups if name in _known(version)),
            asked=asked,
            iterations=iterations,
        )
        for version in (before, after)
    ]
    one, two = plans
    return comparing.Match(one, two, training or comparing.TRAINING), most // each


def _known(version: ComparedVersion) -> tuple[str, ...]:
    from rulesdsl.figures.uses import group_names

    return group_names(version.chosen.setting)


def _groups(before: ComparedVersion, after: ComparedVersion, by: list[str] | None) -> list[str]:
    from coloma.simulation.games import groups_to_count
    from rulesdsl.figures.uses import OPTION, VERB

    if by:
        groups_to_count(after.chosen.setting, (e for e in by if e not in _known(before)))
        return list(dict.fromkeys(by))
    every = dict.fromkeys((*_known(before), *_known(after)))
    return [each for each in every if each not in {OPTION, VERB}] or [OPTION]


def _decide(
    before: ComparedVersion,
    after: ComparedVersion,
    match: Match,
    most: int,
    margin: float,
    hands: Hands,
    alike: str,
) -> tuple[Conclusion, bool]:
    """Play until the result is decided; return it, and True if nothing interrupted the run."""
    from coloma.simulation.comparing import changes, duration, until_decided
    from coloma.simulation.conclusion import Conclusion
    from coloma.simulation.games import groups_to_count
    from coloma.simulation.work import progress
    from rulesdsl.figures.pairs import Pairs

    titles: dict[Item, str] = {}
    for version, plan in ((before, match.before), (after, match.after)):
        titles |= groups_to_count(version.chosen.setting, plan.by, plan.asked).titles
    changed = {
        item: said for item, said in changes(before, after).items() if item[0] in match.after.by
    }
    found, complete = Pairs(changed=frozenset(changed)), True
    try:
        if not alike:
            takes = duration(match, most, hands)
            say(f"This takes {takes}; Ctrl-C shows the result so far.", err=True)
        with progress(most, "Comparing") as step:
            pairs = until_decided(match, most, margin, hands, frozenset(changed))
            for known in () if alike else pairs:
                found = known
                step(1)
    except KeyboardInterrupt:
        complete = False
    return Conclusion(found, margin, titles, changed, match.after.asked, alike), complete
