"""Kalah with any number of seeds, and with captures by a seed in front of an empty house."""

from classics.reference import Rules
from rulesdsl import Game

_PITS = [*(f"{each}1" for each in "abcdef"), "south", *(f"{each}2" for each in "fedcba"), "north"]
_STORES = (6, 13)


def kalah(game: Game) -> Rules:
    """Play until one row is empty."""
    seeds = [int(game.setting.options["seeds-per-house"])] * 14
    seeds[6] = seeds[13] = 0
    houses = (range(6), range(7, 13))
    mover = 0
    while all(any(seeds[house] for house in row) for row in houses):
        filled = [house for house in houses[mover] if seeds[house]]
        _, option = yield {mover + 1: [f"pit:{_PITS[house]}" for house in filled]}
        last = _PITS.index(option.removeprefix("pit:"))
        hand, seeds[last] = seeds[last], 0
        while hand:
            last = (last + 1) % 14
            if last != _STORES[1 - mover]:
                seeds[last] += 1
                hand -= 1
        if last in houses[mover] and seeds[last] == 1:
            opposite = 12 - last
            if seeds[opposite] or game.setting.options["empty-capture"]:
                seeds[_STORES[mover]] += 1 + seeds[opposite]
                seeds[last] = seeds[opposite] = 0
        if last != _STORES[mover]:
            mover = 1 - mover
    scores = [
        seeds[store] + sum(seeds[house] for house in row)
        for store, row in zip(_STORES, houses, strict=True)
    ]
    return scores, scores
