"""Flat intermediate form: integers, fixed-size arrays, bounded loops, one kind of question.

It is built for one setting (number of players, options), when the layout of memory is known, and
is the input of every back end. Every value is a 64-bit integer: a boolean is 0 or 1, an entity is
its index, none is -1, and a list of entries is the number of a row in the pool of lists.

The state consists of arrays (for tracks, flags and pieces) and piles, which keep printed pieces in
order. Expressions have no effects; a value that needs a loop is computed by statements before the
expression that uses it. A procedure without decisions is a `Function`. One with decisions is a
`Machine`: basic blocks, each of which ends on every path with a jump, a call, a question or a
return. Its locals are slots of a frame, so a suspended effect is plain data.

A number used as a condition is true unless it is 0.
"""

from __future__ import annotations

from rulesdsl.lower.flat.expressions import *  # noqa: F403 - all nodes under one name
from rulesdsl.lower.flat.program import *  # noqa: F403
from rulesdsl.lower.flat.statements import *  # noqa: F403
