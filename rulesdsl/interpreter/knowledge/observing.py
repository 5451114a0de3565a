"""Observation of a game by one player: a position with everything hidden from them blank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import attrs

from rulesdsl.interpreter.decisions import asked_players, shown_now
from rulesdsl.interpreter.knowledge.tracking import Knowledge, printed
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from rulesdsl.check.symbols.symbol_table import TrackInfo
    from rulesdsl.interpreter.knowledge.tracking import Term
    from rulesdsl.interpreter.setting import CompiledSetting

SPOT = 1 << 15
"""References to spots are numbers from this one up; smaller ones are pieces."""


@attrs.frozen
class Observation:
    """Information state of one player: plain data and the compiled setting.

    In `data`, `piles` has the cells of each kind of printed pieces: a known piece, or, below 0,
    the class of a spot; `classes` has the possible faces of each class. Spots are numbered in this
    order. `cells` has all other arrays, `frames` the suspended procedures; None is a blank.
    `tracks` has, for each hidden cell whose changes all players can follow, a value and the
    changes since: each is a number and, for each spot that influenced it, an amount by face.
    `options` are those of the player, if asked; `answer` is the player's own while others still
    choose secretly.
    """

    setting: CompiledSetting
    data: dict[str, Any]


class ObservedGame(Protocol):
    """The part of a game that an observation is made from."""

    setting: CompiledSetting
    whole: bool

    @property
    def state(self) -> Any:  # noqa: ANN401
        """The raw state."""


def observe(
    game: ObservedGame, player: int, kept: dict[int, Knowledge] | None = None
) -> Observation:
    """Return the information state of a player (from 1).

    With `kept`, only log entries since the previous observation of the same game are read. Raises
    ValueError for a game without a complete log, since the log is the record of what players have
    seen.
    """
    if not game.whole:
        raise ValueError("a redraw needs a log from the beginning")
    kept = {} if kept is None else kept
    if player not in kept:
        kept[player] = Knowledge.begin(game.setting, player - 1)
    known = kept[player]
    known.read(game.state.log)
    offered = shown_now(game.setting.views, game.state, player - 1)
    if offered:  # the player also sees the options of an open question
        known = known.clone()
        known.shown(offered)
    return Observation(game.setting, _Blanking(game, known).data())


class _Blanking:
    """Construction of the observation of one position for one player.

    A piece that lies face down is a spot. A spot has a class: the set of faces that it may have as
    far as the player knows (`Whereabouts`). The observation must not depend on anything hidden, so
    the spots of an unordered place are sorted by class and by the visible references to them; two
    positions that differ only in blanks give equal data.
    """

    def __init__(self, game: ObservedGame, known: Knowledge) -> None:
        self.st, self.known, self.setting = game.state, known, game.setting
        self._asked = asked_players(self.setting.engine, self.st)
        self._uses: dict[tuple[str, int], list[int]] = {}
        self._spots: dict[tuple[str, int], int] = {}
        self._hidden = {name: self._unknown(name) for name in known.pieces}
        self._view = self.setting.views.of(self.st, known.player + 1)
        self._count = 0

    def data(self) -> dict[str, Any]:
        """Return the data of the observation."""
        st, player = self.st, self.known.player
        waiting = [(self.setting.slots[frame[0]], frame) for frame in st.frames]
        half_done = [(each, each.shortened(frame, player)) for each, frame in waiting]
        for each, frame in half_done:
            each.replaced(frame, self._use)
        for ledger in self.known.ledgers.values():
            for changes in ledger.cells.values():
                for name, piece, _ in (term for _, terms in changes for term in terms):
                    if piece < 0:
                        self._use_back(name, ~piece)
        piles, classes = {}, {}
        for name in self.known.pieces:
            piles[name], classes[name] = self._laid(name)
        frames = []
        for each, frame in half_done:
            written = each.replaced(frame, self._reference)
            for at in each.unknown(frame, player):
                written[at] = None
            frames.append(written)
        sealed = bool(st.options) and isinstance(st.options[0], list)
        mine = st.options[player] if sealed else st.options if player in self._asked else None
        return {
            "player": player,
            "over": bool(st.over),
            "piles": piles,
            "classes": classes,
            "cells": self._cells(),
            "tracks": self._tracks(),
            "frames": frames,
            "options": mine and list(mine),
            "answer": st.answers[player] if sealed and st.answers else -1,
        }

    # ---------------------------------------------------------------- pieces
    def _unknown(self, name: str) -> set[int]:
        """Return the backs whose faces the player does not know."""
        pieces = self.known.pieces[name]
        sees = [self.known.sees(name, cell) for cell in range(len(self.setting.views.eyes[name]))]
        return {
            back
            for back, cell in enumerate(pieces.where)
            if not sees[cell] and not pieces.knows(pieces.pieces[back])
        }

    def _use(self, name: str, piece: int) -> int:
        self._use_back(name, self.known.pieces[name].backs[piece])
        return piece

    def _use_back(self, name: str, back: int) -> None:
        """Record a reference to a back, which distinguishes it from others of its class."""
        self._count += 1
        self._uses.setdefault((name, back), []).append(self._count)

    def _reference(self, name: str, piece: int) -> int:
        back = self.known.pieces[name].backs[piece]
        return self._spots[name, back] if back in self._hidden[name] else piece

    def _laid(self, name: str) -> tuple[list[list[int]], list[list[int]]]:
        """Return the cells of a kind of pieces and the classes of its spots; number the spots."""
        known, hidden = self.known.pieces[name], self._hidden[name]
        faces: dict[int, list[int]] = {known.tags[back]: [] for back in hidden}
        for face in sorted(known.pieces[back] for back in hidden):
            for tag in known.may[face] & faces.keys():
                faces[tag].append(face)
        classes = sorted({tuple(each) for each in faces.values()})
        number = {tag: ~classes.index(tuple(each)) for tag, each in faces.items()}
        found = []
        for cell, pile in enumerate(cells_of(self.st, f"l:{name}")):
            there = [(known.backs[piece], piece) for piece in pile]
            laid = [(number[known.tags[b]] if b in hidden else piece, b) for b, piece in there]
            place, _ = self.setting.views.places[name][cell]
            if not place.stack and not self.known.sees(name, cell):
                laid.sort(key=lambda each: (each[0], self._uses.get((name, each[1]), [])))
            for _, back in laid:
                if back in hidden:
                    self._spots[name, back] = SPOT + len(self._spots)
            found.append([each for each, _ in laid])
        return found, [list(each) for each in classes]

    # ---------------------------------------------------------------- numbers
    def _cells(self) -> dict[str, Any]:
        """Return all arrays except those of printed pieces; None where hidden from the player."""
        view, found = self._view, dict[str, Any]()
        for piece in view.world.pieces.values():
            if piece.style != "printed":
                letter = "n" if piece.style == "counted" else "s"
                found[field_name(f"{letter}:{piece.name}")] = view.cells(f"{letter}:{piece.name}")
        public = self.setting.public_marks  # public even for hidden pieces
        for track in view.world.tracks.values():
            cells = view.cells(f"t:{track.name}")
            seen = cells if track.name in public else view.track(track)
            found[field_name(f"t:{track.name}")] = seen
        for flag in view.world.flags.values():
            cells = view.cells(f"f:{flag.name}")
            if not isinstance(cells, int) and flag.name not in public:
                cells = view.marked(flag, cells)
            found[field_name(f"f:{flag.name}")] = cells
        return {
            name: list(each) if isinstance(each, list) else each for name, each in found.items()
        }

    def _tracks(self) -> list[list[Any]]:
        """Return the hidden cells whose changes all can follow: a value, and the changes since."""
        found = []
        for name, ledger in self.known.ledgers.items():
            info = self.setting.layout.world.tracks[name]
            seen = self._view.track(info)
            cells = seen if isinstance(seen, list) else [seen]
            for at, changes in sorted(ledger.cells.items()):
                if cells[at] is None:
                    found.append([name, at, *self._changes(info, changes)])
        return found

    def _changes(
        self, info: TrackInfo, changes: list[tuple[int, list[Term]]]
    ) -> tuple[int, list[Any]]:
        value, found = info.low, list[Any]()
        for by, terms in changes:
            known, spots = by, []
            for name, each, event in terms:
                amounts = self._amounts(event, name)
                if each < 0 and ~each in self._hidden[name]:
                    spots.append([name, self._spots[name, ~each], list(amounts)])
                else:
                    piece = self.known.pieces[name].pieces[~each] if each < 0 else each
                    known += amounts[piece]
            if spots or found:
                found.append([known, spots])
            else:
                value = min(max(value + known, info.low), info.high)
        return value, found

    def _amounts(self, event: int, name: str) -> tuple[int, ...]:
        """Return the amount by which each piece of a kind changes a track in an event."""
        known = self.setting.prints
        if (event, name) not in known:
            told = self.setting.engine.events[event]
            assert told.change is not None
            assert told.cause is not None
            assert told.per_piece is not None
            every = range(len(self.known.pieces[name].may))
            amounts = (printed(self.setting, told.per_piece, told.cause.name, e) for e in every)
            up = 1 if told.change.up else -1
            known[event, name] = tuple(up * (each or 0) for each in amounts)
        return known[event, name]
