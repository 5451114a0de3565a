"""Runner of numbered cases in forked workers; results are written as they arrive.

A result is a line of JSON for one case: number, outcome and class of failure. A worker that dies
or is silent for too long counts as a failure, and its remaining cases go to a new one.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import time
import traceback
from collections import Counter
from contextlib import nullcontext
from enum import StrEnum
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from soak.language import alternatives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MEMORY = 3 * 2**30  # bytes of address space for each worker
A_SHARE = 200  # most cases for one worker
ROOT = Path(__file__).parents[1]

Row = dict[str, Any]


class Outcome(StrEnum):
    """Result of a case."""

    REFUSED = "refused"
    PLAYED = "played"
    FAILED = "failed"


@attrs.frozen
class Case:
    """Finished case: its outcome, and the reason for a refusal or the class of a failure."""

    outcome: Outcome
    about: str = ""
    details: Any = None  # data to reproduce a failure, or uses of the language


@attrs.frozen
class Sitting:
    """The cases to run, and the file for their results, if any."""

    name: str
    numbers: range
    one: Callable[[int], Case]
    out: Path | None = None
    keep: Callable[[int, Case], None] | None = None  # called with a failed case
    patience: float = 180.0  # seconds of silence until a worker is killed

    def run(self, jobs: int) -> int:
        """Run the cases and print a summary; return 1 if any case failed, otherwise 0."""
        size = min(A_SHARE, -(-len(self.numbers) // jobs) or 1)
        numbers = [*self.numbers]
        shares = iter([numbers[at : at + size] for at in range(0, len(numbers), size)])
        rows: list[Row] = []
        began, known = time.perf_counter(), set[str]()
        with self.out.open("w", encoding="utf-8") if self.out else nullcontext() as file:
            for row in _tried(self, shares, jobs):
                rows.append(row)
                if file:
                    file.write(json.dumps(row) + "\n")
                if row["outcome"] == Outcome.FAILED and row["about"] not in known:
                    known.add(row["about"])
                    print(f"FAILED {row['number']}: {row['about']}", flush=True)
                    print(row.get("details", ""))
        _print_summary(self.name, rows, time.perf_counter() - began)
        return 1 if known else 0


# -------------------------------------------------------------------- workers
def _tried(sitting: Sitting, shares: Iterator[list[int]], jobs: int) -> Iterator[Row]:
    gc.collect()
    gc.freeze()
    workers: dict[Connection, _Worker] = {}
    try:
        while True:
            while len(workers) < jobs and (share := next(shares, None)):
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
                    worker.heard(row["number"])
                    yield row
                else:
                    del workers[ear]
                    yield from worker.ended()
                    if worker.share:
                        fresh = _Worker.start(sitting, worker.share)
                        workers[fresh.ear] = fresh
            for worker in workers.values():
                worker.end_when_silent(sitting.patience)
    finally:
        for worker in workers.values():
            worker.process.kill()


@attrs.define
class _Worker:
    """Process that runs a share of the cases."""

    process: Any
    ear: Connection
    share: list[int]  # the cases not yet finished
    last: float = attrs.Factory(time.monotonic)
    silent: bool = False

    @classmethod
    def start(cls, sitting: Sitting, share: list[int]) -> _Worker:
        fork = multiprocessing.get_context("fork")
        ear, mouth = fork.Pipe(duplex=False)
        process = fork.Process(target=_work, args=(sitting, [*share], mouth), daemon=True)
        process.start()
        mouth.close()
        return cls(process, ear, [*share])

    def heard(self, number: int) -> None:
        self.share.remove(number)
        self.last = time.monotonic()

    def ended(self) -> Iterator[Row]:
        """Yield a failure for the case that ended the worker, if any."""
        self.process.join()
        if self.share:
            what = "hung hard" if self.silent else f"worker ended ({self.process.exitcode})"
            yield {"number": self.share.pop(0), "outcome": Outcome.FAILED, "about": what}

    def end_when_silent(self, patience: float) -> None:
        if time.monotonic() - self.last > patience:
            self.silent = True
            self.last = time.monotonic()
            self.process.kill()


def _work(sitting: Sitting, share: list[int], mouth: Connection) -> None:
    import resource  # not available on all platforms

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    gc.set_threshold(50_000, 20, 20)
    status = 0
    try:
        for number in share:
            _try_one(sitting, number, mouth)
    except Exception:  # noqa: BLE001 - reported with its case
        traceback.print_exc(limit=-4)
        status = 3
    mouth.close()
    os._exit(status)


def _try_one(sitting: Sitting, number: int, mouth: Connection) -> None:
    began = time.process_time()
    case = sitting.one(number)
    seconds = round(time.process_time() - began, 3)
    row: Row = {"number": number, "outcome": case.outcome, "about": case.about, "seconds": seconds}
    if case.details is not None:
        row["details"] = case.details
    mouth.send(row)
    if case.outcome is Outcome.FAILED and sitting.keep is not None:
        sitting.keep(number, case)


# -------------------------------------------------------------------- summary
def _print_summary(name: str, rows: list[Row], elapsed: float) -> None:
    outcomes = Counter(row["outcome"] for row in rows)
    seconds = [row.get("seconds", 0.0) for row in rows]
    told = ", ".join(f"{outcomes[each]} {each}" for each in Outcome)
    print(
        f"{name}: {len(rows)} cases: {told}; {elapsed:.0f} s, {sum(seconds):.0f} s CPU, "
        f"{sum(seconds) / len(rows):.3f} s each, slowest {max(seconds):.1f} s"
    )
    remarks = (row["about"] for row in rows if row["outcome"] == Outcome.PLAYED and row["about"])
    for about, number in Counter(remarks).most_common():
        print(f"{number} played had {about}")
    failed = [row for row in rows if row["outcome"] == Outcome.FAILED]
    for about, number in Counter(row["about"] for row in failed).most_common():
        first = min(row["number"] for row in failed if row["about"] == about)
        print(f"FAILED {number:>5}  {about}  (first: {first})")
    lists = (each for row in rows if isinstance(each := row.get("details"), list))
    uses = Counter(use for each in lists for use in each)
    if uses:
        _print_uses(uses)


def _print_uses(uses: Mapping[str, int], least: int = 20) -> None:
    """Print the uses of the language that too few packs contain."""
    wanted = [f"{rule}: {inside}" for rule, inside in alternatives()]
    few = sorted((uses.get(each, 0), each) for each in wanted if uses.get(each, 0) < least)
    print(f"of {len(wanted)} uses of the language, {len(few)} are in fewer than {least} packs")
    for number, each in few:
        print(f"  {number:>4}  {each}")
