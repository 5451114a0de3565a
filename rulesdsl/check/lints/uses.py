"""Uses of declarations in the rules of a pack, collected from the typed tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.panels import fields_of
from rulesdsl.check.typed.traits import TRAITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.program import Checked, Program
    from rulesdsl.check.symbols.symbol_table import SymbolTable


SHOWN = ("pieces", "places", "tracks_read", "values", "flags_read")  # uses by panels
Uses = set[tuple[str, Any]]
"""Pairs of a kind of use and a name, as in the node traits."""


def gather(checked: Checked) -> Uses:
    """Return the uses in all procedures, values, fields and declarations of a program."""
    values = (value.body for value in checked.program.values.values())
    return {
        *(use for root in (*bodies(checked.program), *values) for use in uses_of(root)),
        *_of_declarations(checked.program.world),
        *_of_prices(checked.program.world),
    }


def uses_of(root: ty.Node) -> Iterator[tuple[str, Any]]:
    """Yield the uses in a tree."""
    for node in ty.walk(root):
        yield from TRAITS[type(node)].uses(node)
        if isinstance(node, ty.ValueNode | ty.DomainNode):
            found = node.type if isinstance(node, ty.ValueNode) else node.element
            if found.of:
                yield "kinds", found.of
            if found.family == "piece":
                yield "pieces", found.of


def bodies(program: Program) -> Iterator[ty.Node]:
    """Yield all bodies of a program except named values."""
    yield from (proc.block for proc in program.procs.values())
    yield from program.formulas.values()
    yield from (home.cells for home in program.homes.values())
    yield from program.rival_conditions.values()
    yield from (value for _, value in program.ranking)
    yield from (verdict.condition for verdict in program.verdicts)


def _of_declarations(world: SymbolTable) -> Iterator[tuple[str, Any]]:
    for marked in (world.places, world.tracks, world.flags):
        yield from (("kinds", dim) for each in marked.values() for dim in each.dims)
    for kind in world.kinds.values():
        for field in kind.fields.values():
            yield "kinds", field.per
            yield "kinds", world.singular(field.type)
    for proc in (each for overloads in world.procs.values() for each in overloads):
        yield from (("kinds", param.type.of) for param in proc.params)
    for panel in world.panels:
        yield from (("fields", each) for each in fields_of(world, panel))
        yield "kinds", None if panel.per is None else panel.per.text
    for shown in (each for panel in world.panels for each in panel.shown):
        yield from ((sort, world.singular(shown.name.text)) for sort in SHOWN)
        if shown.place is not None:
            yield "places", world.singular(shown.place.text)


def _of_prices(world: SymbolTable) -> Iterator[tuple[str, Any]]:
    """Yield the nouns in prices."""
    for entry in (each for kind in world.kinds.values() for each in kind.entries):
        for value in entry.values.values():
            if isinstance(value, dict):
                yield from (("pieces", world.singular(noun)) for noun in value)
