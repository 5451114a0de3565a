"""What a player has seen so far, read off the events of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.knowledge.whereabouts import Whereabouts
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.lower.flat import Event

Entry = tuple[Any, ...]


@attrs.frozen
class Change:
    """A change of a track that a viewer does not see: what it changed by, and of what pieces."""

    event: Event
    cell: int
    by: int
    causes: tuple[int, ...]


@attrs.define
class Knowledge:
    """What one player (from 0) knows of a game: where pieces may be, why hidden tracks changed."""

    setting: Setting
    player: int
    pieces: dict[str, Whereabouts]
    changes: dict[str, list[Change]]
    amounts: dict[tuple[int, tuple[int, ...]], int | None] = attrs.Factory(dict)
    """Amounts that have been computed, by event and pieces: they never change."""
    _read: int = 0  # so many entries of the log

    @classmethod
    def begin(cls, setting: Setting, player: int) -> Knowledge:
        """Return what a player knows before the game."""
        printed = setting.views.eyes
        pieces = {
            name: Whereabouts.begin(setting.views.backs(name), cells_of(setting.box, f"w:{name}"))
            for name, each in setting.labels.world.pieces.items()
            if name in printed and each.style == "printed"
        }
        hidden = (each for each in setting.labels.world.tracks.values() if each.seen_by)
        return cls(setting, player, pieces, {each.name: [] for each in hidden})

    def clone(self) -> Knowledge:
        """Return another one that goes on by itself."""
        pieces = {name: each.clone() for name, each in self.pieces.items()}
        changes = {name: list(each) for name, each in self.changes.items()}
        return attrs.evolve(self, pieces=pieces, changes=changes)

    def read(self, log: Sequence[Entry]) -> None:
        """Take in the entries of a log that have not been read yet."""
        for number, _, actor, *values in log[self._read :]:
            if number != CHOICE:
                self._take_in(self.setting.engine.events[number], actor, values)
        self._read = len(log)

    def sees(self, piece: str, cell: int) -> bool:
        """Whether the player sees the faces in a cell."""
        return self.setting.views.eyes[piece][cell] in {None, self.player + 1}

    def sees_track(self, track: str, at: int) -> bool:
        """Whether the player sees a cell of a track; what it marks may lie hidden all the same."""
        info = self.setting.labels.world.tracks[track]
        own = self.setting.layout.owner_of(info.dims, at) == self.player
        return info.seen_by is None or (info.seen_by == "owner" and own)

    def _take_in(self, event: Event, actor: int, values: list[Any]) -> None:
        match event.kind:
            case "piece":
                self._moved(event.subject, actor, *values)
            case "shuffle":
                self._shuffled(event.subject, values[0])
            case "peek" if actor == self.player:
                for each in values[0]:
                    self.pieces[event.subject].see(each)
            case "peek":
                self.pieces[event.subject].look(values[0], actor)
            case "track" if event.change is not None:
                cell, before, after, *pieces = values
                causes = tuple(pieces[len(pieces) - len(event.causes) :])
                self.changes[event.subject].append(Change(event, cell, after - before, causes))
            case _:
                pass

    def _moved(self, name: str, actor: int, piece: int, old: int, new: int) -> None:
        known = self.pieces[name]
        place, _ = self.setting.views.places[name][old]
        seen = self.sees(name, new)
        if not self.sees(name, old):
            known.leave(piece, seen=seen, heap=not place.stack, actor=actor)
        known.lie_in(piece, new)
        if seen or self.sees(name, old):
            known.see(piece)

    def _shuffled(self, name: str, cell: int) -> None:
        if not self.sees(name, cell):
            self.pieces[name].shuffle(cell)
