"""Other worlds: positions that a player cannot, or may not be able to, tell from the real one.

`Scrambler.elsewhere` changes everything in a position that a player does not see now: what they
see of it must then be what it was. `replayed` plays a game again from its beginning with the same
choices, but after one of its shuffles some pieces that the player does not see now change places:
if they were shown and asked the same all along, no one could tell from that which of the two
worlds is the real one. It asks nothing of what the engine knows of knowing.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.knowledge.frames import swap_frames, swapped, taken
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.pynodes import identifier
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower import form as fm
from soak.games import state_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping, Sequence

    import rulesdsl
    from rulesdsl.check.world import PieceInfo, PlaceInfo, TrackInfo
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.lower.flat import Event
    from rulesdsl.lower.layout import Layout

Sight = dict[str, list[bool]]
TRIES = 6  # house: the first ones exchange many pieces, the last ones two


class Scrambler:
    """Scrambles positions of one setting."""

    def __init__(self, layout: Layout, events: Sequence[Event], asks: Mapping[int, Ask]) -> None:
        self.layout = layout
        self.events = events
        self.asks = asks
        self.world = layout.world
        self._printed = [name for name, info in self.world.pieces.items() if _is_printed(info)]
        self._sight: dict[int, Sight] = {}

    def sight(self, viewer: int) -> Sight:
        """Return for each kind of printed pieces which of its cells a player sees."""
        if viewer not in self._sight:
            self._sight[viewer] = {
                name: [
                    self._sees(*self.layout.place_of(name, code), viewer)
                    for code in range(self.layout.cells(name))
                ]
                for name in self._printed
            }
        return self._sight[viewer]

    def _sees(self, place: PlaceInfo, dims: tuple[int, ...], viewer: int) -> bool:
        if place.seen_by is None:
            return True
        at = place.owner_dim
        return place.seen_by == "owner" and at is not None and dims[at] == viewer - 1

    def elsewhere(
        self, game: rulesdsl.Game, viewer: int, chance: random.Random, since: int = 0
    ) -> tuple[rulesdsl.Game, Swaps]:
        """Return a copy in which all is different that a player (from 1) may not know.

        Also returns which pieces lie there where others lay. Of the log, only the lines from
        `since` on are changed.
        """
        copy = game.clone()
        st = state_of(copy)
        sight = self.sight(viewer)
        swaps = {name: self._deal(st, name, sight[name], chance) for name in self._printed}
        swap_frames(copy, swaps)
        for track in self.world.tracks.values():
            self._turn(st, track, viewer, chance)
        st.rng = chance.getrandbits(64)
        st.log[since:] = [self._entry(entry, viewer, sight, chance) for entry in st.log[since:]]
        self._answer(st, viewer, chance)
        return copy, swaps

    def _deal(
        self,
        st: Any,  # noqa: ANN401
        name: str,
        seen: list[bool],
        chance: random.Random,
    ) -> dict[int, int]:
        """Deal the pieces that lie hidden to the hidden cells again; their marks go with them."""
        piles = getattr(st, identifier(name, "l_"))
        where = getattr(st, identifier(name, "w_"))
        hidden = [code for code, eyes in enumerate(seen) if not eyes and piles[code]]
        pieces = [piece for code in hidden for piece in piles[code]]
        backs = self.backs(name)
        new: dict[object, list[int]] = {}
        for piece in chance.sample(pieces, len(pieces)):
            new.setdefault(backs[piece], []).append(piece)
        swaps = {piece: new[backs[piece]].pop() for piece in pieces}
        for code in hidden:
            piles[code] = [swaps[piece] for piece in piles[code]]
            for piece in piles[code]:
                where[piece] = code
        for flag in self.world.flags.values():
            self._mark(st, identifier(flag.name, "f_"), flag.dims, (name, pieces), (0, 1), chance)
        for track in self.world.tracks.values():
            bounds = (track.low, min(track.high, track.low + 50))
            field = identifier(track.name, "t_")
            self._mark(st, field, track.dims, (name, pieces), bounds, chance)
        return swaps

    def _mark(
        self,
        st: Any,  # noqa: ANN401
        field: str,
        dims: tuple[str, ...],
        marked: tuple[str, list[int]],
        bounds: tuple[int, int],
        chance: random.Random,
    ) -> None:
        """Change what flags and tracks say of pieces that lie hidden."""
        if marked[0] not in dims:
            return
        cells = getattr(st, field)
        sizes = tuple(self.layout.size(dim) for dim in dims)
        at = dims.index(marked[0])
        stride, hidden = self.layout.strides(sizes)[at], set(marked[1])
        for cell in range(len(cells)):
            if cell // stride % sizes[at] in hidden:
                cells[cell] = chance.randint(*bounds)

    def backs(self, name: str) -> list[tuple[object, ...]]:
        """Return what is printed on the back of every piece of a kind: no secret anywhere."""
        kind = self.world.kinds[name]
        return [
            tuple(
                kind.entries[entry].values.get((field.name, None))
                for field in kind.fields.values()
                if field.back
            )
            for entry, _ in self.layout.instances(name)
        ]

    def _turn(self, st: Any, track: TrackInfo, viewer: int, chance: random.Random) -> None:  # noqa: ANN401
        if track.seen_by is None:
            return
        field = identifier(track.name, "t_")
        cells = getattr(st, field)
        most = min(track.high, track.low + 50)
        if isinstance(cells, int):
            setattr(st, field, chance.randint(track.low, most))
            return
        for at in range(len(cells)):
            if track.seen_by == "nobody" or self.layout.owner_of(track.dims, at) != viewer - 1:
                cells[at] = chance.randint(track.low, most)

    def _answer(self, st: Any, viewer: int, chance: random.Random) -> None:  # noqa: ANN401
        """Change what the others have answered in secret so far."""
        if st.over or not st.answers:
            return
        for player, answer in enumerate(st.answers):
            if answer >= 0 and player != viewer - 1:
                st.answers[player] = chance.randrange(len(st.options[player]))

    def _another(self, name: str, piece: int, chance: random.Random) -> int:
        """Return a piece that looks the same from behind."""
        backs = self.backs(name)
        return chance.choice([at for at, back in enumerate(backs) if back == backs[piece]])

    def _choice(
        self, entry: tuple[Any, ...], viewer: int, chance: random.Random
    ) -> tuple[Any, ...]:
        """Return the line of a choice with another piece where it lay hidden."""
        actor, number, option = entry[2:5]
        base = chosen_from(self.asks[number], option)
        if actor == viewer - 1 or not isinstance(base, ty.Lying | ty.EndPieces):
            return entry
        if base.piece not in self._printed or not self.world.places[base.cells.place].seen_by:
            return entry
        backs = range(len(self.backs(base.piece)))
        swaps = {base.piece: {at: self._another(base.piece, at, chance) for at in backs}}
        return (*entry[:4], carried_raw(self.asks[number], option, swaps), None, *entry[6:])

    def _words(
        self, entry: tuple[Any, ...], words: ty.Words, chance: random.Random
    ) -> tuple[Any, ...]:
        """Return words with another number wherever nobody but who acts may know it."""
        if any(each.type.family == "bundle" for each in words.values):
            return entry
        numbers = list(entry[3:])
        for at, (value, seen, faces) in enumerate(
            zip(words.values, words.seen, words.faces, strict=True)
        ):
            if seen != "all" and not faces and value.type.family == "number":
                numbers[at] = chance.randrange(50)
        return (*entry[:3], *numbers)

    def _entry(
        self, entry: tuple[Any, ...], viewer: int, sight: Sight, chance: random.Random
    ) -> tuple[Any, ...]:
        """Return an entry of the log with another piece where it moved out of sight."""
        if entry[0] == CHOICE:
            return self._choice(entry, viewer, chance)
        event = self.events[entry[0]]
        name = event.subject
        if event.words is not None and entry[2] != viewer - 1:
            return self._words(entry, event.words, chance)
        if event.kind == "piece":
            _, old, new = entry[3:]
            if not sight[name][old] and not sight[name][new]:
                return (*entry[:3], self._another(name, entry[3], chance), old, new)
        if event.kind == "shift" and not sight[name][entry[4]]:
            return (*entry[:3], self._another(name, entry[3], chance), *entry[4:])
        if event.kind == "peek" and entry[2] != viewer - 1:
            count = len(self.layout.instances(name))
            return (*entry[:3], [chance.randrange(count) for _ in entry[3]])
        if event.kind == "track":
            track = self.world.tracks[name]
            own = (
                track.seen_by == "owner"
                and self.layout.owner_of(track.dims, entry[3]) == viewer - 1
            )
            if track.seen_by is not None and not own:
                return (*entry[:4], chance.randrange(50), chance.randrange(50), *entry[6:])
        return entry


@lru_cache(maxsize=64)
def _scrambler(setting: Setting) -> Scrambler:
    engine = setting.engine
    return Scrambler(engine.layout, engine.events, engine.asks)


def scrambler_of(game: rulesdsl.Game) -> Scrambler:
    """Return a scrambler for games of the same setting."""
    return _scrambler(game.setting)


def _is_printed(info: PieceInfo) -> bool:
    return info.style == "printed"


# -------------------------------------------------------------------- options of two worlds
def carried(
    game: rulesdsl.Game, other: rulesdsl.Game, player: int, index: int, swaps: Swaps, *, same: bool
) -> int | None:
    """Return which option of another world is the same to who looks on; None where none is.

    Of what is chosen in secret, that is the piece that lies there in its place.
    """
    if same:
        return index
    ask = game.setting.engine.asks[state_of(game).frames[-1][0]]
    here = _options(game, player)[index]
    secret = ask.sealed or ask.secret(here)
    wanted = carried_raw(ask, here, swaps) if secret else here
    there = _options(other, player)
    return there.index(wanted) if wanted in there else None


def _options(game: rulesdsl.Game, player: int) -> list[int]:
    st = state_of(game)
    sealed = game.setting.engine.asks[st.frames[-1][0]].sealed
    return list(st.options[player - 1] if sealed else st.options)


def chosen_from(ask: Ask, option: int) -> ty.Domain | None:
    """Return where the thing that an option names is chosen from."""
    found = None if ask.sealed else ask.domain(option)
    return found and found.unfiltered


def carried_raw(ask: Ask, option: int, swaps: Swaps) -> int:
    """Return an option with the pieces that lie there in the place of those that it names."""
    if ask.plain:
        domain = ask.domain(option)
        return option if domain is None else int(swapped(domain.element, swaps)(option))
    assert isinstance(ask.end, fm.Ask)
    return int(taken(ask.end.lines, swaps)(option))


# -------------------------------------------------------------------- the game played again
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
