"""Games of lockstep by the batch, for processes that share them."""

from __future__ import annotations

from collections.abc import Iterator

import rulesdsl
from classics import games
from classics.lockstep import CLASSICS, Difference, Match, Tally

_TRIES = 200  # house: games in which a broken rule must be noticed


def play_batch(module: str, at: int, first: int, end: int) -> tuple[Tally, list[str]]:
    """Play games with the seeds of a range; every second one is steered to rare events."""
    match = games.matches(module)[at]
    pack = rulesdsl.load(CLASSICS / match.pack)
    tally, differences = Tally(), []
    for seed in range(first, end):
        try:
            match.play(pack, seed, tally, steered=bool(seed % 2), thorough=False)
        except Difference as found:
            differences.append(f"{match.name} --seed {seed}: {found}")
    return tally, differences


def notice(module: str, at: int) -> str | None:
    """Return how a broken rule is noticed, None if it is not."""
    rule = games.breaks(module)[at]
    for match in games.matches(module):
        with games.broken(match.pack, rule) as folder:
            pack = rulesdsl.load(folder)
            for number, found in enumerate(_differences(match, pack), start=1):
                if found:
                    return f"differs in game {number} of {match.name}"
    return None


def _differences(match: Match, pack: rulesdsl.Pack) -> Iterator[bool]:
    """Tell of games, one after the other, whether they differ."""
    for seed in range(_TRIES):
        try:
            match.play(pack, seed, Tally(), steered=bool(seed % 2), thorough=True)
        except Difference:
            yield True
        else:
            yield False
