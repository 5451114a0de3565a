"""`python -m soak uses`: what entries can do, and how often random games make use of it."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostic import LintError
from soak.counting import Use, counted
from soak.playing import MAX_DECISIONS, TooLong, state_of
from soak.settings import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import rulesdsl

Counts = Counter[tuple[str, int]]  # name of a use, players
A_SHARE = 50  # games that a process plays before it reports


@attrs.frozen
class Wanted:
    """What to play: a pack with mods and options, and the kinds of things to look at."""

    path: str
    mods: tuple[str, ...]
    options: tuple[str, ...]
    kinds: tuple[str, ...]


def run(wanted: Wanted, count: int, seed: int, jobs: int) -> int:
    """Play so many games at each number of players, print a table, return the exit status."""
    try:
        pack, uses = counted(wanted.path, wanted.mods, wanted.kinds)
        options_of(pack, wanted.options)
    except (LintError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    least, most = pack.players
    tables = list(range(least, most + 1))
    shares = [
        (players, seed + begin, min(A_SHARE, count - begin))
        for players in tables
        for begin in range(0, count, A_SHARE)
    ]
    began = time.perf_counter()
    found: Counts = Counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for counts in pool.map(_play, repeat(wanted), *zip(*shares, strict=True)):
            found.update(counts)
    never = report(uses, found, tables, count)
    print(f"{time.perf_counter() - began:.0f} s")
    return 1 if never else 0


def options_of(pack: rulesdsl.Pack, texts: Sequence[str]) -> dict[str, Value]:
    """Return the options that texts such as `name=value` mean; ValueError where they mean none."""
    known = {info.name: info for info in pack.options}
    found: dict[str, Value] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise ValueError(f"there is no option {name}: there are {', '.join(sorted(known))}")
        found[name] = known[name].parse(value)
    return found


_ready: dict[Wanted, tuple[rulesdsl.Pack, tuple[Use, ...]]] = {}


def _play(wanted: Wanted, players: int, seed: int, count: int) -> Counts:
    if wanted not in _ready:
        _ready[wanted] = counted(wanted.path, wanted.mods, wanted.kinds)
    pack, uses = _ready[wanted]
    options = options_of(pack, wanted.options)
    found: Counts = Counter()
    for number in range(seed, seed + count):
        state = state_of(_played(pack, players, number, options))
        for use in uses:
            found[use.name, players] += getattr(state, use.cell)
    return found


def _played(
    pack: rulesdsl.Pack, players: int, seed: int, options: dict[str, Value]
) -> rulesdsl.Game:
    """Return a game that was played to its end by chance."""
    game = pack.new_game(players, seed, options, log=False)
    chance = random.Random(seed)
    for _ in range(MAX_DECISIONS):
        if not game.decision:
            return game
        decision = chance.choice(game.decisions)
        game.choose(chance.randrange(decision.count), decision.player)
    raise TooLong(f"--players {players} --seed {seed}: more than {MAX_DECISIONS} decisions")


def report(uses: Sequence[Use], found: Counts, tables: Sequence[int], count: int) -> list[str]:
    """Print how often each thing was used at each number of players; return what never was."""
    names = list(dict.fromkeys(use.name for use in uses))
    width = max([len(name) for name in names] + [10])
    head = "".join(f"{players:>8}" for players in tables)
    print(f"{count} games at each number of players")
    print(f"{'':<{width}}{head}")
    for name in names:
        row = "".join(f"{found[name, players]:>8}" for players in tables)
        print(f"{name:<{width}}{row}")
    never = [name for name in names if not any(found[name, players] for players in tables)]
    for players in tables:
        missing = [name for name in names if name not in never and not found[name, players]]
        for name in missing:
            print(f"not used with {players} players: {name}")
    for name in never:
        print(f"never used: {name}")
    print(f"{len(names) - len(never)} of {len(names)} used")
    return never
