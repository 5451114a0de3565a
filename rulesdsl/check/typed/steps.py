"""What is done: the statements of the checked tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import StepNode, Typed
from rulesdsl.check.typed.cells import Cells

if TYPE_CHECKING:
    from rulesdsl.check.typed import Domain, Step, Value


@attrs.frozen(slots=True)
class SetLocal(StepNode):
    """Bind a local."""

    name: str
    value: Value


@attrs.frozen(slots=True)
class Pick(StepNode):
    """The acting player chooses one of a domain."""

    name: str
    domain: Domain
    me: Value
    prompt: str | None
    secret: bool = False  # only who chooses sees it: asked for even where there is one alone


@attrs.frozen(slots=True)
class Require(StepNode):
    """Possible only where a condition holds."""

    condition: Value


@attrs.frozen(slots=True)
class Run(StepNode):
    """A verb or step is carried out."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(slots=True)
class DoField(StepNode):
    """The effect in a field is carried out."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(slots=True)
class MoveCounted(StepNode):
    """So many like pieces go from cells to a cell; `owner` where they belong to seats."""

    piece: str
    amount: Value | None  # None: all
    up_to: bool
    source: Cells
    target: Cells
    owner: Value | None
    me: Value


@attrs.frozen(slots=True)
class MoveSingle(StepNode):
    """A single piece goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    me: Value


@attrs.frozen(slots=True)
class MovePrinted(StepNode):
    """One printed piece (or none) goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    top: bool
    me: Value
    shown: bool = False  # somebody comes to see a face that they could not know


@attrs.frozen(slots=True)
class MoveSome(StepNode):
    """Printed pieces of a domain go to a cell: all, or the first so many."""

    domain: Domain
    amount: Value | None
    up_to: bool
    target: Cells
    top: bool
    me: Value
    shown: bool = False


@attrs.frozen(slots=True)
class ChangeTrack(StepNode):
    """A track goes up or down, within its bounds."""

    track: str
    dims: tuple[Value, ...]
    up: bool
    amount: Value
    me: Value


@attrs.frozen(slots=True)
class ShiftPiece(StepNode):
    """A printed piece goes so many places up or down in the stack that it lies in."""

    piece: str
    subject: Value
    up: bool
    amount: Value
    me: Value


@attrs.frozen(slots=True)
class SetFlag(StepNode):
    """A thing is marked or cleared."""

    flag: str
    dims: tuple[Value, ...]
    on: bool
    me: Value


@attrs.frozen(slots=True)
class ShuffleCells(StepNode):
    """A stack is shuffled."""

    cells: Cells
    me: Value


@attrs.frozen(slots=True)
class Peek(StepNode):
    """The acting player learns what pieces are."""

    domain: Domain
    me: Value


@attrs.frozen(slots=True)
class Finish(StepNode):
    """The game ends."""


@attrs.frozen(slots=True)
class Block(StepNode):
    """Steps in order."""

    steps: tuple[Step, ...]


@attrs.frozen(slots=True)
class Branching(StepNode):
    """The first branch whose condition holds, else the last block."""

    branches: tuple[tuple[Value, Block], ...]
    otherwise: Block


@attrs.frozen(slots=True)
class WhereAble(StepNode):
    """A block where it can be carried out, else the other."""

    block: Block
    otherwise: Block


@attrs.frozen(slots=True)
class Way(Typed):
    """One line of a choice of ways, with the words it is offered under."""

    label: str | None
    text: str
    block: Block


@attrs.frozen(slots=True)
class ChooseWay(StepNode):
    """The acting player chooses one of the ways that can be gone."""

    ways: tuple[Way, ...]
    me: Value


@attrs.frozen(slots=True)
class Optionally(StepNode):
    """Yes or no, where it can be carried out; `limit` and `often` for repeated offers."""

    block: Block
    text: str
    me: Value


@attrs.frozen(slots=True)
class OptionallyRepeat(StepNode):
    """Offered again and again, at most `limit` times (None: as often as it can be paid)."""

    block: Block
    limit: Value | None
    text: str
    me: Value


@attrs.frozen(slots=True)
class RepeatTimes(StepNode):
    """So many times."""

    times: Value
    block: Block
    most: int | None = attrs.field(default=None, eq=False, kw_only=True)  # how often at the most


@attrs.frozen(slots=True)
class RepeatUntil(StepNode):
    """Until a condition holds, at most so many times."""

    limit: Value
    condition: Value
    block: Block


@attrs.frozen(slots=True)
class ForEach(StepNode):
    """For each thing of a snapshot; `start` turns a circle of seats."""

    variable: str
    domain: Domain
    start: Value | None
    block: Block


@attrs.frozen(slots=True)
class Secretly(StepNode):
    """All players choose at once, then the block runs for each in seat order."""

    variable: str
    me: str
    domain: Domain
    prompt: str
    block: Block


@attrs.frozen(slots=True)
class Entry(Typed):
    """One line of a menu; with a variable, one for each thing of its domain."""

    once: bool
    label: str | None
    text: str
    variable: str | None
    domain: Domain | None
    block: Block


@attrs.frozen(slots=True)
class OfferMenu(StepNode):
    """Lines offered again and again until the player is done."""

    entries: tuple[Entry, ...]
    me: Value
