"""Players who know which printed piece moves, though they see it neither before nor after."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import attrs

from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.log.sentences import NOBODY, moved_pieces
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import Domain, EndPieces, Lying

CHOICE = -1
Entry = tuple[Any, ...]


def lookers(
    engine: Engine, entries: Sequence[Entry], end: int, kind: str, piece: int, cell: int
) -> Iterator[int]:
    """Yield the seats that have looked at a piece in a cell, or put it there, before entry `end`.

    Those are left out that cannot tell which piece it is, as another seat, or chance, has since
    chosen one in such a place in secret, or moved it within the stack.
    """
    choosers: set[int] = set()
    info, _ = engine.layout.place_of(kind, cell)
    place, is_stack = info.name, info.stack  # a question does not show where in a stack they lie
    for at in range(end - 1, -1, -1):
        number, _, actor, *values = entries[at]
        if number == CHOICE:
            ask, option = engine.asks[values[0]], values[1]
            is_visible = (kind, piece) in values[-1] and choosers <= {actor}
            if is_visible and (not is_stack or ask.thing(option) == piece):
                yield actor
            if ask.secret(option) and _lies_in(ask.domain(option), kind, place):
                choosers.add(actor)
        elif engine.events[number].subject == kind:
            event = engine.events[number]
            if event.kind == "peek" and piece in values[0]:
                seats = range(engine.layout.players) if values[-1] == NOBODY else [values[-1]]
                yield from (seat for seat in seats if choosers <= {seat})
            if event.kind == "draw":
                choosers.add(NOBODY)
            if piece in moved_pieces(event.kind, values):
                if event.kind != "piece" or not event.ends[1]:
                    return
                watchers = sorted(watching(engine.layout, kind, values[1]))
                yield from (seat for seat in watchers if choosers <= {seat})
                choosers.add(actor)


def counting(layout: Layout, kind: str, cell: int) -> frozenset[int]:
    """Return the seats of the players who know how many pieces lie in a cell."""
    seats = frozenset(range(layout.players))
    viewers = layout.counters(kind)[cell]
    return seats if viewers is None else seats & {viewer - 1 for viewer in viewers}


def watching(layout: Layout, kind: str, cell: int) -> frozenset[int]:
    """Return the seats of the players who see a cell."""
    viewers = layout.watchers(kind)[cell]
    seats = frozenset(range(layout.players))
    return seats if viewers is None else seats & {viewer - 1 for viewer in viewers}


def _lies_in(domain: Domain | None, kind: str, place: str) -> bool:
    base = None if domain is None else domain.unfiltered
    if base is None or base.element.of != kind:
        return False
    return not isinstance(base, Lying | EndPieces) or base.cells.place == place


def cell_before(engine: Engine, entries: Sequence[Entry], end: int, kind: str, piece: int) -> int:
    """Return the cell in which a piece lies before entry `end`."""
    for at in range(end - 1, -1, -1):
        number, _, _, *values = entries[at]
        event = None if number == CHOICE else engine.events[number]
        if event and (event.kind, event.subject, *values[:1]) == ("piece", kind, piece):
            return int(values[2])
    return engine.states.homes(kind)[piece]


@attrs.frozen
class MoveRun:
    """Moves of printed pieces by one step from cell to cell, between two questions."""

    start: int
    pieces: frozenset[int]

    @classmethod
    def around(cls, engine: Engine, entries: Sequence[Entry], at: int) -> MoveRun:
        """Return the moves before and after the one in entry `at`, and itself."""
        number, _, _, piece, *cells = entries[at]
        kind, start, pieces = engine.events[number].subject, at, {piece}
        for way in (range(at - 1, -1, -1), range(at + 1, len(entries))):
            for other in way:
                if entries[other][0] == CHOICE:
                    break
                event = engine.events[entries[other][0]]
                if (event.kind, event.subject) != ("piece", kind):
                    continue
                if entries[other][0] != number or [*entries[other][4:]] != cells:
                    break
                start = min(start, other)
                pieces.add(entries[other][3])
        return cls(start, frozenset(pieces))


@attrs.define
class _MoveIndex:
    """Numbers of the entries that move printed pieces, by kind and cell, for the log read last.

    Reading the whole log for each move makes the story of a long game take minutes.
    """

    engine: Engine
    _by_cell: dict[tuple[str, int], list[int]] = attrs.field(factory=dict, init=False)
    _length: int = attrs.field(default=0, init=False)
    _last: Entry = attrs.field(default=(), init=False)

    def around(self, entries: Sequence[Entry], kind: str, cell: int) -> Sequence[int]:
        """Return the entries of moves into and out of a cell, in order."""
        if self._length and (
            len(entries) < self._length or entries[self._length - 1] is not self._last
        ):
            self._by_cell, self._length = {}, 0
        for at in range(self._length, len(entries)):
            number, _, _, *values = entries[at]
            event = None if number == CHOICE else self.engine.events[number]
            if event and event.kind == "piece":
                for end in {*values[1:3]}:
                    self._by_cell.setdefault((event.subject, end), []).append(at)
        self._length, self._last = len(entries), entries[-1] if entries else ()
        return self._by_cell.get((kind, cell), ())


_move_index = lru_cache(maxsize=4)(_MoveIndex)


@attrs.frozen
class Heap:
    """An unordered place before entry `end` of the log, and who knows what lies there.

    Each of the pieces has the entry in which it came, or -1. All players know where pieces lie
    before the game. When one leaves unseen, nobody is sure of the others, unless all are alike.
    """

    engine: Engine
    entries: Sequence[Entry]
    end: int
    kind: str
    cell: int
    pieces: dict[int, int]

    @classmethod
    def before(
        cls, engine: Engine, entries: Sequence[Entry], end: int, kind: str, cell: int
    ) -> Heap:
        """Return what lies in a cell before entry `end`."""
        homes = engine.states.homes(kind)
        heap = cls(engine, entries, end, kind, cell, {})
        heap.pieces.update((piece, -1) for piece, home in enumerate(homes) if home == cell)
        for at, (piece, old, new) in heap._moves():
            if new == cell:
                heap.pieces.setdefault(piece, at)
            elif old == cell:
                heap.pieces.pop(piece, None)
        return heap

    def _moves(self, start: int = 0) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield moves into and out of the cell from entry `start` on: the entry and its values."""
        moves = _move_index(self.engine).around(self.entries, self.kind, self.cell)
        for at in moves[bisect_left(moves, start) : bisect_left(moves, self.end)]:
            yield at, self.entries[at][3:]

    @property
    def _everybody(self) -> frozenset[int]:
        return frozenset(range(self.engine.layout.players))

    def _watching(self, cell: int) -> frozenset[int]:
        return watching(self.engine.layout, self.kind, cell)

    def _knowing(self, piece: int, came: int) -> frozenset[int]:
        seats = self._everybody
        if came >= 0:
            _, _, actor, _, source, _ = self.entries[came]
            seats = frozenset(lookers(self.engine, self.entries, came, self.kind, piece, source))
            if actor in seats or not self.engine.layout.place_of(self.kind, source)[0].stack:
                seats &= {actor}  # who may have taken another one, as far as others know
            seats |= self._watching(source)
        for at, (other, old, new) in self._moves(came + 1):
            if old == self.cell != new and seats - self._watching(new):
                heap = Heap.before(self.engine, self.entries, at, self.kind, self.cell)
                seats &= self._watching(new) | (heap.sure if heap.is_alike(other) else frozenset())
        return seats

    @property
    def sure(self) -> frozenset[int]:
        """Players who know all its pieces."""
        seats = self._everybody
        for piece, came in self.pieces.items():
            seats = seats and seats & self._knowing(piece, came)
        return seats

    def is_alike(self, piece: int) -> bool:
        """Return true if all pieces in it are equal to this one."""
        printed = self.engine.layout.instances(self.kind)
        return all(printed[other] == printed[piece] for other in self.pieces)


def knowers(
    engine: Engine, entries: Sequence[Entry], at: int, kind: str, piece: int, cell: int
) -> frozenset[int]:
    """Return the seats that have seen which piece lies in a cell, up to entry `at`."""
    seats = frozenset(lookers(engine, entries, at, kind, piece, cell))
    if engine.layout.place_of(kind, cell)[0].stack:
        return seats
    heap = Heap.before(engine, entries, at, kind, cell)
    return seats | heap.sure if heap.is_alike(piece) else seats


def knowers_of_move(engine: Engine, entries: Sequence[Entry], at: int) -> frozenset[int]:
    """Return the seats that know which piece moves in entry `at`, from what they knew before it.

    From a stack it is known which one goes, unless its mover has looked at several, and need not
    take the one at an end. From an unordered place it is known if it could be no other: if all
    there are alike, or all leave.
    """
    number, _, actor, piece, cell, *_ = entries[at]
    event = engine.events[number]
    kind = event.subject
    seats = frozenset(lookers(engine, entries, at, kind, piece, cell))
    if event.kind != "piece" or engine.layout.place_of(kind, cell)[0].stack:
        return seats if event.ends[0] else seats & {actor} or seats
    seats &= {actor}
    heap = Heap.before(engine, entries, at, kind, cell)
    if heap.is_alike(piece):
        seats |= heap.sure
    run = MoveRun.around(engine, entries, at)
    if run.start != at:
        heap = Heap.before(engine, entries, run.start, kind, cell)
    return seats | heap.sure if heap.pieces.keys() == run.pieces else seats


def origin(engine: Engine, entries: Sequence[Entry], at: int) -> int | None:
    """Return the cell from which a piece came through a quiet place, as in a swap, if it did.

    This is one move in two steps of one procedure, without a question in between.
    """
    number, _, actor, piece, cell, target = entries[at]
    event = engine.events[number]
    place = engine.layout.place_of(event.subject, cell)[0]
    if not place.quiet or cell == target:
        return None
    for came in range(at - 1, -1, -1):
        earlier = engine.events[entries[came][0]]
        if entries[came][0] == CHOICE or earlier.kind == "shuffle":
            return None
        if earlier.subject == event.subject and piece in moved_pieces(
            earlier.kind, entries[came][3:]
        ):
            break
    else:
        return None
    source = entries[came][4]
    if source in {cell, target} or (earlier.proc, entries[came][2]) != (event.proc, actor):
        return None
    if not place.stack and engine.layout.watchers(event.subject)[cell] is not None:
        run = MoveRun.around(
            engine, entries, at
        )  # of all of them: some may not know which one it is
        pieces = Heap.before(engine, entries, run.start, event.subject, cell).pieces
        if pieces.keys() != run.pieces or any(
            came < 0 or entries[came][4] != source for came in pieces.values()
        ):
            return None
    return int(source)


def passes_through(engine: Engine, entries: Sequence[Entry], at: int) -> bool:
    """Return true if the next move of a piece that enters a quiet place tells of both."""
    number, _, _, piece, _, cell = entries[at]
    kind = engine.events[number].subject
    if not engine.layout.place_of(kind, cell)[0].quiet:
        return False
    for leaves in range(at + 1, len(entries)):
        if entries[leaves][0] == CHOICE:
            return False
        event = engine.events[entries[leaves][0]]
        if event.kind == "piece" and event.subject == kind and entries[leaves][3] == piece:
            return origin(engine, entries, leaves) is not None
    return False
