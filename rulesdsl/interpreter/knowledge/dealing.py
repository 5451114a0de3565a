"""Faces dealt to backs, all ways that are possible equally likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import factorial

Left = tuple[int, ...]  # how many backs of each tag are still without a face


class NoWay(ValueError):  # noqa: N818 - says what is wrong with what will be dealt
    """There is no way to deal the faces."""


def deal(
    spots: Sequence[int], may: Mapping[int, frozenset[int]], chance: random.Random
) -> list[int]:
    """Return a face for each spot.

    `spots` are the tags of the backs, `may` says which tags each face may be on; there are as many
    faces as spots.  Faces that may be in the same places are counted as one sort: first it is
    drawn how many of each sort go to each tag, with the number of ways to do that as weights, then
    who goes where.  So each way to deal is as likely as any other.  Raises NoWay where none is.
    """
    room = Counter(spots)
    tags = sorted(room)
    sorts: dict[frozenset[int], list[int]] = {}
    for face in sorted(may):
        sorts.setdefault(frozenset(may[face] & room.keys()), []).append(face)
    # those with few tags first: the fewer ways are left to be counted
    order = sorted(sorts.items(), key=lambda each: (len(each[0]), sorted(each[0])))
    allowed = tuple(tuple(tag in each for tag in tags) for each, _ in order)
    sizes = tuple(len(faces) for _, faces in order)
    left: Left = tuple(room[tag] for tag in tags)
    heaps: dict[int, list[int]] = {tag: [] for tag in tags}
    for at, (_, faces) in enumerate(order):
        shares = _drawn(sizes, allowed, at, left, chance)
        mixed = chance.sample(faces, len(faces))
        for tag, share in zip(tags, shares, strict=True):
            heaps[tag] += (mixed.pop() for _ in range(share))
        left = tuple(have - less for have, less in zip(left, shares, strict=True))
    for heap in heaps.values():
        chance.shuffle(heap)
    return [heaps[tag].pop() for tag in spots]


def _drawn(
    sizes: tuple[int, ...],
    allowed: tuple[tuple[bool, ...], ...],
    at: int,
    left: Left,
    chance: random.Random,
) -> Left:
    """Return how many faces of one sort go to each tag, by chance."""
    ways = list(_shares(sizes[at], allowed[at], left))
    if len(ways) == 1:
        return ways[0]
    weights = [_ways(sizes, allowed, at, left, way) for way in ways]
    total = sum(weights)
    if not total:
        raise NoWay("there are faces that can be nowhere")
    drawn = chance.randrange(total)
    for way, weight in zip(ways, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return way
    raise AssertionError


def _shares(size: int, allowed: tuple[bool, ...], left: Left) -> list[Left]:
    """Return all ways to share so many faces out to tags that have room."""
    most = [min(room, size) if may else 0 for may, room in zip(allowed, left, strict=True)]
    open_ = [at for at, each in enumerate(most) if each]
    if not open_:
        return [] if size else [(0,) * len(left)]
    *first, last = open_
    found = []
    for some in product(*(range(most[at] + 1) for at in first)):
        rest = size - sum(some)
        if 0 <= rest <= most[last]:
            share = [0] * len(left)
            for at, many in zip((*first, last), (*some, rest), strict=True):
                share[at] = many
            found.append(tuple(share))
    return found


def _ways(
    sizes: tuple[int, ...], allowed: tuple[tuple[bool, ...], ...], at: int, left: Left, way: Left
) -> int:
    """Return in how many ways all can be dealt from a sort on, if it is shared out that way."""
    own = factorial(sizes[at])
    for have, take in zip(left, way, strict=True):
        # which faces go there, and onto which of the backs that are left
        own = own // factorial(take) * factorial(have) // factorial(have - take)
    rest = tuple(have - less for have, less in zip(left, way, strict=True))
    return own * _whole(sizes, allowed, at + 1, rest)


@lru_cache(maxsize=4096)
def _whole(
    sizes: tuple[int, ...], allowed: tuple[tuple[bool, ...], ...], at: int, left: Left
) -> int:
    if at == len(sizes):
        return 0 if any(left) else 1
    ways = _shares(sizes[at], allowed[at], left)
    return sum(_ways(sizes, allowed, at, left, way) for way in ways)
