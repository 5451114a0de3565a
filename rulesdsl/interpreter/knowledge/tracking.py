"""Knowledge of one player about printed pieces and hidden tracks, updated from the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.conditions import atoms, fixed
from rulesdsl.check.typed.origins import Origin
from rulesdsl.interpreter.decision_points import DecisionPoint
from rulesdsl.interpreter.display.views import Views
from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.knowledge.marks import KnownMarks, MarkArray, UnseenChange
from rulesdsl.interpreter.knowledge.whereabouts import Holder, Whereabouts
from rulesdsl.interpreter.state import CHOICE, Entry, cells_of
from rulesdsl.lower.flat import Event
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import untraceable


@attrs.define(slots=False, eq=False)
class Traceable:
    """The hidden things of one setting that players can follow, shared by all of its games."""

    engine: Engine
    views: Views
    prints: dict[int, tuple[int, ...]] = attrs.Factory(dict)
    """Memo, by event: how much each piece of a kind adds to a track."""

    @property
    def layout(self) -> Layout:
        """The layout of the state."""
        return self.engine.layout

    @cached_property
    def homes(self) -> dict[str, list[int]]:
        """The cell in which each printed piece lies before the game, by kind."""
        box = self.engine.states.new(0)
        return {kind: cells_of(box, f"w:{kind}") for kind in self.views.printed}

    @cached_property
    def tracks(self) -> tuple[str, ...]:
        """The hidden tracks for which everybody sees each change and its amount."""
        hidden = (e for e in self.layout.world.tracks.values() if e.seen_by and not e.during)
        return tuple(each.name for each in hidden if each.name not in self._untraceable)

    @cached_property
    def public_marks(self) -> frozenset[str]:
        """The flags and tracks on pieces whose changes are all visible to everybody."""
        world = self.layout.world
        marks = frozenset(e.name for piece in self.views.printed for e in world.marks(piece))
        hidden = {each.name for each in world.counters if each.seen_by}
        return marks - hidden - self._untraceable

    @cached_property
    def _untraceable(self) -> frozenset[str]:
        return untraceable(self.layout.program)

    @cached_property
    def mark_arrays(self) -> dict[str, MarkArray]:
        """The flags and tracks on printed pieces of which some changes are hidden."""
        arrays: dict[str, MarkArray] = {}
        for info in self.layout.world.counters:
            kinds = [kind for kind in info.dims if kind in self.views.printed]
            is_hidden = info.seen_by is not None or info.name in self.public_marks
            if len(kinds) == 1 and not is_hidden and not info.during:
                strides = self.layout.strides(tuple(map(self.layout.size, info.dims)))
                stride, size = strides[info.dims.index(kinds[0])], self.layout.size(kinds[0])
                array = MarkArray(info.array, kinds[0], stride, size, info.low, info.high)
                arrays[info.name] = array
        return arrays


@attrs.define
class Held:
    """A piece in a local of a running procedure, as far as one viewer can tell which one it is."""

    # `holder` is the first local with it, as procedure and name, and `backs` are those that it may
    # have; if there are none, the local is empty. `open`: the viewer knows the piece itself.

    holder: Holder
    kind: str
    piece: int
    backs: list[int]
    open: bool


Change = tuple[str, int, tuple[int, ...]]
"""A change of a hidden track: (kind, back, amounts by face), or ("", amount, ()) if known."""


@attrs.define
class Knowledge:
    """One player's knowledge: places of pieces, and changes of hidden tracks."""

    traceable: Traceable
    player: int
    pieces: dict[str, Whereabouts]
    ledgers: dict[str, dict[int, list[Change]]]  # changes by cell, for tracks that can be followed
    marks: KnownMarks
    held: dict[tuple[str, str], Held] = attrs.Factory(dict)  # by procedure and local
    _drawn: set[tuple[str, int]] = attrs.Factory(set)  # pieces drawn from several cells
    _picked: tuple[str, int] | None = None  # the piece that the player has just chosen by its face
    _read: int = 0  # entries of the log
    _pools: dict[str, list[int]] = attrs.Factory(dict)

    @classmethod
    def begin(cls, traceable: Traceable, player: int) -> Knowledge:
        """Return the knowledge of a player before the game."""
        known = cls(traceable, player, {}, {}, KnownMarks(traceable.mark_arrays))
        for name, homes in traceable.homes.items():
            where = [known.cell(name, code) for code in homes]
            known.pieces[name] = Whereabouts.begin(traceable.views, name, where)
        known.ledgers.update({name: {} for name in traceable.tracks})
        return known

    def read(self, log: Sequence[Entry]) -> None:
        """Process the new entries of a log."""
        for entry in log[self._read :]:
            self.take(entry)

    def take(self, entry: Entry) -> None:
        """Process the next entry of a log."""
        number, _, actor, *values = entry
        if number == CHOICE:
            self._chosen(actor, *values)
        else:
            self._take_in(number, self.traceable.engine.events[number], actor, values)
        self._read += 1

    def shown(self, offered: Iterable[tuple[str, int]], number: int) -> None:
        """Record that a question shows hidden pieces, but not where they lie in a stack."""
        stacks: dict[tuple[str, int], list[int]] = {}
        for kind, piece in offered:
            self._reveal(kind, piece)
            cell = self.pieces[kind].where[self.pieces[kind].backs[piece]]
            if self.is_stack(kind, cell):
                stacks.setdefault((kind, cell), []).append(piece)
            else:
                self._see(kind, piece)
        for (kind, cell), pieces in stacks.items():
            absent = self._absent(kind, pieces, self.traceable.engine.asks[number])
            self.pieces[kind].find(cell, pieces, absent)

    def _absent(self, kind: str, pieces: Iterable[int], ask: DecisionPoint) -> set[int]:
        """Return the faces that a question for a piece would offer if they were in the stack."""
        line, whereabouts = ask.line(0) if ask.plain else None, self.pieces[kind]
        base = None if line is None or line.domain is None else line.domain.unfiltered
        if line is None or not isinstance(base, ty.Lying) or not base.cells.one:
            return set()
        conditions = Origin(None, line.domain, guard=line.guard).conditions(line.variable or "")
        offered = {
            whereabouts.faces[twin] for piece in pieces for twin in whereabouts.copies[piece]
        }
        if base.apart:
            offered = {whereabouts.faces[piece] for piece in pieces}
        return {*self._eligible(kind, conditions, surely=True)} - offered

    def pool(self, piece: str) -> list[int]:
        """Return the cells of which the player does not know how many pieces lie there.

        They are one unordered heap, the first of these cells: no move between them is noticed.
        """
        if piece not in self._pools:
            counters = enumerate(self.traceable.views.counters[piece])
            self._pools[piece] = [
                code
                for code, viewers in counters
                if viewers is not None and self.player + 1 not in viewers
            ]
        return self._pools[piece]

    def cell(self, piece: str, code: int) -> int:
        """Return the cell in which the player thinks of what lies in a cell."""
        pool = self.pool(piece)
        return pool[0] if code in pool else code

    def is_stack(self, piece: str, code: int) -> bool:
        """Return whether the player knows the order of the backs in a cell."""
        place, _ = self.traceable.views.places[piece][code]
        return place.stack and code not in self.pool(piece)

    def sees(self, piece: str, cell: int) -> bool:
        """Return whether the player sees the faces in a cell."""
        viewers = self.traceable.views.eyes[piece][cell]
        return viewers is None or self.player + 1 in viewers

    # ---------------------------------------------------------------- events
    def _take_in(self, number: int, event: Event, actor: int, values: list[Any]) -> None:
        name = event.subject
        match event.kind:
            case "piece":
                self._moved(event, actor, *values)
            case "hold":
                self._hold(event, *values)
            case "mark":
                if name in self.marks.arrays:
                    self._marked(event, *values)
            case "shuffle":
                hidden = name in self.pieces and not self.sees(name, values[0])
                if hidden and values[0] not in self.pool(name):
                    self._blur(name, self.pieces[name].shuffle(*values))
            case "peek":
                for piece in values[0]:
                    self._looked(event, piece, values[-1])
            case "draw":
                self._picked = None  # this may be the same piece
                if name in self.pieces and values[0] >= 0:
                    self._drawn_by_chance(event, values[0])
            case "track":
                if event.change is not None and name in self.ledgers:
                    self._changed(number, event, values)
            case "shift":
                pass  # within its cell, in view: each back keeps its tag
            case "move" | "place" | "flag" | "show" | "end" | "say" | "act" | "part" | "told":
                pass  # it moves no printed piece
            case _:
                assert_never(event.kind)

    def _looked(self, event: Event, piece: int, to: int) -> None:
        """Process a look at a piece by the seat `to`, or by all (-1)."""
        kind, whereabouts, held = (
            event.subject,
            self.pieces[event.subject],
            self._holding(event, piece),
        )
        if to in {-1, self.player}:
            self._reveal(kind, piece)
            self._see(kind, piece)
            if held is not None:
                held.backs = [whereabouts.backs[self._first_alike(kind, piece)]]
            back = whereabouts.backs[piece]
            if event.keeps and whereabouts.where[back] not in self.pool(kind):
                whereabouts.shown.add(back)
        elif (kind, piece) not in self._drawn and (held is None or len(held.backs) == 1):
            whereabouts.looked_at[whereabouts.backs[piece]] |= {to}

    def _first_alike(self, kind: str, piece: int) -> int:
        """Return the first of the copies in a heap that nobody can tell from a known piece."""
        pieces = self.pieces[kind]
        cell = pieces.where[pieces.backs[piece]]
        if self.is_stack(kind, cell):
            return piece
        there = (
            twin
            for twin in self._twins(kind, piece)
            if pieces.where[pieces.backs[twin]] == cell and pieces.knows(twin)
        )
        return min(there, key=pieces.faces.__getitem__, default=piece)

    def _drawn_by_chance(self, event: Event, piece: int) -> None:
        if event.apart:
            self._drawn.add((event.subject, piece))
        else:
            faces = range(len(self.pieces[event.subject].may))
            self._taken(event.subject, piece, faces, _holder(event))

    def _moved(self, event: Event, actor: int, piece: int, old: int, new: int) -> None:
        name, whereabouts = event.subject, self.pieces[event.subject]
        old, new = self.cell(name, old), self.cell(name, new)
        if old == new and new in self.pool(name):
            return
        held, heap = self._holding(event, piece), not self.is_stack(name, old)
        hidden, in_sight = not self.sees(name, old), self.sees(name, new)
        if in_sight and hidden:
            self._reveal(name, piece, heap=heap)
        if (name, piece) in self._drawn:
            self._taken(name, piece, range(len(whereabouts.may)), _holder(event))
        elif held is not None and not held.open and len(held.backs) > 1:
            conditions = [*self._conditions(held)]
            faces, compared = self._eligible(name, conditions), _locals_in(conditions)
            self._taken(name, piece, faces, held.holder, compared)
        self._drawn.discard((name, piece))
        if hidden:
            beside = whereabouts.leave(piece, seen=in_sight, heap=heap, actor=actor)
            self._blur(name, beside)
        whereabouts.lie_in(piece, new)
        if in_sight or not hidden:
            self._see(name, piece)
        if in_sight:
            face, back = whereabouts.faces[piece], whereabouts.backs[piece]
            self.marks.see_all(name, piece, face, back)
        if held is not None:
            held.backs = [whereabouts.backs[piece]]

    def _reveal(self, kind: str, piece: int, *, heap: bool = False) -> None:
        known = self.pieces[kind]
        if len(known.copies[piece]) > 1:
            known.reveal(piece, self._twins(kind, piece), heap=heap)

    def _twins(self, kind: str, piece: int) -> list[int]:
        """Return the equal copies of a piece that have the same marks."""
        copies = self.pieces[kind].copies[piece]
        return [copy for copy in copies if self.marks.are_alike(kind, copy, piece)]

    def recognizes(
        self, kind: str, piece: int, event: Event | None = None, run: Collection[int] = ()
    ) -> bool:
        """Return whether the player knows which piece it is, one that an event moves or names.

        The event may be one of several of the same step, which move the pieces in the `run`.
        """
        held = None if event is None else self._holding(event, piece)
        is_open = held is not None and held.open
        is_open |= (kind, piece) == self._picked
        return is_open or self.pieces[kind].recognizes(piece, run)

    # ---------------------------------------------------------------- pieces in locals
    def _hold(
        self,
        event: Event,
        piece: int = -1,
        candidates: Sequence[int] = (),
        by: Collection[int] = (),
    ) -> None:
        assert event.cause is not None
        holder = event.proc, event.cause.name
        if event.source is not None:
            if event.source in self.held:
                self.held[holder] = self.held[event.source]
            else:
                self.held.pop(holder, None)
            return
        whereabouts = self.pieces[event.subject]
        backs = sorted({whereabouts.backs[candidate] for candidate in candidates})
        cells = {whereabouts.where[back] for back in backs}
        chosen = whereabouts.chosen.get(whereabouts.backs[piece]) if piece >= 0 else None
        if chosen is not None and chosen.holder == holder and len(cells) == 1:
            backs = [whereabouts.backs[piece]]
        self.held[holder] = Held(holder, event.subject, piece, backs, self.player in by)

    def _holding(self, event: Event, piece: int) -> Held | None:
        """Return the piece in a local that is moved by this name."""
        if event.cause is None:
            return None
        held = self.held.get((event.proc, event.cause.name))
        return held if held is not None and held.piece == piece else None

    def _blur(self, name: str, beside: Collection[int]) -> None:
        """Record that a viewer cannot tell any longer which of these backs is which."""
        for held in self.held.values() if len(beside) > 1 else ():
            if held.kind == name and not held.open and not {*beside}.isdisjoint(held.backs):
                held.backs = sorted({*held.backs, *beside})
        if len(beside) > 1:
            self.marks.blur(name, beside)

    def _marked(self, event: Event, index: int, by: int) -> None:
        """Process a change of a mark on a piece; who does not see it may know when it happens."""
        marks, array = self.marks, self.marks.arrays[event.subject]
        marks.change(event.subject, index, by)
        (rest, piece), whereabouts = array.split(index), self.pieces[array.kind]
        held, back = self._holding(event, piece), whereabouts.backs[piece]
        if self.sees(array.kind, whereabouts.where[back]) or (held is not None and held.open):
            marks.see(event.subject, rest, piece, whereabouts.faces[piece])
        elif event.timed:
            possible = range(len(whereabouts.where)) if held is None else held.backs
            backs = [at for at in possible if not self.sees(array.kind, whereabouts.where[at])]
            marks.unseen.append(UnseenChange(event.subject, rest, by, backs))

    def _conditions(self, held: Held) -> Iterable[tuple[str, ty.Value]]:
        proc, name = held.holder
        return self.traceable.layout.program.procs[proc].held[name].conditions(name)

    def _see(self, name: str, piece: int) -> None:
        known = self.pieces[name]
        known.see(piece)
        back = known.backs[piece]
        for changes in (each for cells in self.ledgers.values() for each in cells.values()):
            changes[:] = [("", e[2][piece], ()) if e[:2] == (name, back) else e for e in changes]

    def _changed(self, number: int, event: Event, values: list[Any]) -> None:
        cell, *_, amount = values
        assert event.change is not None
        changes, up = (
            self.ledgers[event.subject].setdefault(cell, []),
            1 if event.change.up else -1,
        )
        if event.absolute:
            amount -= self.traceable.layout.world.tracks[event.subject].low
            changes.clear()
        if event.cause is None:
            changes.append(("", up * amount, ()))
            return
        name, prints = event.cause.type.of, self.traceable.prints
        known = self.pieces[name]
        if number not in prints:
            assert event.per_piece is not None
            of = self.traceable, event.per_piece, event.cause.name
            prints[number] = tuple(up * (_printed(*of, e) or 0) for e in range(len(known.may)))
        for piece in amount if isinstance(amount, list) else [amount]:
            if piece >= 0 and known.knows(piece):
                changes.append(("", prints[number][piece], ()))
            elif piece >= 0:
                changes.append((name, known.backs[piece], prints[number]))

    # ---------------------------------------------------------------- choices of others
    def _chosen(self, actor: int, number: int, option: int, *values: Any) -> None:  # noqa: ANN401
        """Process a choice: its player sees pieces, and others learn which faces are possible."""
        ask = self.traceable.engine.asks[number]
        domain, piece = ask.domain(option), ask.thing(option)
        self._picked = None
        if actor == self.player:
            self.shown(values[-1], number)
            picked = None if domain is None else (domain.element.of, piece)
            self._picked = picked if picked in values[-1] else None
            return
        if domain is None or piece < 0 or not ask.secret(option):
            return
        kind, base = domain.element.of, domain.unfiltered
        end = isinstance(base, ty.EndPieces)
        if kind in self.pieces and (end or (isinstance(base, ty.Lying) and base.cells.one)):
            line, name = ask.line(option), ask.variable(option) or ""
            origin = Origin(None, domain, guard=ty.YES if line is None else line.guard)
            conditions = [*origin.conditions(name)]
            faces, compared = self._eligible(kind, conditions), _locals_in(conditions)
            self._taken(kind, piece, faces, (ask.proc, name), compared, actor if end else -1)

    def _taken(
        self,
        kind: str,
        piece: int,
        faces: Collection[int],
        holder: Holder,
        compared: Collection[str] = (),
        looked: int = -1,
    ) -> None:
        known = self.pieces[kind]
        if not self.sees(kind, known.where[known.backs[piece]]):
            self._blur(kind, known.choose(piece, faces, looked, holder, compared))

    def _eligible(
        self, kind: str, conditions: Iterable[tuple[str, ty.Value]], *, surely: bool = False
    ) -> list[int]:
        """Return the pieces whose print does not contradict the conditions, or implies them."""
        parts = [(name, part) for name, condition in conditions for part in atoms(condition)]
        failing = (0, None) if surely else (0,)
        return [
            piece
            for piece in range(len(self.pieces[kind].may))
            if all(
                _printed(self.traceable, part, name, piece) not in failing for name, part in parts
            )
        ]


def _locals_in(conditions: Iterable[tuple[str, ty.Value]]) -> set[str]:
    parts = (part for _, condition in conditions for part in ty.walk(condition))
    return {part.name for part in parts if isinstance(part, ty.Local)}


def _holder(event: Event) -> Holder:
    return event.proc, "" if event.cause is None else event.cause.name


def _printed(traceable: Traceable, value: ty.Value, name: str, piece: int) -> int | None:
    """Return an expression's value for the piece in a local if printed fields fix it, or None."""
    layout = traceable.layout

    def number(node: ty.Node) -> ty.Node:
        if not isinstance(node, ty.FieldOf) or node.key is not None:
            return node
        if not isinstance(node.subject, ty.Local) or node.subject.name != name:
            return node
        entry, _ = layout.instances(node.kind)[piece]
        found = layout.world.kinds[node.kind].entries[entry].values.get((node.field, None))
        return ty.Const(found, type=node.type) if isinstance(found, int) else node

    return fixed(ty.rewrite(value, number), layout.players, layout.settings)
