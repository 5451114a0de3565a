"""A whole program: arrays, constants, functions, machines, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from rulesdsl.lower.flat.expressions import Expr
from rulesdsl.lower.flat.statements import Body
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from rulesdsl.check.program import Eyes
    from rulesdsl.check.typed import ChangeTrack, Local, Value, Words
    from rulesdsl.check.types import Type


@attrs.frozen
class Block:
    """Cells of an array that belong together: the first one, and how many there are each way."""

    first: int
    dims: tuple[int, ...]


@attrs.frozen
class Sets:
    """That the cells of an array are words of bits: which cells of another one are not 0.

    `words` and `bits` are tables: in which word, as which bit each cell of the other is.
    """

    of: str
    words: str
    bits: str


@attrs.frozen
class Array:
    """Cells of the state. Where it is `single`, there is one, a number of its own."""

    name: str
    size: int
    single: bool = False
    blocks: tuple[Block, ...] = ()
    sets: Sets | None = None


@attrs.frozen
class Function:
    """A procedure or computation in which nobody is asked."""

    name: str
    params: tuple[str, ...]
    body: Body
    buffers: tuple[tuple[str, int], ...] = ()  # with the most items that each can have
    span: Span = NOWHERE


Role = Literal["countdown", "position"]


@attrs.frozen
class FrameSlot:
    """The kind of thing that a slot of a frame holds, or where it is `many` a list of such.

    Ours have a role: a countdown says how often a loop is still to go round, a position how far
    along a list it is. `length` is that of a list with one item for each player.
    """

    kind: Type
    many: bool = False
    length: int | None = None
    role: Role | None = None
    eyes: Eyes = None  # who sees it, everybody where it is None

    def joined(self, other: FrameSlot) -> FrameSlot:
        """Return what either may hold."""
        kind = attrs.evolve(self.kind, maybe=self.kind.maybe or other.kind.maybe)
        return attrs.evolve(self, kind=kind)


@attrs.frozen
class Machine:
    """A procedure that may stop at decisions. `slots`: parameters and locals in order.

    `holds` says what each of them holds.
    """

    name: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    blocks: tuple[Body, ...]
    buffers: tuple[tuple[str, int], ...] = ()
    span: Span = NOWHERE
    holds: tuple[FrameSlot, ...] = ()


@attrs.frozen
class Decision:
    """A question: where its options lead, by the names of slots and the numbers of blocks.

    A `plain` option is a thing, which goes to `slot`; else it is a line, below it one more than
    a thing, which goes to the slot of the line, and `slot` keeps the lines that were taken once.
    """

    machine: str
    block: int
    plain: bool
    targets: tuple[int, ...]
    slot: str | None
    who: str | int | None  # the slot of the seat that chooses, or the seat; None: all players
    variables: tuple[str | None, ...] = ()
    once: tuple[bool, ...] = ()
    keys: tuple[str | None, ...] = ()  # functions of the frame: subject and column of an effect
    words: tuple[tuple[str, ...], ...] = ()  # functions of the frame: values of prompt and lines
    hidden: bool = False  # not everybody can tell what is offered
    sealed: bool = False  # all players choose at once


Change = Literal[
    "move",
    "place",
    "piece",
    "track",
    "shuffle",
    "shift",
    "peek",
    "draw",
    "end",
]
EventKind = Change | Literal["say", "act", "part", "told"]

FOR_LABELS = ("key:", "words:")
"""Prefixes of the names of functions that only labels ask."""


@attrs.frozen
class Event:
    """An entry that a `Note` writes into the log: kind, subject, and rule lines.

    Of a change of a hidden track that all can follow, `change` is the step.  How far it goes may
    depend on the piece that `cause` holds, or on each of some: then `per_piece` says by how much.
    """

    kind: EventKind
    subject: str
    span: Span
    proc: str
    words: Words | None = None
    quiet: bool = False
    change: ChangeTrack | None = None
    cause: Local | None = None
    per_piece: Value | None = None


@attrs.define
class Flat:
    """A whole program of one setting."""

    arrays: dict[str, Array] = attrs.Factory(dict)
    tables: dict[str, tuple[int, ...]] = attrs.Factory(dict)
    lists: list[tuple[int, ...]] = attrs.Factory(list)
    choices: dict[str, tuple[str, ...]] = attrs.Factory(dict)  # tables of functions or machines
    functions: dict[str, Function] = attrs.Factory(dict)
    machines: dict[str, Machine] = attrs.Factory(dict)
    decisions: list[Decision] = attrs.Factory(list)

    def called(self, name: str, index: Expr | None) -> tuple[str, ...]:
        """Return what may be called under a name: with an index, anything in a table."""
        return (name,) if index is None else self.choices[name]

    def twin(self) -> Flat:
        """Return a program of its own, for other passes; what it holds never changes."""
        return Flat(
            dict(self.arrays),
            dict(self.tables),
            list(self.lists),
            dict(self.choices),
            dict(self.functions),
            dict(self.machines),
            list(self.decisions),
        )
