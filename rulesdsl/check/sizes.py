"""How large a box is: what would take too much memory is refused before any is taken."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

MAX_PIECES = 1_000  # of a kind, for each seat where seats own them
MAX_ENTRIES = 10_000  # of a kind; an option of a menu holds the number of one in 16 bits
MAX_CELLS = 100_000  # of one place, track or flag


def check_sizes(world: World, findings: Findings) -> None:
    """Report kinds, pieces and cells of which there would be too many."""
    for span, what, number, most in _numbers(world):
        if number > most:
            findings.report("E407", span, *wording.too_many(number, what, most))


def _numbers(world: World) -> Iterator[tuple[Span, str, int, int]]:
    """Yield how many there are of everything that takes memory, and how many there may be."""
    for kind in world.kinds.values():
        yield kind.span, kind.plural, len(kind.entries), MAX_ENTRIES
    for piece in world.pieces.values():
        yield piece.span, piece.plural, world.count_of(piece.name), MAX_PIECES
    for place in world.places.values():
        yield place.span, f"cells of `{place.name}`", _cells(place.dims, world), MAX_CELLS
    for track in world.tracks.values():
        yield track.span, f"cells of `{track.name}`", _cells(track.dims, world), MAX_CELLS
    for flag in world.flags.values():
        yield flag.span, f"cells of `{flag.name}`", _cells(flag.dims, world), MAX_CELLS


def _cells(dims: tuple[str, ...], world: World) -> int:
    return prod(_size(dim, world) for dim in dims)


def _size(dim: str, world: World) -> int:
    if dim in world.pieces:
        owners = world.most_players if world.pieces[dim].owned else 1
        return world.count_of(dim) * owners
    if dim in world.kinds:
        return len(world.kinds[dim].entries)
    return world.most_players + len(world.rivals)
