"""Nodes of declarations."""

from __future__ import annotations

from rulesdsl.syntax.expressions import Best, Expr, Range, Text
from rulesdsl.syntax.node import Identifier, Node, Param, node, rule
from rulesdsl.syntax.statements import BadLine, Body, Formula, Header


@node("names")
class Names(Node):
    """`coin/coins "Coin"`: singular, plural, title."""

    singular: Identifier
    plural: Identifier | None
    title: str | None


@node("table")
class TableRef(Node):
    """`from "cards.toml"`: a table in a file."""

    path: str


@node("field")
class FieldDecl(Node):
    """`worth: number per suit seen by all = 0`: a field of a kind's entries."""

    name: Identifier
    type: Identifier
    per: Identifier | None
    seen_by: Identifier | None
    default: Expr | None
    quiet: bool


Fields = tuple[FieldDecl | BadLine, ...]


@node("kind", "names", "numbered", "table", {"members": "members"}, more="fields")
class KindDecl(Node):
    """`kind suit: sun, moon`: a kind with its entries, or with fields and entries elsewhere."""

    names: Names
    numbered: bool
    table: TableRef | None
    members: tuple[Identifier, ...] = ()
    fields: Fields = ()


@node("piece", more="fields")
class PieceDecl(Node):
    """`piece card "Card" from "cards.toml" 1 per player in deck: fields`: a kind of pieces."""

    names: Names
    table: TableRef | None
    count: Expr | None
    per: Identifier | None
    home: Expr | None
    quiet: bool
    fields: Fields


@node("seen")
class SeenBy(Node):
    """`seen by owner`, `seen by owner only` or `seen by owner and counted by all`."""

    viewers: Identifier
    counted: str | None = None


@node("place", more="fields")
class PlaceDecl(Node):
    """`place hand per player seen by owner holds card`, or `stack ...`: a kind of places."""

    stack: bool
    names: Names
    numbered: bool
    table: TableRef | None
    per: tuple[Identifier, ...]
    seen_by: SeenBy | None
    holds: tuple[Identifier, ...]
    quiet: bool
    fields: Fields


@node("track")
class TrackDecl(Node):
    """`track coin per player from 0..20`: a number that changes during a game."""

    names: Names
    per: tuple[Identifier, ...]
    seen_by: SeenBy | None
    bounds: Range | None
    during: Identifier | None
    quiet: bool


@node("flag")
class FlagDecl(Node):
    """`flag used "Face down" per card during turn`: a mark that is either set or clear."""

    name: Identifier
    title: str | None
    per: tuple[Identifier, ...]
    seen_by: SeenBy | None
    during: Identifier | None
    quiet: bool


@node("memory")
class MemoryDecl(Node):
    """`memory trump "Trump": suit during round`: one thing of a kind, or nothing."""

    name: Identifier
    title: str | None
    kind: Identifier
    per: tuple[Identifier, ...]
    seen_by: SeenBy | None
    during: Identifier | None
    quiet: bool


@node("constants")
class ConstantsDecl(Node):
    """`constants from "numbers.toml"`: named numbers in a table."""

    table: TableRef


@node(
    "option",
    "name",
    "title",
    {
        "switch": "switch",
        "number_range": ("number", "bounds"),
        "members": "values",
        "off_or": "values",
    },
)
class OptionDecl(Node):
    """`option NAME "title": off`, or with `3 in 2..4` or `first, second` after the colon."""

    name: Identifier
    title: str
    switch: bool | None = None
    number: Expr | None = None
    bounds: Range | None = None
    values: tuple[Identifier, ...] = ()


@node("rival")
class RivalDecl(Node):
    """`rival NAME "title" when C`: a seat that makes no decisions."""

    name: Identifier
    title: str
    without_score: bool
    when: Expr | None


@node("plain_field")
class PlainField(Node):
    """`field = value`: the value of an entry's field."""

    name: Identifier
    value: Expr


@node("effect_field")
class EffectField(Node):
    """`field "title": effect`: an effect in an entry's field, and its words for players."""

    name: Identifier
    title: str | None
    body: Body


@node("entry", more="fields")
class EntryDecl(Node):
    """`gem ruby "Ruby": ...`: an entry, or further fields of an entry."""

    kind: Identifier
    name: Identifier
    title: str | None
    fields: tuple[PlainField | EffectField | BadLine, ...]


@node("show")
class Shown(Node):
    """`hand`, `cards in hand` or `hand "Cards"`: an item in a panel."""

    name: Identifier
    place: Identifier | None = None
    title: str | None = None


@node(
    "panel",
    "title",
    "when",
    "form",
    "along",
    "row",
    "column",
    {"per_kind": "per", "of_rival": "whose"},
    "shown",
)
class PanelDecl(Node):
    """`panel "Board" always as table per seat: hand, coins`: items displayed together.

    `whose` is a rival or the viewer (`of me`). `along` names the edges of a map; `row` and
    `column` are the coordinates of the cells of a grid or the places of a map.
    """

    title: str
    when: Identifier | None
    form: Identifier | None
    along: Identifier | None
    row: Identifier | None
    column: Identifier | None
    per: Identifier | None
    whose: Identifier | None
    shown: tuple[Shown, ...]


@node("source")
class SourceDecl(Node):
    """`source "house"`: the cited source of the numbers below it in the file."""

    source: str


@node("value")
class ValueDecl(Node):
    """`value N "T" of K x at L y: formula`: a named value with up to two parameters."""

    name: Identifier
    title: str | None
    param: Param | None
    second: Param | None
    formula: Formula


@rule("verb", "header", "text", None, "imperative", "quiet", "body", verb=True)
@node("step", "header", "text", "quiet", "body", verb=False)
class ProcedureDecl(Node):
    """`verb ... "text" as "imperative"` (done by a player) or `step ...` (done by the game).

    `text` is its message in the log, and `imperative` the words by which a card or an option
    offers it; a `quiet` procedure is not logged.
    """

    verb: bool
    header: Header
    text: Text | None
    quiet: bool
    body: Body
    imperative: Text | None = None


@node("hook")
class HookDecl(Node):
    """`before`, `after` or `instead of` a verb or step, or lines added to its menu or choice.

    The body of added lines is a single `menu` or `choose one` that contains them.
    """

    time: str
    header: Header
    when: Expr | None
    body: Body


@node("value_hook", None, "name", "param", "second", "when", "formula")
class ValueHookDecl(Node):
    """`instead of value N of K x when C: formula`: a replacement of a named value."""

    name: Identifier
    param: Param | None
    second: Param | None
    when: Expr | None
    formula: Formula


@node("text_hook", None, "old", "header", "imperative", "text")
class TextHookDecl(Node):
    """`instead of text "old" of verb x: "new"`; without `old`, it replaces the log message.

    If `imperative` (`as` before the colon), it replaces the words by which the verb is offered.
    """

    old: str | None
    header: Header
    imperative: bool
    text: Text


@node("score")
class ScoreDecl(Node):
    """`score NAME "title": formula`: a line in the final scoring."""

    name: Identifier
    title: str
    formula: Formula


@node("win")
class WinDecl(Node):
    """`win with most E then ...`: the criteria of the final ranking."""

    ranking: tuple[Best, ...]


@node("verdict")
class VerdictDecl(Node):
    """`verdict won "text" when C`: the outcome of a finished game for a player."""

    word: Identifier
    text: Text
    when: Expr | None


Conditional = RivalDecl | VerdictDecl  # in force where the condition holds
Counter = TrackDecl | FlagDecl | MemoryDecl  # kept per kind, during a procedure
_Thing = KindDecl | PieceDecl | PlaceDecl | Counter | EntryDecl | RivalDecl
_Setting = ConstantsDecl | OptionDecl | PanelDecl | SourceDecl
_Hook = HookDecl | ValueHookDecl | TextHookDecl
_Rule = ValueDecl | ProcedureDecl | _Hook | ScoreDecl | WinDecl | VerdictDecl
Decl = _Thing | _Setting | _Rule
"""Any declaration."""


@node()
class File(Node):
    """Declarations of one .rules file, in order."""

    path: str
    declarations: tuple[Decl, ...]
