"""Comparison of two versions of a pack through games with the same seeds."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import attrs

from coloma import bots, loading
from coloma.loading import LoadedSelection, load_setting
from coloma.output import USAGE, CommandError
from coloma.simulation.games import GamePlan, player
from coloma.simulation.work import Hands, shared
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.training import train
from rulesdsl.figures.games import Figures
from rulesdsl.figures.pairs import Pair, Pairs
from rulesdsl.source.english import option_word, so_many
from rulesdsl.source.ranges import SEED

if TYPE_CHECKING:
    from rulesdsl import Pack
    from rulesdsl.figures.uses import Item
    from rulesdsl.interpreter.display.rulebook import Printed

PAIR = 1500  # house: games of each version per pair
PAIR_THOUGHT = 10  # house: the same for searching bots
TRAINING = 6000  # house: training games per version and pair
MOST = 60_000  # house: most games of a version
MOST_THOUGHT = 300  # house: the same for searching bots
SAMPLE = 20  # house: a part of this size is played to estimate the time
MINUTE = 60
FEWEST = 8  # house: pairs before the first test, so that there is enough data


@attrs.frozen
class Match:
    """The two plans to compare, and the training of their bots."""

    before: GamePlan
    after: GamePlan
    training: int
    """Number of games in which bots learn; the plans hold the number of games per pair."""
    apart: bool = False
    """True if the versions use different seeds, to measure the effect of chance alone."""


FEW, MANY = 20, 5000  # house: random games; most changes already show in a few
DECISIONS = 1_000_000  # house: limit for all of these games together; takes a second or two


def no_difference(
    before: ComparedVersion, after: ComparedVersion, seed: int, *, look: bool
) -> str:
    """Return the reason why a change makes no difference; an empty string if it may make one.

    Either the versions are identical or, with `look`, all random games are, for example because an
    option switches the mod off.
    """
    one, two = before.chosen, after.chosen
    if (one.pack.digest, one.setting.options) == (two.pack.digest, two.setting.options):
        return "the two versions are identical."
    if not look:
        return ""
    simulators = [each.pack.simulator(each.seats, each.options) for each in (one, two)]
    done, most = 0, FEW
    while done < most:
        played = [each.playouts(most - done, seed, first=done).numbers for each in simulators]
        if any(played[0][name] != played[1][name] for name in played[0].keys() - _UNTOLD):
            return ""
        done, asked = most, sum(played[0]["decisions"])
        if done == FEW and not simulators[0].in_python:
            most = max(FEW, min(MANY, FEW * DECISIONS // max(asked, 1)))
    said = f"in {done} random games, all decisions and scores were the same."
    settings = two.setting.options.items()
    listed = ", ".join(f"{name}={option_word(value)}" for name, value in settings)
    about = f" Perhaps an option switches the change off ({listed})." if listed else ""
    return f"{said}{about} With --games N, bots play N games anyway."


_UNTOLD = {"rounds", "points"}  # columns whose differences do not count

Task = int
"""Twice the number of a pair, plus 1 for its second version."""


def pairs(match: Match, most: int, hands: Hands) -> Iterator[Pair]:
    """Play `most` pairs and yield them; they are the same for any number of processes."""
    halves = shared(partial(_player, match), range(2 * most), hands)
    for before, after in zip(halves, halves, strict=True):
        yield Pair(before, after)


def duration(match: Match, most: int, hands: Hands) -> str:
    """Return how long at least and at most a comparison takes, from a small part of a pair."""
    share = max(match.before.games // SAMPLE, 1), max(match.training // SAMPLE, 1)
    before, after = (attrs.evolve(plan, games=share[0]) for plan in (match.before, match.after))
    play = _player(Match(before, after, share[1]))
    if match.before.games > PAIR_THOUGHT:
        play(0)  # what the first games take longer is no part of the estimate
    began = time.perf_counter()
    play(0)
    seconds = 2 * (time.perf_counter() - began) * match.before.games / share[0]
    at_once = hands.jobs if hands.cluster is None else 1
    least, longest = (seconds * pairs / at_once for pairs in (min(FEWEST, most), most))
    times = list(dict.fromkeys((spoken_time(least), spoken_time(longest))))
    return f"about {' to '.join(times)}{', depending on how soon it is clear' * (len(times) - 1)}"


def spoken_time(seconds: float) -> str:
    """Return a time in words, in whole minutes or hours."""
    if seconds < MINUTE:
        return "a minute"
    minutes = round(seconds / MINUTE)
    if minutes < 2 * MINUTE:
        return so_many(minutes, "minute", "minutes")
    return so_many(round(minutes / MINUTE), "hour", "hours")


def until_decided(
    match: Match, most: int, margin: float, hands: Hands, changed: frozenset[Item]
) -> Iterator[Pairs]:
    """Yield the cumulative results after each pair, until the comparison is decided."""
    found = Pairs(changed=changed)
    for pair in pairs(match, most, hands):
        found = found.with_more(pair)
        yield found
        if len(found.pairs) >= min(FEWEST, most) and found.decided(margin):
            return


def _player(match: Match) -> Callable[[Task], Figures]:
    packs: dict[bool, Pack] = {}

    def play(task: Task) -> Figures:
        number, after = task // 2, bool(task % 2)
        plan = match.after if after else match.before
        if after not in packs:
            packs[after] = loading.load_pack(plan.pack, plan.mods)
        pack, own = packs[after], (plan.seed + (after and match.apart) * _FAR) & SEED.most
        learned = _learned(pack, plan, match.training, (own + 1 + number) & SEED.most)
        played = attrs.evolve(plan, seed=own, learned=learned)
        return player(played, pack)(range(number * plan.games, (number + 1) * plan.games))

    return play


_FAR = 1 << 32  # distance between the seeds of independent runs


def _learned(pack: Pack, plan: GamePlan, games: int, seed: int) -> Learned | None:
    if set(plan.bots) <= {bots.RANDOM}:
        return None
    learned = Learned()  # options only: holdings would take five times as long
    for each in train([pack.simulator(plan.players, plan.options)], learned, games, seed):
        learned = each
    return learned


@attrs.frozen
class ComparedVersion:
    """One of the two versions, and its name."""

    name: str
    chosen: LoadedSelection


Additions: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""Mods and options, as on the command line."""


def two_versions(
    packs: tuple[str | None, str | None],
    both: Additions,
    second_only: Additions,
    players: int | None,
    stack: ExitStack,
) -> tuple[ComparedVersion, ComparedVersion]:
    """Load both versions of a pack, with their mods and options.

    Files from a commit exist until the stack is closed. Raise `CommandError` if the packs are
    different games.
    """
    (mods, options), (more_mods, more_options) = both, second_only
    before = _version(packs[0], mods, options, players, stack)
    replaced = {each.partition("=")[0] for each in more_options}
    kept = [each for each in options if each.partition("=")[0] not in replaced]
    after = _version(
        *(packs[1], [*mods, *more_mods], [*kept, *more_options], before.chosen.seats, stack)
    )
    first, second = before.chosen.pack, after.chosen.pack
    if first.id != second.id:
        raise CommandError(f"{first.name} and {second.name} are different games")
    return before, after


def _version(
    pack: str | None,
    mods: Sequence[str],
    options: Sequence[str],
    players: int | None,
    stack: ExitStack,
) -> ComparedVersion:
    folder = pack
    if pack is not None and ":" in pack and not Path(pack).exists():
        folder = str(_of_commit(pack, stack))
    chosen = load_setting(folder, mods, options, players)
    named = pack or chosen.pack.name
    besides = [*(f"mod {each}" for each in mods), *options]
    return ComparedVersion(f"{named} with {', '.join(besides)}" if besides else named, chosen)


def _of_commit(text: str, stack: ExitStack) -> Path:
    """Extract `COMMIT:FOLDER` with git; raise `CommandError` if the folder does not exist."""
    if text.startswith("-"):  # git would parse it as an option, perhaps one that writes a file
        raise CommandError(
            f"{text} is not a folder in a commit: the name of a commit cannot begin with -", USAGE
        )
    asked = ["git", "archive", "--format=tar", text]
    try:
        found = subprocess.run(asked, capture_output=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise CommandError(
            f"{text} is a folder in a commit: reading it requires git, which is not installed"
        ) from None
    if found.returncode:
        said = found.stderr.decode(errors="replace").strip().splitlines()
        raise CommandError(f"git has no folder {text}: {said[-1] if said else 'no error message'}")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="coloma-")))
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as archive:
        # no links, which could point anywhere
        plain = [each for each in archive if each.isfile() or each.isdir()]
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since Python 3.11.4
        archive.extractall(folder, plain, **safe)  # type: ignore[arg-type]  # noqa: S202 - by git
    return folder


def changes(before: ComparedVersion, after: ComparedVersion) -> dict[Item, list[str]]:
    """Return the entries whose printed text differs, each with descriptions of the differences."""
    one, two = (
        {each.id: each for each in version.chosen.setting.printed} for version in (before, after)
    )
    found: dict[Item, list[str]] = {}
    for name in sorted(one.keys() | two.keys()):
        if said := _changes(one.get(name), two.get(name)):
            found[name.partition(":")[0], name] = said
    return found


def _changes(before: Printed | None, after: Printed | None) -> list[str]:
    if before is None:
        return ["new"]
    if after is None:
        return ["removed"]
    one, two = ({"title": each.title, **dict(each.rows)} for each in (before, after))
    return [
        f"{label}: {one.get(label, 'nothing')} becomes {two.get(label, 'nothing')}"
        for label in {**one, **two}
        if one.get(label) != two.get(label)
    ]
