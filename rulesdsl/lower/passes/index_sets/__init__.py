"""Index sets: which cells of an array are not 0 is kept as bits, and candidates are found in them.

A loop over all cells of a board that takes those with pieces on them becomes a loop over bits; a
test whether some cells hold pieces becomes one comparison of words.  The words are an array of
their own, of which every store into the first one keeps its bit.  It pays where boards are looked
at more often than changed, and takes boards of up to 64 cells.

    for c in 0 .. 64                               for c in bits @bits:n:coin:2:0[me]
        if ((@n:coin[c * 2 + me] <> 0) and ...)        if ...

`find` finds candidates in bits, and declares in `sets` what it needs for that; `keep` keeps these
up to date.  `linear` takes indexes apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.lower.flat_walk import change_bodies
from rulesdsl.lower.passes.index_sets.find import Finder
from rulesdsl.lower.passes.index_sets.keep import Keeper
from rulesdsl.lower.passes.index_sets.sets import Sets

if TYPE_CHECKING:
    from rulesdsl.lower.flat import Flat


def index_sets(flat: Flat) -> None:
    """Find candidates in bits, and keep these up to date."""
    change_bodies(flat, Finder(Sets(flat)).body)
    change_bodies(flat, Keeper(flat).body)
