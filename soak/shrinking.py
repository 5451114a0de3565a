"""Makes a pack that fails small: as few files, declarations and lines as still fail alike.

A file is a tree of its indentation. Parts of it are left out, halves first and then smaller ones;
what is below a line takes the place of that line; lines lose ends, brackets and parts of lists.
This goes on until nothing can be left out, or the time is up.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from soak.judging import Judge, write_pack
from soak.sitting import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MAX_SECONDS = 45.0
SHORTER = 20  # how often a line is made shorter at the most
PARTS = re.compile(r", | (?:where|when|with|and|or|to|or else|then|per) ")
BRACKETS = re.compile(r"\([^()]*\)")

Files = dict[str, str]


@attrs.define
class Node:
    """A line with the lines below it, further in."""

    line: str
    below: list[Node] = attrs.Factory(list)

    @property
    def margin(self) -> int:
        """How far in the line is."""
        return len(self.line) - len(self.line.lstrip())

    def lines(self) -> Iterator[str]:
        """Yield its lines."""
        yield self.line
        for each in self.below:
            yield from each.lines()

    def moved(self, by: int) -> Node:
        """Return it so much further in."""
        line = " " * max(self.margin + by, 0) + self.line.lstrip()
        return Node(line, [each.moved(by) for each in self.below])


def parsed(text: str) -> list[Node]:
    """Return the lines of a text as a tree of their indentation; a table owns its keys."""
    found: list[Node] = []
    open_: list[Node] = []
    for line in text.splitlines():
        node = Node(line)
        if line.strip():
            while open_ and open_[-1].margin >= node.margin:
                open_.pop()
            (open_[-1].below if open_ else found).append(node)
            open_.append(node)
    return found


def printed(nodes: list[Node]) -> str:
    """Return the text of such a tree."""
    return "".join(f"{line}\n" for node in nodes for line in node.lines())


def shrink(files: Mapping[str, str], fails: Callable[[Files], bool]) -> Files:
    """Return a smaller pack that still fails, as small as simple steps get it."""
    now = dict(files)
    for name in sorted(now):
        less = {other: text for other, text in now.items() if other != name}
        if name != "pack.toml" and fails(less):
            now = less
    before = None
    while now != before:
        before = now
        for name in sorted(now):
            if name != "pack.toml":
                now = {**now, name: _Smaller(now, name, fails).text()}
    return now


class _Smaller:
    """Makes one file of a pack smaller."""

    def __init__(self, files: Files, name: str, fails: Callable[[Files], bool]) -> None:
        self.tree = parsed(files[name])
        self._files, self._name, self._fails = files, name, fails

    def text(self) -> str:
        self._fewer(self.tree)
        self._lift(self.tree)
        self._shorten(self.tree)
        return printed(self.tree)

    def _still(self) -> bool:
        return self._fails({**self._files, self._name: printed(self.tree)})

    def _fewer(self, level: list[Node]) -> None:
        """Leave out as much of a level as will do, then of the levels below."""
        size = len(level)
        while size:
            at = 0
            while at < len(level):
                gone = level[at : at + size]
                level[at : at + size] = []
                if not self._still():
                    level[at:at] = gone
                    at += size
            size //= 2
        for node in level:
            self._fewer(node.below)

    def _lift(self, level: list[Node]) -> None:
        """Put what is below a line in the place of that line."""
        at = 0
        while at < len(level):
            node = level[at]
            if node.below and level is not self.tree:
                step = node.below[0].margin - node.margin
                level[at : at + 1] = [each.moved(-step) for each in node.below]
                if self._still():
                    continue
                level[at : at + len(node.below)] = [node]
            self._lift(node.below)
            at += 1

    def _shorten(self, level: list[Node]) -> None:
        for node in level:
            for _ in range(SHORTER):
                if not any(self._fits(node, line) for line in _shorter(node.line)):
                    break
            self._shorten(node.below)

    def _fits(self, node: Node, line: str) -> bool:
        kept, node.line = node.line, line
        if self._still():
            return True
        node.line = kept
        return False


def _shorter(line: str) -> Iterator[str]:
    """Yield shorter lines: without an end, without one part of several, a bracket emptied."""
    colon = ":" if line.rstrip().endswith(":") else ""
    margin = len(line) - len(line.lstrip())
    parts = [*PARTS.finditer(line)]
    for part, after in zip(reversed(parts), [None, *reversed(parts)], strict=False):
        yield line[: part.start()] + colon
        if after is not None:
            yield line[: part.start()] + line[after.start() :]
        if margin:
            yield line[:margin] + line[part.end() :]
    if margin and ": " in line:
        yield line[:margin] + line.partition(": ")[2]
    for bracket in BRACKETS.finditer(line):
        for simple in ("1", "0", "me", bracket[0][1:-1]):
            if len(simple) < len(bracket[0]):
                yield line[: bracket.start()] + simple + line[bracket.end() :]


# -------------------------------------------------------------------- what is kept
def keep_small(folder: Path, files: Mapping[str, str], seed: int, failed: Case) -> None:
    """Write a failure, made small, into a folder; only the first of its class."""
    into = folder / hashlib.sha256(failed.about.encode()).hexdigest()[:8]
    try:
        into.mkdir(parents=True)
    except FileExistsError:
        return
    (into / "ABOUT").write_text(f"{failed.about}\nseed {seed}\n\n{failed.details}", "utf-8")
    write_pack(into / "whole", files)
    write_pack(into / "small", shrink(files, failing_alike(failed, seed)))


def failing_alike(failed: Case, seed: int) -> Callable[[Files], bool]:
    """Return whether files fail in the same class, for as long as there is time to try."""
    hung = failed.about.startswith("hung") or failed.about == "slow lint"
    judge = Judge(seconds=3.0 if hung else 20.0)
    folder = Path(tempfile.mkdtemp())
    ends = time.monotonic() + MAX_SECONDS

    def fails(files: Files) -> bool:
        if time.monotonic() > ends:
            return False
        write_pack(folder, files)
        for each in (seed,) if hung else (seed, seed + 1, seed + 2):
            found = judge.judge(folder, each)
            if found.outcome is Outcome.FAILED and found.about == failed.about:
                return True
            if found.outcome is Outcome.REFUSED:
                return False
        return False

    return fails
