"""Optimiser passes: each rewrites a flat program into an equal one that runs faster.

    inline           replaces calls of a function that is one short expression by its body
    inline tests     replaces the call that a loop makes for each candidate by the function's body
    index sets       keeps the non-zero cells of an array as bits, and loops over these
                     (WebAssembly only)

`SHARED` are run for both back ends, `OF_MODULES` for WebAssembly, in their order. Without the last
two, playouts of the three small games of the bench fall to 0.57 to 0.67 of their speed.
The tests verify each result (`tests/lower/flat_verifier.py`). A pass stays only if it gains 10 %
on a shipped game, or on two of the small ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.lower.passes.index_sets import index_sets
from rulesdsl.lower.passes.inline import inline
from rulesdsl.lower.passes.inline_tests import inline_tests

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.lower.flat import Flat

SHARED: dict[str, Callable[[Flat], None]] = {
    "inline": inline,
    "inline tests": inline_tests,
}
OF_MODULES: dict[str, Callable[[Flat], None]] = {
    "index sets": index_sets,
}
