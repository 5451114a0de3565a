"""The flat intermediate form: integers, arrays of fixed size, bounded loops, one kind of question.

It is made for one setting (so many players, given options), when the layout of memory is known,
and every back end starts from it.  Everything is a whole number within 64 bits: a yes-no is 0 or
1, a thing its index, none -1, a list of entries the number of a row in the pool of lists.

The state is arrays (one for each track, mark and kind of pieces) and piles, which keep printed
pieces in order.  An expression changes nothing; what needs a loop is computed by statements in
front of the expression that uses it.  A procedure in which nobody decides is a `Function`.  One
with decisions is a `Machine`: blocks, each of which ends in going on, calling, asking or leaving
on every way through it; its locals lie in a frame, so that a half-done effect is plain data.

A number that is taken for a condition holds where it is not 0.
"""

from __future__ import annotations

import attrs

from rulesdsl.source.span import NOWHERE, Span


# -------------------------------------------------------------------- expressions
@attrs.frozen(slots=True)
class Const:
    """A number."""

    value: int


@attrs.frozen(slots=True)
class Local:
    """A local of the function, or a slot of the frame."""

    name: str


@attrs.frozen(slots=True)
class Load:
    """A cell of an array of the state."""

    array: str
    index: Expr


@attrs.frozen(slots=True)
class Table:
    """A cell of a constant table."""

    table: str
    index: Expr


@attrs.frozen(slots=True)
class Item:
    """An item of a list, counted from 0."""

    of: List
    index: Expr


@attrs.frozen(slots=True)
class Length:
    """How many items a list has."""

    of: List


@attrs.frozen(slots=True)
class Contains:
    """Whether a number is in a list."""

    of: List
    value: Expr


@attrs.frozen(slots=True)
class Op:
    """Arithmetic or a comparison of numbers; see `OPERATORS`."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen(slots=True)
class Not:
    """1 where a condition does not hold, else 0."""

    value: Expr


@attrs.frozen(slots=True)
class Logic:
    """Whether all (`and`) or any (`or`) of some conditions hold, asked until it is known."""

    op: str
    parts: tuple[Expr, ...]


@attrs.frozen(slots=True)
class Select:
    """One number where a condition holds, else another; the other one is not computed."""

    condition: Expr
    yes: Expr
    no: Expr


@attrs.frozen(slots=True)
class Call:
    """What a function without effects returns; with an index, a function of a table."""

    function: str
    arguments: tuple[Expr, ...]
    index: Expr | None = None


Expr = Const | Local | Load | Table | Item | Length | Contains | Op | Not | Logic | Select | Call


# -------------------------------------------------------------------- lists
@attrs.frozen(slots=True)
class Buffer:
    """A list that a function fills; `at` where there is one for each player."""

    name: str
    at: Expr | None = None


@attrs.frozen(slots=True)
class Row:
    """A row of the pool of constant lists."""

    number: Expr


@attrs.frozen(slots=True)
class Pile:
    """The printed pieces of a kind in a cell, from the bottom."""

    piece: str
    cell: Expr


@attrs.frozen(slots=True)
class Range:
    """The numbers from one to another, the last one left out."""

    low: Expr
    high: Expr


@attrs.frozen(slots=True)
class Bits:
    """The places of the bits that a number has, from below; there are up to 64."""

    value: Expr


List = Buffer | Row | Pile
"""What can be looked at by position."""
Source = List | Range | Bits
"""What a loop goes through; nothing in the loop changes it."""


# -------------------------------------------------------------------- statements
@attrs.frozen(slots=True)
class Statement:
    """Something that is done, and the rule line that it stands for."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(slots=True)
class Set(Statement):
    """A local takes a value."""

    local: str
    value: Expr


@attrs.frozen(slots=True)
class Store(Statement):
    """A cell of an array of the state takes a value."""

    array: str
    index: Expr
    value: Expr


@attrs.frozen(slots=True)
class Fill(Statement):
    """All cells of an array take a value."""

    array: str
    value: int


@attrs.frozen(slots=True)
class If(Statement):
    """Statements where a condition holds, else others."""

    condition: Expr
    yes: Body
    no: Body = ()


@attrs.frozen(slots=True)
class For(Statement):
    """Statements for each item of a list or range in turn."""

    local: str
    source: Source
    body: Body


@attrs.frozen(slots=True)
class Break(Statement):
    """The innermost loop ends."""


@attrs.frozen(slots=True)
class Return(Statement):
    """The function ends, with a value where it computes one."""

    value: Expr | None = None


@attrs.frozen(slots=True)
class Do(Statement):
    """A function with effects is carried out; with an index, a function of a table."""

    function: str
    arguments: tuple[Expr, ...]
    index: Expr | None = None


@attrs.frozen(slots=True)
class Clear(Statement):
    """A buffer has no items any more; with a number, it is as many buffers."""

    buffer: Buffer
    many: int | None = None


@attrs.frozen(slots=True)
class Push(Statement):
    """An item is added at the end of a buffer."""

    buffer: Buffer
    value: Expr


@attrs.frozen(slots=True)
class Distinct(Statement):
    """Of printed pieces in a buffer that are alike, only the first stays.

    Alike is what has the same number in a table, lies in the same cell where `where` says so, and
    bears the same marks: arrays, with a table of so many cells of each piece.
    """

    buffer: Buffer
    piece: str
    prints: str
    where: bool
    marks: tuple[tuple[str, str, int], ...]


@attrs.frozen(slots=True)
class Draw(Statement):
    """A local takes an item of a buffer by chance, -1 where there is none."""

    local: str
    buffer: Buffer


@attrs.frozen(slots=True)
class Place(Statement):
    """A printed piece goes from where it lies on top of a pile, or to its bottom."""

    piece: str
    thing: Expr
    cell: Expr
    top: bool = True


@attrs.frozen(slots=True)
class Shuffle(Statement):
    """A pile is shuffled."""

    pile: Pile


@attrs.frozen(slots=True)
class Shift(Statement):
    """A printed piece goes so many places up in its pile; locals take where it was and is."""

    piece: str
    thing: Expr
    by: Expr
    old: str
    new: str


@attrs.frozen(slots=True)
class Note(Statement):
    """Something is written into the log, where there is one."""

    event: int
    values: tuple[Expr | Buffer, ...]


@attrs.frozen(slots=True)
class Finish(Statement):
    """The game ends at once."""


Plain = (
    Set
    | Store
    | Fill
    | If
    | For
    | Break
    | Return
    | Do
    | Clear
    | Push
    | Distinct
    | Draw
    | Place
    | Shuffle
    | Shift
    | Note
    | Finish
)


# -------------------------------------------------------------------- ends of blocks
@attrs.frozen(slots=True)
class Goto(Statement):
    """Go on in another block of the machine."""

    block: int


@attrs.frozen(slots=True)
class Enter(Statement):
    """Carry out a machine, or one of a table, then go on in a block."""

    machine: str
    arguments: tuple[Expr, ...]
    then: int
    index: Expr | None = None


@attrs.frozen(slots=True)
class Leave(Statement):
    """The machine is done."""


@attrs.frozen(slots=True)
class Ask(Statement):
    """Somebody chooses one of the options in the buffer `OPTIONS`."""

    decision: int


End = Goto | Enter | Leave | Ask
Stmt = Plain | End
Body = tuple[Stmt, ...]
OPTIONS = "options"
LINE_BITS = 16  # an option of lines is a line, and below it so many bits of a thing

OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "min",
    "max",
    "+.",
    "-.",
    "*.",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "&",
    "|",
    "^",
)
"""Those with a dot stop at the bounds of 64 bits; the others never reach them. `/` and `%` round
down, and divide by more than 0. The last three are of bits."""


# -------------------------------------------------------------------- programs
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
    """What is carried out, or computed, at once."""

    name: str
    params: tuple[str, ...]
    body: Body
    buffers: tuple[tuple[str, int], ...] = ()  # with the most items that each can have
    span: Span = NOWHERE


@attrs.frozen
class Machine:
    """What may stop at decisions. `slots`: parameters and locals, in the order of the frame."""

    name: str
    params: tuple[str, ...]
    slots: tuple[str, ...]
    blocks: tuple[Body, ...]
    buffers: tuple[tuple[str, int], ...] = ()
    span: Span = NOWHERE


@attrs.frozen
class Decision:
    """What an option of a question leads to, by the names of slots and the numbers of blocks.

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
    hidden: bool = False  # not everybody can tell what is offered
    sealed: bool = False  # all players choose at once


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
