"""`python -m soak playouts`: played without a stop, a game comes to what its choices come to."""

from __future__ import annotations

import random
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from soak.settings import settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soak.settings import Chosen, Value

GAMES_A_SETTING = 8
MOST_SHOWN = 10


@attrs.define
class Tally:
    """What has been tried."""

    games: int = 0
    failures: list[str] = attrs.Factory(list)


def run(
    path: str, count: int, seed: int, jobs: int, players: int | None, mods: Sequence[str]
) -> int:
    """Play so many games in both ways, print what came of it, return the exit status."""
    pack = rulesdsl.load(path, mods)
    chosen = settings(pack, -(-count // GAMES_A_SETTING), seed, players)
    total = Tally()
    began = time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        shares = [chosen[at::jobs] for at in range(jobs)]
        for tally in pool.map(play, [path] * jobs, [mods] * jobs, shares, [seed] * jobs):
            total.games += tally.games
            total.failures += tally.failures
    for failure in total.failures[:MOST_SHOWN]:
        print(f"FAILED {failure}")
    print(
        f"{total.games} games under {len(chosen)} settings, {len(total.failures)} failed, "
        f"{time.perf_counter() - began:.0f} s"
    )
    return 1 if total.failures else 0


def by_choices(
    pack: rulesdsl.Pack, players: int, seed: int, options: Mapping[str, Value]
) -> dict[str, object]:
    """Play at random, choice by choice, and return what came of it: a playout must be the same."""
    dice = random.Random(seed).random
    game = pack.new_game(players, seed, options, log=False)
    while decision := game.decision:
        game.choose(int(dice() * decision.count))
    return game.to_data()


def play(path: str, mods: Sequence[str], chosen: Sequence[Chosen], first: int) -> Tally:
    """Play some settings in both ways, with a few seeds each."""
    tally = Tally()
    for setting in chosen:
        pack = rulesdsl.load(path, mods)  # a fresh one: it keeps what it has compiled
        for seed in range(first, first + GAMES_A_SETTING):
            tally.games += 1
            try:
                compare(pack, setting, seed)
            except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
                tally.failures.append(f"{setting} --seed {seed}\n{traceback.format_exc()}")
    return tally


def compare(pack: rulesdsl.Pack, chosen: Chosen, seed: int) -> None:
    """Play a game in both ways; raise what goes wrong, AssertionError where they differ."""
    straight = pack.playouts(chosen.players, chosen.options)(seed, random.Random(seed).random)
    if straight.to_data() != by_choices(pack, chosen.players, seed, chosen.options):
        raise AssertionError("the playout ends otherwise than the game of choices")
