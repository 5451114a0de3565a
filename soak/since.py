"""`python -m soak since COMMIT`: test that games are the same as at another commit.

Each game is played here and in a clone at that commit; the offered ids and labels, the log and the
end must be equal. To play the games, this file runs as a script with either checkout, and uses
only the public interface.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import rulesdsl

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[1]
GAMES_A_SETTING = 5


def run(commit: str, pack: str, mods: Sequence[str], count: int, seed: int, jobs: int) -> int:
    """Play games here and at a commit, and print those that differ; return the exit status."""
    from soak.games import settings

    chosen = settings(rulesdsl.load(pack, mods), -(-count // GAMES_A_SETTING), seed)
    asked = [
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
        with ThreadPoolExecutor(jobs) as pool:
            here = pool.map(lambda share: _traced(ROOT, share), _shares(asked, jobs))
            there = pool.map(lambda share: _traced(Path(folder), share), _shares(asked, jobs))
            pairs = zip(_shares(asked, jobs), here, there, strict=True)
            unequal = [
                game
                for games, mine, theirs in pairs
                for game, one, other in zip(games, mine, theirs, strict=True)
                if one != other
            ]
    for game in unequal[:10]:
        print(f"NOT THE SAME {json.dumps(game)}")
    print(f"{count} games of {len(chosen)} settings, {len(unequal)} not as at {commit}")
    return 1 if unequal else 0


def _shares(asked: list[dict[str, object]], jobs: int) -> list[list[dict[str, object]]]:
    return [asked[at::jobs] for at in range(jobs)]


def _traced(root: Path, asked: list[dict[str, object]]) -> list[str]:
    paths = os.pathsep.join([str(root), str(root / "cli")])
    done = subprocess.run(  # noqa: S603
        [sys.executable, __file__],
        cwd=root,
        env={**os.environ, "PYTHONPATH": paths, "GIT_CEILING_DIRECTORIES": str(root.parent)},
        input="".join(json.dumps(each) + "\n" for each in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


# -------------------------------------------------------------------- as a script
def play_asked() -> None:
    """Play the games requested on stdin, one JSON object per line; print a digest of each."""
    packs: dict[str, rulesdsl.Pack] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        key = json.dumps([asked["pack"], asked["mods"]])
        if key not in packs:
            packs[key] = rulesdsl.load(asked["pack"], asked["mods"])
        print(traced(packs[key], asked["players"], asked["options"], asked["seed"]), flush=True)


def traced(
    pack: rulesdsl.Pack, players: int, options: dict[str, bool | int | str], seed: int
) -> str:
    """Return a digest of everything offered, chosen and logged in a game, and of its end."""
    chance = random.Random(seed)
    game = pack.new_game(players=players, seed=seed, options=options, log=True)
    seen = hashlib.sha256()
    while game.decision is not None:
        for each in game.decisions:
            seen.update(repr((each.player, each.prompt)).encode())
            offered = [(option.id, option.label) for option in each.options]
            seen.update(repr((offered, each.sealed, each.hidden)).encode())
        chosen = chance.choice(game.decisions)
        game.choose(chance.randrange(chosen.count), player=chosen.player)
    for line in game.log:
        if line.seen_by == frozenset():
            continue  # an internal note, which no player sees
        seen.update(repr((line.actor, line.text, line.hidden_text, line.learned)).encode())
    seen.update(repr((game.result, game.view(1)["board"])).encode())
    return seen.hexdigest()[:24]


if __name__ == "__main__":
    play_asked()
