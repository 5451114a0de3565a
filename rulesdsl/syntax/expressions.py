"""Nodes of noun phrases and values."""

from __future__ import annotations

import attrs

from rulesdsl.syntax.node import Node, Word


@attrs.frozen(slots=True)
class Number(Node):
    """A whole number written out."""

    value: int


@attrs.frozen(slots=True)
class Switch(Node):
    """`on` or `off`."""

    on: bool


@attrs.frozen(slots=True)
class Name(Node):
    """One word: a local, an entry, a place, a track, a value ..."""

    name: str


@attrs.frozen(slots=True)
class My(Node):
    """`my X`: the X of the acting seat."""

    name: str


@attrs.frozen(slots=True)
class Me(Node):
    """The acting seat."""


@attrs.frozen(slots=True)
class It(Node):
    """The innermost candidate."""


@attrs.frozen(slots=True)
class Of(Node):
    """`X of Y`."""

    name: Word
    owner: Expr


@attrs.frozen(slots=True)
class At(Node):
    """`X at K`: the column K of X."""

    base: Expr
    key: Expr


@attrs.frozen(slots=True)
class Ends(Node):
    """`top of S` (one or none) or `top 3 of S` (up to that many); also bottom."""

    end: str
    count: int | None
    stack: Expr


@attrs.frozen(slots=True)
class Amount(Node):
    """`2 coins`: a number of a noun."""

    count: Expr
    noun: Word


@attrs.frozen(slots=True)
class Beside(Node):
    """`1 gem after here`: so many steps along a closed ring of entries."""

    steps: Expr
    noun: Word
    side: str
    origin: Expr


@attrs.frozen(slots=True)
class Contents(Node):
    """`X in P`: the pieces, places or entries X that are in P."""

    what: Expr
    where: Expr


@attrs.frozen(slots=True)
class Not(Node):
    """`not E`."""

    value: Expr


@attrs.frozen(slots=True)
class Logic(Node):
    """`and` or `or`."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen(slots=True)
class Compare(Node):
    """`= <> < <= > >=`."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen(slots=True)
class Arithmetic(Node):
    """`+ - * /`; division rounds down."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen(slots=True)
class Cap(Node):
    """`E at most N` or `E at least N`: E held within a bound."""

    at_most: bool
    value: Expr
    bound: Expr


@attrs.frozen(slots=True)
class Per(Node):
    """`rate per things`: a sum over the things, or a rate for their number."""

    rate: Expr
    things: Expr


@attrs.frozen(slots=True)
class Quantified(Node):
    """`any X` or `no X`, with an optional condition on the candidate."""

    positive: bool
    what: Expr
    where: Expr | None = None


@attrs.frozen(slots=True)
class Range(Node):
    """`lo..hi`, both included."""

    low: Expr
    high: Expr


@attrs.frozen(slots=True)
class Choice(Node):
    """`a K x in D where C`: the acting player chooses."""

    kind: Word
    variable: Word | None
    domain: Expr | None
    where: Expr | None


@attrs.frozen(slots=True)
class RandomPick(Node):
    """`random K in D where C`: chance chooses."""

    kind: Word
    domain: Expr | None
    where: Expr | None


@attrs.frozen(slots=True)
class Best(Node):
    """One step of a ranking: `most E` or `least E`."""

    most: bool
    value: Expr


@attrs.frozen(slots=True)
class The(Node):
    """`the K in D where C with most E then ...`: the rules choose; a tie gives none.

    Without a ranking: `the only K in D where C`.
    """

    kind: Word
    domain: Expr | None
    where: Expr | None
    ranking: tuple[Best, ...] = ()


@attrs.frozen(slots=True)
class First(Node):
    """`the first K in LIST after X where C`: the first along a list; one or none."""

    kind: Word
    domain: Expr
    after: Expr | None
    where: Expr | None


@attrs.frozen(slots=True)
class All(Node):
    """`all X where C`."""

    what: Expr
    where: Expr | None


Expr = (
    Number
    | Switch
    | Name
    | My
    | Me
    | It
    | Of
    | At
    | Ends
    | Amount
    | Beside
    | Contents
    | Not
    | Logic
    | Compare
    | Arithmetic
    | Cap
    | Per
    | Quantified
    | Range
    | Choice
    | RandomPick
    | The
    | First
    | All
)
