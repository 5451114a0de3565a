"""Reduction of a failing pack to few files and short lines, with the same failure.

Greedy delta debugging: remove runs of lines, from half a file downwards; then each line with its
indented block, or the line alone; then ends, brackets and parts of lines. Repeat until nothing can
be removed, or the time is up.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from soak.judging import Judge, write_pack
from soak.sitting import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MAX_SECONDS = 45.0
PARTS = re.compile(r", | (?:where|when|with|and|or|to|or else|then|per) ")
BRACKETS = re.compile(r"\([^()]*\)")

Files = dict[str, str]
Lines = list[str]


def shrink(files: Mapping[str, str], fails: Callable[[Files], bool]) -> Files:
    """Return a smaller version of a pack that still fails."""
    now, before = dict(files), Files()
    while now != before:
        before = now
        for name in sorted(now):
            less = {other: text for other, text in now.items() if other != name}
            if name != "pack.toml":
                now = less if fails(less) else _smaller(now, name, fails)
    return now


def _smaller(files: Files, name: str, fails: Callable[[Files], bool]) -> Files:
    lines = [line for line in files[name].splitlines() if line.strip()]
    for ways in (_without_stretches, _without_blocks, _shorter_lines):
        at = 0
        while at < len(lines):
            for tried in ways(lines, at):
                if fails({**files, name: "".join(f"{line}\n" for line in tried)}):
                    lines = tried
                    break
            else:
                at += 1
    return {**files, name: "".join(f"{line}\n" for line in lines)}


def _without_stretches(lines: Lines, at: int) -> Iterator[Lines]:
    size = len(lines) // 2
    while size:
        yield lines[:at] + lines[at + size :]
        size //= 2


def _without_blocks(lines: Lines, at: int) -> Iterator[Lines]:
    """Yield the lines without the block at an index, then with its body in its place."""
    below = at + 1
    while below < len(lines) and _margin(lines[below]) > _margin(lines[at]):
        below += 1
    yield lines[:at] + lines[below:]
    if below > at + 1 and _margin(lines[at]):
        step = _margin(lines[at + 1]) - _margin(lines[at])
        yield lines[:at] + [line[step:] for line in lines[at + 1 : below]] + lines[below:]


def _shorter_lines(lines: Lines, at: int) -> Iterator[Lines]:
    shorter = (each for each in _shorter(lines[at]) if len(each) < len(lines[at]))
    yield from ([*lines[:at], line, *lines[at + 1 :]] for line in shorter)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _shorter(line: str) -> Iterator[str]:
    """Yield shorter versions of a line: without its end, without a part, or without brackets."""
    colon = ":" if line.endswith(":") else ""
    margin = line[: _margin(line)]
    ends = [part.start() for part in PARTS.finditer(line)]
    for part, end in zip(PARTS.finditer(line), [*ends[1:], len(line)], strict=False):
        yield line[: part.start()] + colon
        yield line[: part.start()] + line[end:]
        if margin:
            yield margin + line[part.end() :]
    if margin and ": " in line:
        yield margin + line.partition(": ")[2]
    for bracket in BRACKETS.finditer(line):
        for simple in ("1", "0", "me", bracket[0][1:-1]):
            yield line[: bracket.start()] + simple + line[bracket.end() :]


# -------------------------------------------------------------------- reproductions
def keep_small(folder: Path, files: Mapping[str, str], seed: int, failed: Case) -> None:
    """Write a failing pack and its reduction into a folder, once for each class of failure."""
    into = folder / hashlib.sha256(failed.about.encode()).hexdigest()[:8]
    try:
        into.mkdir(parents=True)
    except FileExistsError:
        return
    (into / "ABOUT").write_text(f"{failed.about}\nseed {seed}\n\n{failed.details}", "utf-8")
    write_pack(into / "whole", files)
    write_pack(into / "small", shrink(files, failing_alike(failed, seed)))


def failing_alike(failed: Case, seed: int) -> Callable[[Files], bool]:
    """Return a predicate that is true if files fail in the same way, and false once time is up."""
    hung = failed.about.startswith("hung") or failed.about == "slow lint"
    judge = Judge(seconds=3.0 if hung else 20.0)
    folder = Path(tempfile.mkdtemp())
    ends = time.monotonic() + MAX_SECONDS

    def fails(files: Files) -> bool:
        write_pack(folder, files)
        for each in (seed,) if hung else (seed, seed + 1, seed + 2):
            found = Case(Outcome.REFUSED)
            if time.monotonic() < ends:
                found = judge.judge(folder, each)
            if found.outcome is Outcome.FAILED and found.about == failed.about:
                return True
            if found.outcome is Outcome.REFUSED:
                return False
        return False

    return fails
