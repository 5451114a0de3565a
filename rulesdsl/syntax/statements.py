"""Nodes of statements."""

from __future__ import annotations

import attrs

from rulesdsl.syntax.expressions import Choice, Expr, Text
from rulesdsl.syntax.node import Identifier, Node, Param, node, rule


@node()
class Argument(Node):
    """Argument of a call; the first may have no preposition."""

    preposition: str | None
    value: Expr


@node()
class Call(Node):
    """`VERB args`: a call to a verb or step."""

    verb: Identifier
    arguments: tuple[Argument, ...]


@node("move")
class Move(Node):
    """`move [up to] X [from P] into Q`: a move of pieces to a place."""

    up_to: bool
    what: Expr
    source: Expr | None
    into: Expr


@node("change")
class Change(Node):
    """`raise T by N` or `lower T by N`: a change to a track."""

    up: bool
    target: Expr
    amount: Expr


@node("set", None, "target", "value")
class Assign(Node):
    """`set T to N` or `set F to C`: a new value of a track or flag."""

    target: Expr
    value: Expr


@rule("set_switch", None, "target", "on")
@node("mark")
class Mark(Node):
    """`mark F of X` or `clear F of X`: setting or clearing of a flag."""

    on: bool
    target: Expr


@node("do")
class Do(Node):
    """`do FIELD of X [at K]`: execution of the effect in a field."""

    target: Expr


@node("let")
class Let(Node):
    """`let x = E`: the binding of a local."""

    name: Identifier
    value: Expr


@node("needs")
class Needs(Node):
    """`needs C "text"`: a precondition, and the text shown if it does not hold."""

    condition: Expr
    text: Text | None


@node("shuffle")
class Shuffle(Node):
    """`shuffle S`: a shuffle of a stack."""

    target: Expr


@node("look", None, "what")
class LookAt(Node):
    """`look at X`: revelation of X to the acting player."""

    what: Expr


@rule("show_to_all", None, "what")
@node("show_to", None, "what", "to")
class Show(Node):
    """`show X to p` or `show X to all`: revelation of X where it is to a player, or to all."""

    what: Expr
    to: Expr | None


@node("say")
class Say(Node):
    """`say "text"`: output of a line to the log."""

    text: Text


@node("openly", "what", None)
class Openly(Node):
    """`S shown`: a statement that may write something hidden where more people see it."""

    what: Call | Move | Change | Assign | Mark | Say | Shuffle | LookAt | Show | EndGame


@node("end")
class EndGame(Node):
    """`end game`: the end of the game."""


@node("nothing")
class Nothing(Node):
    """`nothing`: the empty statement."""


@node()
class Sequence(Node):
    """`A, B to C`: statements in order; `gains` are those after `to`."""

    steps: tuple[Stmt, ...]
    gains: tuple[Stmt, ...] = ()


@node()
class Either(Node):
    """`A or else B`: the acting player chooses one."""

    ways: tuple[Sequence, ...]


@node()
class May(Node):
    """`may A`: a yes-or-no decision; without a label, one is derived from its steps.

    With `confirm`, human players are asked to confirm their choice.
    """

    label: Text | None
    confirm: bool
    body: Body


@rule("may_any", "label", None, "body")
@node("may_times", "label", None, "limit", "body")
class MayRepeat(Node):
    """`may any number of times` (limit None) or `may up to N times`: a repeated decision."""

    label: Text | None
    limit: Expr | None
    body: Body


@node("repeat")
class Repeat(Node):
    """`repeat N times`: a loop of N rounds."""

    times: Expr
    body: Body


@node("until", None, "limit", "condition", "body")
class Until(Node):
    """`repeat at most N times until C`: a loop with a condition, only in steps."""

    limit: Expr
    condition: Expr
    body: Body


@node("each")
class Each(Node):
    """`for each K x in D starting with S where C`: a loop over a domain."""

    kind: Identifier
    variable: Identifier | None
    domain: Expr | None
    start: Expr | None
    where: Expr | None
    body: Body


@node("act_as")
class ActAs(Node):
    """`for SEAT:`: a block in which that seat acts."""

    seat: Expr
    body: Body


@node("secret")
class Secret(Node):
    """`all [where C] choose secretly a K x: ...`: simultaneous choices by all players or some."""

    where: Expr | None
    choice: Choice
    body: Body


@node()
class Branch(Node):
    """Branch of an `if`: a condition and a body."""

    condition: Expr
    body: Body


@node()
class If(Node):
    """`if C: ... otherwise if D: ... otherwise: ...`: a conditional statement."""

    branches: tuple[Branch, ...]
    otherwise: Body | None


@node("if_able", None, "body", "otherwise")
class IfAble(Node):
    """`if able: A otherwise: B`: A if it is possible, or else B."""

    body: Body
    otherwise: Body | None


@node("option_line")
class Line(Node):
    """Line of `choose one`; without a label, one is derived from its body."""

    label: Text | None
    confirm: bool
    body: Body


@node("choose", "prompt", more="lines")
class ChooseOne(Node):
    """`choose one "question":` and its lines: one of them is chosen."""

    prompt: Text | None
    lines: tuple[Line, ...]


@node("menu_line", "once", "label", "confirm", ("kind", "variable", "domain", "where"), "body")
class MenuLine(Node):
    """Line of a menu; with `kind`, one line for each entity of a domain."""

    once: bool
    label: Text | None
    confirm: bool
    kind: Identifier | None
    variable: Identifier | None
    domain: Expr | None
    where: Expr | None
    body: Body


@node("menu", "prompt", more="lines")
class Menu(Node):
    """`menu "question":` and its lines: offered repeatedly until the player is done."""

    prompt: Text | None
    lines: tuple[MenuLine | BadLine, ...]


@node("bad", None)
class BadLine(Node):
    """Unreadable line that has been reported."""


@node()
class Body(Node):
    """Statements after a colon; `inline` if they begin on the same line.

    The effect of an entry may have a `title`, which players read in its place.
    """

    statements: tuple[Stmt, ...]
    inline: bool = attrs.field(default=False, eq=False)
    title: str | None = None


@node("case")
class Case(Node):
    """`E if C`: a case of a value."""

    value: Expr
    condition: Expr


@node()
class Formula(Node):
    """Body of a value: bindings, cases, and the default case."""

    lets: tuple[Let | BadLine, ...]
    cases: tuple[Case, ...]
    otherwise: Expr
    inline: bool = attrs.field(default=False, eq=False)


@node("prep_param")
class PrepParam(Node):
    """Parameter after a preposition."""

    preposition: str
    param: Param


@node("header", more="more")
class Header(Node):
    """Name and parameters of a verb or step, in its declaration or in a hook."""

    name: Identifier
    param: Param | None
    more: tuple[PrepParam, ...]


Simple = (
    Call
    | Move
    | Change
    | Assign
    | Mark
    | Do
    | Let
    | Needs
    | Shuffle
    | LookAt
    | Show
    | Say
    | Openly
    | EndGame
    | Nothing
)
"""Statements without a body."""

Loop = MayRepeat | Repeat | Until | Each | ActAs | Secret
"""Statements with one body after their head."""

Compound = Sequence | Either | May | Loop | If | IfAble | ChooseOne | Menu
"""Statements that contain statements."""

Stmt = Simple | Compound | BadLine
"""Any statement."""


def alone(stmt: Stmt) -> Body:
    """Return a body of one statement on the line of its colon."""
    return Body((stmt,), inline=True, span=stmt.span)


def unlabelled(stmt: Stmt) -> Line:
    """Return an unlabelled line of a choice with one statement as its body."""
    return Line(None, confirm=False, body=alone(stmt), span=stmt.span)
