"""What is done: the statements of the checked tree."""

from __future__ import annotations

import attrs

from rulesdsl.check.typed.base import Typed, Value
from rulesdsl.check.typed.cells import Cells
from rulesdsl.check.typed.domains import Domain


@attrs.frozen(slots=True)
class Step(Typed):
    """Something that is done."""


@attrs.frozen(slots=True)
class SetLocal(Step):
    """Bind a local."""

    name: str
    value: Value


@attrs.frozen(slots=True)
class Pick(Step):
    """The acting player chooses one of a domain."""

    name: str
    domain: Domain
    me: Value
    prompt: str | None


@attrs.frozen(slots=True)
class Require(Step):
    """Possible only where a condition holds."""

    condition: Value


@attrs.frozen(slots=True)
class Run(Step):
    """A verb or step is carried out."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(slots=True)
class DoField(Step):
    """The effect in a field is carried out."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(slots=True)
class MoveCounted(Step):
    """So many like pieces go from cells to a cell; `owner` where they belong to seats."""

    piece: str
    amount: Value | None  # None: all
    up_to: bool
    source: Cells
    target: Cells
    owner: Value | None
    me: Value


@attrs.frozen(slots=True)
class MoveSingle(Step):
    """A single piece goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    me: Value


@attrs.frozen(slots=True)
class MovePrinted(Step):
    """One printed piece (or none) goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    top: bool
    me: Value


@attrs.frozen(slots=True)
class MoveSome(Step):
    """Printed pieces of a domain go to a cell: all, or the first so many."""

    domain: Domain
    amount: Value | None
    up_to: bool
    target: Cells
    top: bool
    me: Value


@attrs.frozen(slots=True)
class ChangeTrack(Step):
    """A track goes up or down, within its bounds."""

    track: str
    dims: tuple[Value, ...]
    up: bool
    amount: Value
    me: Value


@attrs.frozen(slots=True)
class ShiftPiece(Step):
    """A printed piece goes so many places up or down in the stack that it lies in."""

    piece: str
    subject: Value
    up: bool
    amount: Value
    me: Value


@attrs.frozen(slots=True)
class SetFlag(Step):
    """A thing is marked or cleared."""

    flag: str
    dims: tuple[Value, ...]
    on: bool
    me: Value


@attrs.frozen(slots=True)
class ShuffleCells(Step):
    """A stack is shuffled."""

    cells: Cells
    me: Value


@attrs.frozen(slots=True)
class Peek(Step):
    """The acting player learns what pieces are."""

    domain: Domain
    me: Value


@attrs.frozen(slots=True)
class Finish(Step):
    """The game ends."""


@attrs.frozen(slots=True)
class Block(Step):
    """Steps in order."""

    steps: tuple[Step, ...]


@attrs.frozen(slots=True)
class Branching(Step):
    """The first branch whose condition holds, else the last block."""

    branches: tuple[tuple[Value, Block], ...]
    otherwise: Block


@attrs.frozen(slots=True)
class WhereAble(Step):
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
class ChooseWay(Step):
    """The acting player chooses one of the ways that can be gone."""

    ways: tuple[Way, ...]
    me: Value


@attrs.frozen(slots=True)
class Optionally(Step):
    """Yes or no, where it can be carried out; `limit` and `often` for repeated offers."""

    block: Block
    text: str
    me: Value


@attrs.frozen(slots=True)
class OptionallyRepeat(Step):
    """Offered again and again, at most `limit` times (None: as often as it can be paid)."""

    block: Block
    limit: Value | None
    text: str
    me: Value


@attrs.frozen(slots=True)
class RepeatTimes(Step):
    """So many times."""

    times: Value
    block: Block


@attrs.frozen(slots=True)
class RepeatUntil(Step):
    """Until a condition holds, at most so many times."""

    limit: Value
    condition: Value
    block: Block


@attrs.frozen(slots=True)
class ForEach(Step):
    """For each thing of a snapshot; `start` turns a circle of seats."""

    variable: str
    domain: Domain
    start: Value | None
    block: Block


@attrs.frozen(slots=True)
class Secretly(Step):
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
class OfferMenu(Step):
    """Lines offered again and again until the player is done."""

    entries: tuple[Entry, ...]
    me: Value
