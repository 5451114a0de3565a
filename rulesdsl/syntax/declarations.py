"""Nodes of what a pack declares."""

from __future__ import annotations

from rulesdsl.syntax.expressions import Best, Expr, Range, Text
from rulesdsl.syntax.node import Node, Param, Word, node, rule
from rulesdsl.syntax.statements import BadLine, Body, Formula, Header


@node("names")
class Names(Node):
    """`coin/coins "Coin"`: singular, plural, title."""

    singular: Word
    plural: Word | None
    title: str | None


@node("table")
class TableRef(Node):
    """`from "cards.toml"`."""

    path: str


@node("field")
class FieldDecl(Node):
    """`worth: number per suit seen by all = 0`."""

    name: Word
    type: Word
    per: Word | None
    seen_by: Word | None
    default: Expr | None
    quiet: bool


Fields = tuple[FieldDecl | BadLine, ...]


@node("kind", "names", "table", {"members": "members"}, more="fields")
class KindDecl(Node):
    """`kind suit: sun, moon`, or a kind with fields and entries elsewhere."""

    names: Names
    table: TableRef | None
    members: tuple[Word, ...] = ()
    fields: Fields = ()


@node("piece", more="fields")
class PieceDecl(Node):
    """`piece card "Card" from "cards.toml" 1 per player in deck: fields`."""

    names: Names
    table: TableRef | None
    count: Expr | None
    per: Word | None
    home: Expr | None
    quiet: bool
    fields: Fields


@node("place", more="fields")
class PlaceDecl(Node):
    """`place hand per player seen by owner holds card`, or a stack."""

    stack: bool
    names: Names
    table: TableRef | None
    per: tuple[Word, ...]
    seen_by: Word | None
    holds: tuple[Word, ...]
    quiet: bool
    fields: Fields


@node("track")
class TrackDecl(Node):
    """`track coin per player from 0..20`."""

    names: Names
    per: tuple[Word, ...]
    seen_by: Word | None
    bounds: Range | None
    during: Word | None
    quiet: bool


@node("flag")
class FlagDecl(Node):
    """`flag used per card during turn`."""

    name: Word
    per: tuple[Word, ...]
    during: Word | None
    quiet: bool


@node("constants")
class ConstantsDecl(Node):
    """`constants from "numbers.toml"`."""

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
    """`option NAME "title": off`, `: 3 in 2..4` or `: first, second`."""

    name: Word
    title: str
    switch: bool | None = None
    number: Expr | None = None
    bounds: Range | None = None
    values: tuple[Word, ...] = ()


@node("rival")
class RivalDecl(Node):
    """`rival NAME "title" when C`: a seat that never decides."""

    name: Word
    title: str
    without_score: bool
    when: Expr | None


@node("plain_field")
class PlainField(Node):
    """`field = value` in an entry."""

    name: Word
    value: Expr


@node("effect_field")
class EffectField(Node):
    """`field: effect` in an entry."""

    name: Word
    body: Body


@node("entry", more="fields")
class EntryDecl(Node):
    """`gem ruby "Ruby": ...`: an entry, or more fields of one."""

    kind: Word
    name: Word
    title: str | None
    fields: tuple[PlainField | EffectField | BadLine, ...]


@node("show")
class Shown(Node):
    """`hand`, `cards in hand` or `hand "Cards"`: one thing that a panel shows."""

    name: Word
    place: Word | None = None
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
    """`panel "Board" always as table per seat: hand, coins`: what is shown together, and how.

    `whose` is a rival, or whoever looks: `of me`. `along` names the ways of a map, `row` and
    `column` are what the cells of a grid or the places of a map are laid out by.
    """

    title: str
    when: Word | None
    form: Word | None
    along: Word | None
    row: Word | None
    column: Word | None
    per: Word | None
    whose: Word | None
    shown: tuple[Shown, ...]


@node("source")
class SourceDecl(Node):
    """`source "house"`: where the numbers below it in the file come from."""

    source: str


@node("value")
class ValueDecl(Node):
    """`value N of K x at L y: formula`."""

    name: Word
    param: Param | None
    second: Param | None
    formula: Formula


@rule("verb", verb=True)
@node("step", verb=False)
class ProcedureDecl(Node):
    """`verb ...` (somebody does it) or `step ...` (the game does it).

    Its text says in the log what is done; of what is `quiet` the log says nothing.
    """

    verb: bool
    header: Header
    text: Text | None
    quiet: bool
    body: Body


@node("hook")
class HookDecl(Node):
    """`before`, `after` or `instead of` a verb or step, or lines added to its menu or choices.

    The body of the last two is one `menu`, or one `choose one`, of the lines that are added.
    """

    time: str
    header: Header
    when: Expr | None
    body: Body


@node("value_hook", None, "name", "param", "second", "when", "formula")
class ValueHookDecl(Node):
    """`instead of value N of K x when C: formula`."""

    name: Word
    param: Param | None
    second: Param | None
    when: Expr | None
    formula: Formula


@node("text_hook", None, "old", "header", "text")
class TextHookDecl(Node):
    """`instead of text "old" of verb x: "new"`; without the old words, of what is done."""

    old: str | None
    header: Header
    text: Text


@node("score")
class ScoreDecl(Node):
    """`score NAME "title": formula`: one line of the final scoring."""

    name: Word
    title: str
    formula: Formula


@node("win")
class WinDecl(Node):
    """`win with most E then ...`."""

    ranking: tuple[Best, ...]


@node("verdict")
class VerdictDecl(Node):
    """`verdict won "text" when C`: what the end means for a player."""

    word: Word
    text: str
    when: Expr | None


_Thing = KindDecl | PieceDecl | PlaceDecl | TrackDecl | FlagDecl | EntryDecl | RivalDecl
_Setting = ConstantsDecl | OptionDecl | PanelDecl | SourceDecl
_Hook = HookDecl | ValueHookDecl | TextHookDecl
_Rule = ValueDecl | ProcedureDecl | _Hook | ScoreDecl | WinDecl | VerdictDecl
Decl = _Thing | _Setting | _Rule
"""Whatever may begin at the left margin of a file."""


@node()
class File(Node):
    """The declarations of one .rules file, in order."""

    path: str
    declarations: tuple[Decl, ...]
