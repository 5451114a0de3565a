"""`python -m soak reverted`: with the fix of a known fault taken back, packs from scratch find it.

`soak/reverts/` holds a patch for each fault, which takes its fix back. Each is applied to a copy
of the last commit, and packs are judged there until one fails that holds without the patch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import attrs

from soak import scratch
from soak.judging import FAILED, Judge, write_pack
from soak.sitting import read_rows

ROOT = Path(__file__).parents[1]
REVERTS = Path(__file__).parent / "reverts"


@attrs.frozen
class Found:
    """After how many packs a fault was found, and how it shows; no seed where it was not."""

    fault: str
    packs: int
    seed: int | None = None
    kind: str = ""

    def __str__(self) -> str:
        """Show a line of the table."""
        told = f"seed {self.seed}: {self.kind}" if self.seed is not None else "NOT FOUND"
        return f"{self.fault}: {self.packs:>5} packs, {told}"


def run(seeds: range, faults: list[str], jobs: int) -> int:
    """Look for each fault with its fix taken back, print the table, return the exit status."""
    patches = sorted(REVERTS.glob("*.patch"))
    wanted = [each for each in patches if not faults or each.stem in faults]
    missed = 0
    for patch in wanted:
        found = look_for(patch, seeds, jobs)
        missed += found.seed is None
        print(found, flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} found")
    return 1 if missed else 0


def look_for(patch: Path, seeds: range, jobs: int) -> Found:
    """Judge packs in a copy of the checkout with a fix taken back, until one fails by it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        _run(["git", "clone", "--quiet", str(ROOT), str(copy)], ROOT)
        if _run(["git", "apply", str(patch)], copy).returncode:
            raise RuntimeError(f"{patch.name} does not fit the last commit: write it again")
        out = copy / "results.jsonl"
        first = seeds.start
        while first < seeds.stop:
            words = ["scratch", "--seeds", f"{first}..{seeds.stop - 1}", "--out", str(out)]
            _run([sys.executable, "-m", "soak", *words, "--jobs", str(jobs), "--stop"], copy)
            rows = read_rows(out)
            failed = next(
                (row for row in rows if row["outcome"] == FAILED and row["seed"] >= first), None
            )
            if failed is None:
                break
            if not _fails_here(failed["seed"]):
                return Found(patch.stem, len(rows), failed["seed"], failed["class"])
            first = failed["seed"] + 1
        return Found(patch.stem, len(read_rows(out)))


def _fails_here(seed: int) -> bool:
    """Whether a pack fails without the patch too."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_pack(Path(folder), scratch.pack_of(seed))
        return Judge().judge(path, seed).outcome == FAILED


def _run(words: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    paths = os.pathsep.join([str(folder), str(folder / "cli")])
    env = {**os.environ, "PYTHONPATH": paths, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, check=False)  # noqa: S603
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr.decode()}")
    return done
