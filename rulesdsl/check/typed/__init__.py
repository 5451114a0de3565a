"""The checked tree: every name looked up, every type known, close to what will run.

A typed abstract syntax tree of immutable nodes.  Nodes are values: two are equal when they compute
the same thing in the same way, wherever they are in the text (spans do not count).  So a
condition that was asked before can be recognised, and a tree can be shared between passes.

    Step      what is done        SetLocal, MoveCounted, Branching, Decide ...
      Leaf      at once, nobody asked      Compound   with steps, calls or questions inside
    Line      one line of a decision: a block, when it is offered, for which things
    Value     what is computed    Const, Local, Arith, CountOf, Can ...
    Domain    what is gone through or chosen from   Lying, Entries, Filtered ...
    Cells     places on the table, some dimensions of them left open

All that is computed is a whole number: a yes or no is 1 or 0, an entry its index in its kind, a
seat its number, a piece its number among its kind; -1 stands for none.  A list is its things in
order.  `type` (`check/types`) says what a number means.  A local is bound by `SetLocal`, a choice,
a loop or a `Filtered`; its name is unique in its procedure, and `me` is whoever acts.

The kinds of nodes are closed unions, so mypy finds every `match` that forgets one.  What is true
of a kind by itself is in `facts`: which cells it reads, what it calls, what it binds, which
blocks it holds.  Most analyses are `walk` and a column of that table; only those that give
each kind a meaning of its own `match`.

`walk` goes through a tree, `rewrite` returns a changed one, `substitute` puts a value in the
place of a local; all of them are built on `source/tree`, as for other trees.  `readable` is the
tree as text, for `coloma dump` and for tests.
Start with `steps`, then `values`; this folder imports types and spans only, and `facts` the
program for what a name refers to.
"""

from __future__ import annotations

from rulesdsl.check.typed.base import *
from rulesdsl.check.typed.cells import *
from rulesdsl.check.typed.domains import *
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
    | Tell
    | Told
    | Finish
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

Asking = Decide | Secretly
"""A step that asks somebody."""

Node = Value | Domain | Step | Cells | Line | Words
"""Anything in the checked tree."""
