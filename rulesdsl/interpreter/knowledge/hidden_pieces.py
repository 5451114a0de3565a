"""The pieces that a player cannot know: where they lie, and how others may be dealt there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.knowledge.dealing import Dealing
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from rulesdsl.check.world import FlagInfo, TrackInfo
    from rulesdsl.interpreter.knowledge.following import Knowledge


@attrs.frozen
class HiddenPieces:
    """The pieces of a kind that a player cannot know, in the order in which they lie there.

    That order depends on no face.
    """

    name: str
    spots: tuple[int, ...]
    cells: tuple[int, ...]
    """The cells in which they lie."""
    dealing: Dealing


def hidden_pieces(known: Knowledge, st: Any, name: str) -> HiddenPieces:  # noqa: ANN401
    """Return the pieces of a kind that the player cannot know."""
    pieces = known.pieces[name]
    spots = [
        (piece, cell)
        for cell, pile in enumerate(cells_of(st, f"l:{name}"))
        if not known.sees(name, cell)
        for piece in pile
        if not pieces.knows(piece)
    ]
    dealing = Dealing.of(
        [pieces.tags[each] for each, _ in spots], {each: pieces.may[each] for each, _ in spots}
    )
    cells = tuple(dict.fromkeys(cell for _, cell in spots))
    return HiddenPieces(name, tuple(piece for piece, _ in spots), cells, dealing)


def lay(st: Any, hidden: HiddenPieces, swaps: dict[int, int]) -> None:  # noqa: ANN401
    """Lay the pieces where others lie."""
    piles, where = cells_of(st, f"l:{hidden.name}"), cells_of(st, f"w:{hidden.name}")
    for cell in hidden.cells:
        piles[cell] = pile = [swaps.get(piece, piece) for piece in piles[cell]]
        for piece in pile:
            where[piece] = cell


def unmark(known: Knowledge, st: Any, hidden: HiddenPieces) -> None:  # noqa: ANN401
    """Take the marks off pieces that may be others: nobody has seen them there."""
    world, layout, name = known.setting.labels.world, known.setting.layout, hidden.name
    marks: list[tuple[str, FlagInfo | TrackInfo, int]] = [
        (f"f:{each.name}", each, 0) for each in world.flags.values() if name in each.dims
    ]
    marks += [(f"t:{e.name}", e, e.low) for e in world.tracks.values() if name in e.dims]
    for array, info, low in marks:
        cells = cells_of(st, array)
        of_each = layout.cells_of_each(info.dims, name)
        for piece in hidden.spots:
            for at in of_each[piece]:
                cells[at] = low
