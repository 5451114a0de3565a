"""Nodes of what a pack declares."""

from __future__ import annotations

import attrs

from rulesdsl.syntax.expressions import Expr, Range
from rulesdsl.syntax.node import Node, Param, Word
from rulesdsl.syntax.statements import BadLine, Body, Formula, Header, Ranking


@attrs.frozen(slots=True)
class Names(Node):
    """`coin/coins "Coin"`: singular, plural, title."""

    singular: Word
    plural: Word | None
    title: str | None


@attrs.frozen(slots=True)
class TableRef(Node):
    """`from "cards.toml"`."""

    path: str


@attrs.frozen(slots=True)
class FieldDecl(Node):
    """`worth: number per suit seen by all = 0`."""

    name: Word
    type: Word
    per: Word | None
    seen_by: Word | None
    default: Expr | None


Fields = tuple[FieldDecl | BadLine, ...]


@attrs.frozen(slots=True)
class KindDecl(Node):
    """`kind suit: sun, moon`, or a kind with fields and entries elsewhere."""

    names: Names
    table: TableRef | None
    members: tuple[Word, ...]
    fields: Fields


@attrs.frozen(slots=True)
class PieceDecl(Node):
    """`piece card "Card" from "cards.toml" 1 per player in deck: fields`."""

    names: Names
    table: TableRef | None
    count: Expr | None
    per: Word | None
    home: Expr | None
    fields: Fields


@attrs.frozen(slots=True)
class PlaceDecl(Node):
    """`place hand per player seen by owner holds card`, or a stack."""

    stack: bool
    names: Names
    table: TableRef | None
    per: tuple[Word, ...]
    seen_by: Word | None
    holds: tuple[Word, ...]
    fields: Fields


@attrs.frozen(slots=True)
class TrackDecl(Node):
    """`track coin per player from 0..20`."""

    names: Names
    per: tuple[Word, ...]
    seen_by: Word | None
    bounds: Range | None
    during: Word | None


@attrs.frozen(slots=True)
class FlagDecl(Node):
    """`flag used per card during turn`."""

    name: Word
    per: tuple[Word, ...]
    during: Word | None


@attrs.frozen(slots=True)
class ConstantsDecl(Node):
    """`constants from "numbers.toml"`."""

    table: TableRef


@attrs.frozen(slots=True)
class OptionDecl(Node):
    """`option NAME "title": off`, `: 3 in 2..4` or `: first, second`."""

    name: Word
    title: str
    switch: bool | None
    number: Expr | None
    bounds: Range | None
    values: tuple[Word, ...]


@attrs.frozen(slots=True)
class RivalDecl(Node):
    """`rival NAME "title" when C`: a seat that never decides."""

    name: Word
    title: str
    scores: bool
    when: Expr | None


@attrs.frozen(slots=True)
class PlainField(Node):
    """`field = value` in an entry."""

    name: Word
    value: Expr


@attrs.frozen(slots=True)
class EffectField(Node):
    """`field: effect` in an entry."""

    name: Word
    body: Body


@attrs.frozen(slots=True)
class EntryDecl(Node):
    """`gem ruby "Ruby": ...`: an entry, or more fields of one."""

    kind: Word
    name: Word
    title: str | None
    fields: tuple[PlainField | EffectField | BadLine, ...]


@attrs.frozen(slots=True)
class PanelDecl(Node):
    """`panel "Board" per seat: hand, coins`, or `of RIVAL`: what is shown of one rival."""

    title: str
    per: Word | None
    rival: Word | None
    shown: tuple[Word, ...]


@attrs.frozen(slots=True)
class SourceDecl(Node):
    """`source "house"`: where the numbers below it in the file come from."""

    source: str


@attrs.frozen(slots=True)
class ValueDecl(Node):
    """`value N of K x at L y: formula`."""

    name: Word
    param: Param | None
    second: Param | None
    formula: Formula


@attrs.frozen(slots=True)
class ProcedureDecl(Node):
    """`verb ...` (somebody does it) or `step ...` (the game does it)."""

    verb: bool
    header: Header
    body: Body


@attrs.frozen(slots=True)
class HookDecl(Node):
    """`before`, `after` or `instead of` a verb or step, or lines added to its menu or choices.

    The body of the last two is one `menu`, or one `choose one`, of the lines that are added.
    """

    time: str
    header: Header
    when: Expr | None
    body: Body


@attrs.frozen(slots=True)
class ValueHookDecl(Node):
    """`instead of value N of K x when C: formula`."""

    name: Word
    param: Param | None
    second: Param | None
    when: Expr | None
    formula: Formula


@attrs.frozen(slots=True)
class ScoreDecl(Node):
    """`score NAME "title": formula`: one line of the final scoring."""

    name: Word
    title: str
    formula: Formula


@attrs.frozen(slots=True)
class WinDecl(Node):
    """`win with most E then ...`."""

    ranking: Ranking


@attrs.frozen(slots=True)
class VerdictDecl(Node):
    """`verdict won "text" when C`: what the end means for a player."""

    word: Word
    text: str
    when: Expr | None


Decl = (
    KindDecl
    | PieceDecl
    | PlaceDecl
    | TrackDecl
    | FlagDecl
    | ConstantsDecl
    | OptionDecl
    | RivalDecl
    | EntryDecl
    | PanelDecl
    | SourceDecl
    | ValueDecl
    | ProcedureDecl
    | HookDecl
    | ValueHookDecl
    | ScoreDecl
    | WinDecl
    | VerdictDecl
)


@attrs.frozen(slots=True)
class File(Node):
    """The declarations of one .rules file, in order."""

    path: str
    declarations: tuple[Decl, ...]
