"""Facts about raw log entries that follow from earlier ones: where pieces lay, and who knows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import attrs

from rulesdsl.interpreter.knowledge.tracking import Knowledge, Traceable
from rulesdsl.interpreter.state import CHOICE, Entry
from rulesdsl.lower.flat import Event

Piece = tuple[str, int]
"""The kind and the number of a printed piece."""


@attrs.define
class EntryFacts:
    """Facts about the printed pieces in an entry, which follow from the log before it.

    `cells` are those in which its pieces lay before it, and `knowers` the seats that knew before
    it which pieces these are. For a move, `knowers` are those that know which piece moves, and
    `origin` is the cell from which it came through a quiet place, as in a swap, if it did. If the
    move of a piece `goes_on`, its next move has an origin, and tells of both.
    """

    cells: dict[Piece, int] = attrs.Factory(dict)
    knowers: dict[Piece, frozenset[int]] = attrs.Factory(dict)
    origin: int | None = None
    goes_on: bool = False


@attrs.define
class _Run:
    """Moves of printed pieces by one step from cell to cell, between two questions.

    `moves` are their entries by piece, each with the entry of the piece's move before it.
    `contents` are the pieces that lay in the first cell, if it is a quiet place in which only some
    players know what lies there. A run `is_new` if moves were added since its facts were noted.
    """

    step: tuple[int, ...]
    contents: frozenset[int] | None
    moves: dict[int, tuple[int, int]] = attrs.Factory(dict)
    is_new: bool = True


class LogFacts:
    """Reader of the facts in a log, which is followed as it grows.

    If the log lacks the beginning of its game, `players` is 0: nobody is sure of anything, and
    pieces lay nowhere before they first moved.
    """

    def __init__(self, traceable: Traceable, players: int) -> None:
        self._traceable, self._players = traceable, players
        self._restart()

    def of(self, entries: Sequence[Entry], at: int) -> EntryFacts:
        """Return the facts about an entry of a log."""
        self._follow(entries)
        return self._facts[at]

    def knows(self, entries: Sequence[Entry], seat: int, piece: Piece) -> bool:
        """Return whether a seat knows which piece lies in its cell at the end of a log."""
        if not self._players:
            return False
        if len(entries) < len(self._entries):
            self._restart()
        self._follow(entries)
        kind, number = piece
        return self._knowledge[seat].recognizes(kind, number)

    def _restart(self) -> None:
        self._entries: list[Entry] = []
        self._facts: list[EntryFacts] = []
        self._knowledge = [self._begun(seat) for seat in range(self._players)]
        homes = self._traceable.homes.items()
        # -1: unknown, if the log lacks the beginning of its game
        self._cells = {
            kind: [*cells] if self._players else [-1] * len(cells) for kind, cells in homes
        }
        self._arrivals: dict[Piece, int] = {}  # entry of the last move
        self._runs: dict[str, _Run] = {}  # those that may go on, by kind
        self._fence = -1  # entry of the last question or shuffle

    def _begun(self, seat: int) -> Knowledge:
        """Return what a player knows before the game, without the faces in face-down stacks."""
        known = Knowledge.begin(self._traceable, seat)
        for kind, pieces in known.pieces.items():
            for cell in {*pieces.where}:
                if known.is_stack(kind, cell) and not known.sees(kind, cell):
                    pieces.forget(cell)
        return known

    def _follow(self, entries: Sequence[Entry]) -> None:
        shared = min(len(entries), len(self._entries))
        if shared and entries[shared - 1] is not self._entries[shared - 1]:
            self._restart()
        if len(entries) > len(self._entries):
            for entry in entries[len(self._entries) :]:
                self._take(entry)
            self._complete()

    def _take(self, entry: Entry) -> None:
        number, _, _, *values = entry
        event = None if number == CHOICE else self._traceable.engine.events[number]
        at, moves = len(self._entries), event is not None and event.kind == "piece"
        if not moves:
            self._complete()
        self._entries.append(entry)
        self._facts.append(facts := EntryFacts())
        for kind, piece in self._mentioned(event, values):
            facts.cells[kind, piece] = self._cells[kind][piece]
            facts.knowers[kind, piece] = self._knowers(kind, piece, event)
        if event is None:
            self._runs.clear()
        elif moves:
            self._move(event, at, *values)
        if event is None or event.kind == "shuffle":
            self._fence = at
        for knowledge in self._knowledge:
            knowledge.take(entry)

    def _mentioned(self, event: Event | None, values: Sequence[Any]) -> Iterator[Piece]:
        """Yield the pieces that an entry names or shows, but for those that it moves."""
        if event is None:
            yield from values[-1]
        elif event.kind in {"peek", "shift"}:
            pieces = values[0] if event.kind == "peek" else values[:1]
            yield from ((event.subject, piece) for piece in pieces)
        elif event.words is not None:
            kinds = [face.type.of for faces in event.words.faces for face in faces]
            pieces = values[len(values) - 2 * len(kinds) :: 2]
            yield from (pair for pair in zip(kinds, pieces, strict=True) if pair[1] >= 0)

    def _knowers(
        self, kind: str, piece: int, event: Event | None, run: Collection[int] = ()
    ) -> frozenset[int]:
        knowledge = enumerate(self._knowledge)
        return frozenset(
            seat for seat, known in knowledge if known.recognizes(kind, piece, event, run)
        )

    # ---------------------------------------------------------------- moves
    def _move(self, event: Event, at: int, piece: int, old: int, new: int) -> None:
        kind, step = event.subject, (self._entries[at][0], old, new)
        run, cells = self._runs.get(kind), self._cells[kind]
        if run is not None and piece in run.moves:  # again to an end of the same stack
            self._complete()
        if run is None or run.step != step:
            self._complete()
            place, _ = self._traceable.layout.place_of(kind, old)
            is_passed = place.quiet and not place.stack
            contents = None
            if is_passed and self._traceable.views.eyes[kind][old] is not None:
                contents = frozenset(other for other, cell in enumerate(cells) if cell == old)
            run = self._runs[kind] = _Run(step, contents)
        run.moves[piece] = at, self._arrivals.get((kind, piece), -1)
        run.is_new = True
        self._arrivals[kind, piece] = at
        cells[piece] = new

    def _complete(self) -> None:
        """Note who knows which pieces moved in the open runs, and where these came from."""
        for kind, run in self._runs.items():
            event = self._traceable.engine.events[run.step[0]]
            for piece, (at, came) in run.moves.items() if run.is_new else ():
                facts = self._facts[at]
                earlier = facts.knowers.get((kind, piece), frozenset())
                facts.knowers[kind, piece] = earlier | self._knowers(kind, piece, event, run.moves)
                facts.origin = self._origin(kind, run, at, came)
                if facts.origin is not None:
                    self._facts[came].goes_on = True
            run.is_new = False

    def _origin(self, kind: str, run: _Run, at: int, came: int) -> int | None:
        """Return the cell from which a piece came through a quiet place, if it did.

        This is one move in two steps of one procedure, without a question in between. Where some
        players may not know which piece it is, all pieces there have to move the same way.
        """
        _, old, new = run.step
        place, _ = self._traceable.layout.place_of(kind, old)
        if came <= self._fence or not place.quiet or old == new:
            return None
        source = self._entries[came][4]
        if source in {old, new} or self._step(came) != self._step(at):
            return None
        if run.contents is not None:
            earlier = (before for _, before in run.moves.values())
            sources = {-1 if before < 0 else self._entries[before][4] for before in earlier}
            if run.contents != run.moves.keys() or sources != {source}:
                return None
        return int(source)

    def _step(self, at: int) -> tuple[str, int]:
        """Return the procedure of an entry's event, and the seat that acts."""
        number, _, actor, *_ = self._entries[at]
        return self._traceable.engine.events[number].proc, actor
