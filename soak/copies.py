"""`python -m soak copies`: at every decision, a copy plays on alike and a view leaks nothing."""

from __future__ import annotations

import json
import random
import time
import traceback
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from soak.playing import MAX_DECISIONS, TooLong
from soak.settings import settings
from soak.views import compare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from soak.settings import Chosen

Choice = tuple[int, int]  # player, index
MAX_SHOWN = 10


@attrs.define
class Tally:
    """What has been tried."""

    games: int = 0
    clones: int = 0
    saves: int = 0
    views: int = 0
    failures: list[str] = attrs.Factory(list)


def run(path: str, count: int, seed: int, jobs: int, players: int | None = None) -> int:
    """Try so many games, print a table, return the exit status."""
    pack = rulesdsl.load(path)
    tally = Tally()
    began = time.perf_counter()
    # Spawned processes share nothing with this one: not even the order in which hashes fall.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for number, chosen in enumerate(settings(pack, count, seed, players)):
            try:
                _try(pack, path, chosen, seed + number, pool, tally)
            except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
                tally.failures.append(f"{chosen} --seed {seed + number}\n{traceback.format_exc()}")
            tally.games += 1
    print(f"games                          {tally.games:>9}")
    print(f"clones played to the end       {tally.clones:>9}")
    print(f"saves played on elsewhere      {tally.saves:>9}")
    print(f"views of scrambled positions   {tally.views:>9}")
    for failure in tally.failures[:MAX_SHOWN]:
        print(f"FAILED {failure}")
    print(f"{len(tally.failures)} failed, {time.perf_counter() - began:.0f} s")
    return 1 if tally.failures else 0


def _try(
    pack: rulesdsl.Pack,
    path: str,
    chosen: Chosen,
    seed: int,
    pool: Executor,
    tally: Tally,
) -> None:
    chance = random.Random(seed)
    game = pack.new_game(chosen.players, seed, chosen.options, log=True)
    clones: list[rulesdsl.Game] = []
    saves: list[str] = []
    choices: list[Choice] = []
    while game.decision:
        clones.append(game.clone())
        saves.append(json.dumps(game.to_data()))
        tally.views += compare(pack, game, chance)
        decision = chance.choice(game.decisions)
        choices.append((decision.player, chance.randrange(decision.count)))
        play_on(game, choices[-1:])
        if len(choices) >= MAX_DECISIONS:
            raise TooLong(f"more than {MAX_DECISIONS} decisions")
    ended = pool.submit(ends, path, saves, choices)
    final = json.dumps(game.to_data())
    for at, clone in enumerate(clones):
        play_on(clone, islice(choices, at, None))
        if json.dumps(clone.to_data()) != final or clone.log_length != game.log_length:
            raise AssertionError(f"the clone of decision {at} ended in another way")
    tally.clones += len(clones)
    for at, end in enumerate(ended.result()):
        if end != final:
            raise AssertionError(f"the save of decision {at} ended in another way")
    tally.saves += len(saves)


def play_on(game: rulesdsl.Game, choices: Iterable[Choice]) -> None:
    """Make choices, each by a player and an index."""
    for player, index in choices:
        game.choose(index, player)


def ends(path: str, saves: Sequence[str], choices: Sequence[Choice]) -> list[str]:
    """Play each save of a game to its end (in another process); the n-th is of decision n."""
    pack = rulesdsl.load(path)
    found: list[str] = []
    for at, save in enumerate(saves):
        game = pack.game_from_data(json.loads(save))
        if json.loads(json.dumps(game.to_data())) != json.loads(save):
            raise AssertionError(f"the save of decision {at} is not what it was once read")
        play_on(game, islice(choices, at, None))
        found.append(json.dumps(game.to_data()))
    return found
