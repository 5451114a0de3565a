"""Playing the same games of two contents, until the question is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import attrs

from coloma import bots, loading
from coloma.simulation.games import Plan, player
from coloma.simulation.work import Hands, shared
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.training import train
from rulesdsl.figures.games import Figures
from rulesdsl.figures.pairs import Pair, Pairs
from rulesdsl.source.english import option_word
from rulesdsl.source.ranges import SEED

if TYPE_CHECKING:
    from coloma.simulation.versions import Version
    from rulesdsl import Pack
    from rulesdsl.figures.uses import Item

PAIR = 1500  # house: games of each content in a pair
PAIR_THOUGHT = 10  # house: the same of bots that think
TRAINING = 6000  # house: games in which bots learn a content, for each pair again
MOST = 60_000  # house: games of each content, if they decide nothing
MOST_THOUGHT = 300  # house: the same of bots that think
FEWEST = 8  # house: pairs before the question is looked at, so that there is something to tell


@attrs.frozen
class Match:
    """What is compared, and with which games."""

    before: Plan
    after: Plan
    training: int
    """Games in which bots learn; the plans say how many a pair has."""
    apart: bool = False
    """Whether the second content has seeds of its own: to find out how far chance goes."""


FEW, MANY = 20, 5000  # house: games at random; most changes show in a few
DECISIONS = 1_000_000  # house: in all of these games, where they are long: a second or two


def no_difference(before: Version, after: Version, seed: int, *, look: bool) -> str:
    """Return why a change can make no difference, an empty text where it may make one.

    Either nothing has changed; or, where one is to `look`, games at random are the same one by
    one: such as those with a mod that an option has switched off.
    """
    one, two = before.chosen, after.chosen
    if (one.pack.digest, one.setting.options) == (two.pack.digest, two.setting.options):
        return "both contents are the same."
    if not look:
        return ""
    simulators = [each.pack.simulator(each.seats, each.options) for each in (one, two)]
    done, most = 0, FEW
    while done < most:
        played = [each.playouts(most - done, seed, first=done).numbers for each in simulators]
        if any(played[0][name] != played[1][name] for name in _TELLING):
            return ""
        done, asked = most, sum(played[0]["decisions"])
        if done == FEW and not simulators[0].in_python:
            most = max(FEW, min(MANY, FEW * DECISIONS // max(asked, 1)))
    said = f"in {done} games at random nobody was asked or scored anything else."
    settings = two.setting.options.items()
    listed = ", ".join(f"{name}={option_word(value)}" for name, value in settings)
    about = f" Perhaps what is new is switched off ({listed})." if listed else ""
    return f"{said}{about} With --games N, N games of the bots are played all the same."


_TELLING = ("decisions", "traces", "scores", "places", "verdicts")


Task = int
"""Twice the number of a pair, and 1 more for the second content of it."""


def pairs(match: Match, most: int, hands: Hands) -> Iterator[Pair]:
    """Yield so many pairs at most, one after the other; the same for any number of processes."""
    halves = shared(partial(_player, match), range(2 * most), hands)
    for before, after in zip(halves, halves, strict=True):
        yield Pair(before, after)


def until_decided(
    match: Match, most: int, until: float, hands: Hands, changed: frozenset[Item]
) -> Iterator[Pairs]:
    """Yield what is known after each pair; it ends where the question is decided."""
    found = Pairs(changed=changed)
    for pair in pairs(match, most, hands):
        found = found.with_more(pair)
        yield found
        if len(found.pairs) >= min(FEWEST, most) and found.decided(until):
            return


def _player(match: Match) -> Callable[[Task], Figures]:
    """Return what plays one half of a pair."""
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


_FAR = 1 << 32  # between two seeds whose trainings are told apart


def _learned(pack: Pack, plan: Plan, games: int, seed: int) -> Learned | None:
    """Return what bots have learned of this content; nothing where all choose at random."""
    if set(plan.bots) <= {bots.RANDOM}:
        return None
    learned = Learned()  # by options alone: what one has as well would take five times as long
    for each in train([pack.simulator(plan.players, plan.options)], learned, games, seed):
        learned = each
    return learned
