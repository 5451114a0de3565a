"""Makes a pack that fails small: as few files, declarations and lines as still fail alike."""

from __future__ import annotations

import hashlib
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from soak.judging import FAILED, Judge, Verdict, write_pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MAX_SECONDS = 45.0
Files = dict[str, str]
Fails = "Callable[[Files], bool]"


@attrs.define
class Node:
    """A line with the lines below it, further in."""

    line: str
    below: list[Node] = attrs.Factory(list)

    def lines(self) -> Iterator[str]:
        """Yield its lines."""
        yield self.line
        for each in self.below:
            yield from each.lines()


def parsed(text: str) -> list[Node]:
    """Return the lines of a text as a tree of their indentation; a table owns its keys."""
    found: list[Node] = []
    open_: list[tuple[int, Node]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if line.lstrip().startswith(("[", "}", "]")) and not open_:
            depth = 0
        node = Node(line)
        while open_ and open_[-1][0] >= depth:
            open_.pop()
        (open_[-1][1].below if open_ else found).append(node)
        open_.append((depth, node))
    return found


def printed(nodes: list[Node]) -> str:
    """Return the text of such a tree."""
    return "".join(f"{line}\n" for node in nodes for line in node.lines())


def shrink(files: Mapping[str, str], fails: Callable[[Files], bool]) -> Files:
    """Return a smaller pack that still fails, as small as simple steps get it."""
    now = dict(files)
    for name in sorted(now):
        less = {other: text for other, text in now.items() if other != name}
        if len(now) > 2 and name != "pack.toml" and fails(less):  # noqa: PLR2004 - and the rules
            now = less
    while True:
        before = now
        for name in sorted(now):
            if name == "pack.toml":
                continue
            now = _smaller_file(now, name, fails)
        if now == before:
            return now


def _smaller_file(files: Files, name: str, fails: Callable[[Files], bool]) -> Files:
    """Return a pack with less in one of its files."""
    tree = parsed(files[name])

    def still(nodes: list[Node]) -> bool:
        return fails({**files, name: printed(nodes)})

    tree = fewer(tree, still)
    todo = [tree]
    while todo:
        level = todo.pop()
        for node in level:
            if node.below:
                _fewer_below(tree, node, still)
                todo.append(node.below)
    _lifted(tree, still)
    _shorter(tree, still)
    return {**files, name: printed(tree)}


def fewer(nodes: list[Node], still: Callable[[list[Node]], bool]) -> list[Node]:
    """Return as few of some lines as will do: halves first, then quarters, then each."""
    size = len(nodes)
    while size:
        at = 0
        while at < len(nodes):
            less = nodes[:at] + nodes[at + size :]
            if still(less):
                nodes = less
            else:
                at += size
        size = size // 2
    return nodes


def _fewer_below(tree: list[Node], node: Node, still: Callable[[list[Node]], bool]) -> None:
    def holds(below: list[Node]) -> bool:
        kept, node.below = node.below, below
        found = still(tree)
        node.below = kept
        return found

    node.below = fewer(node.below, holds)


def _lifted(tree: list[Node], still: Callable[[list[Node]], bool]) -> None:
    """Put what is below a line in the place of that line, where that fails as well."""
    todo = [tree]
    while todo:
        level = todo.pop()
        at = 0
        while at < len(level):
            node = level[at]
            if node.below and level is not tree:
                step = _margin(node.below[0]) - _margin(node)
                level[at : at + 1] = [_moved(each, -step) for each in node.below]
                if not still(tree):
                    level[at : at + len(node.below)] = [node]
                    todo.append(node.below)
                    at += 1
            else:
                if node.below:
                    todo.append(node.below)
                at += 1


def _margin(node: Node) -> int:
    return len(node.line) - len(node.line.lstrip())


def _moved(node: Node, by: int) -> Node:
    line = " " * max(_margin(node) + by, 0) + node.line.lstrip()
    return Node(line, [_moved(each, by) for each in node.below])


ENDS = (
    " where ",
    " when ",
    " with ",
    " and ",
    " or ",
    " to ",
    ", ",
    " or else ",
    " then ",
    " per ",
)


def _shorter(tree: list[Node], still: Callable[[list[Node]], bool]) -> None:
    """Take parts of lines away, and simpler phrases in the place of long ones."""
    todo = [*tree]
    while todo:
        node = todo.pop()
        todo += node.below
        for _ in range(20):
            if not any(_tried(tree, node, line, still) for line in _simpler(node.line)):
                break


def _tried(tree: list[Node], node: Node, line: str, still: Callable[[list[Node]], bool]) -> bool:
    kept, node.line = node.line, line
    if still(tree):
        return True
    node.line = kept
    return False


def _simpler(line: str) -> Iterator[str]:
    """Yield shorter lines: an end cut off, a bracket emptied, one part of several."""
    colon = ":" if line.rstrip().endswith(":") else ""
    for end in ENDS:
        at = line.rfind(end)
        while at > 0:
            yield line[:at] + colon
            at = line.rfind(end, 0, at)
    for start, close in _brackets(line):
        inner = line[start + 1 : close]
        for simple in ("1", "0", "me", inner):
            made = line[:start] + simple + line[close + 1 :]
            if len(made) < len(line):
                yield made
    yield from _without_one(line)
    margin = len(line) - len(line.lstrip())
    _, found, rest = line.partition(": ")
    if found and margin:
        yield line[:margin] + rest
    for part in (" or else ", ", ", " to ", " or ", " and "):
        for each in line.split(part)[1:]:
            if margin:
                yield line[:margin] + each


def _without_one(line: str) -> Iterator[str]:
    """Yield a line without one of a list; after the first one the next takes its place."""
    parts = line.split(", ")
    for at in range(1, len(parts)):
        yield ", ".join(parts[:at] + parts[at + 1 :])
        before, _, _ = parts[0].rpartition(" ")
        yield ", ".join([f"{before} {parts[at]}", *parts[1:at], *parts[at + 1 :]])


def _brackets(line: str) -> Iterator[tuple[int, int]]:
    open_: list[int] = []
    for at, sign in enumerate(line):
        if sign == "(":
            open_.append(at)
        elif sign == ")" and open_:
            yield open_.pop(), at


# -------------------------------------------------------------------- what is kept
def keep_small(folder: Path, files: Mapping[str, str], seed: int, verdict: Verdict) -> None:
    """Write a failure, made small, into a folder; only the first of its class."""
    name = hashlib.sha256(verdict.kind.encode()).hexdigest()[:8]
    into = folder / name
    try:
        into.mkdir(parents=True)
    except FileExistsError:
        return
    (into / "ABOUT").write_text(f"{verdict.kind}\nseed {seed}\n\n{verdict.details}", "utf-8")
    write_into(into / "whole", files)
    small = shrink(files, failing_alike(verdict, seed))
    write_into(into / "small", small)


def write_into(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a pack into a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_pack(folder, files)


def failing_alike(verdict: Verdict, seed: int) -> Callable[[Files], bool]:
    """Return whether files fail in the same class, for as long as there is time to try."""
    hung = verdict.kind.startswith("hung") or verdict.kind == "slow lint"
    judge = Judge(seconds=3.0 if hung else 20.0)
    folder = Path(tempfile.mkdtemp())
    ends = time.monotonic() + MAX_SECONDS

    def fails(files: Files) -> bool:
        if time.monotonic() > ends:
            return False
        tried = (seed,) if hung else (seed, seed + 1, seed + 2)
        write_pack(folder, files)
        for each in tried:
            found = judge.judge(folder, each)
            if found.outcome == FAILED and found.kind == verdict.kind:
                return True
            if found.outcome not in (FAILED, "clean"):
                return False
        return False

    return fails
