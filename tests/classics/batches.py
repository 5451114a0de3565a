"""Batches of lockstep games for worker processes."""

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import rulesdsl
from classics import games
from classics.lockstep import CLASSICS, Difference, Match
from rulesdsl.scenarios.mutation import Mutant

_TRIES = 200  # house: games in which a broken rule must be noticed


def play_batch(module: str, at: int, first: int, end: int) -> tuple[int, list[str]]:
    """Play games with a range of seeds; every second one is steered towards rare events."""
    match = games.matches(module)[at]
    pack = rulesdsl.load(CLASSICS / match.pack)
    moves, differences = 0, []
    for seed in range(first, end):
        try:
            moves += match.play(pack, seed, steered=bool(seed % 2), thorough=False)
        except Difference as found:
            differences.append(f"{match.name} --seed {seed}: {found}")
    return moves, differences


def notice(module: str, at: int) -> str | None:
    """Return a description of how a broken rule is noticed, or None."""
    rule = games.breaks(module)[at]
    for match in games.matches(module):
        with games.broken(match.pack, rule) as folder:
            pack = rulesdsl.load(folder)
            for number, found in enumerate(_differences(match, pack), start=1):
                if found:
                    return f"differs in game {number} of {match.name}"
    return None


def notice_mutant(module: str, mutant: Mutant, number: int) -> bool:
    """Return whether a mutant is refused, or differs in one of some games of each match."""
    matches = games.matches(module)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / matches[0].pack
        shutil.copytree(CLASSICS / matches[0].pack, copy)
        file = copy / mutant.path
        file.write_text(mutant.apply(file.read_text(encoding="utf-8")), encoding="utf-8")
        try:
            pack = rulesdsl.load(copy)
        except rulesdsl.LintError:
            return True
        return any(any(islice(_differences(match, pack), number)) for match in matches)


def _differences(match: Match, pack: rulesdsl.Pack) -> Iterator[bool]:
    """Yield, for each game, whether it differs."""
    for seed in range(_TRIES):
        try:
            match.play(pack, seed, steered=bool(seed % 2), thorough=True)
        except (Difference, ArithmeticError, LookupError, TypeError, ValueError):
            yield True
        else:
            yield False
