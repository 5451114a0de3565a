"""Observation of a game by one player: the position, with blanks for hidden information."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Protocol

import attrs

from rulesdsl.interpreter.decisions import asked_players, shown_now
from rulesdsl.interpreter.knowledge.frames import Slots
from rulesdsl.interpreter.knowledge.tracking import Held, Knowledge
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.flat import EXCLUDED
from rulesdsl.lower.schema import TrackInfo

SPECTATOR = -1  # as an observer: it sees what everybody sees
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
    # asked; `answer` is the player's own secret answer while others are still choosing, and
    # `answered` are those who have answered, `excluded` those who take no part. `held` are the
    # pieces in locals of which the player cannot tell which they are (procedure, local, kind, what
    # they may be, and their slots), `marks` the changes of marks on one of several pieces, and
    # `shown` the pieces in stacks that the open question shows, in order.

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
    """Return the information state of a player (numbered from 1) or of a spectator (-1).

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
        if any(
            pieces.knows(piece) and not hidden.knows(piece) for piece in range(len(pieces.backs))
        ):
            return True
    return any(
        _fills(value, blank)
        for values, blanks in zip(ours.numbers(), theirs.numbers(), strict=True)
        for value, blank in zip(values, blanks, strict=True)
    )


def shown_pieces(
    game: ObservedGame, viewer: int | None, kept: dict[int, Knowledge]
) -> dict[str, frozenset[int]]:
    """Return the pieces that were shown to a player, or to all (None), and lie there since."""
    known = _knowledge(game, SPECTATOR if viewer is None else viewer, kept)
    return {kind: pieces.turned_up for kind, pieces in known.pieces.items()}


def _pooled(piles: Sequence[list[int]], pool: Sequence[int]) -> list[list[int]]:
    """Return the contents of each cell, with those of all cells of a pool in its first cell."""
    if not pool:
        return [*piles]
    together = [piece for code in pool for piece in piles[code]]
    return [
        pile if code not in pool else together if code == pool[0] else []
        for code, pile in enumerate(piles)
    ]


def _fills(value: Any, blank: Any) -> bool:  # noqa: ANN401 - a number or a list
    """Return whether a value tells something that is blank, or cut off, in another one."""
    if value is None or blank is None:
        return value is not None
    if not isinstance(value, list):
        return False
    return len(value) > len(blank) or any(map(_fills, value, blank))


def _knowledge(
    game: ObservedGame, player: int, earlier: dict[int, Knowledge] | None = None
) -> Knowledge:
    if not game.whole:
        raise ValueError("a redraw needs a log from the beginning")
    players = {} if earlier is None else earlier
    if player not in players:
        players[player] = Knowledge.begin(game.setting.traceable, player - 1)
    knowledge = players[player]
    knowledge.read(game.state.log)
    if pieces := shown_now(game.setting.views, game.state, player - 1):  # by an open question
        knowledge.shown(pieces, game.state.frames[-1][0])
    return knowledge


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
        self._asked = shown_now(self.setting.views, self.st, known.player)
        self._faces = {kind: self._numbered(kind) for kind in known.pieces}
        self._offered = {(kind, self._face(kind, piece)) for kind, piece in self._asked}

    def data(self) -> dict[str, Any]:
        """Return the data of the observation."""
        st, player = self.st, self.known.player
        half_done, held = self._half_done()
        for slots, frame in half_done:
            slots.replaced(frame, self._use)
        for change in self.known.marks.unseen:
            self._use_all(self.known.marks.arrays[change.name].kind, change.backs)
        for changes in (each for cells in self.known.ledgers.values() for each in cells.values()):
            for name, back, _ in changes:
                self._use_all(name, [back])
        piles, classes = {}, {}
        for name in self.known.pieces:
            piles[name], classes[name] = self._laid(name)
        mine = st.options if player in asked_players(self.setting.engine, st) else None
        sealed = player >= 0 and bool(st.options) and isinstance(st.options[0], list)
        if sealed:
            mine = st.options[player]
        return {
            "player": player,
            "over": bool(st.over),
            "piles": piles,
            "classes": classes,
            "cells": self._cells(),
            "tracks": [*self._tracks()],
            "frames": [each.replaced(frame, self._reference) for each, frame in half_done],
            "held": [
                [*local.holder, local.kind, self._among(local.kind, local.backs), places]
                for local, places in held
            ],
            "marks": [
                [change.name, change.rest, change.by, self._among(array.kind, change.backs)]
                for change in self.known.marks.unseen
                for array in [self.known.marks.arrays[change.name]]
            ],
            "shown": self._shown(),
            **({"pools": pools} if any((pools := self._pools()).values()) else {}),
            "options": mine and [*self._options(mine)],
            "answer": st.answers[player] if sealed and st.answers else -1,
            "answered": [at for at, each in enumerate(st.answers) if each >= 0],
            "excluded": [at for at, each in enumerate(st.options) if each == [EXCLUDED]],
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
        yield from (frame for _, frame in self._half_done()[0])

    # ---------------------------------------------------------------- suspended procedures
    def _half_done(self) -> tuple[list[tuple[Slots, list[Any]]], list[tuple[Held, list[Any]]]]:
        """Return the frames without what the player does not know.

        Also return the pieces in locals that the player cannot tell, with their slots.
        """
        waiting = [(self.setting.slots[frame[0]], frame) for frame in self.st.frames]
        half_done = [(slots, slots.blanked(frame, self.known.player)) for slots, frame in waiting]
        blanks: dict[int, tuple[Held, list[Any]]] = {}
        for number, (slots, frame) in enumerate(half_done):
            for slot in slots.held:
                held, value = self.known.held.get((slots.machine, slot.name)), frame[slot.at]
                if slot.me:
                    frame[slot.at] = [answer if answer == EXCLUDED else None for answer in value]
                    if self.known.player >= 0:
                        frame[slot.at][self.known.player] = value[self.known.player]
                elif held is None or held.open:
                    continue
                elif slot.turn:
                    frame[slot.at] = [None] * (len(value) if slot.sized else frame[slot.turn])
                elif len(held.backs) > 1:
                    frame[slot.at] = None
                    blanks.setdefault(id(held), (held, []))[1].append([number, slot.at])
                else:
                    pieces = self.known.pieces[held.kind].pieces
                    frame[slot.at] = pieces[held.backs[0]] if held.backs else -1
        for held, _ in blanks.values():
            self._use_all(held.kind, held.backs)
        return half_done, [*blanks.values()]

    # ---------------------------------------------------------------- pieces
    def _numbered(self, kind: str) -> list[int]:
        """Return a number for each face: equal copies as they lie, those that are known first."""
        views, whereabouts = self.setting.views, self.known.pieces[kind]
        order: dict[int, int] = {}
        if views.copies_of[kind]:
            lying = (piece for pile in cells_of(self.st, f"l:{kind}") for piece in pile)
            order = {
                whereabouts.faces[piece]: at
                for at, piece in enumerate(lying)
                if whereabouts.knows(piece)
            }
        last = len(whereabouts.faces)
        return views.numbers(kind, lambda face: order.get(face, last))

    def _face(self, kind: str, piece: int) -> int:
        return self._faces[kind][self.known.pieces[kind].faces[piece]]

    def _use(self, name: str, piece: int) -> int:
        self._use_all(name, [self.known.pieces[name].backs[piece]])
        return piece

    def _use_all(self, name: str, backs: Iterable[int]) -> None:
        use = next(self._count)
        for back in backs:
            self._uses[name, back].append(use)

    def _reference(self, name: str, piece: int) -> int:
        known = self.known.pieces[name]
        return self._spots.get((name, known.backs[piece]), self._face(name, piece))

    def _among(self, name: str, backs: Iterable[int]) -> list[int]:
        pieces = self.known.pieces[name].pieces
        return sorted(self._reference(name, pieces[back]) for back in backs)

    def _laid(self, name: str) -> tuple[list[list[int]], list[list[int]]]:
        """Return the cells of one kind of piece, with numbered spots, and the spots' classes."""
        known = self.known.pieces[name]
        sees = [self.known.sees(name, cell) for cell in range(len(self.setting.views.eyes[name]))]
        unknown = (back for back, piece in enumerate(known.pieces) if not known.knows(piece))
        hidden = {back for back in unknown if not sees[known.where[back]]}
        faces: dict[int, list[int]] = {known.tags[back]: [] for back in hidden}
        for face in sorted(known.faces[known.pieces[back]] for back in hidden):
            for tag in known.may[face] & faces.keys():
                faces[tag].append(self._faces[name][face])
        possible = {tag: tuple(sorted(numbers)) for tag, numbers in faces.items()}
        classes = sorted({*possible.values()})
        number = {tag: ~classes.index(numbers) for tag, numbers in possible.items()}
        used = [back for kind, back in self._uses if kind == name]
        found, backs = [], count(SPOT)
        pool = self.known.pool(name)
        for cell, pile in enumerate(_pooled(cells_of(self.st, f"l:{name}"), pool)):
            there = [(known.backs[piece], self._face(name, piece)) for piece in pile]
            laid = [(number[known.tags[b]] if b in hidden else face, b) for b, face in there]
            groups: Iterable[Sequence[int]] = () if sees[cell] else [range(len(laid))]
            if groups and self.known.is_stack(name, cell):
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

    def _pools(self) -> dict[str, list[int]]:
        """Return, by kind, the cells whose number of pieces the player does not know."""
        pieces = self.setting.layout.world.pieces
        return {kind: pool for kind in pieces if (pool := self.known.pool(kind))}

    def _rank(self, name: str, laid: int, back: int) -> tuple[Any, ...]:
        """Return a sort key for exchangeable spots; it is equal for all offered pieces."""
        return (
            (0,) if (name, laid) in self._offered else (1, laid, self._uses.get((name, back), []))
        )

    def _shown(self) -> dict[str, list[int]]:
        """Return the pieces that the open question shows in stacks, in order, by kind."""
        found: dict[str, list[int]] = {}
        for kind, piece in self._asked:
            known = self.known.pieces[kind]
            is_stack = self.known.is_stack(kind, known.where[known.backs[piece]])
            if is_stack and not known.knows(piece):
                found.setdefault(kind, []).append(self._face(kind, piece))
        return found

    def _options(self, options: list[int]) -> Iterator[int]:
        ask = self.setting.engine.asks[self.st.frames[-1][0]]
        for option in options:
            domain, piece = ask.domain(option), ask.thing(option)
            kind = domain.element.of if domain and domain.element.family == "piece" else ""
            known = self.known.pieces.get(kind)
            yield (
                option
                if known is None or option == EXCLUDED
                else option - piece + self._face(kind, piece)
            )

    # ---------------------------------------------------------------- numbers
    def _cells(self) -> dict[str, Any]:
        """Return all arrays except those of printed pieces; None where hidden from the player."""
        view, found = self._view, dict[str, Any]()
        for piece in view.world.pieces.values():
            if piece.style == "counted":
                found[f"n:{piece.name}"] = view.amounts(piece.name)
            elif piece.style == "single":
                found[f"s:{piece.name}"] = view.where(piece.name)
        public = self.setting.traceable.public_marks  # public even for hidden pieces
        pieces = self.known.pieces.items()
        faces = {kind: [self._faces[kind][face] for face in known.faces] for kind, known in pieces}
        for info in (*view.world.counters, *view.world.shown.values()):
            seen = view.track(info) if isinstance(info, TrackInfo) else view.flag(info)
            values = view.cells(info.array) if info.name in public else seen
            found[info.array] = self.setting.views.numbered(info, values, faces)
        for (name, rest, face), value in self.known.marks.seen.items():
            array = self.known.marks.arrays[name]
            cells = found[array.field]
            index = rest + self._faces[array.kind][face] * array.stride
            if cells[index] is None:
                cells[index] = value
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
