"""Expressions of the flat form, and the lists that they look into. They change nothing."""

from __future__ import annotations

import attrs


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
    """The number of items of a list."""

    of: List


@attrs.frozen(slots=True)
class Contains:
    """A test that a number is in a list."""

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
    """A test that all (`and`) or any (`or`) of some conditions hold, asked until it is known."""

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
    """The result of a function without effects; with an index, of a function of a table."""

    function: str
    arguments: tuple[Expr, ...]
    index: Expr | None = None


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


MAX_BITS = 64


@attrs.frozen(slots=True)
class Bits:
    """The places of the bits that a number has, from below; there are up to `MAX_BITS`."""

    value: Expr


Expr = Const | Local | Load | Table | Item | Length | Contains | Op | Not | Logic | Select | Call
List = Buffer | Row | Pile
"""A list that can be looked at by position."""
Source = List | Range | Bits
"""A list that a loop goes through; nothing in the loop changes it."""

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
