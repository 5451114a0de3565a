"""Statements of the flat form, including terminators of blocks."""

from __future__ import annotations

import attrs

from rulesdsl.lower.flat.expressions import Buffer, Expr, Literal, Load, Op, Pile, Source, notation
from rulesdsl.source.span import NOWHERE, Span


@attrs.frozen(slots=True)
class Statement:
    """Statement with the span of its rule line."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@notation("<local> := <value>")
@attrs.frozen(slots=True)
class Set(Statement):
    """Assignment to a local."""

    local: str
    value: Expr


@notation("@<array>[<index>] := <value>")
@attrs.frozen(slots=True)
class Store(Statement):
    """Assignment to a cell of a state array."""

    array: str
    index: Expr
    value: Expr


@notation("fill @<array> <value>")
@attrs.frozen(slots=True)
class Fill(Statement):
    """Assignment of one value to all cells of an array."""

    array: str
    value: int


@notation("if <condition>")
@attrs.frozen(slots=True)
class Conditional(Statement):
    """Conditional statement."""

    condition: Expr
    yes: Body
    no: Body = ()


@notation("for <local> in <source>")
@attrs.frozen(slots=True)
class For(Statement):
    """Loop over a list, a range or the set bits of a number."""

    local: str
    source: Source
    body: Body


@notation("break")
@attrs.frozen(slots=True)
class Break(Statement):
    """Exit from the innermost loop."""


@notation("return<value: %>")
@attrs.frozen(slots=True)
class Return(Statement):
    """Return from a function, with a value if it computes one."""

    value: Expr | None = None


@notation("do <function><index:[%]>(<arguments>)")
@attrs.frozen(slots=True)
class RunFunction(Statement):
    """Call to a function with effects; an index selects it from a table of functions."""

    function: str
    arguments: tuple[Expr, ...]
    index: Expr | None = None


@notation("clear <buffer><many: x %>")
@attrs.frozen(slots=True)
class Clear(Statement):
    """Clearing of a buffer, or of an array of `many` buffers."""

    buffer: Buffer
    many: int | None = None


@notation("push <buffer> <value>")
@attrs.frozen(slots=True)
class Push(Statement):
    """Addition of a value at the end of a buffer."""

    buffer: Buffer
    value: Expr


@notation("distinct <piece> <buffer> by <prints><where: where|><marks: %>")
@attrs.frozen(slots=True)
class Distinct(Statement):
    """Removal of duplicate printed pieces from a buffer; the first of equal pieces is kept.

    Pieces are equal if they have the same number in the table `prints`, lie in the same cell (only
    if `where`), and agree in their cells of each mark: (array, table of cells, cells per piece).
    """

    buffer: Buffer
    piece: str
    prints: str
    where: bool
    marks: tuple[tuple[str, str, int], ...]


@notation("draw <local> from <buffer>")
@attrs.frozen(slots=True)
class Draw(Statement):
    """Random choice of an item from a buffer; -1 if the buffer is empty."""

    local: str
    buffer: Buffer


@notation("place <piece> <thing> <top:top|bottom> <cell>")
@attrs.frozen(slots=True)
class PlacePiece(Statement):
    """Move of a printed piece to the top or the bottom of a pile."""

    piece: str
    thing: Expr
    cell: Expr
    top: bool = True


@notation("<operation> <pile>")
@attrs.frozen(slots=True)
class PermutePile(Statement):
    """Permutation of a pile by an operation of the runtime: `shuffle`.

    Both back ends have a function of that name: `python/runtime.py` and `simulator/piles.wat`.
    """

    operation: str
    pile: Pile


@notation("shift <piece> <thing> <by> (<old>, <new>)")
@attrs.frozen(slots=True)
class Shift(Statement):
    """Move of a printed piece up its pile; two locals get its old and new positions."""

    piece: str
    thing: Expr
    by: Expr
    old: str
    new: str


@notation("note <event> (<values>)")
@attrs.frozen(slots=True)
class Note(Statement):
    """Log event; only written if the program is built with a log."""

    event: int
    values: tuple[Expr | Buffer, ...]


@notation("finish")
@attrs.frozen(slots=True)
class FinishGame(Statement):
    """Immediate end of the game."""


LEARN = Store("learned", Literal(0), Op("+", Load("learned", Literal(0)), Literal(1)))
"""Increment of the counter of revealed facts: a player has learned something new."""


Plain = (
    Set
    | Store
    | Fill
    | Conditional
    | For
    | Break
    | Return
    | RunFunction
    | Clear
    | Push
    | Distinct
    | Draw
    | PlacePiece
    | PermutePile
    | Shift
    | Note
    | FinishGame
)


@notation("goto <block>")
@attrs.frozen(slots=True)
class Goto(Statement):
    """Jump to another block of the machine."""

    block: int


@notation("enter <machine><index:[%]>(<arguments>) then <then>")
@attrs.frozen(slots=True)
class Enter(Statement):
    """Call to a machine, returning to block `then`; an index selects it from a table."""

    machine: str
    arguments: tuple[Expr, ...]
    then: int
    index: Expr | None = None


@notation("leave")
@attrs.frozen(slots=True)
class Leave(Statement):
    """Return from the machine."""


@notation("ask <decision>")
@attrs.frozen(slots=True)
class Ask(Statement):
    """Question: a player chooses one of the options in the buffer `OPTIONS`."""

    decision: int


End = Goto | Enter | Leave | Ask
Stmt = Plain | End
Body = tuple[Stmt, ...]
EXCLUDED = -(1 << 62)  # the only option of a player who takes no part in a simultaneous choice
OPTIONS = "options!"  # no name in a game contains this sign
LINE_BITS = 16  # the line in an option is shifted left by this many bits
