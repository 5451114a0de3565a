"""Expressions of the flat form, which have no effects, and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs

_Kind = TypeVar("_Kind", bound=type)

NOTATION: dict[type, str] = {}
"""The textual form of each kind of node: `<field>` is replaced by the text of a field.

`<field:[%]>` writes brackets around the text of the field, or of each item of a tuple, and nothing
for None; `<field:yes|no>` is for a boolean field.
"""


def notation(template: str) -> Callable[[_Kind], _Kind]:
    """Set the textual form for a kind of node."""

    def noted(kind: _Kind) -> _Kind:
        NOTATION[kind] = template
        return kind

    return noted


@notation("<value>")
@attrs.frozen(slots=True)
class Literal:
    """Constant."""

    value: int


@notation("<name>")
@attrs.frozen(slots=True)
class LocalVar:
    """Local of a function, or slot of a frame."""

    name: str


@notation("@<array>[<index>]")
@attrs.frozen(slots=True)
class Load:
    """Read of a state array's cell."""

    array: str
    index: Expr


@notation("$<table>[<index>]")
@attrs.frozen(slots=True)
class TableCell:
    """Read of a constant table's cell."""

    table: str
    index: Expr


@notation("<of>[<index>]")
@attrs.frozen(slots=True)
class ListItem:
    """Item of a list, counted from 0."""

    of: List
    index: Expr


@notation("length <of>")
@attrs.frozen(slots=True)
class Length:
    """Number of items in a list."""

    of: List


@notation("(<value> in <of>)")
@attrs.frozen(slots=True)
class Contains:
    """Test for a number's membership in a list."""

    of: List
    value: Expr


@notation("(<left> <op> <right>)")
@attrs.frozen(slots=True)
class Op:
    """Arithmetic, comparison or bit operation; see `OPERATORS`."""

    op: str
    left: Expr
    right: Expr


@notation("not <value>")
@attrs.frozen(slots=True)
class Negate:
    """Logical negation: 1 if the value is 0, otherwise 0."""

    value: Expr


@notation("(<parts>)")
@attrs.frozen(slots=True)
class ShortCircuit:
    """Conjunction (`and`) or disjunction (`or`), evaluated from left to right."""

    op: str
    parts: tuple[Expr, ...]


@notation("(<condition> ? <yes> : <no>)")
@attrs.frozen(slots=True)
class Select:
    """Conditional expression; only the selected branch is evaluated."""

    condition: Expr
    yes: Expr
    no: Expr


@notation("<function><index:[%]>(<arguments>)")
@attrs.frozen(slots=True)
class CallFunction:
    """Result of a function without effects; an index selects it from a table of functions."""

    function: str
    arguments: tuple[Expr, ...]
    index: Expr | None = None


@notation("&<name><at:{%}>")
@attrs.frozen(slots=True)
class Buffer:
    """List filled by a function; `at` selects one from an array of such lists."""

    name: str
    at: Expr | None = None


@notation("%<number>")
@attrs.frozen(slots=True)
class ConstRow:
    """Row in the pool of constant lists."""

    number: Expr


@notation("#<piece>[<cell>]")
@attrs.frozen(slots=True)
class Pile:
    """Printed pieces of a kind in a cell, from bottom to top."""

    piece: str
    cell: Expr


@notation("<low> .. <high>")
@attrs.frozen(slots=True)
class IntRange:
    """Half-open range of integers."""

    low: Expr
    high: Expr


MAX_BITS = 64


@notation("bits <value>")
@attrs.frozen(slots=True)
class Bits:
    """Positions of the set bits of a number of at most `MAX_BITS` bits, in ascending order."""

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
