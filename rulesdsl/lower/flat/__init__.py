"""The flat intermediate form: integers, arrays of fixed size, bounded loops, one kind of question.

It is made for one setting (so many players, given options), when the layout of memory is known,
and every back end starts from it.  Everything is a whole number within 64 bits: a yes-no is 0 or
1, a thing its index, none -1, a list of entries the number of a row in the pool of lists.

The state is arrays (one for each track, mark and kind of pieces) and piles, which keep printed
pieces in order.  An expression changes nothing; what needs a loop is computed by statements in
front of the expression that uses it.  A procedure in which nobody decides is a `Function`.  One
with decisions is a `Machine`: blocks, each of which ends in going on, calling, asking or leaving
on every way through it; its locals lie in a frame, so that a half-done effect is plain data.

A number that is taken for a condition holds where it is not 0.
"""

from __future__ import annotations

from rulesdsl.lower.flat.expressions import *  # noqa: F403 - one name for all kinds of nodes
from rulesdsl.lower.flat.program import *  # noqa: F403
from rulesdsl.lower.flat.statements import *  # noqa: F403
