"""Changes everything in a position that one player may not know.

What a player sees of the position must then be what it was: views leak nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.logs import CHOICE
from rulesdsl.interpreter.pynodes import identifier
from soak.playing import state_of

if TYPE_CHECKING:
    import random

    import rulesdsl
    from rulesdsl.check.world import PieceInfo, PlaceInfo, TrackInfo
    from rulesdsl.interpreter.gen_kept import Event
    from rulesdsl.interpreter.layout import Layout

Sight = dict[str, list[bool]]


class Scrambler:
    """Scrambles positions of one setting."""

    def __init__(self, layout: Layout, events: list[Event]) -> None:
        self.layout = layout
        self.events = events
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

    def scrambled(
        self, game: rulesdsl.Game, viewer: int, chance: random.Random, since: int = 0
    ) -> rulesdsl.Game:
        """Return a copy in which all is different that a player (from 1) may not know.

        Of the log, only the lines from `since` on.
        """
        copy = game.clone()
        st = state_of(copy)
        sight = self.sight(viewer)
        for name in self._printed:
            self._deal(st, name, sight[name], chance)
        for track in self.world.tracks.values():
            self._turn(st, track, viewer, chance)
        st.rng = chance.getrandbits(64)
        st.log[since:] = [self._entry(entry, viewer, sight, chance) for entry in st.log[since:]]
        self._answer(st, viewer, chance)
        return copy

    def _deal(self, st: Any, name: str, seen: list[bool], chance: random.Random) -> None:  # noqa: ANN401
        """Deal the pieces that lie hidden to the hidden cells anew; their marks go with them."""
        piles = getattr(st, identifier(name, "l_"))
        where = getattr(st, identifier(name, "w_"))
        hidden = [code for code, eyes in enumerate(seen) if not eyes and piles[code]]
        pieces = [piece for code in hidden for piece in piles[code]]
        backs = self.backs(name)
        new: dict[object, list[int]] = {}
        for piece in chance.sample(pieces, len(pieces)):
            new.setdefault(backs[piece], []).append(piece)
        for code in hidden:
            piles[code] = [new[backs[piece]].pop() for piece in piles[code]]
            for piece in piles[code]:
                where[piece] = code
        for flag in self.world.flags.values():
            if flag.dims == (name,):
                cells = getattr(st, identifier(flag.name, "f_"))
                for piece in pieces:
                    cells[piece] = chance.randrange(2)

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
            if track.seen_by == "nobody" or self._owner(track, at) != viewer - 1:
                cells[at] = chance.randint(track.low, most)

    def _owner(self, track: TrackInfo, at: int) -> int:
        for dim in reversed(track.dims):
            at, index = divmod(at, self.layout.size(dim))
            if dim in {"seat", "player"}:
                return index
        return -1

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

    def _entry(
        self, entry: tuple[Any, ...], viewer: int, sight: Sight, chance: random.Random
    ) -> tuple[Any, ...]:
        """Return an entry of the log with another piece where it moved out of sight."""
        if entry[0] == CHOICE:
            return entry
        event = self.events[entry[0]]
        name = event.subject
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
            own = track.seen_by == "owner" and self._owner(track, entry[3]) == viewer - 1
            if track.seen_by is not None and not own:
                return (*entry[:4], chance.randrange(50), chance.randrange(50))
        return entry


def scrambler_of(game: rulesdsl.Game) -> Scrambler:
    """Return a scrambler for games of the same setting."""
    return Scrambler(game.setting.engine.layout, game.setting.engine.events)


def _is_printed(info: PieceInfo) -> bool:
    return info.style == "printed"


def seen(game: rulesdsl.Game, viewer: int, since: int = 0) -> dict[str, object]:
    """Return everything that a player is shown of a position; the log from a line on."""
    return {
        "view": game.view(viewer),
        "board": game.board(viewer),
        "log": [line.seen_text(viewer) for line in game.log_since(since)],
    }
