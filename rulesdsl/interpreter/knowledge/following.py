"""The knowledge of one player, kept up from the log of a game as that player reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.constants import fixed
from rulesdsl.interpreter.knowledge.whereabouts import Whereabouts
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.lower.flat import Event

Entry = tuple[Any, ...]
Term = tuple[str, int, int]
"""The kind and the piece (or ~ its back) that say how far a track goes, and in which event."""


@attrs.define
class Ledger:
    """The changes of a track that a player does not see, where all know when it changes.

    Each is by a number, and by what is printed on the pieces of its terms.
    """

    cells: dict[int, list[tuple[int, list[Term]]]] = attrs.Factory(dict)

    def clone(self) -> Ledger:
        """Return an independent copy."""
        return Ledger({at: list(changes) for at, changes in self.cells.items()})

    def see(self, kind: str, back: int, piece: int) -> None:
        """Record that a back has the face of a piece."""
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
    """The knowledge of one player (from 0): where pieces may be, why hidden tracks changed."""

    setting: Setting
    player: int
    pieces: dict[str, Whereabouts]
    ledgers: dict[str, Ledger]
    """By their tracks; those of which not all can tell when they change have none."""
    _read: int = 0  # entries of the log

    @classmethod
    def begin(cls, setting: Setting, player: int) -> Knowledge:
        """Return what a player knows before the game."""
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
        """Take in the entries of a log that have not been read yet."""
        for number, _, actor, *values in log[self._read :]:
            if number == CHOICE:
                self._chosen(actor, *values)
            else:
                self._take_in(number, self.setting.engine.events[number], actor, values)
        self._read = len(log)

    def shown(self, shown: Iterable[tuple[str, int]]) -> None:
        """Record that a question shows the player pieces that lie where they do not see them."""
        for name, piece in shown:
            self._see(name, piece)

    def sees(self, piece: str, cell: int) -> bool:
        """Whether the player sees the faces in a cell."""
        return self.setting.views.eyes[piece][cell] in {None, self.player + 1}

    # ---------------------------------------------------------------- what has happened
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

    # ---------------------------------------------------------------- what others choose
    def _chosen(self, actor: int, number: int, option: int, *values: Any) -> None:  # noqa: ANN401
        """Take in a choice: a player sees what it shows them; others may know what it was from."""
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
        """Take in that others, or chance, chose one of some pieces; `looked`: who knows these."""
        known = self.pieces[kind]
        if not self.sees(kind, known.where[known.backs[piece]]):
            known.choose(piece, faces, looked)

    def _eligible(self, ask: Ask, option: int, domain: ty.Domain) -> Iterator[int]:
        """Yield the pieces of which what is printed on them does not say that they are not it."""
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


def _may_hold(setting: Setting, condition: ty.Value, name: str, piece: int) -> bool:
    if isinstance(condition, ty.And):
        return all(_may_hold(setting, each, name, piece) for each in condition.parts)
    return printed(setting, condition, name, piece) != 0


def printed(setting: Setting, value: ty.Value, name: str, piece: int) -> int | None:
    """Return what a value comes to by what is printed on the piece that a local holds.

    None where that does not say it.
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
