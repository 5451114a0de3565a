"""Copies of a game in which all is drawn again that one player cannot know.

Worlds are dealt at random, and those are dealt again in which something would have happened
otherwise, or a hidden track would have stopped at its bounds: who pays, has enough.  Where hardly
any is possible (a player has paid nearly all that they took face down), a walk finds one: pieces
that may change places do so, one pair after the other, as long as nothing gets less possible; then
many more pairs do, among possible worlds only.  Each step is as likely as the one back, so in the
long run the walk comes to all worlds equally often.  It begins with a world that was dealt: where
the real one lies makes no difference.  Where a track stops in all worlds, any may be real.

Where a hidden face has decided more than how far a track goes, all this is not enough: the game is
played again with the pieces of each world (`replays`), and those are taken that come out the same
for the player.  If somebody took a piece unseen out of a stack whose order the player knew, the
pieces do not only change places: the others choose there what they like.
"""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.knowledge.frames import Held, ask_again, change_frames, held_in
from rulesdsl.interpreter.knowledge.hidden_pieces import (
    HiddenPieces,
    hidden_pieces,
    lay,
    unmark,
)
from rulesdsl.interpreter.knowledge.hidden_tracks import Courses, Swaps, Unlike
from rulesdsl.interpreter.knowledge.replays import Replays
from rulesdsl.interpreter.state import cells_of
from rulesdsl.interpreter.unseen import shown_now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.knowledge.following import Knowledge

TRIES = 100  # house: worlds that are dealt before a walk begins, or to see that it has to
LONGEST = 20_000  # house: steps of a walk that finds no possible world
MIXING = 4  # house: steps for each hidden piece that a possible world is mixed with
PLAYED = 400  # house: steps of a walk whose worlds are played
WALKS = 20  # house: worlds that are mixed before it is given up


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
    _hidden: tuple[HiddenPieces, ...]
    swaps: Swaps
    """By kind: which piece lies in another's place in the world that was drawn last.

    Not so where the others have chosen `otherwise`: what was dealt is where it began.
    """
    _courses: Courses
    _held: list[Held]
    _replays: Replays | None
    """What plays worlds, where a hidden face has decided more than a track."""

    @property
    def otherwise(self) -> bool:
        """Whether the others have chosen otherwise, too, in the worlds that are drawn."""
        return self._known.jumbled

    @classmethod
    def of(cls, game: Game, known: Knowledge) -> Redraws:
        """Prepare to draw worlds that the player of `known` cannot tell from a game."""
        known = _as_asked(game, known)
        state = game.clone().state
        state.log = []
        base = Game(game.setting, state, game.seed)  # without a log: it cannot be drawn again
        hidden = [hidden_pieces(known, base.state, name) for name in known.pieces]
        some = tuple(each for each in hidden if each.spots)
        for each in some:
            unmark(known, base.state, each)
        swaps: Swaps = {each.name: {} for each in some}
        asked = {each.player for each in game.decisions} == {known.player + 1}
        courses = Courses.of(known, swaps, {each.name: frozenset(each.spots) for each in some})
        replays = None if known.is_enough else Replays(game, known.player)
        return cls(base, known, asked, some, swaps, courses, held_in(base, swaps), replays)

    def draw(self, seed: int) -> Game:
        """Return a world.

        Raises RuntimeError where none was found in which the same could have happened.
        """
        chance = random.Random(seed)  # noqa: S311 - it draws worlds
        if self._replays is not None and (world := self._played(self._replays, chance)):
            return world
        last = Unlike("none was looked for")
        for _ in self._swapped(chance):
            try:
                return self._world(chance)
            except Unlike as error:
                last = error
        raise RuntimeError(f"no other world was found: {last}")

    def _played(self, replays: Replays, chance: random.Random) -> Game | None:
        """Return a world that was played: one that was dealt, or that a walk has found and mixed.

        None where none was found. What others have chosen otherwise, no walk can find.
        """
        far = 0
        for _ in range(PLAYED if self.otherwise else max(TRIES, 1)):
            self._deal(chance)
            world, far = self._play(replays, chance)
            if world is not None:
                return world
        found = None
        steps = PLAYED if self._hidden and not self.otherwise else 0
        while steps:
            steps -= 1
            pair = self._pair(chance)
            if pair is None:
                continue
            self._exchange(*pair)
            world, there = self._play(replays, chance)
            if world is None if found else there < far:
                self._exchange(*pair)
                continue
            if world is not None and found is None:
                steps = MIXING * sum(len(each.spots) for each in self._hidden)
            found, far = world or found, there
        return found

    def _play(self, replays: Replays, chance: random.Random) -> tuple[Game | None, int]:
        """Play the world of the swaps as they are now; return it, and how far it came.

        It has no log, and other chance to come.
        """
        world, far = replays.play(self.swaps, chance if self.otherwise else None)
        if world is None:
            return None, far
        st = world.state
        st.log, st.rng = [], chance.getrandbits(64)
        copy = Game(world.setting, st, world.seed)
        try:
            if not st.over:
                self._ask(copy)
        except Unlike:
            return None, far
        return copy, far

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
            self.swaps[each.name].update(dealt)
        self._courses.follow()

    def _relax(self, chance: random.Random) -> None:
        """Walk until tracks keep to their bounds, or for too long."""
        for _ in range(LONGEST):
            if not self._courses.beyond:
                break
            self._step(chance)

    def _step(self, chance: random.Random) -> None:
        """Let two pieces change places, if they may, and if no more is wrong then than before."""
        pair = self._pair(chance)
        if pair is not None:
            name, back, other = pair
            self._exchange(*pair)
            if not self._courses.follow_if(name, (back, other)):
                self._exchange(*pair)

    def _pair(self, chance: random.Random) -> tuple[str, int, int] | None:
        """Return two pieces of a kind by chance; None where they may not change places."""
        hidden = chance.choice(self._hidden)
        back, other = (chance.choice(hidden.spots) for _ in range(2))
        own, pieces = self.swaps[hidden.name], self._known.pieces[hidden.name]
        fits = pieces.tags[other] in pieces.may[own[back]]
        if not fits or pieces.tags[back] not in pieces.may[own[other]]:
            return None
        return hidden.name, back, other

    def _exchange(self, name: str, back: int, other: int) -> None:
        own = self.swaps[name]
        own[back], own[other] = own[other], own[back]

    def _world(self, chance: random.Random) -> Game:
        """Return the world in which pieces have been swapped as they are now."""
        copy = self.base.clone()
        st = copy.state
        for each in self._hidden:
            lay(st, each, self.swaps[each.name])
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


def _as_asked(game: Game, known: Knowledge) -> Knowledge:
    """Return what a player knows who also sees what they may choose now."""
    offered = shown_now(game, known.player)
    if not offered:
        return known
    known = known.clone()
    known.choose_from(offered, known.player)
    return known


def _listed(st: Any, array: str) -> list[int]:  # noqa: ANN401
    cells = cells_of(st, array)
    return [cells] if isinstance(cells, int) else list(cells)


def _set(st: Any, array: str, cells: list[int]) -> None:  # noqa: ANN401
    single = isinstance(cells_of(st, array), int)
    setattr(st, field_name(array), cells[0] if single else cells)
