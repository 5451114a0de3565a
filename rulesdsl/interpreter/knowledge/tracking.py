"""Knowledge of one player: possible places of printed pieces, updated from the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.conditions import atoms, fixed
from rulesdsl.check.typed.origins import Origin
from rulesdsl.interpreter.decision_points import DecisionPoint
from rulesdsl.interpreter.display.views import Views
from rulesdsl.interpreter.knowledge.marks import KnownMarks, UnseenChange
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.flat import Event


@attrs.define
class Whereabouts:
    """One viewer's knowledge about the printed pieces of a kind."""

    # The viewer sees a face-down piece as a back in a cell; its face is unknown. So each piece
    # consists of a back, which has a number and a tag, and a face, which may be on the backs with
    # certain tags (`may`). Backs whose faces could be exchanged without the viewer noticing share
    # a tag; the back of a known face has a tag of its own. Shuffling gives one new tag to all
    # backs of a pile with the same print; seeing a face gives its back a new tag.
    #
    # `backs` maps real pieces to backs. If a viewer cannot tell which of several backs left a
    # heap, or how backs lie after a shuffle, the one with the least number is used first: no
    # number, tag or cell depends on anything unknown to the viewer. Constraints between faces are
    # lost unless tags can state them; after `choose`, for example, the fact is lost that exactly
    # one of two faces was there.
    #
    # A copy that turns up may be any one of its `copies`, which are equal to it. It gets the face
    # of the first of them that could lie there, so that no face depends on which one it really is.
    #
    # `prints`, `pieces`, `tags`, `where` (its cell) and `looked_at` (the seats, from 0, that have
    # looked at it in this cell) are indexed by back, `backs`, `faces` and `copies` by real piece,
    # `may` by face. `shown` are the backs of pieces that somebody showed to the viewer where they
    # lie. `chosen` are the backs chosen where they lie, with the seat that had looked at
    # them, or -1; the next piece to leave is one of these.

    prints: Sequence[tuple[object, ...]]
    copies: Sequence[tuple[int, ...]]
    backs: list[int]
    pieces: list[int]
    faces: list[int]
    tags: list[int]
    may: list[frozenset[int]]
    where: list[int]
    looked_at: list[frozenset[int]]
    chosen: dict[int, int] = attrs.Factory(dict)
    shown: set[int] = attrs.Factory(set)

    @classmethod
    def begin(cls, views: Views, kind: str, where: Sequence[int]) -> Whereabouts:
        """Return the public knowledge before the game: the place of each piece."""
        pieces = range(len(where))
        may, unseen = [frozenset({piece}) for piece in pieces], [frozenset[int]()] * len(where)
        numbers = [*pieces], [*pieces], [*pieces], [*pieces]
        return cls(views.backs(kind), views.copies(kind), *numbers, may, [*where], unseen)

    def knows(self, piece: int) -> bool:
        """Return whether the viewer knows the place of a piece."""
        tag = self.tags[self.backs[piece]]
        return self.may[self.faces[piece]] == {tag} and self.tags.count(tag) == 1

    @property
    def turned_up(self) -> frozenset[int]:
        """The pieces shown to the viewer whose places are still known."""
        pieces = (self.pieces[back] for back in self.shown)
        return frozenset(piece for piece in pieces if self.knows(piece))

    def _lying(self, cell: int, actor: int = -1) -> list[int]:
        return [
            back
            for back, where in enumerate(self.where)
            if where == cell and (actor < 0 or actor in self.looked_at[back])
        ]

    # ---------------------------------------------------------------- observations
    def see(self, piece: int) -> None:
        """Record that the viewer sees the face of a piece where it lies."""
        if self.knows(piece):
            return
        new, _, gone = self._retag([self.backs[piece]])
        self.may = [each - gone for each in self.may]
        self.may[self.faces[piece]] = frozenset({new})

    def find(self, cell: int, pieces: Iterable[int], absent: Iterable[int]) -> None:
        """Record that the viewer learns that pieces are in a cell, and that faces are not."""
        backs = [back for back in self._lying(cell) if not self.knows(self.pieces[back])]
        self._mix(backs, fresh=True)
        tags = {self.tags[back] for back in backs}
        for piece in pieces:
            self.may[self.faces[piece]] = frozenset({self.tags[self.backs[piece]]})
        for face in absent:
            self.may[face] -= tags

    def reveal(self, piece: int, twins: Sequence[int], *, heap: bool) -> None:
        """Record that a piece turns up, or leaves a heap; it may be any one of its twins."""
        if self.knows(piece):
            return
        back, face = self.backs[piece], self.faces[piece]
        by_face = sorted(twins, key=self.faces.__getitem__)
        for twin in by_face if heap else ():  # one that is known to lie there, if any
            other = self.backs[twin]
            if self.knows(twin) and self.where[other] == self.where[back]:
                self.faces[piece], self.faces[twin] = self.faces[twin], face
                self.backs[piece], self.backs[twin] = other, back
                self.pieces[other], self.pieces[back] = piece, twin
                return
        for twin in by_face:
            name, tag = self.faces[twin], self.tags[self.backs[twin]]
            if self.tags[back] in self.may[name] and tag in self.may[face]:
                self.faces[piece], self.faces[twin] = name, face
                return

    def _mix(self, backs: Iterable[int], *, fresh: bool = False) -> None:
        """Give the same tag to all backs with the same print: their faces may be exchanged.

        With `fresh`, no other back has it.
        """
        heaps: dict[object, list[int]] = {}
        for back in backs:
            heaps.setdefault(self.prints[back], []).append(back)
        for heap in heaps.values():
            if fresh or len({self.tags[back] for back in heap}) > 1:
                new, old, gone = self._retag(heap)
                self.may = [(each - gone) | {new} if each & old else each for each in self.may]

    def _retag(self, backs: Sequence[int]) -> tuple[int, set[int], set[int]]:
        """Give backs a new tag; return it, their old tags, and the tags no longer in use."""
        old, new = {self.tags[back] for back in backs}, max(self.tags) + 1
        for back in backs:
            self.tags[back] = new
        return new, old, old.difference(self.tags)

    def _take(self, piece: int, among: Iterable[int]) -> int:
        own = self.backs[piece]
        back = min((e for e in among if self.prints[e] == self.prints[own]), default=own)
        other = self.pieces[back]
        self.backs[piece], self.backs[other] = back, own
        self.pieces[back], self.pieces[own] = piece, other
        return back

    # ---------------------------------------------------------------- moves
    def leave(self, piece: int, *, seen: bool, heap: bool, actor: int) -> Sequence[int]:
        """Record that a piece leaves a cell that is hidden from the viewer.

        Return the backs of which the viewer can no longer tell which is which.
        """
        # In an unordered place (`heap`) any back may have left. In a stack it is known which one
        # left, unless `actor` has looked at several: the actor took one of these. If the face is
        # `seen` in the new place, it was on one of its possible backs.
        back = self.backs[piece]
        if back in self.chosen:
            return ()
        looked = actor in self.looked_at[back]
        beside = self._lying(self.where[back], actor if looked and not heap else -1)
        if not heap and not looked:
            beside = [back]
        if seen:
            beside = [each for each in beside if self.tags[each] in self.may[self.faces[piece]]]
        self._mix(beside)
        self._take(piece, beside)
        self.chosen = {each: by for each, by in self.chosen.items() if each not in beside}
        return beside

    def lie_in(self, piece: int, cell: int) -> None:
        """Record the new cell of a piece."""
        back = self.backs[piece]
        self.where[back] = cell
        self.looked_at[back] = frozenset()
        self.shown.discard(back)
        self.chosen.pop(back, None)

    def choose(self, piece: int, faces: Collection[int], looked: int) -> None:
        """Record that another seat, or chance, has chosen a piece without moving it."""
        # The viewer knows only that its face is one of `faces`, and that the seat `looked` had
        # looked at it before (-1: no seat had).
        back = self.backs[piece]
        if back in self.chosen:
            return
        looked = looked if looked in self.looked_at[back] else -1
        beside = [e for e in self._lying(self.where[back], looked) if e not in self.chosen]
        self._mix(beside)
        back = self._take(piece, beside)
        self.chosen[back] = looked
        tag = self.tags[back]
        fit = [face for face in faces if tag in self.may[face]]
        if any(tag in each for face, each in enumerate(self.may) if face not in fit) and fit:
            new, _, gone = self._retag([back])
            for face in fit:
                self.may[face] |= {new}
            self.may = [each - gone for each in self.may]

    def exchangeable(
        self, backs: Sequence[int], hidden: Collection[int], used: Collection[int]
    ) -> Iterator[list[int]]:
        """Yield the indexes of hidden backs in a stack that the viewer cannot tell apart.

        Groups without a back that is `used` in a frame or chosen are left out.
        """
        if not used and not self.chosen:
            return
        spots = [(at, back) for at, back in enumerate(backs) if back in hidden]
        for tag in {self.tags[back] for back in used}:
            yield [at for at, back in spots if self.tags[back] == tag]
        for one in sorted(self.chosen.keys() & backs):
            seat, print_ = self.chosen[one], self.prints[one]
            alike = ((at, back) for at, back in spots if self.prints[back] == print_)
            yield [at for at, back in alike if seat < 0 or seat in self.looked_at[back]]

    def shuffle(self, cell: int, order: Sequence[int]) -> list[int]:
        """Record the shuffle of a cell that is hidden from the viewer; return its backs."""
        lying = self._lying(cell)
        mixed = [*lying]
        self._mix(lying)
        for piece in order:  # from the bottom, least number first
            lying.remove(self._take(piece, lying))
        for piece in order:
            self.lie_in(piece, cell)
        return mixed


@attrs.define
class Held:
    """A piece in a local of a running procedure, as far as one viewer can tell which one it is."""

    # `holder` is the first local with it, as procedure and name, and `backs` are those that it may
    # have; if there are none, the local is empty. `open`: the viewer knows the piece itself.

    holder: tuple[str, str]
    kind: str
    piece: int
    backs: list[int]
    open: bool


Change = tuple[str, int, tuple[int, ...]]
"""A change of a hidden track: (kind, back, amounts by face), or ("", amount, ()) if known."""


@attrs.define
class Knowledge:
    """One player's knowledge: places of pieces, and changes of hidden tracks."""

    setting: CompiledSetting
    player: int
    pieces: dict[str, Whereabouts]
    ledgers: dict[str, dict[int, list[Change]]]  # changes by cell, for tracks that can be followed
    marks: KnownMarks
    held: dict[tuple[str, str], Held] = attrs.Factory(dict)  # by procedure and local
    _drawn: set[tuple[str, int]] = attrs.Factory(set)  # pieces drawn from several cells
    _read: int = 0  # entries of the log
    _pools: dict[str, list[int]] = attrs.Factory(dict)

    @classmethod
    def begin(cls, setting: CompiledSetting, player: int) -> Knowledge:
        """Return the knowledge of a player before the game."""
        known = cls(setting, player, {}, {}, KnownMarks(setting.mark_arrays))
        for name in setting.views.printed:
            where = [known.cell(name, code) for code in cells_of(setting.box, f"w:{name}")]
            known.pieces[name] = Whereabouts.begin(setting.views, name, where)
        known.ledgers.update({name: {} for name in setting.traceable_tracks})
        return known

    def read(self, log: Sequence[tuple[Any, ...]]) -> None:
        """Process the new entries of a log."""
        for number, _, actor, *values in log[self._read :]:
            if number == CHOICE:
                self._chosen(actor, *values)
            else:
                self._take_in(number, self.setting.engine.events[number], actor, values)
        self._read = len(log)

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
            absent = self._absent(kind, pieces, self.setting.engine.asks[number])
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
            counters = enumerate(self.setting.views.counters[piece])
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
        place, _ = self.setting.views.places[piece][code]
        return place.stack and code not in self.pool(piece)

    def sees(self, piece: str, cell: int) -> bool:
        """Return whether the player sees the faces in a cell."""
        viewers = self.setting.views.eyes[piece][cell]
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
                    self._looked(event, piece, actor, values[-1])
            case "draw":
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

    def _looked(self, event: Event, piece: int, actor: int, to: int) -> None:
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
            if (to == -1 or actor != to) and whereabouts.where[back] not in self.pool(kind):
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
            self._taken(event.subject, piece, range(len(self.pieces[event.subject].may)))

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
            self._taken(name, piece, range(len(whereabouts.may)))
        elif held is not None and not held.open and len(held.backs) > 1:
            self._taken(name, piece, self._possible(held))
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
        if piece >= 0 and len(cells) == 1 and whereabouts.backs[piece] in whereabouts.chosen:
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

    def _possible(self, held: Held) -> Collection[int]:
        proc, name = held.holder
        origin = self.setting.layout.program.procs[proc].held[name]
        return self._eligible(held.kind, origin.conditions(name))

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
            amount -= self.setting.layout.world.tracks[event.subject].low
            changes.clear()
        if event.cause is None:
            changes.append(("", up * amount, ()))
            return
        name, prints = event.cause.type.of, self.setting.prints
        known = self.pieces[name]
        if number not in prints:
            assert event.per_piece is not None
            of = self.setting, event.per_piece, event.cause.name
            prints[number] = tuple(up * (_printed(*of, e) or 0) for e in range(len(known.may)))
        for piece in amount if isinstance(amount, list) else [amount]:
            if piece >= 0 and known.knows(piece):
                changes.append(("", prints[number][piece], ()))
            elif piece >= 0:
                changes.append((name, known.backs[piece], prints[number]))

    # ---------------------------------------------------------------- choices of others
    def _chosen(self, actor: int, number: int, option: int, *values: Any) -> None:  # noqa: ANN401
        """Process a choice: its player sees pieces, and others learn which faces are possible."""
        if actor == self.player:
            self.shown(values[-1], number)
            return
        ask = self.setting.engine.asks[number]
        domain, piece = ask.domain(option), ask.thing(option)
        if domain is None or piece < 0 or not ask.secret(option):
            return
        kind, base = domain.element.of, domain.unfiltered
        end = isinstance(base, ty.EndPieces)
        if kind in self.pieces and (end or (isinstance(base, ty.Lying) and base.cells.one)):
            line, name = ask.line(option), ask.variable(option) or ""
            origin = Origin(None, domain, guard=ty.YES if line is None else line.guard)
            faces = self._eligible(kind, origin.conditions(name))
            self._taken(kind, piece, faces, actor if end else -1)

    def _taken(self, kind: str, piece: int, faces: Collection[int], looked: int = -1) -> None:
        known = self.pieces[kind]
        if not self.sees(kind, known.where[known.backs[piece]]):
            known.choose(piece, faces, looked)

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
                _printed(self.setting, part, name, piece) not in failing for name, part in parts
            )
        ]


def _printed(setting: CompiledSetting, value: ty.Value, name: str, piece: int) -> int | None:
    """Return an expression's value for the piece in a local if printed fields fix it, or None."""
    layout = setting.layout

    def number(node: ty.Node) -> ty.Node:
        if not isinstance(node, ty.FieldOf) or node.key is not None:
            return node
        if not isinstance(node.subject, ty.Local) or node.subject.name != name:
            return node
        entry, _ = layout.instances(node.kind)[piece]
        found = layout.world.kinds[node.kind].entries[entry].values.get((node.field, None))
        return ty.Const(found, type=node.type) if isinstance(found, int) else node

    return fixed(ty.rewrite(value, number), layout.players, layout.settings)
