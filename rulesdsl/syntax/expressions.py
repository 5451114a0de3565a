"""Nodes of expressions: noun phrases and values."""

from __future__ import annotations

from rulesdsl.syntax.node import Identifier, Node, node, rule


@node()
class Text(Node):
    """`"words {value} words"`: a displayed text; `words` are the parts around the values."""

    words: tuple[str, ...]
    values: tuple[Expr, ...] = ()


@node("number")
class Number(Node):
    """Number literal, never negative."""

    value: int


@node()
class Switch(Node):
    """Boolean literal, `on` or `off`."""

    on: bool


@node("name")
class Name(Node):
    """Single word: a local, an entry, a place, a track, a value, ..."""

    name: str


@node("my")
class My(Node):
    """`my X`: the X of the acting seat."""

    name: str


@node("me")
class Me(Node):
    """`me`: the acting seat."""


@node("it")
class It(Node):
    """`it`: the innermost candidate."""


@node("of")
class Of(Node):
    """`X of Y`: attribute, field, value or place X of Y."""

    name: Identifier
    owner: Expr


@node("at")
class At(Node):
    """`X at K`: the item in X with the key K."""

    base: Expr
    key: Expr


@node("end_pieces")
class Ends(Node):
    """`top of S` (at most one) or `top 3 of S` (at most that many); likewise `bottom`."""

    end: str
    count: int | None
    stack: Expr


@node("amount")
class NounAmount(Node):
    """`2 coins`: an amount of something countable."""

    count: Expr
    noun: Identifier


@node("beside")
class Beside(Node):
    """`1 gem after here`: the entry a number of steps away in the cyclic order of its kind."""

    steps: Expr
    noun: Identifier
    side: str
    origin: Expr


@node("contents")
class Contents(Node):
    """`X in P`: the pieces, places or entries X that are in P."""

    what: Expr
    where: Expr


@node("other_than", "where", None, "piece")
class OtherThan(Node):
    """`P other than x`: a place or list without one of the things in it."""

    where: Expr
    piece: Expr


@node("not_")
class Not(Node):
    """Negation, `not E`."""

    value: Expr


@rule("or_", op="or")
@node("and_", op="and")
class Logic(Node):
    """Conjunction (`and`) or disjunction (`or`)."""

    op: str
    left: Expr
    right: Expr


@node("compare", "left", "op", "right")
class Compare(Node):
    """Comparison with one of `= <> < <= > >=`."""

    op: str
    left: Expr
    right: Expr


@rule("sum", "left", "op", "right")
@node("product", "left", "op", "right")
class Arithmetic(Node):
    """Arithmetic operation `+ - * /`; division rounds down."""

    op: str
    left: Expr
    right: Expr


@node("cap", "value", "at_most", "bound")
class Cap(Node):
    """`E at most N` or `E at least N`: E, but not beyond the bound N."""

    at_most: bool
    value: Expr
    bound: Expr


@node("per")
class Per(Node):
    """`rate per things`: a sum over the things, or a rate times their number."""

    rate: Expr
    things: Expr


@rule("quantified", "positive", "what")
@node("quantified_where", ("positive", "what"), "where")
class Quantified(Node):
    """`any X` or `no X`, with an optional condition on the candidate."""

    positive: bool
    what: Expr
    where: Expr | None = None


@node("range")
class Range(Node):
    """`lo..hi`: the numbers between two bounds, inclusive."""

    low: Expr
    high: Expr


@node("a")
class Choice(Node):
    """`a K x in D where C "question" each "option" preview V`: a choice by the acting player."""

    kind: Identifier
    variable: Identifier | None
    domain: Expr | None
    where: Expr | None
    prompt: Text | None
    label: Text | None
    preview: Identifier | None


@node("random")
class RandomPick(Node):
    """`random K in D where C`: a random candidate."""

    kind: Identifier
    domain: Expr | None
    where: Expr | None


@node("best")
class Best(Node):
    """Criterion of a ranking: `most E` or `least E`."""

    most: bool
    value: Expr


@rule("the")
@node("only_one", None, "kind", "domain", "where")
class The(Node):
    """`the K in D where C with most E then ...`: the best candidate, or `none` in a tie.

    Without a ranking: `the only K in D where C`.
    """

    kind: Identifier
    domain: Expr | None
    where: Expr | None
    ranking: tuple[Best, ...] = ()


@node("first", None, "kind", "domain", "after", "where")
class First(Node):
    """`the first K in LIST after X where C`: the first match along a list, if any."""

    kind: Identifier
    domain: Expr
    after: Expr | None
    where: Expr | None


@node("all")
class All(Node):
    """`all X where C`: all candidates for which a condition holds."""

    what: Expr
    where: Expr | None


_Simple = Number | Switch | Name | My | Me | It
_Phrase = Of | At | Ends | NounAmount | Beside | Contents | OtherThan | Per | Range
_Operation = Not | Logic | Compare | Arithmetic | Cap | Quantified
_Selection = Choice | RandomPick | The | First | All
Expr = _Simple | _Phrase | _Operation | _Selection
"""Any expression."""
