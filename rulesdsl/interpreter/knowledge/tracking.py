"""Knowledge of one player: possible places of printed pieces, updated from the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.conditions import atoms, fixed
from rulesdsl.interpreter.decision_points import DecisionPoint
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
    # `prints`, `pieces`, `tags`, `where` (its cell) and `looked_at` (the seats, from 0, that have
    # looked at it in this cell) are indexed by back, `backs` and `may` by piece. `chosen` are the
    # backs chosen where they lie, with the seat that had looked at them, or -1; the next piece to
    # leave is one of these.

    prints: Sequence[tuple[object, ...]]
    backs: list[int]
    pieces: list[int]
    tags: list[int]
    may: list[frozenset[int]]
    where: list[int]
    looked_at: list[frozenset[int]]
    chosen: dict[int, int] = attrs.Factory(dict)

    @classmethod
    def begin(cls, prints: Sequence[tuple[object, ...]], where: Sequence[int]) -> Whereabouts:
        """Return the public knowledge before the game: the place of each piece."""
        many = range(len(where))
        may, unseen = [frozenset({each}) for each in many], [frozenset[int]()] * len(where)
        known = prints, list(many), list(many), list(many), may, list(where), unseen
        return cls(*known)

    def knows(self, piece: int) -> bool:
        """Return whether the viewer knows the place of a piece."""
        tag = self.tags[self.backs[piece]]
        return self.may[piece] == {tag} and self.tags.count(tag) == 1

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
        self.may[piece] = frozenset({new})

    def _mix(self, backs: Iterable[int]) -> None:
        """Give the same tag to all backs with the same print: their faces may be exchanged."""
        heaps: dict[object, list[int]] = {}
        for back in backs:
            heaps.setdefault(self.prints[back], []).append(back)
        for heap in heaps.values():
            if len({self.tags[back] for back in heap}) > 1:
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
    def leave(self, piece: int, *, seen: bool, heap: bool, actor: int) -> None:
        """Record that a piece leaves a cell that is hidden from the viewer."""
        # In an unordered place (`heap`) any back may have left. In a stack it is known which one
        # left, unless `actor` has looked at several: the actor took one of these. If the face is
        # `seen` in the new place, it was on one of its possible backs.
        back = self.backs[piece]
        if back in self.chosen:
            return
        looked = actor in self.looked_at[back]
        beside = self._lying(self.where[back], actor if looked and not heap else -1)
        if not heap and not looked:
            beside = [back]
        if seen:
            beside = [each for each in beside if self.tags[each] in self.may[piece]]
        self._mix(beside)
        self._take(piece, beside)
        self.chosen = {each: by for each, by in self.chosen.items() if each not in beside}

    def lie_in(self, piece: int, cell: int) -> None:
        """Record the new cell of a piece."""
        back = self.backs[piece]
        self.where[back] = cell
        self.looked_at[back] = frozenset()
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

    def shuffle(self, cell: int, order: Sequence[int]) -> None:
        """Record the shuffle of a cell that is hidden from the viewer."""
        lying = self._lying(cell)
        self._mix(lying)
        for piece in order:  # from the bottom, least number first
            lying.remove(self._take(piece, lying))
        for piece in order:
            self.lie_in(piece, cell)


Change = tuple[str, int, tuple[int, ...]]
"""A change of a hidden track: (kind, back, amounts by face), or ("", amount, ()) if known."""


@attrs.define
class Knowledge:
    """One player's knowledge: places of pieces, and changes of hidden tracks."""

    setting: CompiledSetting
    player: int
    pieces: dict[str, Whereabouts]
    ledgers: dict[str, dict[int, list[Change]]]  # changes by cell, for tracks that can be followed
    _read: int = 0  # entries of the log

    @classmethod
    def begin(cls, setting: CompiledSetting, player: int) -> Knowledge:
        """Return the knowledge of a player before the game."""
        pieces = {
            name: Whereabouts.begin(setting.views.backs(name), cells_of(setting.box, f"w:{name}"))
            for name in setting.views.printed
        }
        return cls(setting, player, pieces, {name: {} for name in setting.traceable_tracks})

    def read(self, log: Sequence[tuple[Any, ...]]) -> None:
        """Process the new entries of a log."""
        for number, _, actor, *values in log[self._read :]:
            if number == CHOICE:
                self._chosen(actor, *values)
            else:
                self._take_in(number, self.setting.engine.events[number], actor, values)
        self._read = len(log)

    def shown(self, shown: Iterable[tuple[str, int]]) -> None:
        """Record that a question or a peek shows hidden pieces to the player."""
        for name, piece in shown:
            self._see(name, piece)

    def sees(self, piece: str, cell: int) -> bool:
        """Return whether the player sees the faces in a cell."""
        return self.setting.views.eyes[piece][cell] in {None, self.player + 1}

    # ---------------------------------------------------------------- events
    def _take_in(self, number: int, event: Event, actor: int, values: list[Any]) -> None:
        known = self.pieces.get(event.subject)
        match event.kind:
            case "piece":
                self._moved(event.subject, actor, *values)
            case "shuffle":
                if known and not self.sees(event.subject, values[0]):
                    known.shuffle(*values)
            case "peek":
                if known and actor != self.player:
                    for piece in values[0]:
                        known.looked_at[known.backs[piece]] |= {actor}
                elif known:
                    self.shown((event.subject, piece) for piece in values[0])
            case "draw":
                if known and values[0] >= 0:
                    self._taken(event.subject, values[0], range(len(known.may)))
            case "track":
                if event.change is not None and event.subject in self.ledgers:
                    self._changed(number, event, values)
            case "shift":
                pass  # within its cell, in view: each back keeps its tag
            case "move" | "place" | "flag" | "end" | "say" | "act" | "part" | "told":
                pass  # it moves no printed piece
            case _:
                assert_never(event.kind)

    def _moved(self, name: str, actor: int, piece: int, old: int, new: int) -> None:
        known = self.pieces[name]
        place, _ = self.setting.views.places[name][old]
        seen = self.sees(name, new)
        if not self.sees(name, old):
            known.leave(piece, seen=seen, heap=not place.stack, actor=actor)
        known.lie_in(piece, new)
        if seen or self.sees(name, old):
            self._see(name, piece)

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
        if event.cause is None:
            changes.append(("", up * amount, ()))
            return
        name, prints = event.cause.type.of, self.setting.prints
        known = self.pieces[name]
        if number not in prints:
            assert event.per_piece is not None
            of = self.setting, event.per_piece, event.cause.name
            prints[number] = tuple(up * (_printed(*of, e) or 0) for e in range(len(known.may)))
        for each in amount if isinstance(amount, list) else [amount]:
            if each >= 0 and known.knows(each):
                changes.append(("", prints[number][each], ()))
            elif each >= 0:
                changes.append((name, known.backs[each], prints[number]))

    # ---------------------------------------------------------------- choices of others
    def _chosen(self, actor: int, number: int, option: int, *values: Any) -> None:  # noqa: ANN401
        """Process a choice: its player sees pieces, and others learn which faces are possible."""
        if actor == self.player:
            self.shown(values[-1])
            return
        ask = self.setting.engine.asks[number]
        domain, piece = ask.domain(option), ask.thing(option)
        if domain is None or piece < 0 or not ask.secret(option):
            return
        kind, end = domain.element.of, isinstance(domain.unfiltered, ty.EndPieces)
        if domain.element.family == "piece" and kind in self.pieces:
            self._taken(kind, piece, self._eligible(ask, option, domain), actor if end else -1)

    def _taken(self, kind: str, piece: int, faces: Collection[int], looked: int = -1) -> None:
        known = self.pieces[kind]
        if not self.sees(kind, known.where[known.backs[piece]]):
            known.choose(piece, faces, looked)

    def _eligible(self, ask: DecisionPoint, option: int, domain: ty.Domain) -> list[int]:
        conditions: list[tuple[str, ty.Value]] = []
        line, name = ask.line(option), ask.variable(option)
        if line is not None and name is not None:
            conditions += ((name, each) for each in atoms(line.guard))
        while isinstance(domain, ty.Filtered):
            conditions += ((domain.variable, each) for each in atoms(domain.condition))
            domain = domain.base
        return [
            piece
            for piece in range(len(self.pieces[domain.element.of].may))
            if all(_printed(self.setting, each, of, piece) != 0 for of, each in conditions)
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
