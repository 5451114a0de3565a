"""Expressions of the flat form, free of effects, and lists."""

from __future__ import annotations

import attrs


@attrs.frozen(slots=True)
class Literal:
    """Constant."""

    value: int


@attrs.frozen(slots=True)
class LocalVar:
    """Local of a function, or slot of a frame."""

    name: str


@attrs.frozen(slots=True)
class Load:
    """Read of a cell of a state array."""

    array: str
    index: Expr


@attrs.frozen(slots=True)
class TableCell:
    """Read of a cell of a constant table."""

    table: str
    index: Expr


@attrs.frozen(slots=True)
class ListItem:
    """Item of a list, counted from 0."""

    of: List
    index: Expr


@attrs.frozen(slots=True)
class Length:
    """Number of items of a list."""

    of: List


@attrs.frozen(slots=True)
class Contains:
    """Membership test of a number in a list."""

    of: List
    value: Expr


@attrs.frozen(slots=True)
class Op:
    """Arithmetic, comparison or bit operation; see `OPERATORS`."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen(slots=True)
class Negate:
    """Logical negation: 1 if the value is 0, else 0."""

    value: Expr


@attrs.frozen(slots=True)
class ShortCircuit:
    """Conjunction (`and`) or disjunction (`or`), evaluated from the left."""

    op: str
    parts: tuple[Expr, ...]


@attrs.frozen(slots=True)
class Select:
    """Conditional expression; only the selected branch is evaluated."""

    condition: Expr
    yes: Expr
    no: Expr


@attrs.frozen(slots=True)
class CallFunction:
    """Result of a function without effects; with an index, of an item of a table."""

    function: str
    arguments: tuple[Expr, ...]
    index: Expr | None = None


@attrs.frozen(slots=True)
class Buffer:
    """List filled by a function; `at` selects one of an array of such lists."""

    name: str
    at: Expr | None = None


@attrs.frozen(slots=True)
class ConstRow:
    """Row of the pool of constant lists."""

    number: Expr


@attrs.frozen(slots=True)
class Pile:
    """Printed pieces of a kind in a cell, from the bottom."""

    piece: str
    cell: Expr


@attrs.frozen(slots=True)
class IntRange:
    """Half-open range of integers."""

    low: Expr
    high: Expr


MAX_BITS = 64


@attrs.frozen(slots=True)
class Bits:
    """Positions of the set bits of a number, in ascending order; at most `MAX_BITS`."""

    value: Expr


Expr = (
    Literal
    | LocalVar
    | Load
    | TableCell
    | ListItem
    | Length
    | Contains
    | Op
    | Negate
    | ShortCircuit
    | Select
    | CallFunction
)
List = Buffer | ConstRow | Pile
"""List with random access."""
Source = List | IntRange | Bits
"""Sequence iterated by a loop, which must not modify it."""

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
"""Operators; those with a dot saturate at 64 bits, the others never overflow.

`/` and `%` round down and require a positive divisor. The last three are bitwise.
"""
