"""Passes: each takes a flat program and makes it a faster one that does the same.

They are the usual ones of an optimising compiler, on a structured form (no control flow graph but
the blocks of machines), so most need one walk: liveness and propagation go along a body, and a
loop is gone through with what it changes forgotten.

    inline           a function that is one short expression takes the place of its calls
    inline tests     what a loop asks of each candidate by a call is asked in the loop
    merge blocks     a block that one jump leads to takes its place
    share            subexpressions and loop invariants are computed once
    fold constants   what a local is known to hold takes its place; known branches go
    dead code        what nobody reads is not computed
    index sets       of what is asked by place, the places are kept as bits (modules only)

`SHARED` are those of both back ends, `OF_MODULES` those of WebAssembly, in their order.  Their
names are for `python -m soak passes`, which leaves out each in turn and plays the same games, and
for tests/lower/passes, where each has programs before and after it.

What moves code asks `flat_effects` what an expression depends on and a statement changes, and
`flat_bounds` whether it may be computed early; `flat_verify` says whether what came out is sound.
A pass that gains less than some hundredths of the time is not kept: unrolling of short loops was
one (up to 2 hundredths; on a tiny board 5).  Tables of what is known when a setting is
compiled are not a pass: flattening prints them.

It may import the flat form and its helpers.  Start with `fold_constants`, the plainest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.lower.passes.dead_code import remove_dead_code
from rulesdsl.lower.passes.fold_constants import fold_constants
from rulesdsl.lower.passes.index_sets import index_sets
from rulesdsl.lower.passes.inline import inline
from rulesdsl.lower.passes.inline_tests import inline_tests
from rulesdsl.lower.passes.merge_blocks import merge_all
from rulesdsl.lower.passes.share import share

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.lower.flat import Flat

SHARED: dict[str, Callable[[Flat], None]] = {
    "inline": inline,
    "inline tests": inline_tests,
    "merge blocks": merge_all,
    "share": share,
    "fold constants": fold_constants,
    "dead code": remove_dead_code,
}
OF_MODULES: dict[str, Callable[[Flat], None]] = {
    "index sets": index_sets,
}
