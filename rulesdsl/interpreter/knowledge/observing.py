"""Observation of a game by one player: the position, with blanks for hidden information."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Protocol

import attrs

from rulesdsl.interpreter.decisions import asked_players, shown_now
from rulesdsl.interpreter.knowledge.tracking import Knowledge
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.state import cells_of

SPOT = 1 << 15
"""References to spots start at this number; smaller ones are pieces."""


@attrs.frozen
class Observation:
    """Information state of one player: plain data and the compiled setting."""

    # In `data`, `piles` lists the contents of the cells of each kind of printed piece: a known
    # piece, or, below 0, the class of a spot; `classes` has the possible faces of each class. The
    # spots of a kind are numbered in this order. `cells` has all other arrays, `frames` the
    # suspended procedures; None is a blank. `tracks` has the fields of a `TrackCourse` for each
    # hidden cell whose changes all players can follow. `options` are those of the player, if
    # asked; `answer` is the player's own secret answer while others are still choosing.

    setting: CompiledSetting
    data: dict[str, Any]


class ObservedGame(Protocol):
    """The part of a game that is needed to observe it."""

    setting: CompiledSetting
    whole: bool

    @property
    def state(self) -> Any:  # noqa: ANN401
        """The raw state."""


def observe(
    game: ObservedGame, player: int, kept: dict[int, Knowledge] | None = None
) -> Observation:
    """Return the information state of a player (numbered from 1).

    `kept` holds the knowledge from earlier calls, so that only new log entries are read. Raises
    ValueError if the log, which records what players have seen, does not cover the whole game.
    """
    return Observation(game.setting, _Blanking(game, _knowledge(game, player, kept)).data())


def knows_more(
    game: ObservedGame, player: int, other: int, knowledge: dict[int, Knowledge]
) -> bool:
    """Return whether a player may know something that another player does not.

    It follows from the other player's observation. Arguments and errors are as for `observe`.
    """
    ours, theirs = (_Blanking(game, _knowledge(game, seat, knowledge)) for seat in (player, other))
    for name, pieces in ours.known.pieces.items():
        hidden = theirs.known.pieces[name]
        if any(pieces.knows(at) and not hidden.knows(at) for at in range(len(pieces.backs))):
            return True
    return any(
        value is not None and (blank is None or (isinstance(value, list) and value[len(blank) :]))
        for values, blanks in zip(ours.numbers(), theirs.numbers(), strict=True)
        for value, blank in zip(values, blanks, strict=True)
    )


def _knowledge(
    game: ObservedGame, player: int, kept: dict[int, Knowledge] | None = None
) -> Knowledge:
    if not game.whole:
        raise ValueError("a redraw needs a log from the beginning")
    kept = {} if kept is None else kept
    if player not in kept:
        kept[player] = Knowledge.begin(game.setting, player - 1)
    known = kept[player]
    known.read(game.state.log)
    known.shown(shown_now(game.setting.views, game.state, player - 1))  # by an open question
    return known


class _Blanking:
    """Construction of one player's observation of one position."""

    # A spot is a piece that lies face down. Its class is the set of faces that it may have, as far
    # as the player knows (`Whereabouts`). The observation must not depend on anything hidden, so
    # the spots of an unordered place are sorted by class and by the visible references to them,
    # and so are exchangeable spots of a stack: two positions that differ only in blanks give equal
    # data. Pieces offered by the open question come first, in the order of the options: a question
    # offers the first of several equal pieces.

    def __init__(self, game: ObservedGame, known: Knowledge) -> None:
        self.st, self.known, self.setting = game.state, known, game.setting
        self._view = self.setting.views.of(self.st, known.player + 1)
        self._uses: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        self._spots: dict[tuple[str, int], int] = {}
        self._count = count()
        self._offered = {*shown_now(self.setting.views, self.st, known.player)}

    def data(self) -> dict[str, Any]:
        """Return the data of the observation."""
        st, player = self.st, self.known.player
        waiting = [(self.setting.slots[frame[0]], frame) for frame in st.frames]
        half_done = [(each, each.blanked(frame, player)) for each, frame in waiting]
        for each, frame in half_done:
            each.replaced(frame, self._use)
        for changes in (each for cells in self.known.ledgers.values() for each in cells.values()):
            for name, back, _ in changes:
                self._uses[name, back].append(next(self._count))
        piles, classes = {}, {}
        for name in self.known.pieces:
            piles[name], classes[name] = self._laid(name)
        sealed = bool(st.options) and isinstance(st.options[0], list)
        asked = player in asked_players(self.setting.engine, st)
        mine = st.options[player] if sealed else st.options if asked else None
        return {
            "player": player,
            "over": bool(st.over),
            "piles": piles,
            "classes": classes,
            "cells": self._cells(),
            "tracks": [*self._tracks()],
            "frames": [each.replaced(frame, self._reference) for each, frame in half_done],
            "options": mine and list(mine),
            "answer": st.answers[player] if sealed and st.answers else -1,
        }

    def numbers(self) -> Iterator[list[Any]]:
        """Yield the values of arrays and frames; None, or a shorter list, for blanks.

        A hidden number is no blank if it follows from changes that the player knows.
        """
        ledgers = {field_name(f"t:{name}"): cells for name, cells in self.known.ledgers.items()}
        for field, values in self._cells().items():
            numbers, changes = values if isinstance(values, list) else [values], ledgers.get(field)
            for at, number in enumerate(numbers):
                if number is None and changes is not None:
                    numbers[at] = None if any(kind for kind, *_ in changes.get(at, ())) else 0
            yield numbers
        for frame in self.st.frames:
            yield self.setting.slots[frame[0]].blanked(frame, self.known.player)

    # ---------------------------------------------------------------- pieces
    def _use(self, name: str, piece: int) -> int:
        self._uses[name, self.known.pieces[name].backs[piece]].append(next(self._count))
        return piece

    def _reference(self, name: str, piece: int) -> int:
        return self._spots.get((name, self.known.pieces[name].backs[piece]), piece)

    def _laid(self, name: str) -> tuple[list[list[int]], list[list[int]]]:
        """Return the cells of one kind of piece, with numbered spots, and the spots' classes."""
        known = self.known.pieces[name]
        sees = [self.known.sees(name, cell) for cell in range(len(self.setting.views.eyes[name]))]
        unknown = (back for back, piece in enumerate(known.pieces) if not known.knows(piece))
        hidden = {back for back in unknown if not sees[known.where[back]]}
        faces: dict[int, list[int]] = {known.tags[back]: [] for back in hidden}
        for face in sorted(known.pieces[back] for back in hidden):
            for tag in known.may[face] & faces.keys():
                faces[tag].append(face)
        classes = sorted({tuple(each) for each in faces.values()})
        number = {tag: ~classes.index(tuple(each)) for tag, each in faces.items()}
        used = [back for kind, back in self._uses if kind == name]
        found, backs = [], count(SPOT)
        for cell, pile in enumerate(cells_of(self.st, f"l:{name}")):
            there = [(known.backs[piece], piece) for piece in pile]
            laid = [(number[known.tags[b]] if b in hidden else piece, b) for b, piece in there]
            place, _ = self.setting.views.places[name][cell]
            groups: Iterable[Sequence[int]] = () if sees[cell] else [range(len(laid))]
            if groups and place.stack:
                groups = known.exchangeable([back for back, _ in there], hidden, used)
            for group in groups:
                ranked = sorted(
                    (laid[at] for at in group), key=lambda each: self._rank(name, *each)
                )
                for at, each in zip(group, ranked, strict=True):
                    laid[at] = each
            for back in (each for _, each in laid if each in hidden):
                self._spots[name, back] = next(backs)
            found.append([each for each, _ in laid])
        return found, [list(each) for each in classes]

    def _rank(self, name: str, laid: int, back: int) -> tuple[Any, ...]:
        """Return a sort key for exchangeable spots; it is equal for all offered pieces."""
        return (
            (0,) if (name, laid) in self._offered else (1, laid, self._uses.get((name, back), []))
        )

    # ---------------------------------------------------------------- numbers
    def _cells(self) -> dict[str, Any]:
        """Return all arrays except those of printed pieces; None where hidden from the player."""
        view, found = self._view, dict[str, Any]()
        letters = {"counted": "n", "single": "s"}
        for piece in (each for each in view.world.pieces.values() if each.style in letters):
            field = f"{letters[piece.style]}:{piece.name}"
            found[field] = view.cells(field)
        public = self.setting.public_marks  # public even for hidden pieces
        for track in view.world.tracks.values():
            cells = view.cells(f"t:{track.name}")
            found[f"t:{track.name}"] = cells if track.name in public else view.track(track)
        for flag in view.world.flags.values():
            cells = view.cells(f"f:{flag.name}")
            secret = not isinstance(cells, int) and flag.name not in public
            found[f"f:{flag.name}"] = view.marked(flag, cells) if secret else cells
        return {
            field_name(name): list(each) if isinstance(each, list) else each
            for name, each in found.items()
        }

    def _tracks(self) -> Iterator[list[Any]]:
        """Yield hidden cells whose changes everybody can follow, as fields of `TrackCourse`."""
        for name, ledgers in self.known.ledgers.items():
            info = self.setting.layout.world.tracks[name]
            seen = self._view.track(info)
            for cell, changes in sorted(ledgers.items()):
                if (seen[cell] if isinstance(seen, list) else seen) is not None:
                    continue
                value, later = info.low, list[Any]()
                for kind, each, amounts in changes:
                    by = amounts[self.known.pieces[kind].pieces[each]] if kind else each
                    if (kind, each) in self._spots:
                        later.append([kind, self._spots[kind, each] - SPOT, list(amounts)])
                    elif later:
                        later.append(["", by, []])
                    else:
                        value = min(max(value + by, info.low), info.high)
                yield [name, cell, info.low, info.high, value, later]
