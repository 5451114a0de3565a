"""Optimiser passes: each turns a flat program into a faster, equivalent one.

    inline        replaces calls to functions that consist of one short expression or call
    inline tests  replaces a call in the test inside a loop with the function's body
    index sets    tracks the non-zero cells of an array in a bitmap, and iterates over the bits
                  (WebAssembly only)

`SHARED` passes run for both back ends, `OF_MODULES` for WebAssembly, in the listed order. Without
the last two, playouts of the benchmark's three small games run at 57 to 67 % of full speed. Tests
verify each result (`tests/lower/flat_verifier.py`). A pass must gain 10 % on a shipped game, or on
two of the small ones.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.lower.flat import Flat
from rulesdsl.lower.passes.index_sets import index_sets
from rulesdsl.lower.passes.inline import inline, inline_tests

SHARED: dict[str, Callable[[Flat], None]] = {
    "inline": inline,
    "inline tests": inline_tests,
}
OF_MODULES: dict[str, Callable[[Flat], None]] = {
    "index sets": index_sets,
}
