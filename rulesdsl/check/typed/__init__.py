"""The checked tree: every name looked up, every type known, close to what will run.

Nodes are values: two are equal when they compute the same thing in the same way, wherever they
stand in the text.  So a condition that was asked before can be recognised.

The kinds of nodes are closed unions: no `match` over them can forget a kind unseen.
"""

from __future__ import annotations

from rulesdsl.check.typed.base import *
from rulesdsl.check.typed.cells import *
from rulesdsl.check.typed.domains import *
from rulesdsl.check.typed.lowered import *
from rulesdsl.check.typed.steps import *
from rulesdsl.check.typed.values import *
from rulesdsl.check.typed.walk import *

Value = (
    Const
    | Local
    | Text
    | SeatNumber
    | Seats
    | Setting
    | Chart
    | TableAt
    | Bundle
    | Arith
    | Comparison
    | And
    | Or
    | Negation
    | Cases
    | LetIn
    | IsSome
    | FieldOf
    | HasEffect
    | Formula
    | EntryOf
    | OwnerOf
    | CallValue
    | ScoreOf
    | StandingOf
    | Ring
    | MakeBundle
    | BundlePart
    | Can
    | CanDo
    | TrackCell
    | FlagCell
    | Located
    | CountOf
    | AnyOf
    | MemberOf
    | SumOf
    | BestOf
    | FirstOf
    | EndOf
    | RandomOf
    | PositionIn
    | ItemAt
    | Length
)
"""Something that can be computed."""

Domain = Entries | AllSeats | Numbers | Listed | Lying | AnyWhere | EndPieces | Filtered
"""Things to choose from, count or go through."""

Leaf = (
    SetLocal
    | Require
    | MoveCounted
    | MoveSingle
    | MovePrinted
    | MoveSome
    | ChangeTrack
    | ShiftPiece
    | SetFlag
    | ShuffleCells
    | Peek
    | Finish
    | Snapshot
    | EmptyList
    | Reset
    | Learn
)
"""A step that is done at once: it holds no other steps, calls none and asks nobody."""

Compound = (
    Run
    | DoField
    | Block
    | Branching
    | WhereAble
    | Decide
    | RepeatTimes
    | RepeatUntil
    | ForEach
    | Secretly
)
"""A step in which somebody may be asked."""

Step = Leaf | Compound
"""Something that is done."""

Node = Value | Domain | Step | Cells | Line
"""Anything in the checked tree."""
