"""Nodes of what is done: steps of an effect and its flow."""

from __future__ import annotations

import attrs

from rulesdsl.syntax.expressions import Best, Choice, Expr
from rulesdsl.syntax.node import Node, Param, Word


@attrs.frozen(slots=True)
class Argument(Node):
    """One argument of a call; the first may stand without a preposition."""

    preposition: str | None
    value: Expr


@attrs.frozen(slots=True)
class Call(Node):
    """`VERB args`."""

    verb: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(slots=True)
class Move(Node):
    """`move [up to] X [from P] into Q`."""

    up_to: bool
    what: Expr
    source: Expr | None
    into: Expr


@attrs.frozen(slots=True)
class Change(Node):
    """`raise T by N` or `lower T by N`."""

    up: bool
    target: Expr
    amount: Expr


@attrs.frozen(slots=True)
class Mark(Node):
    """`mark F of X` or `clear F of X`."""

    on: bool
    target: Expr


@attrs.frozen(slots=True)
class Do(Node):
    """`do FIELD of X [at K]`: carry out an effect that stands in a field."""

    target: Expr


@attrs.frozen(slots=True)
class Let(Node):
    """`let x = E "question"`."""

    name: Word
    value: Expr
    prompt: str | None


@attrs.frozen(slots=True)
class Needs(Node):
    """`needs C`: possible only where C holds."""

    condition: Expr


@attrs.frozen(slots=True)
class Shuffle(Node):
    """`shuffle S`."""

    target: Expr


@attrs.frozen(slots=True)
class LookAt(Node):
    """`look at X`: the acting player learns what X is."""

    what: Expr


@attrs.frozen(slots=True)
class EndGame(Node):
    """`end game`."""


@attrs.frozen(slots=True)
class Nothing(Node):
    """`nothing`."""


@attrs.frozen(slots=True)
class Sequence(Node):
    """`A, B to C`: steps in order; `gains` are those behind `to`."""

    steps: tuple[Stmt, ...]
    gains: tuple[Stmt, ...] = ()


@attrs.frozen(slots=True)
class Either(Node):
    """`A or else B`: the acting player chooses one."""

    ways: tuple[Sequence, ...]


@attrs.frozen(slots=True)
class May(Node):
    """`may A`: asked yes or no, in words of its own where it has a label."""

    label: str | None
    body: Body


@attrs.frozen(slots=True)
class MayRepeat(Node):
    """`may any number of times` (limit None) or `may up to N times`."""

    label: str | None
    limit: Expr | None
    body: Body


@attrs.frozen(slots=True)
class Repeat(Node):
    """`repeat N times`."""

    times: Expr
    body: Body


@attrs.frozen(slots=True)
class Until(Node):
    """`repeat at most N times until C`: only the flow of a game may do this."""

    limit: Expr
    condition: Expr
    body: Body


@attrs.frozen(slots=True)
class Each(Node):
    """`for each K x in D starting with S where C`."""

    kind: Word
    variable: Word | None
    domain: Expr | None
    start: Expr | None
    where: Expr | None
    body: Body


@attrs.frozen(slots=True)
class ActAs(Node):
    """`for SEAT:`: that seat acts."""

    seat: Expr
    body: Body


@attrs.frozen(slots=True)
class Secret(Node):
    """`all choose secretly a K x: ...`."""

    choice: Choice
    body: Body


@attrs.frozen(slots=True)
class Branch(Node):
    """One condition of an `if` with its body."""

    condition: Expr
    body: Body


@attrs.frozen(slots=True)
class If(Node):
    """`if C: ... otherwise if D: ... otherwise: ...`."""

    branches: tuple[Branch, ...]
    otherwise: Body | None


@attrs.frozen(slots=True)
class IfAble(Node):
    """`if able: A otherwise: B`: A where A can be carried out."""

    body: Body
    otherwise: Body | None


@attrs.frozen(slots=True)
class Line(Node):
    """One line of `choose one`, with a label of its own or that of its text."""

    label: str | None
    body: Body


@attrs.frozen(slots=True)
class ChooseOne(Node):
    """`choose one:` and its lines."""

    lines: tuple[Line, ...]


@attrs.frozen(slots=True)
class MenuLine(Node):
    """One line of a menu; with `kind`, one for each thing of a domain."""

    once: bool
    label: str | None
    kind: Word | None
    variable: Word | None
    domain: Expr | None
    where: Expr | None
    body: Body


@attrs.frozen(slots=True)
class Menu(Node):
    """`menu:` and its lines; offered again until the player is done."""

    lines: tuple[MenuLine, ...]


@attrs.frozen(slots=True)
class BadLine(Node):
    """A line that could not be read; reported already."""


@attrs.frozen(slots=True)
class Body(Node):
    """The statements behind a colon."""

    statements: tuple[Stmt, ...]
    inline: bool = attrs.field(default=False, eq=False)


@attrs.frozen(slots=True)
class Case(Node):
    """`E if C` in a value by cases."""

    value: Expr
    condition: Expr


@attrs.frozen(slots=True)
class Formula(Node):
    """The body of a value: lets, cases, and what holds otherwise."""

    lets: tuple[Let | BadLine, ...]
    cases: tuple[Case, ...]
    otherwise: Expr
    inline: bool = attrs.field(default=False, eq=False)


@attrs.frozen(slots=True)
class Ranking(Node):
    """`most E then least F`."""

    steps: tuple[Best, ...]


@attrs.frozen(slots=True)
class PrepParam(Node):
    """A parameter behind a preposition."""

    preposition: str
    param: Param


@attrs.frozen(slots=True)
class Header(Node):
    """The head of a verb, step or hook."""

    name: Word
    param: Param | None
    more: tuple[PrepParam, ...]


Simple = Call | Move | Change | Mark | Do | Let | Needs | Shuffle | LookAt | EndGame | Nothing
"""What holds no other statements."""

Loop = MayRepeat | Repeat | Until | Each | ActAs | Secret
"""What has one body behind its head."""

Compound = Sequence | Either | May | Loop | If | IfAble | ChooseOne | Menu
"""What holds other statements."""

Stmt = Simple | Compound | BadLine
"""Whatever may stand on a line of an effect."""
