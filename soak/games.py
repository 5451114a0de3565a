"""`python -m soak games`: random games under every setting, all pieces accounted for."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from coloma.simulation.taste import Taste, parse_taste
from rulesdsl.interpreter.pynodes import identifier
from soak.playing import Watcher, state_of
from soak.settings import Chosen, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

GAMES_A_SETTING = 20
MAX_SHOWN = 10

# What must stand on tracks when a game of a pack is over: it has been played to its proper end.
ENDS = {"coloma": {"round": 3, "outlaw": 0}}


@attrs.define
class Tally:
    """What some games came to."""

    games: Counter[int] = attrs.Factory(Counter)
    decisions: Counter[int] = attrs.Factory(Counter)
    longest: int = 0
    seconds: float = 0.0
    values: Counter[str] = attrs.Factory(Counter)
    endings: Counter[str] = attrs.Factory(Counter)
    failures: list[str] = attrs.Factory(list)

    def add(self, other: Tally) -> None:
        """Take in other games."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.seconds += other.seconds
        self.values += other.values
        self.endings += other.endings
        self.failures += other.failures


def run(
    path: str,
    count: int,
    seed: int,
    jobs: int,
    players: int | None = None,
    prefer: str = "",
    mods: Sequence[str] = (),
) -> int:
    """Play so many games, print a table, return the exit status.

    Where bots prefer something, the table says too which rules ended the games.
    """
    taste = parse_taste(prefer) if prefer else None
    pack = rulesdsl.load(path, mods)
    chosen = settings(pack, -(-count // GAMES_A_SETTING), seed, players)
    share = [chosen[at::jobs] for at in range(jobs)]
    sizes = [count // jobs + (at < count % jobs) for at in range(jobs)]
    total = Tally()
    began = time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        seeds = [seed + 1_000_000 * at for at in range(jobs)]
        for tally in pool.map(
            _play, [path] * jobs, [mods] * jobs, share, sizes, seeds, [taste] * jobs
        ):
            total.add(tally)
    _print(total, pack, time.perf_counter() - began)
    return 1 if total.failures else 0


def _play(
    path: str,
    mods: Sequence[str],
    chosen: list[Chosen],
    count: int,
    seed: int,
    taste: Taste | None,
) -> Tally:
    pack = rulesdsl.load(path, mods)
    watcher = Watcher(pack)
    tally = Tally()
    began = time.process_time()
    for number in range(count):
        setting = chosen[number // GAMES_A_SETTING % len(chosen)]
        try:
            logged = taste is not None
            game, decisions = watcher.play(setting, seed + number, log=logged, taste=taste)
            _check_end(pack, game)
        except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
            tally.failures.append(f"{setting} --seed {seed + number}\n{traceback.format_exc()}")
            continue
        tally.games[setting.players] += 1
        tally.decisions[setting.players] += decisions
        tally.longest = max(tally.longest, decisions)
        if logged:
            tally.endings[_ending(game)] += 1
        tally.values.update(f"{name}={value}" for name, value in setting.options.items())
    tally.seconds = time.process_time() - began
    return tally


def _ending(game: rulesdsl.Game) -> str:
    """Return the place of the rule that ended a game."""
    last = game.log_since(game.log_length - 1)[0]
    if last.kind != "end":
        return "the end of its flow"
    return f"{Path(last.rules[0].file).name}:{last.rules[0].line}"


def _check_end(pack: rulesdsl.Pack, game: rulesdsl.Game) -> None:
    ends = {} if pack.mods else ENDS.get(pack.id, {})  # a mod may end a game otherwise
    for track, value in ends.items():
        found = getattr(state_of(game), identifier(track, "t_"))
        if found != value:
            raise AssertionError(f"{track} is {found} at the end, not {value}")


def _print(total: Tally, pack: rulesdsl.Pack, wall: float) -> None:
    print(f"{'players':>8} {'games':>8} {'decisions':>10} {'a game':>7}")
    for players, games in sorted(total.games.items()):
        decisions = total.decisions[players]
        print(f"{players:>8} {games:>8} {decisions:>10} {decisions / games:>7.1f}")
    games, decisions = total.games.total(), total.decisions.total()
    print(f"{'all':>8} {games:>8} {decisions:>10} {decisions / max(games, 1):>7.1f}")
    wanted = {f"{info.name}={value}" for info in pack.options for value in info.values}
    unplayed = sorted(wanted - set(total.values))
    print(f"option values played: {len(wanted) - len(unplayed)} of {len(wanted)}")
    for each in unplayed:
        print(f"  not played: {each}")
    for place, number in total.endings.most_common():
        print(f"ended by {place}: {number} ({number / games:.1%})")
    speed = decisions / max(total.seconds, 0.001)
    print(f"longest game: {total.longest} decisions; {speed:.0f} decisions a CPU second, watched")
    print(f"{total.seconds:.0f} s CPU, {wall:.0f} s in all")
    for failure in total.failures[:MAX_SHOWN]:
        print(f"FAILED {failure}")
    print(f"{len(total.failures)} failed")
