"""Statements of the flat form, and the ends of blocks."""

from __future__ import annotations

import attrs

from rulesdsl.lower.flat.expressions import Buffer, Const, Expr, Load, Op, Pile, Source
from rulesdsl.source.span import NOWHERE, Span


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


LEARN = Store("learned", Const(0), Op("+", Load("learned", Const(0)), Const(1)))
"""Somebody has seen something that they could not know before."""


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
OPTIONS = "options!"  # no name of the rules has such a sign
LINE_BITS = 16  # an option of lines is a line, and below it so many bits of a thing
