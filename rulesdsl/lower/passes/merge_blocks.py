"""Block merging: what follows without a stop is carried out in one go.

A block that is reached from one place only, or that is short, takes the place of the jump to it;
what is left are the blocks in which a machine is entered: the first, and those after calls and
questions.  A jump back to where a block begins stays: the back ends make a loop of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import ends_in
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_REPEATED = 16  # nodes of a block that is worth repeating
MAX_MERGED = 1500  # nodes of a body that takes in no more


def merge_all(flat: fl.Flat) -> None:
    """Merge the blocks of all machines; those that questions lead to stay."""
    entered: dict[str, set[int]] = {}
    for decision in flat.decisions:
        entered.setdefault(decision.machine, set()).update(decision.targets, [decision.block])
    for key, machine in flat.machines.items():
        flat.machines[key] = merge_blocks(machine, entered.get(key, ()))


def merge_blocks(machine: fl.Machine, entered: Iterable[int]) -> fl.Machine:
    """Return a machine whose blocks hold what they lead to; others than `entered` may be gone."""
    merger = _Merger(machine.blocks)
    blocks: dict[int, fl.Body] = {}
    left = {0, *entered}
    while left - blocks.keys():
        for at in sorted(left - blocks.keys()):
            blocks[at] = merger.merged(at)
            left |= {each.block for each in ends_in(blocks[at]) if isinstance(each, fl.Goto)}
            left |= {each.then for each in ends_in(blocks[at]) if isinstance(each, fl.Enter)}
    every = tuple(blocks.get(at, ()) for at in range(len(machine.blocks)))
    return attrs.evolve(machine, blocks=every)


class _Merger:
    def __init__(self, blocks: tuple[fl.Body, ...]) -> None:
        self.blocks = blocks
        self.next = [
            [each.block for each in ends_in(body) if isinstance(each, fl.Goto)] for body in blocks
        ]
        self.ways_in = [0] * len(blocks)
        for targets in self.next:
            for target in targets:
                self.ways_in[target] += 1
        self.sizes = [sum(1 for _ in walk(body)) for body in blocks]
        self.heads = self._heads()
        self.size = 0

    def _heads(self) -> set[int]:
        """Return the blocks that a jump leads back to."""
        found: set[int] = set()
        done: set[int] = set()
        for first in range(len(self.blocks)):
            path = {} if first in done else {first: iter(self.next[first])}
            while path:
                at, targets = next(reversed(path.items()))
                done.add(at)
                target = next(targets, None)
                if target is None:
                    del path[at]
                elif target in path:
                    found.add(target)
                elif target not in done:
                    path[target] = iter(self.next[target])
        return found

    def merged(self, root: int) -> fl.Body:
        self.size = self.sizes[root]
        return self._replaced(self.blocks[root], root, [root])

    def _replaced(self, body: fl.Body, root: int, path: list[int]) -> fl.Body:
        """Return a body with what its jumps lead to; one after the other, not within another."""
        found: list[fl.Stmt] = []
        left = list(reversed(body))
        path = list(path)
        while left:
            stmt = left.pop()
            if isinstance(stmt, fl.Goto) and self._fits(stmt.block, root, path):
                self.size += self.sizes[stmt.block]
                path.append(stmt.block)
                left = list(reversed(self.blocks[stmt.block]))
            elif isinstance(stmt, fl.If):
                yes = self._replaced(stmt.yes, root, path)
                no = self._replaced(stmt.no, root, path)
                found.append(attrs.evolve(stmt, yes=yes, no=no))
            else:
                found.append(stmt)
        return tuple(found)

    def _fits(self, target: int, root: int, path: list[int]) -> bool:
        """Whether a block takes the place of a jump to it."""
        alone = self.ways_in[target] == 1 or self.sizes[target] <= MAX_REPEATED
        inside = target != root and target not in self.heads and target not in path
        return alone and inside and self.size < MAX_MERGED
