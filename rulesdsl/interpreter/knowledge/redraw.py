"""Copies of a game in which all is drawn again that one player cannot know."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.knowledge.dealing import Dealing
from rulesdsl.interpreter.knowledge.frames import Held, ask_again, change_frames, held_in
from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps, Unlike, retold
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from rulesdsl.check.world import FlagInfo, TrackInfo
    from rulesdsl.interpreter.knowledge.following import Knowledge

TRIES = 1000  # house; worlds in which something would have happened otherwise are drawn again


@attrs.frozen
class _Hidden:
    """The pieces of a kind that a player cannot know, in the order in which they lie there.

    That order depends on no face.
    """

    name: str
    spots: tuple[int, ...]
    cells: tuple[int, ...]
    """The cells in which they lie."""
    dealing: Dealing


@attrs.frozen
class Redraws:
    """Draws other worlds of one position for one player: what is the same in all is kept.

    It is of no use any more once somebody has chosen in the game.
    """

    base: Game
    """The position itself, without a log."""
    _known: Knowledge
    _asked: bool
    """Whether only the player is asked: the options are the same in all worlds then."""
    _hidden: tuple[_Hidden, ...]
    _swaps: Swaps
    _held: list[Held]

    @classmethod
    def of(cls, game: Game, known: Knowledge) -> Redraws:
        """Prepare to draw worlds that the player of `known` cannot tell from a game."""
        state = game.clone().state
        state.log = []
        base = Game(game.setting, state, game.seed)  # without a log: it cannot be drawn again
        hidden = [_hidden(known, base.state, name) for name in known.pieces]
        some = tuple(each for each in hidden if each.spots)
        for each in some:
            _unmark(known, base.state, each)
        swaps: Swaps = {each.name: {} for each in some}
        asked = {each.player for each in game.decisions} == {known.player + 1}
        return cls(base, known, asked, some, swaps, held_in(base, swaps))

    def draw(self, seed: int) -> Game:
        """Return a world.

        Raises RuntimeError where no world of `TRIES` is one in which the same could have happened.
        """
        chance = random.Random(seed)  # noqa: S311 - it draws worlds
        for _ in range(TRIES):
            try:
                return self._world(chance)
            except Unlike as error:
                last = error
        raise RuntimeError(f"no other world was found in {TRIES} tries: {last}")

    def _world(self, chance: random.Random) -> Game:
        copy = self.base.clone()
        st = copy.state
        for each in self._hidden:
            own = self._swaps[each.name]
            own.update(zip(each.spots, each.dealing.deal(chance), strict=True))
            _lay(st, each, own)
        for track in self._known.changes:
            cells = retold(self._known, track, _listed(st, f"t:{track}"), self._swaps)
            _set(st, f"t:{track}", cells)
        change_frames(copy, self._held)
        st.rng = chance.getrandbits(64)
        if not st.over:
            self._ask(copy)
        return copy

    def _ask(self, copy: Game) -> None:
        """Ask again what is open; the others' secret answers are open again.

        Raises Unlike where the player would be asked something else, or nobody could be.
        """
        st, before, player = copy.state, self.base.state, self._known.player
        sealed = bool(st.options) and isinstance(st.options[0], list)
        st.answers = []
        if not ask_again(copy):
            raise Unlike("the question would not have come up")
        if sealed:
            if st.options[player] != before.options[player]:
                raise Unlike("other options would be offered")
            if before.answers and before.answers[player] >= 0:
                st.answers = [-1] * copy.players
                st.answers[player] = before.answers[player]
            return
        if self._asked and st.options != before.options:
            raise Unlike("other options would be offered")


# -------------------------------------------------------------------- pieces
def _hidden(known: Knowledge, st: Any, name: str) -> _Hidden:  # noqa: ANN401
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
    return _Hidden(name, tuple(piece for piece, _ in spots), cells, dealing)


def _lay(st: Any, hidden: _Hidden, swaps: dict[int, int]) -> None:  # noqa: ANN401
    """Lay the pieces where others lie."""
    piles, where = cells_of(st, f"l:{hidden.name}"), cells_of(st, f"w:{hidden.name}")
    for cell in hidden.cells:
        piles[cell] = pile = [swaps.get(piece, piece) for piece in piles[cell]]
        for piece in pile:
            where[piece] = cell


def _unmark(known: Knowledge, st: Any, hidden: _Hidden) -> None:  # noqa: ANN401
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


def _listed(st: Any, array: str) -> list[int]:  # noqa: ANN401
    cells = cells_of(st, array)
    return [cells] if isinstance(cells, int) else list(cells)


def _set(st: Any, array: str, cells: list[int]) -> None:  # noqa: ANN401
    single = isinstance(cells_of(st, array), int)
    setattr(st, field_name(array), cells[0] if single else cells)
