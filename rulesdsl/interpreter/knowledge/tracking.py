"""Knowledge of one player: possible places of printed pieces, updated from the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.prover import fixed
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.decision_points import DecisionPoint
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.lower.flat import Event


Back = tuple[object, ...]


@attrs.define
class Whereabouts:
    """Knowledge of one viewer about the printed pieces of a kind.

    A piece face down is seen as a back in a cell; its face is unknown. So each piece consists of a
    back, which has a number and a tag, and a face, which may be on the backs of some tags (`may`).
    Backs whose faces could be exchanged without the viewer noticing share a tag; a known face has
    a tag of its own. Shuffling gives the backs of a pile that have the same print one new tag;
    seeing a face gives its back a new tag.

    `backs` maps real pieces to backs. If a viewer cannot tell which of several backs left a heap,
    or how backs lie after a shuffle, the least number is taken first: no number, tag or cell
    depends on anything unknown to the viewer. Constraints between faces are lost, except those
    expressible by tags: after `choose`, for example, that exactly one of two faces was there.
    """

    prints: Sequence[Back]
    """The print on each back, by its number."""
    backs: list[int]
    """The back of each piece."""
    pieces: list[int]
    """The piece of each back."""
    tags: list[int]
    may: list[frozenset[int]]
    """For each face, the tags of its possible backs."""
    where: list[int]
    """The cell of each back."""
    looked_at: list[frozenset[int]]
    """The seats (from 0) that have looked at a back in its present cell."""
    chosen: set[int] = attrs.Factory(set)
    """Backs chosen where they lie; if a piece leaves, it is one of these."""
    _fresh: int = 0
    _count: Counter[int] = attrs.Factory(Counter)

    @classmethod
    def begin(cls, prints: Sequence[Back], where: Sequence[int]) -> Whereabouts:
        """Return the public knowledge before the game: the place of each piece."""
        many = range(len(where))
        unseen: list[frozenset[int]] = [frozenset()] * len(where)
        tags, may = list(many), [frozenset({each}) for each in many]
        known = (prints, list(many), list(many), tags, may, list(where), unseen)
        return cls(*known, fresh=len(where), count=Counter(many))

    def clone(self) -> Whereabouts:
        """Return an independent copy."""
        return attrs.evolve(
            self,
            backs=list(self.backs),
            pieces=list(self.pieces),
            tags=list(self.tags),
            may=list(self.may),
            where=list(self.where),
            looked_at=list(self.looked_at),
            chosen={*self.chosen},
            fresh=self._fresh,
            count=Counter(self._count),
        )

    def knows(self, piece: int) -> bool:
        """Return whether the viewer knows the place of a piece."""
        tag = self.tags[self.backs[piece]]
        return self._count[tag] == 1 and self.may[piece] == {tag}

    def _lying(self, cell: int) -> list[int]:
        return [back for back, where in enumerate(self.where) if where == cell]

    # ---------------------------------------------------------------- observations
    def see(self, piece: int) -> None:
        """Record that the viewer sees the face of a piece where it lies."""
        if self.knows(piece):
            return
        tag = self.tags[self.backs[piece]]
        new = self._tag_of_its_own(self.backs[piece])
        self.may = [each - {tag} if not self._count[tag] else each for each in self.may]
        self.may[piece] = frozenset({new})

    def _mix(self, backs: Iterable[int]) -> None:
        """Give one tag to all backs with the same print: their faces may be exchanged."""
        heaps: dict[Back, list[int]] = {}
        for back in backs:
            heaps.setdefault(self.prints[back], []).append(back)
        for heap in heaps.values():
            old = {self.tags[back] for back in heap}
            if len(old) > 1:
                self._tag_alike(heap, old)

    def _tag_alike(self, heap: list[int], old: set[int]) -> None:
        for back in heap:
            self._count[self.tags[back]] -= 1
        gone = {tag for tag in old if not self._count[tag]}
        new, self._fresh = self._fresh, self._fresh + 1
        for back in heap:
            self.tags[back] = new
        self._count[new] = len(heap)
        self.may = [(each - gone) | {new} if each & old else each for each in self.may]

    def _tag_of_its_own(self, back: int) -> int:
        self._count[self.tags[back]] -= 1
        new, self._fresh = self._fresh, self._fresh + 1
        self.tags[back] = new
        self._count[new] = 1
        return new

    def _take(self, piece: int, among: Iterable[int]) -> int:
        """Map a piece to the first of some backs with its print; return that back."""
        own = self.backs[piece]
        back = min((e for e in among if self.prints[e] == self.prints[own]), default=own)
        other = self.pieces[back]
        self.backs[piece], self.backs[other] = back, own
        self.pieces[back], self.pieces[own] = piece, other
        return back

    # ---------------------------------------------------------------- moves
    def leave(self, piece: int, *, seen: bool, heap: bool, actor: int) -> None:
        """Record that a piece leaves a cell that is hidden from the viewer.

        In an unordered place (`heap`) any back may have left. In a stack it is known which one,
        except among those that `actor` has looked at: the actor took one of these. If the face is
        `seen` in the new place, it was on one of its possible backs.
        """
        back = self.backs[piece]
        if back in self.chosen:
            return
        beside = self._lying(self.where[back])
        if not heap:
            looked = actor in self.looked_at[back]
            beside = [e for e in beside if actor in self.looked_at[e]] if looked else [back]
        if seen:
            beside = [each for each in beside if self.tags[each] in self.may[piece]]
        self._mix(beside)
        self._take(piece, beside)
        self.chosen.difference_update(beside)

    def lie_in(self, piece: int, cell: int) -> None:
        """Record the new cell of a piece."""
        back = self.backs[piece]
        self.where[back] = cell
        self.looked_at[back] = frozenset()
        self.chosen.discard(back)

    def look(self, pieces: Iterable[int], actor: int) -> None:
        """Record that a seat other than the viewer looks at pieces where they lie."""
        for piece in pieces:
            self.looked_at[self.backs[piece]] |= {actor}

    def choose(self, piece: int, faces: Collection[int], looked: int) -> None:
        """Record that another seat, or chance, has chosen a piece where it lies.

        The viewer knows only that its face is one of `faces`, and that the seat `looked` had
        looked at it before (-1: none had).
        """
        back = self.backs[piece]
        if back in self.chosen:
            return
        beside = self._lying(self.where[back])
        if looked in self.looked_at[back]:
            beside = [each for each in beside if looked in self.looked_at[each]]
        beside = [each for each in beside if each not in self.chosen]
        self._mix(beside)
        back = self._take(piece, beside)
        self.chosen.add(back)
        tag = self.tags[back]
        fit = [face for face in faces if tag in self.may[face]]
        if any(tag in each for face, each in enumerate(self.may) if face not in fit) and fit:
            new = self._tag_of_its_own(back)
            for face in fit:
                self.may[face] |= {new}
            if not self._count[tag]:
                self.may = [each - {tag} for each in self.may]

    def shuffle(self, cell: int, order: Sequence[int]) -> None:
        """Record the shuffle of a cell that is hidden from the viewer."""
        lying = self._lying(cell)
        self._mix(lying)
        for piece in order:  # from the bottom, least number first
            lying.remove(self._take(piece, lying))
        for piece in order:
            self.looked_at[self.backs[piece]] = frozenset()
            self.chosen.discard(self.backs[piece])


Entry = tuple[Any, ...]
Term = tuple[str, int, int]
"""Kind, piece (or ~ its back) that determines the amount of a change, and event."""


@attrs.define
class Ledger:
    """Changes of a hidden track whose times all players know.

    Each is a number plus the amounts printed on the pieces of its terms.
    """

    cells: dict[int, list[tuple[int, list[Term]]]] = attrs.Factory(dict)

    def clone(self) -> Ledger:
        """Return an independent copy."""
        return Ledger({at: list(changes) for at, changes in self.cells.items()})

    def see(self, kind: str, back: int, piece: int) -> None:
        """Record the face of a back."""
        for changes in self.cells.values():
            for at, (by, terms) in enumerate(changes):
                if (kind, ~back) in {each[:2] for each in terms}:
                    seen = [
                        (name, piece if (name, it) == (kind, ~back) else it, event)
                        for name, it, event in terms
                    ]
                    changes[at] = by, seen


@attrs.define
class Knowledge:
    """Knowledge of one player (from 0): places of pieces, and changes of hidden tracks."""

    setting: CompiledSetting
    player: int
    pieces: dict[str, Whereabouts]
    ledgers: dict[str, Ledger]
    """By track; tracks with changes at unknown times have none."""
    _read: int = 0  # entries of the log

    @classmethod
    def begin(cls, setting: CompiledSetting, player: int) -> Knowledge:
        """Return the knowledge of a player before the game."""
        pieces = {
            name: Whereabouts.begin(setting.views.backs(name), cells_of(setting.box, f"w:{name}"))
            for name in setting.views.printed
        }
        return cls(setting, player, pieces, {name: Ledger() for name in setting.followed})

    def clone(self) -> Knowledge:
        """Return an independent copy."""
        pieces = {name: each.clone() for name, each in self.pieces.items()}
        ledgers = {name: each.clone() for name, each in self.ledgers.items()}
        return attrs.evolve(self, pieces=pieces, ledgers=ledgers)

    def read(self, log: Sequence[Entry]) -> None:
        """Process the new entries of a log."""
        for number, _, actor, *values in log[self._read :]:
            if number == CHOICE:
                self._chosen(actor, *values)
            else:
                self._take_in(number, self.setting.engine.events[number], actor, values)
        self._read = len(log)

    def shown(self, shown: Iterable[tuple[str, int]]) -> None:
        """Record that a question shows the player hidden pieces."""
        for name, piece in shown:
            self._see(name, piece)

    def sees(self, piece: str, cell: int) -> bool:
        """Return whether the player sees the faces in a cell."""
        return self.setting.views.eyes[piece][cell] in {None, self.player + 1}

    # ---------------------------------------------------------------- events
    def _take_in(self, number: int, event: Event, actor: int, values: list[Any]) -> None:
        match event.kind:
            case "piece":
                self._moved(event.subject, actor, *values)
            case "shuffle" if not self.sees(event.subject, values[0]):
                self.pieces[event.subject].shuffle(*values)
            case "peek" if event.subject in self.pieces:
                if actor == self.player:
                    self.shown((event.subject, each) for each in values[0])
                else:
                    self.pieces[event.subject].look(values[0], actor)
            case "draw" if event.subject in self.pieces and values[0] >= 0:
                self._taken(event.subject, values[0], range(len(self.pieces[event.subject].may)))
            case "track" if event.change is not None and event.subject in self.ledgers:
                self._changed(number, event, values)
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
            self._see(name, piece)

    def _see(self, name: str, piece: int) -> None:
        known = self.pieces[name]
        known.see(piece)
        for each in self.ledgers.values():
            each.see(name, known.backs[piece], piece)

    def _changed(self, number: int, event: Event, values: list[Any]) -> None:
        cell, *_, amount = values
        assert event.change is not None
        changes = self.ledgers[event.subject].cells.setdefault(cell, [])
        if event.cause is None:
            changes.append((amount if event.change.up else -amount, []))
            return
        name, pieces = event.cause.type.of, amount if isinstance(amount, list) else [amount]
        known = self.pieces[name]
        held = [each for each in pieces if each >= 0]
        terms = [(name, e if known.knows(e) else ~known.backs[e], number) for e in held]
        changes.append((0, terms))

    # ---------------------------------------------------------------- choices of others
    def _chosen(self, actor: int, number: int, option: int, *values: Any) -> None:  # noqa: ANN401
        """Process a choice: it shows pieces to its player, and restricts them for others."""
        if actor == self.player:
            self.shown(values[-1])
            return
        ask = self.setting.engine.asks[number]
        domain, piece = ask.domain(option), ask.thing(option)
        if domain is None or piece < 0 or not ask.secret(option):
            return
        kind = domain.element.of
        if domain.element.family != "piece" or kind not in self.pieces:
            return
        end = isinstance(domain.unfiltered, ty.EndPieces)
        self._taken(kind, piece, [*self._eligible(ask, option, domain)], actor if end else -1)

    def _taken(self, kind: str, piece: int, faces: Collection[int], looked: int = -1) -> None:
        """Record a choice by others or chance; `looked` is the seat that knew the candidates."""
        known = self.pieces[kind]
        if not self.sees(kind, known.where[known.backs[piece]]):
            known.choose(piece, faces, looked)

    def _eligible(self, ask: DecisionPoint, option: int, domain: ty.Domain) -> Iterator[int]:
        """Yield the pieces whose printed fields do not exclude them."""
        conditions: list[tuple[str, ty.Value]] = []
        line, name = ask.line(option), ask.variable(option)
        if line is not None and name is not None:
            conditions.append((name, line.guard))
        while isinstance(domain, ty.Filtered):
            conditions.append((domain.variable, domain.condition))
            domain = domain.base
        for piece in range(len(self.pieces[domain.element.of].may)):
            if all(_may_hold(self.setting, each, of, piece) for of, each in conditions):
                yield piece


def _may_hold(setting: CompiledSetting, condition: ty.Value, name: str, piece: int) -> bool:
    if isinstance(condition, ty.And):
        return all(_may_hold(setting, each, name, piece) for each in condition.parts)
    return printed(setting, condition, name, piece) != 0


def printed(setting: CompiledSetting, value: ty.Value, name: str, piece: int) -> int | None:
    """Return a value as far as printed fields determine it, for the piece in a local.

    Return None if they do not.
    """
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
