"""`python -m soak scratch` and `mutants`: packs are refused, or play without a fault.

Beside them `judge` for one pack, and `summary`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from soak import scratch
from soak.judging import FAILED, Judge
from soak.language import uses_of
from soak.mutants import Mutants
from soak.sitting import Sitting, sit, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("scratch", "mutants", "judge", "summary")


def main(words: Sequence[str]) -> int:
    """Run what some words of the command line ask for, return its exit status."""
    given = _parser().parse_args(words)
    match given.kind:
        case "summary":
            return summary(given.files)
        case "judge":
            return judge(given.pack, given.seeds)
        case _:
            out = given.out or Path(tempfile.mkdtemp(), f"{given.kind}.jsonl")
            sitting = _sitting(given, out)
            status = sit(sitting, given.jobs, stop=given.stop)
            print(f"results in {out}, small packs that fail in {sitting.reproductions}")
            return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, about in (
        ("scratch", "packs from scratch are refused or play"),
        ("mutants", "packs with parts exchanged are refused or play"),
    ):
        each = kinds.add_parser(kind, help=about)
        each.add_argument("--seeds", type=seeds, required=True, help="FROM..TO, both included")
        each.add_argument("--out", type=Path, help="file of results; a stopped sitting goes on")
        each.add_argument("--jobs", type=int, default=1)
        each.add_argument("--stop", action="store_true", help="end with the first failure")
        each.add_argument("--pack", action="append", default=[], help="mutants: folder of a pack")
    each = kinds.add_parser("judge", help="judge the pack in a folder")
    each.add_argument("pack", type=Path)
    each.add_argument("--seeds", type=seeds, default=range(1, 11))
    each = kinds.add_parser("summary", help="what sittings came to")
    each.add_argument("files", nargs="+", type=Path)
    return parser


def seeds(text: str) -> range:
    """Return the numbers that `FROM..TO` means."""
    first, found, last = text.partition("..")
    if not found or not first.isdigit() or not last.isdigit():
        raise argparse.ArgumentTypeError("expected FROM..TO, such as 1..1000")
    return range(int(first), int(last) + 1)


def _sitting(given: argparse.Namespace, out: Path) -> Sitting:
    if given.kind == "scratch":
        return Sitting(given.kind, scratch.pack_of, given.seeds, out, uses_of)
    mutants = Mutants([Path(each) for each in given.pack])
    mutants.read()
    return Sitting(mutants.name, mutants.files, given.seeds, out)


def judge(folder: Path, numbers: range) -> int:
    """Judge one pack with several seeds, print what comes of it, return the exit status."""
    found = [Judge().judge(folder, seed) for seed in numbers]
    for seed, verdict in zip(numbers, found, strict=True):
        print(f"seed {seed}: {verdict.outcome} {verdict.kind} {' '.join(verdict.codes)}")
    failed = next((each for each in found if each.outcome == FAILED), None)
    if failed is not None:
        print(failed.details)
    return 1 if failed else 0
