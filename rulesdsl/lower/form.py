"""The intermediate form: what another back end would start from.

A procedure in which nobody decides is a `Function`: bounded steps of the checked tree.  One with
decisions is a `Machine`: basic blocks of such steps, cut where somebody has to choose or where
another machine is called.  Every loop is bounded, every decision point is explicit, and all that
a half-done procedure needs is the number of its block and its locals.
"""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.source.span import NOWHERE, Span

MOST_REPEATS = 1000
"""How often at the most a loop of an effect goes round, or one offer is taken up."""
COUNTDOWN = "left"
"""The name, before its number, of a local that holds how often a loop is still to go round."""
POSITION = "at"
"""The name, before its number, of a local that holds how far along a list a loop is."""


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
class AskOne:
    """Somebody chooses one of a domain."""

    name: str
    domain: ty.Domain
    me: ty.Value
    prompt: str | None
    then: int
    secret: bool
    span: Span = NOWHERE


@attrs.frozen(slots=True)
class WayOut:
    """One way of a choice: when it is offered, where it leads, how it is called."""

    guard: ty.Value
    target: int
    label: str | None
    text: str
    block: ty.Block


@attrs.frozen(slots=True)
class AskWay:
    """Somebody chooses one of several ways."""

    ways: tuple[WayOut, ...]
    me: ty.Value
    span: Span = NOWHERE


@attrs.frozen(slots=True)
class AskMay:
    """Somebody says yes or no; where the guard fails, nobody is asked unless it `might` hold."""

    guard: ty.Value
    yes: int
    no: int
    text: str
    me: ty.Value
    block: ty.Block
    might: ty.Value
    again: bool = False
    span: Span = NOWHERE


@attrs.frozen(slots=True)
class MenuOut:
    """One line of a menu."""

    once: bool
    label: str | None
    text: str
    variable: str | None
    domain: ty.Domain | None
    guard: ty.Value
    target: int
    block: ty.Block


@attrs.frozen(slots=True)
class AskMenu:
    """Somebody picks a line, again and again, until done; `spent` holds what was picked."""

    lines: tuple[MenuOut, ...]
    spent: str
    me: ty.Value
    done: int
    span: Span = NOWHERE


@attrs.frozen(slots=True)
class AskSecret:
    """All players choose at once; the answers go into a list."""

    answers: str
    chooser: str
    domain: ty.Domain
    prompt: str
    then: int
    span: Span = NOWHERE


Asking = AskOne | AskWay | AskMay | AskMenu | AskSecret
"""An end at which somebody decides."""

End = Goto | Test | Call | CallField | Return | Asking
"""How a block ends."""


# ---------------------------------------------------------------- procedures
@attrs.define
class BasicBlock:
    """Steps without decisions, and how they end."""

    steps: list[ty.Step] = attrs.Factory(list)
    end: End = attrs.Factory(Return)


@attrs.frozen
class Function:
    """A procedure in which nobody decides."""

    key: str
    params: tuple[str, ...]
    steps: tuple[ty.Step, ...]
    span: Span


@attrs.frozen
class Machine:
    """A procedure with decisions. `slots`: its parameters and locals, in the frame's order.

    `blocks` is what an engine runs that stops at decisions; `body` is the same before it was cut,
    for one that takes each decision on the spot.
    """

    key: str
    title: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    blocks: tuple[BasicBlock, ...]
    body: tuple[ty.Step, ...]
    span: Span

    def past(self, at: int) -> int:
        """Return the block that is reached in the end: some do nothing but go on."""
        block = self.blocks[at]
        while not block.steps and isinstance(block.end, Goto):
            at = block.end.target
            block = self.blocks[at]
        return at

    def returns(self, at: int) -> bool:
        """Whether a block does nothing but return."""
        block = self.blocks[self.past(at)]
        return not block.steps and isinstance(block.end, Return)


@attrs.frozen
class Form:
    """A lowered program."""

    functions: dict[str, Function]
    machines: dict[str, Machine]
