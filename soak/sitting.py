"""Sittings: many packs judged, by forked workers, with results written as they come.

A line of JSON for each pack goes into the result file: seed, outcome, class of the failure. A
sitting that was stopped goes on where it was. What fails first in its class is made small and
written into a folder beside the result file.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import tempfile
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from soak.judging import CLEAN, FAILED, REFUSED, Judge, write_pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Files = Mapping[str, str]

MEMORY = 3 * 2**30  # bytes of address space that a worker may have
PATIENCE = 180.0  # seconds without a word after which a worker is ended
A_SHARE = 200  # packs after which a worker makes room for a new one
FORK = multiprocessing.get_context("fork")


@attrs.frozen
class Sitting:
    """What will be judged: packs by their numbers, and where the results go."""

    name: str
    make: Callable[[int], Files]  # the files of a pack by its number
    seeds: range
    out: Path
    uses: Callable[[Files], Mapping[str, int]] | None = None  # what of the language is in it

    @property
    def reproductions(self) -> Path:
        """Where small packs that fail are written."""
        return self.out.with_suffix(".failures")


def commit() -> str:
    """Return the commit of the checkout, marked where something in it is not committed."""
    if not (Path(__file__).parents[1] / ".git").exists():
        return "a copy"
    name = _git("rev-parse", "HEAD")
    return name[:12] + ("+" if _git("status", "--porcelain", "--", "rulesdsl") else "")


def _git(*words: str) -> str:
    root = str(Path(__file__).parents[1])
    asked = ["git", "-C", root, *words]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


def sit(sitting: Sitting, jobs: int, *, stop: bool = False) -> int:
    """Judge what is left of a sitting, or up to what fails; return 1 where something failed."""
    here = commit()
    rows = read_rows(sitting.out) if sitting.out.exists() else []
    if any(row["commit"] != here for row in rows):
        print(f"{sitting.out} holds results of another commit: take another file")
        return 2
    done = {row["seed"] for row in rows if row["sitting"] == sitting.name}
    left = [seed for seed in sitting.seeds if seed not in done]
    shares = iter([left[at : at + A_SHARE] for at in range(0, len(left), A_SHARE)])
    sitting.out.parent.mkdir(parents=True, exist_ok=True)
    known = {row["class"] for row in rows if row["outcome"] == FAILED}
    began = time.perf_counter()
    with sitting.out.open("a", encoding="utf-8") as file:
        for row in _judged(sitting, shares, jobs):
            row |= {"sitting": sitting.name, "commit": here}
            file.write(json.dumps(row) + "\n")
            file.flush()
            rows.append(row)
            if row["outcome"] == FAILED and row["class"] not in known:
                known.add(row["class"])
                print(f"seed {row['seed']}: {row['class']}", flush=True)
            if stop and row["outcome"] == FAILED:
                break
    print(f"{len(left)} packs, {time.perf_counter() - began:.0f} s")
    return summary([sitting.out])


def _judged(sitting: Sitting, shares: Iterator[list[int]], jobs: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each pack, judged by so many workers."""
    gc.collect()
    gc.freeze()
    workers: dict[Connection, _Worker] = {}
    while True:
        while len(workers) < jobs:
            share = next(shares, None)
            if share is None:
                break
            worker = _Worker.start(sitting, share)
            workers[worker.ear] = worker
        if not workers:
            return
        for ear in wait([*workers], timeout=1):
            assert isinstance(ear, Connection)
            worker = workers[ear]
            try:
                row = ear.recv()
            except EOFError:
                row = None
            if row is not None:
                worker.heard(row["seed"])
                yield row
            else:
                del workers[ear]
                yield from worker.ended()
                again = worker.left()
                if again:
                    fresh = _Worker.start(sitting, again)
                    workers[fresh.ear] = fresh
        for worker in workers.values():
            worker.end_when_silent()


@attrs.define
class _Worker:
    """A process that judges a share of the packs."""

    process: Any
    ear: Connection
    share: list[int]
    last: float = attrs.Factory(time.monotonic)
    silent: bool = False

    @classmethod
    def start(cls, sitting: Sitting, share: list[int]) -> _Worker:
        ear, mouth = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_work, args=(sitting, [*share], mouth), daemon=True)
        process.start()
        mouth.close()
        return cls(process, ear, [*share])

    def heard(self, seed: int) -> None:
        self.share.remove(seed)
        self.last = time.monotonic()

    def left(self) -> list[int]:
        return self.share

    def ended(self) -> Iterator[dict[str, Any]]:
        """Yield a failure for the pack that a worker has died of."""
        self.process.join()
        if self.share:
            what = "hung hard" if self.silent else f"worker ended ({self.process.exitcode})"
            yield {"seed": self.share.pop(0), "outcome": FAILED, "class": what}

    def end_when_silent(self) -> None:
        if time.monotonic() - self.last > PATIENCE:
            self.silent = True
            self.last = time.monotonic()
            self.process.kill()


def _work(sitting: Sitting, share: list[int], mouth: Connection) -> None:
    """Judge a share of the packs (in a process of its own)."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    gc.set_threshold(50_000, 20, 20)
    judge = Judge()
    folder = Path(tempfile.mkdtemp(dir=scratch_folder()))
    try:
        for seed in share:
            _judge_one(sitting, seed, judge, folder, mouth)
    except Exception:  # noqa: BLE001 - told with the pack that it came from
        traceback.print_exc(limit=-4)
        os._exit(3)
    finally:
        shutil.rmtree(folder)
        mouth.close()
    os._exit(0)


def _judge_one(sitting: Sitting, seed: int, judge: Judge, folder: Path, mouth: Connection) -> None:
    """Judge a pack, say what became of it, make it small where it failed."""
    from soak.shrinking import keep_small

    began = time.process_time()
    files = sitting.make(seed)
    verdict = judge.judge(write_pack(folder, files), seed)
    row: dict[str, Any] = {"seed": seed, "outcome": verdict.outcome}
    if verdict.outcome == REFUSED:
        row["codes"] = verdict.codes
    if verdict.outcome == CLEAN and sitting.uses is not None:
        row["uses"] = sitting.uses(files)
    if verdict.outcome == FAILED:
        row["class"] = verdict.kind
    row["seconds"] = round(time.process_time() - began, 3)
    mouth.send(row)
    if verdict.outcome == FAILED:
        keep_small(sitting.reproductions, files, seed, verdict)


def scratch_folder() -> str | None:
    """Return a folder in memory for files that live shortly; none where there is none."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a place, no file


# -------------------------------------------------------------------- what came of it
def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the results in a file; a line that was cut off is left out."""
    rows = []
    for line in path.read_text("utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def summary(paths: list[Path], least: int = 20) -> int:
    """Print what several sittings came to; 2 where they are of several commits, 1 for failures."""
    rows = [row for path in paths for row in read_rows(path)]
    commits = {row["commit"] for row in rows}
    if len(commits) > 1:
        print(f"these are results of several commits: {', '.join(sorted(commits))}")
        return 2
    seen = {(row["sitting"], row["seed"]): row for row in rows}
    print(f"commit {''.join(commits)}")
    for name in sorted({sitting for sitting, _ in seen}):
        _print_sitting(name, [row for (own, _), row in seen.items() if own == name])
    failed = [row for row in seen.values() if row["outcome"] == FAILED]
    classes = Counter(row["class"] for row in failed)
    for kind, number in classes.most_common():
        seeds = sorted(row["seed"] for row in failed if row["class"] == kind)
        print(f"FAILED {number:>5}  {kind}  (first: {seeds[0]})")
    uses: Counter[str] = Counter()
    for row in seen.values():
        uses.update(row.get("uses", {}).keys())
    if uses:
        print_uses(uses, least)
    return 1 if failed else 0


def _print_sitting(name: str, rows: list[dict[str, Any]]) -> None:
    outcomes = Counter(row["outcome"] for row in rows)
    seconds = sum(row.get("seconds", 0.0) for row in rows)
    slowest = max((row.get("seconds", 0.0) for row in rows), default=0.0)
    share = outcomes[CLEAN] / len(rows)
    told = ", ".join(f"{outcomes[each]} {each}" for each in (CLEAN, REFUSED, FAILED))
    print(
        f"{name}: {len(rows)} packs: {told}; {share:.1%} clean; "
        f"{seconds:.0f} s CPU, {seconds / len(rows):.3f} s a pack, slowest {slowest:.1f} s"
    )


def print_uses(uses: Mapping[str, int], least: int) -> None:
    """Print what of the language is in too few packs."""
    from soak.language import everything

    wanted = everything()
    few = sorted((uses.get(each, 0), each) for each in wanted if uses.get(each, 0) < least)
    print(f"of {len(wanted)} uses of the language, {len(few)} are in fewer than {least} packs")
    for number, each in few:
        print(f"  {number:>4}  {each}")
