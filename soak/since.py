"""`python -m soak since COMMIT`: the same games as at another commit, seen from outside.

Each game is played here and in a copy of that commit: what is offered, under which ids and
labels, what is logged, and how it ends has to be the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import rulesdsl
from soak.settings import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[1]
TRACING = Path(__file__).parent / "tracing.py"
GAMES_A_SETTING = 5


def run(commit: str, path: str, mods: Sequence[str], count: int, seed: int, jobs: int) -> int:
    """Play so many games here and at a commit, print which differ, return the exit status."""
    pack = rulesdsl.load(path, mods)
    chosen = settings(pack, -(-count // GAMES_A_SETTING), seed)
    asked = [
        {
            "pack": path,
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
        [sys.executable, str(TRACING)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": paths, "GIT_CEILING_DIRECTORIES": str(root.parent)},
        input="".join(json.dumps(each) + "\n" for each in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()
