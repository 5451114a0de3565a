"""Copies of a game in which all is drawn again that one player cannot know."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.knowledge.dealing import deal
from rulesdsl.interpreter.knowledge.frames import ask_again, swap_frames
from rulesdsl.interpreter.knowledge.hidden_tracks import Unlike, retold
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from rulesdsl.check.world import FlagInfo, TrackInfo
    from rulesdsl.interpreter.knowledge.following import Knowledge

TRIES = 1000  # house; worlds in which something would have happened otherwise are drawn again


def redraw(game: Game, known: Knowledge, seed: int) -> Game:
    """Return a copy in which all is drawn again that the player of `known` cannot know.

    Raises RuntimeError where no world of `TRIES` is one in which the same could have happened.
    """
    chance = random.Random(seed)  # noqa: S311 - it draws worlds
    for _ in range(TRIES):
        try:
            return _world(game, known, chance)
        except Unlike as error:
            last = error
    raise RuntimeError(f"no other world was found in {TRIES} tries: {last}")


def _world(game: Game, known: Knowledge, chance: random.Random) -> Game:
    copy = game.clone()
    st = copy.state
    swaps = {name: _swaps(known, st, name, chance) for name in known.pieces}
    for name, each in swaps.items():
        _lay(st, name, each)
        _unmark(known, st, name, each)
    for track in known.changes:
        _set(st, f"t:{track}", retold(known, track, _listed(st, f"t:{track}"), swaps))
    swap_frames(copy, swaps)
    st.rng = chance.getrandbits(64)
    st.log = []
    if not st.over:
        _ask(game, copy, known.player)
    return Game(copy.setting, st, copy.seed)


# -------------------------------------------------------------------- pieces
def _swaps(
    known: Knowledge,
    st: Any,  # noqa: ANN401
    name: str,
    chance: random.Random,
) -> dict[int, int]:
    """Return for each piece that the player cannot know the one there in another world.

    Spots are in the order in which they lie there, which depends on no face.
    """
    pieces = known.pieces[name]
    spots = [
        piece
        for cell, pile in enumerate(cells_of(st, f"l:{name}"))
        if not known.sees(name, cell)
        for piece in pile
        if not pieces.knows(piece)
    ]
    faces = deal(
        [pieces.tags[each] for each in spots], {each: pieces.may[each] for each in spots}, chance
    )
    return dict(zip(spots, faces, strict=True))


def _lay(st: Any, name: str, swaps: dict[int, int]) -> None:  # noqa: ANN401
    """Lay the pieces where others lie."""
    piles, where = cells_of(st, f"l:{name}"), cells_of(st, f"w:{name}")
    for cell, pile in enumerate(piles):
        pile[:] = [swaps.get(piece, piece) for piece in pile]
        for piece in pile:
            where[piece] = cell


def _unmark(known: Knowledge, st: Any, name: str, swaps: dict[int, int]) -> None:  # noqa: ANN401
    """Take the marks off pieces that may be others: nobody has seen them there."""
    world, layout = known.setting.labels.world, known.setting.layout
    marks: list[tuple[str, FlagInfo | TrackInfo, int]] = [
        (f"f:{each.name}", each, 0) for each in world.flags.values() if name in each.dims
    ]
    marks += [(f"t:{e.name}", e, e.low) for e in world.tracks.values() if name in e.dims]
    for array, info, low in marks:
        cells = cells_of(st, array)
        of_each = layout.cells_of_each(info.dims, name)
        for piece in swaps:
            for at in of_each[piece]:
                cells[at] = low


def _listed(st: Any, array: str) -> list[int]:  # noqa: ANN401
    cells = cells_of(st, array)
    return [cells] if isinstance(cells, int) else list(cells)


def _set(st: Any, array: str, cells: list[int]) -> None:  # noqa: ANN401
    single = isinstance(cells_of(st, array), int)
    setattr(st, field_name(array), cells[0] if single else cells)


# -------------------------------------------------------------------- what is asked
def _ask(game: Game, copy: Game, player: int) -> None:
    """Ask again what is open; the others' secret answers are open again.

    Raises Unlike where the player would be asked something else, or nobody could be.
    """
    st, before = copy.state, game.state
    sealed = bool(st.options) and isinstance(st.options[0], list)
    st.answers = []
    if not ask_again(copy):
        raise Unlike("the question would not have come up")
    asked = {each.player for each in game.decisions}
    if sealed:
        if st.options[player] != before.options[player]:
            raise Unlike("other options would be offered")
        if before.answers and before.answers[player] >= 0:
            st.answers = [-1] * game.players
            st.answers[player] = before.answers[player]
        return
    if asked == {player + 1} and st.options != before.options:
        raise Unlike("other options would be offered")
