"""The typed tree: names resolved, types known, close to executable form.

It is a typed abstract syntax tree of immutable nodes. Nodes compare by structure, without spans,
so an analysis recognizes a condition that was tested before, and passes can share trees.

    Step         an action           SetLocal, MoveCounted, Branching, Decide ...
      Leaf         atomic              Compound   contains steps, calls or decisions
    OptionLine   one option of a decision: its block, guard and domain
    Value        an expression       Const, Local, Arith, CountOf, Can ...
    Domain       a set to iterate over or choose from   Lying, Entries, Filtered ...
    Cells        places on the table, some dimensions left open

Every value is an integer: a boolean is 1 or 0, an entry its index in its kind, a seat its number,
a piece its number within its kind; -1 represents none. A list has its elements in order. `type`
(`symbols/types`) gives an integer its meaning. A local is bound by `SetLocal`, a choice, a loop or
a `Filtered`; its name is unique in its procedure, and `me` is the acting seat.

The kinds of nodes are closed unions, so mypy finds every incomplete `match`. The table in `traits`
lists the properties of each kind: cells read, calls, bindings, blocks. Most analyses are a `walk`
with a column of that table; only those that treat each kind differently use `match`.

`walk` traverses a tree, `rewrite` returns a changed copy, `substitute` replaces a local with a
value; all are built on `source/tree`. `notation` prints a tree for `coloma dump` and for tests.
Start with `values`, then `steps`, which import only types and spans; `traits` also imports the
program. `conditions` builds and splits conditions; `program` defines programs and the results of
their analyses.
"""

from __future__ import annotations

from rulesdsl.check.typed.steps import *
from rulesdsl.check.typed.values import *
