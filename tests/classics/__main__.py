"""Compare classics with OpenSpiel and our references: python -m classics [--games N] [--long N].

With --broken, break the rules that each module lists; with --rules, remove every rule in turn, and
list those whose loss neither a scenario nor a match notices.

`.ci/nightly` runs it. Half of the games are random; half are steered towards rare events. The exit
status is 1 if any game differs or, with --broken, if a broken rule goes unnoticed. Each differing
game is printed with its seed; rerun it with `--only NAME --seed N --games 1`.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from classics import games
from classics.batches import notice, notice_mutant, play_batch
from classics.lockstep import CLASSICS
from rulesdsl.scenarios.mutation import rule_mutants
from rulesdsl.scenarios.mutation_run import Fate, MutantTrial, break_pack
from rulesdsl.scenarios.suite import Suite

_BATCH = 5  # house: games that a process plays at a time
_GAMES = 10  # house: games of each match in which a missing rule must be noticed
_SHOWN = 3  # house: differences that are printed for each match


def main(arguments: list[str] | None = None) -> int:
    """Play the matches asked for, print a table and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m classics", description=__doc__)
    parser.add_argument("--only", choices=games.MODULES, action="append")
    parser.add_argument("--games", type=int, default=500, help="for each match")
    parser.add_argument("--long", type=int, default=150, help="for matches with long games")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--broken", action="store_true", help="break rules; each must be noticed")
    parser.add_argument("--rules", action="store_true", help="remove every rule in turn")
    asked = parser.parse_args(arguments)
    modules = asked.only or games.MODULES
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        if asked.broken:
            return _break_all(pool, modules)
        if asked.rules:
            return sum(_remove_rules(pool, each, asked.jobs) for each in modules) > 0
        return _play_all(pool, modules, asked)


def _play_all(pool: ProcessPoolExecutor, modules: Sequence[str], asked: argparse.Namespace) -> int:
    failed = 0
    for module in modules:
        for at, match in enumerate(games.matches(module)):
            began = time.perf_counter()
            last = asked.seed + min(asked.games, asked.long if match.long else asked.games)
            batches = [
                (module, at, seed, min(seed + _BATCH, last))
                for seed in range(asked.seed, last, _BATCH)
            ]
            moves, differences = 0, list[str]()
            for part, found in pool.map(play_batch, *zip(*batches, strict=True)):
                moves += part
                differences += found
            failed += len(differences)
            seconds = time.perf_counter() - began
            for each in differences[:_SHOWN]:
                print(each)
            print(
                f"{match.name}: {last - asked.seed} games, {moves} moves,"
                f" {len(differences)} differences, {seconds:.0f} s",
                flush=True,
            )
    print(f"{failed} differences")
    return 1 if failed else 0


def _break_all(pool: ProcessPoolExecutor, modules: Sequence[str]) -> int:
    """Break each rule in turn; at least one of 200 games of some match must differ."""
    unnoticed = 0
    tasks = [(module, at) for module in modules for at in range(len(games.breaks(module)))]
    for (module, at), noticed in zip(
        tasks, pool.map(notice, *zip(*tasks, strict=True)), strict=True
    ):
        rule = games.breaks(module)[at]
        unnoticed += noticed is None
        print(f"{module}, {rule.old!r} -> {rule.new!r}: {noticed or 'NOT NOTICED'}", flush=True)
    print(f"{len(tasks)} broken rules, {unnoticed} unnoticed")
    return 1 if unnoticed else 0


def _every_rule(suite: Suite) -> list[MutantTrial]:
    return [MutantTrial((rule,)) for rule in rule_mutants(suite)]


def _remove_rules(pool: ProcessPoolExecutor, module: str, jobs: int) -> int:
    """Return the number of rules that can be removed unnoticed, and are not known to be."""
    pack = CLASSICS / games.matches(module)[0].pack
    breaking = break_pack(pack, [], _every_rule)
    unnoticed = [e.mutant for e in breaking.results(jobs) if e.fate is Fate.SURVIVED]
    tries = partial(notice_mutant, module, number=_GAMES)
    known = games.unnoticed(module)
    left = 0
    for mutant, noticed in zip(unnoticed, pool.map(tries, unnoticed), strict=True):
        if not noticed:
            line = f"{mutant.path}: {' '.join(mutant.old.split())}"
            reason = next((known[each] for each in known if line.startswith(each)), None)
            left += reason is None
            print(f"{module}, {mutant.line}, {line}: {reason or 'NOT NOTICED'}", flush=True)
    print(f"{module}: {len(breaking.trials)} rules removed, {left} unnoticed without a reason")
    return left


if __name__ == "__main__":
    sys.exit(main())
