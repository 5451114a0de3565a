"""What a player has seen so far, read off the events of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.knowledge.whereabouts import Whereabouts
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.fold import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


@attrs.frozen
class Bound:
    """What a cell of a track that a viewer does not see has said at least, and at most."""

    cell: int
    low: int
    high: int


@attrs.define
class Knowledge:
    """What one player (from 0) knows of a game: where pieces may be, why hidden tracks changed."""

    setting: Setting
    player: int
    pieces: dict[str, Whereabouts]
    changes: dict[str, list[Change | Bound]]
    waiting: set[tuple[str, int]] = attrs.Factory(set)
    """Hidden pieces, by kind: it depended on their faces what happened."""
    lost: bool = False
    """Whether nobody can tell any more which pieces these were."""
    jumbled: bool = False
    """Whether the player knew more of the order of a stack, and others took from it unseen."""
    amounts: dict[tuple[int, tuple[int, ...]], int | None] = attrs.Factory(dict)
    """Amounts that have been computed, by event and pieces: they never change."""
    _read: int = 0  # so many entries of the log

    @classmethod
    def begin(cls, setting: Setting, player: int) -> Knowledge:
        """Return what a player knows before the game."""
        pieces = {
            name: Whereabouts.begin(setting.views.backs(name), cells_of(setting.box, f"w:{name}"))
            for name in setting.views.printed
        }
        hidden = (each for each in setting.labels.world.tracks.values() if each.seen_by)
        return cls(setting, player, pieces, {each.name: [] for each in hidden})

    def clone(self) -> Knowledge:
        """Return another one that goes on by itself."""
        pieces = {name: each.clone() for name, each in self.pieces.items()}
        changes = {name: list(each) for name, each in self.changes.items()}
        return attrs.evolve(self, pieces=pieces, changes=changes, waiting={*self.waiting})

    def read(self, log: Sequence[Entry]) -> None:
        """Take in the entries of a log that have not been read yet."""
        for number, _, actor, *values in log[self._read :]:
            if number == CHOICE:
                self.choose_from(values[-1], actor)
            else:
                self._take_in(self.setting.engine.events[number], actor, values)
        self._read = len(log)

    @property
    def is_enough(self) -> bool:
        """Whether it tells which worlds are possible: no hidden face has decided anything else."""
        return not self.lost and not self.jumbled and not self.waiting

    def choose_from(self, shown: Iterable[tuple[str, int]], actor: int) -> None:
        """Take in that a question shows somebody pieces that lie where they do not see them."""
        for name, piece in shown:
            self._looked(name, [piece], actor)

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
            case "peek":
                self._looked(event.subject, values[0], actor)
            case "depend":
                self._depended(event.subject, *values)
            case "track" if event.change is not None:
                cell, before, after, *pieces = values
                causes = tuple(pieces[len(pieces) - len(event.causes) :])
                self._changed(Change(event, cell, after - before, causes))
            case "reset":
                self.changes[event.subject].clear()
            case "bound":
                self._bounded(event.subject, Bound(*values))
            case _:
                pass

    def _bounded(self, track: str, bound: Bound) -> None:
        info = self.setting.labels.world.tracks[track]
        if bound.low > info.low or bound.high < info.high:  # else it says nothing new
            self.changes[track].append(bound)

    def _changed(self, change: Change) -> None:
        """Take in a change; who pays at once what they need to have has it: no bound says more."""
        every = self.changes[change.event.subject]
        last = every[-1] if every else None
        bound = last if isinstance(last, Bound) and last.high == MAX_NUMBER else None
        if bound is not None and bound.cell == change.cell and -change.by >= bound.low:
            every.pop()
        every.append(change)

    def _moved(self, name: str, actor: int, piece: int, old: int, new: int) -> None:
        known = self.pieces[name]
        place, _ = self.setting.views.places[name][old]
        seen = self.sees(name, new)
        if not self.sees(name, old):
            heap = not place.stack
            self.jumbled |= known.leave(piece, seen=seen, heap=heap, actor=actor)
        known.lie_in(piece, new)
        if seen or self.sees(name, old):
            self._see(name, piece)

    def _looked(self, name: str, pieces: Iterable[int], actor: int) -> None:
        if actor != self.player:
            self.pieces[name].look(pieces, actor)
            return
        for each in pieces:
            self._see(name, each)

    def _see(self, name: str, piece: int) -> None:
        self.pieces[name].see(piece)
        self.waiting.discard((name, piece))

    def _depended(self, name: str, pieces: Iterable[int] = ()) -> None:
        """Take in that it depends on the faces of some pieces what happens."""
        self.lost = self.lost or not name
        for each in pieces:
            known = self.pieces[name]
            if each >= 0 and not self.sees(name, known.where[each]) and not known.knows(each):
                self.waiting.add((name, each))

    def _shuffled(self, name: str, cell: int) -> None:
        if self.sees(name, cell):
            return
        known = self.pieces[name]
        known.shuffle(cell)
        gone = self.waiting.intersection((name, each) for each in known.lying(cell))
        if gone:  # where it is known which pieces these are, what each one was is history
            self.waiting -= gone
            self.lost = self.lost or bool(self.changes) or not known.is_closed(cell)
