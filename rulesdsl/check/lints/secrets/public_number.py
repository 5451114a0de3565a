"""W635: places of which each player has several, with numbers of pieces that others see."""

from __future__ import annotations

from rulesdsl.check.symbols.symbol_table import PlaceInfo, SymbolTable
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import and_list
from rulesdsl.source.facts import PublicNumber
from rulesdsl.source.language import Language


def shows_numbers(place: PlaceInfo, world: SymbolTable) -> bool:
    """Return whether others see where hidden pieces lie, and no word says that this is meant."""
    is_own = place.seen_by == "owner" and place.owner_dim is not None and len(place.dims) > 1
    return is_own and place.only is None and world.language(place.span) >= Language.V0_2


def public_number(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report places that show where hidden pieces lie, unless they say whether that is meant."""
    world = checked.program.world
    for place in world.places.values():
        if shows_numbers(place, world):
            pieces = and_list([world.nouns_in_words[piece][1] for piece in place.holds])
            message = f"Everybody sees how many {pieces} lie in each {place.title}."
            help_text = (
                "Hide that with `seen by owner only`, or say that it is meant: "
                "`seen by owner and counted by all`."
            )
            findings.report("W635", place.span, message, help_text, facts=PublicNumber())
