"""Another world that looks the same to a player, found without what the engine knows of knowing.

A game is played again from its beginning with the same choices, but after one of its shuffles some
pieces that the player does not see now change places.  If the player was shown and asked the same
all along, and is now, no one could tell from that which of the two worlds is the real one.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from soak.playing import state_of
from soak.scramble import scrambler_of
from soak.worlds import carried

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    import rulesdsl

TRIES = 6  # house: the first ones exchange many pieces, the last ones two


@attrs.define
class _Mixing:
    """What changes places after a shuffle: pieces of a group that lie in the pile there."""

    number: int
    group: frozenset[int]
    most: int
    chance: random.Random
    shuffles: int = 0
    own: dict[int, int] = attrs.Factory(dict)

    def mix(self, pile: list[int]) -> None:
        """Take in that a pile has been shuffled."""
        self.shuffles += 1
        if self.shuffles - 1 != self.number:
            return
        some = [each for each in pile if each in self.group]
        some = self.chance.sample(some, min(self.most, len(some)))
        self.own = dict(zip(some, self.chance.sample(some, len(some)), strict=True))
        pile[:] = [self.own.get(each, each) for each in pile]


def replayed(
    pack: rulesdsl.Pack,
    game: rulesdsl.Game,
    choices: Sequence[tuple[int, int]],
    player: int,
    chance: random.Random,
) -> tuple[rulesdsl.Game, int] | None:
    """Return another world, and how many pieces are others there; None where none was found."""
    shuffles = [
        game.setting.engine.events[number].subject
        for number, *_ in state_of(game).log
        if number != CHOICE and game.setting.engine.events[number].kind == "shuffle"
    ]
    groups = _hidden(game, player)
    possible = [at for at, name in enumerate(shuffles) if name in groups]
    for attempt in range(TRIES if possible else 0):
        number = chance.choice(possible)
        name = shuffles[number]
        group = frozenset(chance.choice(groups[name]))
        most = max(2, len(group) >> attempt)
        mixing = _Mixing(number, group, most, chance)
        other = _played(pack, game, choices, player, (name, mixing))
        moved = sum(old != new for old, new in mixing.own.items())
        if other is not None and moved and _shown(other, player) == _shown(game, player):
            _change_chance(other, player, chance)
            return other, moved
    return None


def _hidden(game: rulesdsl.Game, player: int) -> dict[str, list[list[int]]]:
    """Return the pieces that a player does not see now, those with the same back together."""
    scrambler, found = scrambler_of(game), dict[str, list[list[int]]]()
    for name, sight in scrambler.sight(player).items():
        backs, heaps = scrambler.backs(name), dict[object, list[int]]()
        for cell, pile in enumerate(cells_of(state_of(game), f"l:{name}")):
            for piece in () if sight[cell] else pile:
                heaps.setdefault(backs[piece], []).append(piece)
        several = [each for each in heaps.values() if len(each) > 1]
        if several:
            found[name] = several
    return found


def _played(
    pack: rulesdsl.Pack,
    game: rulesdsl.Game,
    choices: Sequence[tuple[int, int]],
    player: int,
    exchange: tuple[str, _Mixing],
) -> rulesdsl.Game | None:
    """Play a game again with pieces exchanged; None where that shows, or cannot be."""
    name, mixing = exchange
    real = pack.new_game(game.players, game.seed, game.options)
    with _mixed_by(real, mixing):
        other = pack.new_game(game.players, game.seed, game.options)
    for who, index in choices:
        same = who == player
        if same and _offered(real, who) != _offered(other, who):
            return None
        there = carried(real, other, who, index, {name: mixing.own}, same=same)
        if there is None or [e.player for e in real.decisions] != [
            e.player for e in other.decisions
        ]:
            return None
        real.choose(index, who)
        with _mixed_by(other, mixing):
            other.choose(there, who)
        if real.over != other.over:
            return None
    return None if _asked(real, player) != _asked(other, player) else other


@contextmanager
def _mixed_by(game: rulesdsl.Game, mixing: _Mixing) -> Iterator[None]:
    """Let what is shuffled meanwhile be mixed once more."""
    names = game.setting.engine.names
    shuffle = names["shuffle"]

    def more(st: Any, pile: list[int]) -> None:  # noqa: ANN401 - as in the runtime
        shuffle(st, pile)
        mixing.mix(pile)

    names["shuffle"] = more
    try:
        yield
    finally:
        names["shuffle"] = shuffle


def _offered(game: rulesdsl.Game, player: int) -> list[list[int]]:
    return [each.raw for each in game.decisions if each.player == player]


def _asked(game: rulesdsl.Game, player: int) -> list[object]:
    return [each.raw if each.player == player else each.player for each in game.decisions]


def _shown(game: rulesdsl.Game, player: int) -> list[object]:
    """Return all that a player was shown, and is."""
    lines = ((each.actor, each.seen_text(player)) for each in game.log)
    return [game.view(player), [each for each in lines if each[1]]]


def _change_chance(game: rulesdsl.Game, player: int, chance: random.Random) -> None:
    """Change what comes next, and what others have answered in secret."""
    st = state_of(game)
    st.rng = chance.getrandbits(64)
    for at, answer in enumerate(st.answers):
        if answer >= 0 and at != player - 1:
            st.answers[at] = chance.randrange(len(st.options[at]))
