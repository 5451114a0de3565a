"""The intermediate form: what another back end would start from.

A procedure in which nobody decides is a `Function`: bounded steps of the checked tree.  One with
decisions is a `Machine`: basic blocks of such steps, cut where somebody has to choose or where
another machine is called.  Every loop is bounded, every decision point is explicit, and all that
a half-done procedure needs is the number of its block and its locals.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.types import NUMBER, Type
from rulesdsl.check.visibility import Eyes
from rulesdsl.source.span import NOWHERE, Span

COUNTDOWN = "left"
"""The name, before its number, of a local that holds how often a loop is still to go round."""
POSITION = "at"
"""The name, before its number, of a local that holds how far along a list a loop is."""


def effect_of(line: ty.Line) -> ty.DoField | None:
    """Return the effect of a field that a line carries out, None where it does anything else."""
    done = [each for each in line.block.steps if not isinstance(each, ty.Require)]
    only = done[0] if len(done) == 1 else None
    return only if isinstance(only, ty.DoField) else None


# ---------------------------------------------------------------- ends of blocks
@attrs.frozen(slots=True)
class Goto:
    """Go on in another block."""

    target: int


@attrs.frozen(slots=True)
class Test:
    """Go on in one of two blocks."""

    condition: ty.Value
    yes: int
    no: int


@attrs.frozen(slots=True)
class Call:
    """Run another machine, then go on."""

    proc: str
    me: ty.Value
    arguments: tuple[ty.Value, ...]
    then: int


@attrs.frozen(slots=True)
class CallField:
    """Run the effect in a field, be it a function or a machine, then go on."""

    kind: str
    field: str
    subject: ty.Value
    key: ty.Value | None
    me: ty.Value
    then: int


@attrs.frozen(slots=True)
class Return:
    """The procedure is done."""


@attrs.frozen(slots=True)
class Ask:
    """Somebody takes a line, or says `stop`, where there is a word for it.

    `targets` are the blocks in which they go on, that of `stop` last; `spent` is the name of the
    list of lines that can be taken only once and were; `again`: it is asked again after a line.
    """

    lines: tuple[ty.Line, ...]
    targets: tuple[int, ...]
    me: ty.Value
    prompt: ty.Words | None = None
    stop: str | None = None
    again: bool = False
    onward: bool = False
    secret: bool = False
    spent: str | None = None
    span: Span = NOWHERE

    @property
    def choice(self) -> tuple[str, ty.Domain] | None:
        """What is chosen for what follows, and from what; None where lines do something."""
        return self.lines[0].about if self.onward else None


@attrs.frozen(slots=True)
class AskSecret:
    """All players choose at once; the answers go into a list."""

    answers: str
    chooser: str
    domain: ty.Domain
    prompt: ty.Words
    label: ty.Words | None
    variable: str
    then: int
    secret: bool = False
    span: Span = NOWHERE


Asking = Ask | AskSecret
"""An end at which somebody decides."""

End = Goto | Test | Call | CallField | Return | Asking
"""How a block ends."""


# ---------------------------------------------------------------- procedures
@attrs.define
class BasicBlock:
    """Steps without decisions, and how they end."""

    steps: list[ty.Step] = attrs.Factory(list)
    end: End = attrs.Factory(Return)

    @property
    def bound(self) -> Iterator[tuple[str, Type, bool]]:
        """The locals that are bound, with their types, and whether they are lists."""
        for step in self.steps:
            if isinstance(step, ty.SetLocal):
                yield step.name, step.value.type, False
            elif isinstance(step, ty.Snapshot):
                yield step.name, step.domain.element, True
            elif isinstance(step, ty.EmptyList):
                yield step.name, NUMBER, True
        if isinstance(self.end, AskSecret):
            yield self.end.answers, self.end.domain.element, True
        elif isinstance(self.end, Ask):
            for line in self.end.lines:
                if line.variable is not None and line.domain is not None:
                    yield line.variable, line.domain.element, False


@attrs.frozen
class Function:
    """A procedure in which nobody decides."""

    key: str
    params: tuple[str, ...]
    steps: tuple[ty.Step, ...]
    span: Span


@attrs.frozen
class Machine:
    """A procedure with decisions. `slots`: its parameters and locals, in the frame's order."""

    key: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    blocks: tuple[BasicBlock, ...]
    span: Span

    def past(self, at: int) -> int:
        """Return the block that is reached in the end: some do nothing but go on."""
        block = self.blocks[at]
        while not block.steps and isinstance(block.end, Goto):
            at = block.end.target
            block = self.blocks[at]
        return at


@attrs.frozen
class Form:
    """A lowered program."""

    functions: dict[str, Function]
    machines: dict[str, Machine]
    eyes: dict[str, dict[str, Eyes]] = attrs.Factory(dict)
    """By machines: the locals that not everybody knows, and who does."""
