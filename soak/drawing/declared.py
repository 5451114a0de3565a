"""Drawn declarations as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.drawing.blocks import Lines
from soak.drawing.statements import Statements
from soak.drawing.things import Declaring

if TYPE_CHECKING:
    import random

    from soak.drawing.box import Kind, Piece, Place

Files = dict[str, str]


class Declared(Declaring):
    """Writes down what was drawn, and keeps the rules that are drawn over it."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.files: Files = {}
        self.write = Statements(self.box)
        self._tables: dict[str, list[str]] = {}
        self._rules: list[Lines] = []  # declarations in any order
        self._shown: list[str] = []

    def _declarations(self) -> list[str]:
        box = self.box
        found: list[str] = []
        found += [self._kind(kind) for kind in box.kinds.values() if kind.role == "kind"]
        found += [self._piece(each) for each in box.pieces.values()]
        found += [self._place_text(each) for each in box.places.values()]
        for track in box.tracks.values():
            pers = "".join(f" per {dim}" for dim in track.dims)
            seen = f" seen by {track.seen}" if track.seen else ""
            bounds = f" from {track.bounds[0]}..{track.bounds[1]}" if track.bounds else ""
            during = f" during {track.during}" if track.during else ""
            found.append(f"track {track.name}{self.title(track.name)}{pers}{seen}{bounds}{during}")
        for flag in box.flags.values():
            pers = "".join(f" per {dim}" for dim in flag.dims)
            found.append(
                f"flag {flag.name}{pers}{f' during {flag.during}' if flag.during else ''}"
            )
        found += [self._option(name) for name in box.options]
        for rival in box.rivals:
            without = " without score" if self.one_in(2) else ""
            players = self.chance.randint(box.least, box.most)
            when = f" when players {self.chance.choice(['=', '<=', '>'])} {players}"
            when = when if box.rivals[rival] else ""
            found.append(f'rival {rival} "The Ghost"{without}{when}')
        if box.constants:
            found.append('constants from "numbers.toml"')
        if self.one_in(6):
            found.append('source "house"')
        return found

    def _option(self, name: str) -> str:
        option = self.box.options[name]
        if option.style == "names":
            says = ", ".join(option.names)
        elif option.style == "number":
            says = f"{self.chance.randint(option.low, option.high)} in {option.low}..{option.high}"
        else:
            says = self.chance.choice(["on", "off"])
        return f'option {name} "Option {name}": {says}'

    def _kind(self, kind: Kind) -> str:
        names = self._names_of(kind.name, kind.plural)
        if not kind.fields:
            return f"kind {names}{self.title(kind.name)}: {', '.join(kind.entries)}"
        if kind.table is None:
            return "\n".join([f"kind {names}{self.title(kind.name)}:", *self._field_lines(kind)])
        head = f'kind {names}{self.title(kind.name)} from "{kind.table}":'
        return "\n".join([head, *self._field_lines(kind)])

    def _names_of(self, name: str, plural: str) -> str:
        return f"{name}/{plural}" if plural == f"{name}-set" else name

    def _field_lines(self, kind: Kind) -> list[str]:
        lines = []
        for field in kind.fields:
            per = f" per {field.per}" if field.per else ""
            seen = " seen by all" if field.back else ""
            default = f" = {field.default}" if field.default else ""
            lines.append(f"    {field.name}: {field.type}{per}{seen}{default}")
        return lines

    def _piece(self, piece: Piece) -> str:
        head = f"piece {self._names_of(piece.name, piece.plural)}{self.title(piece.name)}"
        kind = self.box.kinds.get(piece.name)
        head += f' from "{kind.table}"' if kind is not None and kind.table else ""
        head += f" {piece.count}" if piece.count else ""
        head += f" per {piece.per}" if piece.per else ""
        head += f" in {piece.home}"
        return "\n".join([f"{head}:", *self._field_lines(kind)]) if kind and kind.fields else head

    def _place_text(self, place: Place) -> str:
        word = "stack" if place.stack else "place"
        kind = self.box.kinds.get(place.name) if place.table else None
        head = f"{word} {self._names_of(place.name, place.plural)}{self.title(place.name)}"
        head += f' from "{kind.table}"' if kind is not None and kind.table else ""
        own = place.dims[1:] if place.table else place.dims
        head += "".join(f" per {dim}" for dim in own)
        head += f" seen by {place.seen}" if place.seen else ""
        held = ", ".join(place.holds or [next(iter(self.box.pieces))])
        head += f" holds {held}"
        return "\n".join([f"{head}:", *self._field_lines(kind)]) if kind and kind.fields else head
