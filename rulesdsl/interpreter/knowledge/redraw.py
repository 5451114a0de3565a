"""Copies of a game in which all is drawn again that one player cannot know.

Worlds are dealt at random, and those are dealt again in which something would have happened
otherwise, or a hidden track would have stopped at its bounds: who pays, has enough.  Where hardly
any is possible (a player has paid nearly all that they took face down), a walk finds one: pieces
that may change places do so, one pair after the other, as long as nothing gets less possible; then
many more pairs do, among possible worlds only.  Each step is as likely as the one back, so in the
long run the walk comes to all worlds equally often.  It begins with a world that was dealt: where
the real one lies makes no difference.  Where a track stops in all worlds, any may be real.
"""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.knowledge.dealing import Dealing
from rulesdsl.interpreter.knowledge.frames import Held, ask_again, change_frames, held_in
from rulesdsl.interpreter.knowledge.hidden_tracks import Courses, Swaps, Unlike
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import FlagInfo, TrackInfo
    from rulesdsl.interpreter.knowledge.following import Knowledge

TRIES = 100  # house: worlds that are dealt before a walk begins, or to see that it has to
LONGEST = 20_000  # house: steps of a walk that finds no possible world
MIXING = 4  # house: steps for each hidden piece that a possible world is mixed with
WALKS = 20  # house: worlds that are mixed before it is given up


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


@attrs.frozen(slots=False)
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
    _courses: Courses
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
        courses = Courses.of(known, swaps, {each.name: frozenset(each.spots) for each in some})
        return cls(base, known, asked, some, swaps, courses, held_in(base, swaps))

    def draw(self, seed: int) -> Game:
        """Return a world.

        Raises RuntimeError where none was found in which the same could have happened.
        """
        chance = random.Random(seed)  # noqa: S311 - it draws worlds
        last = Unlike("none was looked for")
        for _ in self._swapped(chance):
            try:
                return self._world(chance)
            except Unlike as error:
                last = error
        raise RuntimeError(f"no other world was found: {last}")

    def _swapped(self, chance: random.Random) -> Iterator[None]:
        """Swap the pieces in one way after the other: dealt ones first, then those of a walk."""
        for number in range(TRIES):
            self._deal(chance)
            if not self._courses.beyond:
                yield
            elif not number and self._is_rare:
                break
        if self._always_stops:
            for _ in range(TRIES):
                self._deal(chance)
                yield
        self._deal(chance)
        self._relax(chance)
        steps = MIXING * sum(len(each.spots) for each in self._hidden)
        for _ in range(WALKS):
            for _ in range(steps):
                self._step(chance)
            yield

    @cached_property
    def _is_rare(self) -> bool:
        """Whether dealing finds no world in which no track stops; chance of its own decides."""
        chance = random.Random(0)  # noqa: S311 - it draws worlds
        for _ in range(TRIES):
            self._deal(chance)
            if not self._courses.beyond:
                return False
        return True

    @cached_property
    def _always_stops(self) -> bool:
        """Whether a walk finds no such world either: then any may be the real one."""
        chance = random.Random(0)  # noqa: S311 - it draws worlds
        self._deal(chance)
        self._relax(chance)
        return self._courses.beyond > 0

    def _deal(self, chance: random.Random) -> None:
        for each in self._hidden:
            dealt = zip(each.spots, each.dealing.deal(chance), strict=True)
            self._swaps[each.name].update(dealt)
        self._courses.follow()

    def _relax(self, chance: random.Random) -> None:
        """Walk until tracks keep to their bounds, or for too long."""
        for _ in range(LONGEST):
            if not self._courses.beyond:
                break
            self._step(chance)

    def _step(self, chance: random.Random) -> None:
        """Let two pieces change places, if they may, and if no more is wrong then than before."""
        hidden = chance.choice(self._hidden)
        back, other = (chance.choice(hidden.spots) for _ in range(2))
        own, pieces = self._swaps[hidden.name], self._known.pieces[hidden.name]
        fits = pieces.tags[other] in pieces.may[own[back]]
        if not fits or pieces.tags[back] not in pieces.may[own[other]]:
            return
        own[back], own[other] = own[other], own[back]
        if not self._courses.follow_if(hidden.name, (back, other)):
            own[back], own[other] = own[other], own[back]

    def _world(self, chance: random.Random) -> Game:
        """Return the world in which pieces have been swapped as they are now."""
        copy = self.base.clone()
        st = copy.state
        for each in self._hidden:
            _lay(st, each, self._swaps[each.name])
        for track in self._known.changes:
            cells = self._courses.cells(track, _listed(st, f"t:{track}"))
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
