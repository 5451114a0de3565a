"""W622: conditions in a filter of players that are the same for each of them."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.attributes import SEATS
from rulesdsl.check.typed.conditions import atoms, uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

MESSAGE = "This is the same for every player here: it is not about the one who is looked at."


def same_for_all(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report conditions in a `where` that test the acting player instead of the candidate."""
    for node in (node for nodes in checked.program.node_lists() for node in nodes):
        if not isinstance(node, ty.Filtered) or not isinstance(node.unfiltered, ty.AllSeats):
            continue
        for atom in atoms(node.condition):
            noun = None if uses(atom, node.variable) else _noun_of_seat(atom)
            if noun is not None:
                help_text = f"Write `{noun} of it`. If it is meant, ask outside: `needs` or `if`."
                findings.report("W622", atom.span, MESSAGE, help_text)


def _noun_of_seat(condition: ty.Value) -> str | None:
    """Return the name of the first flag, track, place or value of a seat in a condition."""
    for node in ty.walk(condition):
        name, owners = _owned(node)
        if any(isinstance(owner, ty.Local) and owner.type.family in SEATS for owner in owners):
            return name
    return None


def _owned(node: ty.Node) -> tuple[str, tuple[ty.Value | None, ...]]:
    if isinstance(node, ty.FlagCell):
        return node.flag, node.dims
    if isinstance(node, ty.TrackCell):
        return node.track, node.dims
    if isinstance(node, ty.Cells):
        return node.place, node.dims
    return (node.name, node.arguments) if isinstance(node, ty.CallValue) else ("", ())
