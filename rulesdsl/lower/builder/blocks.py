"""Basic blocks of a machine under construction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.writer import ONE, Writer
from rulesdsl.lower.flat.walk import op


@attrs.frozen
class BlockQuestion:
    """Question that terminates a block, with a target block for each line and, last, for `stop`.

    `slot` names the list of the once-only options already taken, or of the answers of all players.
    """

    step: ty.Asking
    targets: tuple[int, ...]
    slot: str | None


@attrs.define
class CutBlock:
    """Block under construction: its slots, and closures that write its steps and terminator."""

    end: Callable[[], None]
    steps: list[Callable[[], None]] = attrs.Factory(list)
    next: int | None = None  # target of an unconditional jump
    question: BlockQuestion | None = None  # asked by the terminator
    binds: list[tuple[str, fl.FrameSlot]] = attrs.Factory(list)


@attrs.define
class BlockGraph:
    """Control-flow graph of one machine: its blocks by number. It also names generated slots."""

    w: Writer
    blocks: list[CutBlock] = attrs.Factory(list)
    _temps: int = 0

    def new(self) -> int:
        """Add an empty block and return its number."""
        self.blocks.append(CutBlock(partial(self.w.add, fl.Leave())))
        return len(self.blocks) - 1

    def past(self, at: int) -> int:
        """Return the final target of a jump, past empty blocks that only jump to another."""
        block = self.blocks[at]
        while not block.steps and block.next is not None:
            at = block.next
            block = self.blocks[at]
        return at

    def jump(self, target: int) -> None:
        """Write a jump to the final target of a block."""
        self.w.add(fl.Goto(self.past(target)))

    def end(self, at: int, write: Callable[[], None]) -> None:
        """Set the closure that writes the terminator of a block."""
        self.blocks[at].end = write

    def add(self, at: int, write: Callable[[], None], *binds: tuple[str, fl.FrameSlot]) -> None:
        """Append the closure that writes a step, with the slots that the step binds."""
        self.blocks[at].steps.append(write)
        self.blocks[at].binds += binds

    def goto(self, at: int, target: int) -> None:
        """Terminate a block with a jump."""
        self.blocks[at].next = target
        self.end(at, lambda: self.jump(target))

    def when(self, condition: fl.Expr, yes: int, no: int) -> None:
        """Write a conditional jump."""
        self.w.when(condition, lambda: self.jump(yes), lambda: self.jump(no))

    def temp(self, name: str) -> str:
        """Return the name of a new slot, distinct from all names in a game."""
        self._temps += 1
        return f"{name}%{self._temps}"

    def let(self, at: int, name: str, slot: fl.FrameSlot, value: Callable[[], fl.Expr]) -> None:
        """Append an assignment to a slot."""
        self.add(at, lambda: self.w.add(fl.Set(name, value())), (name, slot))

    def countdown(self, name: str, times: ty.Value, at: int, slot: fl.FrameSlot) -> str:
        """Append the start of an iteration countdown, and return the name of its slot."""
        left = self.temp(name)
        self.let(at, left, slot, lambda: self.w.value(times))
        return left

    def fewer(self, left: str, at: int) -> None:
        """Append the decrement of a countdown."""
        less = op("-", fl.LocalVar(left), ONE)
        self.add(at, lambda: self.w.add(fl.Set(left, less)))
