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
    """Report a part of a `where` that is about the acting player instead of each candidate."""
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
        match node:
            case ty.FlagCell(flag=name, dims=dims) | ty.TrackCell(track=name, dims=dims):
                owners = dims
            case ty.Cells(place=name, dims=dims):
                owners = tuple(dim for dim in dims if dim is not None)
            case ty.CallValue(name=name, arguments=owners):
                pass
            case _:
                continue
        if any(isinstance(owner, ty.Local) and owner.type.family in SEATS for owner in owners):
            return name
    return None
