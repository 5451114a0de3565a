"""Cases by number: a range of them, the results written as they come, going on after a stop.

A number is all that it takes to see a case again: `--seed NUMBER --count 1`.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import attrs


class Outcome(StrEnum):
    """What became of a case."""

    REFUSED = "refused"
    PLAYED = "played"
    FAILED = "failed"


@attrs.frozen
class Case:
    """A case that was tried: what became of it, in words, and what shows it again."""

    outcome: Outcome
    about: str
    shown_by: Any = None


@attrs.frozen
class Sitting:
    """Numbers of cases to try, and where their results go: one line of JSON each."""

    first: int
    count: int
    results: Path | None = None

    def run(self, one: Callable[[int], Case]) -> int:
        """Try the cases that have no result yet, print a table, return the exit status."""
        began = time.perf_counter()
        known = self._known()
        for number in range(self.first, self.first + self.count):
            if number not in known:
                case = one(number)
                known[number] = case.outcome
                self._keep(number, case)
                if case.outcome is Outcome.FAILED:
                    print(f"FAILED {number}: {case.about}", flush=True)
        counted = Counter(known.values())
        print(f"cases {self.first} to {self.first + self.count - 1}")
        for outcome in Outcome:
            print(f"{outcome:<10}{counted[outcome]:>9}")
        print(f"{time.perf_counter() - began:.0f} s")
        return 1 if counted[Outcome.FAILED] else 0

    def _known(self) -> dict[int, Outcome]:
        if self.results is None or not self.results.exists():
            return {}
        found = {}
        for line in self.results.read_text(encoding="utf-8").splitlines():
            try:
                case = json.loads(line)
            except ValueError:  # cut off when the sitting was stopped: tried again
                continue
            if self.first <= case["number"] < self.first + self.count:
                found[case["number"]] = Outcome(case["outcome"])
        return found

    def _keep(self, number: int, case: Case) -> None:
        if self.results is None:
            return
        line: dict[str, Any] = {"number": number, "outcome": case.outcome, "about": case.about}
        if case.outcome is Outcome.FAILED:
            line["shown_by"] = case.shown_by
        with self.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, default=repr) + "\n")
