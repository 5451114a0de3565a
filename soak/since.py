"""`python -m soak since COMMIT`: test that games are the same as at another commit.

Each game is played here and in a clone at that commit, by choices at random indices; the report
lists what differs by aspect. To play the games, this file runs as a script with either checkout,
and uses only the public interface.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import attrs

import rulesdsl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
GAMES_A_SETTING = 5

Record = dict[str, Any]
"""A game as plain data: the settings to play with, or what was offered, logged and reached."""


def run(
    commit: str,
    pack: str,
    mods: Sequence[str],
    count: int,
    seed: int,
    jobs: int,
    ids: Path | None = None,
    ignore: str = "",
    kinds: int = 20,
) -> int:
    """Play games here and at a commit, print how they differ, and return the exit status.

    `ids` is a TOML file that maps ids at the commit to ids here; `ignore` lists aspects that may
    differ, separated by commas; `kinds` is the number of kinds to print for each aspect.
    """
    from soak.differences import Differences  # the script does without it
    from soak.games import settings

    differences = Differences(ids=tomllib.loads(ids.read_text("utf-8")) if ids else {})
    ignored = differences.aspects(ignore)
    chosen = settings(rulesdsl.load(pack, mods), -(-count // GAMES_A_SETTING), seed)
    games = [
        {
            "pack": pack,
            "mods": [*mods],
            "players": setting.players,
            "options": setting.options,
            "seed": seed + number,
        }
        for number in range(count)
        for setting in [chosen[number // GAMES_A_SETTING]]
    ]
    with tempfile.TemporaryDirectory() as folder:
        clone = ["git", "clone", "--quiet", str(ROOT), folder]
        subprocess.run(clone, check=True)  # noqa: S603
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=folder, check=True)  # noqa: S603, S607

        adding = Lock()

        def compare(share: list[Record]) -> None:
            pairs = zip(share, _played(Path(folder), share), _played(ROOT, share), strict=True)
            for game, before, now in pairs:
                with adding:
                    differences.add(json.dumps(game), before, now)

        with ThreadPoolExecutor(jobs) as pool:
            [*pool.map(compare, (games[at::jobs] for at in range(jobs)))]
    print(differences.text(kinds, ignored))
    unequal = differences.games_unequal(ignored)
    print(f"{count} games of {len(chosen)} settings, {unequal} not as at {commit}", end="")
    print(f", apart from: {', '.join(sorted(ignored))}" if ignored else "")
    return 1 if unequal else 0


def _played(root: Path, games: list[Record]) -> Iterator[Record]:
    """Yield the record of each game as a checkout plays it."""
    paths = os.pathsep.join([str(root), str(root / "cli")])
    with tempfile.TemporaryFile("w+") as wanted:
        wanted.writelines(json.dumps(game) + "\n" for game in games)
        wanted.seek(0)
        player = subprocess.Popen(  # noqa: S603
            [sys.executable, __file__],
            cwd=root,
            env={**os.environ, "PYTHONPATH": paths, "GIT_CEILING_DIRECTORIES": str(root.parent)},
            stdin=wanted,
            stdout=subprocess.PIPE,
            text=True,
        )
        with player:
            yield from map(json.loads, islice(player.stdout or (), len(games)))
        if player.returncode:
            raise subprocess.CalledProcessError(player.returncode, player.args)


# -------------------------------------------------------------------- as a script
def play_from_stdin() -> None:
    """Play the games requested on stdin, one JSON object per line; print the record of each."""
    packs: dict[str, rulesdsl.Pack] = {}
    for line in sys.stdin:
        wanted = json.loads(line)
        key = json.dumps([wanted["pack"], wanted["mods"]])
        if key not in packs:
            packs[key] = rulesdsl.load(wanted["pack"], wanted["mods"])
        game = packs[key].new_game(
            players=wanted["players"], seed=wanted["seed"], options=wanted["options"], log=True
        )
        print(json.dumps(record_of(game, wanted["seed"]), default=str), flush=True)


def record_of(game: rulesdsl.Game, seed: int) -> Record:
    """Play a game, and return everything offered, logged and reached in it."""
    chance = random.Random(seed)
    asked = []
    while game.decision is not None:
        decisions = game.decisions
        asked.append(
            {
                "open": [*map(_question, decisions)],
                "learned": game.learned,
                "log_length": game.log_length,
            }
        )
        chosen = chance.choice(decisions)
        game.choose(chance.randrange(chosen.count), player=chosen.player)
    return {
        "asked": asked,
        "names": [*game.seats],
        "log": [_log_line(line) for line in game.log],
        "stories": [
            [(line.first, line.text) for line in game.story(viewer)] for viewer in (None, 1)
        ],
        "result": {
            "result": attrs.asdict(game.result) if game.result else None,
            "board": game.view(1)["board"],
        },
    }


def _question(decision: rulesdsl.Decision) -> Record:
    return {
        "player": decision.player,
        "prompt": decision.prompt,
        "ids": [option.id for option in decision.options],
        "former_ids": [getattr(option, "former_id", "") for option in decision.options],
        "labels": [option.label for option in decision.options],
        "secrecy": {"sealed": decision.sealed, "hidden": decision.hidden},
    }


def _log_line(line: rulesdsl.LogLine) -> str:
    """Return a line as text, with its readers and the text for others; empty without readers."""
    if line.seen_by is None:
        return line.text
    if not line.seen_by:
        return line.hidden_text and f"[nobody] {line.text} [others] {line.hidden_text}"
    return f"[{sorted(line.seen_by)}] {line.text} [others] {line.hidden_text}"


if __name__ == "__main__":
    play_from_stdin()
