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
from rulesdsl.source.ranges import SEED

if TYPE_CHECKING:
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
