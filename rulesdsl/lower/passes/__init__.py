"""Passes: each takes a flat program and makes it a faster one that does the same.

`SHARED` are those of both back ends, `OF_MODULES` those of WebAssembly, in their order.
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
