"""Flat program: arrays, constants, functions, machines, decisions."""

from __future__ import annotations

from copy import copy
from typing import Literal

import attrs

from rulesdsl.check.symbols.types import Type
from rulesdsl.check.typed import ChangeTrack, Local, MessageText, Value
from rulesdsl.check.typed.program import Eyes
from rulesdsl.lower.flat.expressions import Expr
from rulesdsl.lower.flat.statements import Body
from rulesdsl.source.span import NOWHERE, Span


@attrs.frozen
class ArrayBlock:
    """Contiguous cells of an array: the first one, and the size of each dimension."""

    first: int
    dims: tuple[int, ...]


@attrs.frozen
class BitSets:
    """Index set of an array: a bitmap that marks its non-zero cells.

    `words` and `bits` are tables of the word and the bit of each cell of the array `of`.
    """

    of: str
    words: str
    bits: str


@attrs.frozen
class Array:
    """State array; a `single` one is a scalar."""

    name: str
    size: int
    single: bool = False
    blocks: tuple[ArrayBlock, ...] = ()
    sets: BitSets | None = None


@attrs.frozen
class Function:
    """Procedure or computation without decisions."""

    name: str
    params: tuple[str, ...]
    body: Body
    buffers: tuple[tuple[str, int], ...] = ()  # with their capacities
    span: Span = NOWHERE


Role = Literal["countdown", "position"]


@attrs.frozen
class FrameSlot:
    """Type of a frame slot; `many` for a list.

    Slots generated for a loop have a role: a countdown holds the number of remaining iterations; a
    position holds the index in a list. `length` is set if the list has one item for each player;
    with `partial`, items may be EXCLUDED.
    """

    kind: Type
    many: bool = False
    length: int | None = None
    role: Role | None = None
    eyes: Eyes = None  # the players who can see the value; None: everybody
    partial: bool = False

    def joined(self, other: FrameSlot) -> FrameSlot:
        """Return the union of two slot types."""
        kind = attrs.evolve(self.kind, maybe=self.kind.maybe or other.kind.maybe)
        return attrs.evolve(self, kind=kind)


@attrs.frozen
class Machine:
    """Procedure that may be suspended at decisions.

    `slots` are its parameters and locals, in order, and `holds` has their types.
    """

    name: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    blocks: tuple[Body, ...]
    buffers: tuple[tuple[str, int], ...] = ()
    span: Span = NOWHERE
    holds: tuple[FrameSlot, ...] = ()


@attrs.frozen
class RoundLoop:
    """Loop whose passes are rounds of the game: its machine, counter and blocks.

    The counter is a slot that changes in each pass. A pass begins with the block `body`, between
    those of the loop's test and of its end; the other blocks of a pass follow, up to `stop`.
    """

    machine: str
    counter: str
    body: int
    stop: int

    def __contains__(self, block: int) -> bool:
        """Return whether a machine in this block is in a pass, or before the next test."""
        return self.body - 1 <= block < self.stop and block != self.body + 1


@attrs.frozen
class DecisionTargets:
    """Continuations of a question: target blocks, and the slots for the answer.

    An option of a `plain` question is an entity, stored in `slot`. Any other option is `line << 16
    | entity + 1`; the entity is stored in the variable of the line, and `slot` lists the once-only
    options already taken.
    """

    machine: str
    block: int
    plain: bool
    targets: tuple[int, ...]
    slot: str | None
    who: str | int | None  # slot of the deciding seat, or the seat; None: all players
    variables: tuple[str | None, ...] = ()
    once: tuple[bool, ...] = ()
    keys: tuple[str | None, ...] = ()  # functions from a frame to an effect's subject and column
    words: tuple[tuple[str, ...], ...] = ()  # functions from a frame to values in prompt and lines
    hidden: bool = False  # some players cannot infer the options
    sealed: bool = False  # all players choose simultaneously
    partial: bool = False  # some players may take no part in the simultaneous choice


Change = Literal[
    "move",
    "place",
    "piece",
    "track",
    "flag",
    "shuffle",
    "shift",
    "peek",
    "show",
    "draw",
    "end",
]
StackEnd = Literal["", "top", "bottom"]
EventKind = Change | Literal["say", "act", "part", "told", "hold", "mark"]

START = "game"
"""The machine that a game runs."""
FOR_LABELS = ("key:", "words:")
"""Name prefixes of functions that are used only for labels."""
TOTAL, STANDING = "of:score", "of:standing"
"""The functions of a seat's score and place."""
COLUMNS = 1 << 16  # more than the columns of any field, and one more for none


def rank_name(at: int) -> str:
    """Return the name of the function for a ranking criterion."""
    return f"rank:{at}"


def value_name(name: str, layer: int) -> str:
    """Return the name of the function for a named value."""
    return f"value:{name}@{layer}"


@attrs.frozen
class Event:
    """Log event written by a `Note`: its kind and subject, and the rule that writes it.

    For a change to a hidden track that all players can follow, `change` is the step. If its amount
    depends on the piece in `cause`, or on each of several, `per_piece` is the amount for one. It
    is `imposed` if a verb of one seat acts for another, as in `for p: lower my fame by 1`. For a
    move, `cause` is the local that holds the piece, and `ends` are those of the stacks that a
    printed piece leaves and joins, as far as rules state it. For a `hold`, `cause` is the local
    that holds the piece from here on, in the procedure `proc`: the same as the local `source`
    (procedure and name), if any. A `mark` is a change of a flag or track on a piece that some do
    not see, in the local `cause`; `timed` if all know when it happens, and the amount. A change of
    a track is `absolute` if the rule states its new value. A `peek` that `keeps` shows pieces.
    """

    kind: EventKind
    subject: str
    span: Span
    proc: str
    words: MessageText | None = None
    quiet: bool = False
    change: ChangeTrack | None = None
    cause: Local | None = None
    per_piece: Value | None = None
    imposed: bool = False
    ends: tuple[StackEnd, StackEnd] = "", ""
    source: tuple[str, str] | None = None
    timed: bool = False
    absolute: bool = False
    keeps: bool = False
    apart: bool = False  # a draw that may have been from several cells, or of some of the pieces


@attrs.define
class Flat:
    """Complete program of one setting."""

    arrays: dict[str, Array] = attrs.Factory(dict)
    tables: dict[str, tuple[int, ...]] = attrs.Factory(dict)
    lists: list[tuple[int, ...]] = attrs.Factory(list)
    choices: dict[str, tuple[str, ...]] = attrs.Factory(dict)  # tables of functions or machines
    functions: dict[str, Function] = attrs.Factory(dict)
    machines: dict[str, Machine] = attrs.Factory(dict)
    decisions: list[DecisionTargets] = attrs.Factory(list)
    rounds: list[RoundLoop] = attrs.Factory(list)

    def called(self, name: str, index: Expr | None) -> tuple[str, ...]:
        """Return the names that a call may reach: one or, with an index, all in that table."""
        return (name,) if index is None else self.choices[name]

    def twin(self) -> Flat:
        """Return a copy that other passes may change; it shares the items, which are immutable."""
        return Flat(**{each.name: copy(getattr(self, each.name)) for each in attrs.fields(Flat)})
