"""What the rules of a pack make use of, gathered once from the checked tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import Program


@attrs.define
class Uses:
    """Names that something looks at, changes or shows."""

    procs: set[str] = attrs.Factory(set)
    values: set[str] = attrs.Factory(set)
    pieces: set[str] = attrs.Factory(set)
    places: set[str] = attrs.Factory(set)
    kinds: set[str] = attrs.Factory(set)
    fields: set[tuple[str, str]] = attrs.Factory(set)
    options: set[str] = attrs.Factory(set)
    tracks_read: set[str] = attrs.Factory(set)
    tracks_changed: set[str] = attrs.Factory(set)
    flags_read: set[str] = attrs.Factory(set)
    flags_marked: set[str] = attrs.Factory(set)

    def take(self, root: ty.Node) -> None:
        """Note what a tree makes use of."""
        for node in ty.walk(root):
            self._take_types(node)
            for names, name in FACTS[type(node)].uses(node):
                getattr(self, names).add(name)

    def _take_types(self, node: ty.Node) -> None:
        found = getattr(node, "element", None) or getattr(node, "type", None)
        if found is not None and found.of:
            self.kinds.add(found.of)
            if found.family == "piece":
                self.pieces.add(found.of)


def gather(checked: Checked) -> Uses:
    """Return what all procedures, values, fields and declarations of a program use."""
    uses = Uses()
    values = (value.body for value in checked.program.values.values())
    for root in (*bodies(checked.program), *values):
        uses.take(root)
    _from_declarations(checked, uses)
    return uses


def bodies(program: Program) -> Iterator[ty.Node]:
    """Yield all bodies of a program but those of named values."""
    yield from (proc.block for proc in program.procs.values())
    yield from program.formulas.values()
    yield from (home.cells for home in program.homes.values())
    yield from program.rival_conditions.values()
    yield from (value for _, value in program.ranking)
    yield from (verdict.condition for verdict in program.verdicts)


def _from_declarations(checked: Checked, uses: Uses) -> None:
    world = checked.program.world
    for place in world.places.values():
        uses.kinds.update(place.dims)
    for marks in (world.tracks, world.flags):
        for mark in marks.values():
            uses.kinds.update(mark.dims)
    for kind in world.kinds.values():
        for field in kind.fields.values():
            uses.kinds.update({field.per or "", world.singular(field.type)})
    for overloads in world.procs.values():
        for proc in overloads:
            uses.kinds.update(param.type.of for param in proc.params)
    for panel in world.panels:
        _shown((world.singular(each.text) for each in panel.shown), uses)
    _priced(checked, uses)


def _shown(names: Iterable[str], uses: Uses) -> None:
    for name in names:
        for known in (uses.pieces, uses.places, uses.tracks_read, uses.values, uses.flags_read):
            known.add(name)


def _priced(checked: Checked, uses: Uses) -> None:
    """Note nouns that stand in a price."""
    world = checked.program.world
    for kind in world.kinds.values():
        for entry in kind.entries:
            for value in entry.values.values():
                if isinstance(value, dict):
                    names = [world.singular(noun) for noun in value]
                    uses.pieces.update(names)
