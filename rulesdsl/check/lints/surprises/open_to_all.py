"""W618: simultaneous choices in which everybody may choose the pieces of all players."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import PlaceInfo, SymbolTable
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import OpenToAll


def open_to_all(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `all choose secretly a card` without a condition on whose card it is."""
    world = checked.program.world
    for key in checked.program.procs:
        for step in checked.steps[key]:
            if not isinstance(step, ty.Secretly) or uses(step.domain, step.me):
                continue
            pieces = step.domain.unfiltered
            places = _places(pieces, world)
            if not places:
                continue
            info = world.pieces[pieces.element.of]
            place = next((place for place in places if place.seen_by == "owner"), places[0])
            message = f"Each player may choose any {info.name} here, also those of other players."
            meant = f"in my {place.name}"
            if len(place.dims) > 1:
                meant = f"in {place.plural} where any it in my {place.name}"
            help_text = f"For their own, write `{info.name} {meant}`."
            facts = OpenToAll(info.name, meant)
            findings.report("W618", pieces.span, message, help_text, facts=facts)


def _places(pieces: ty.Domain, world: SymbolTable) -> list[PlaceInfo]:
    """Return the places of seats that a selection covers for all seats at once."""
    if isinstance(pieces, ty.AnyWhere):
        places = [place for place in world.places.values() if pieces.piece in place.holds]
    elif isinstance(pieces, ty.Lying):
        place, dims = world.places[pieces.cells.place], pieces.cells.dims
        places = [place] if place.owner_dim is not None and dims[place.owner_dim] is None else []
    else:
        places = []
    printed = bool(places) and world.pieces[pieces.element.of].style == "printed"
    return [place for place in places if printed and place.owner_dim is not None]
