"""W630: a question from which everybody learns something hidden."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.information_flow import InformationFlow, hides
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import and_list
from rulesdsl.source.span import NOWHERE

_HELP = (
    "Ask in any case: `may` and options with this condition in their `needs` are offered whenever "
    "they might be possible as far as others know. Or turn face up first what decides it."
)


def telling_question(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report conditions and loops that depend on hidden things and decide who is asked what."""
    world = checked.program.world
    if not hides(world):
        return
    for value, span in InformationFlow.of(checked).telling:
        if span != NOWHERE:
            what = and_list([f"`{name}`" for name in _hidden(value, world)]) or "something hidden"
            message = f"Whether a question is asked here tells everybody something about {what}."
            findings.report("W630", span, message, _HELP)


def _hidden(value: ty.Node, world: SymbolTable) -> list[str]:
    """Return the names of the hidden things, or else of the locals, on which a value depends."""
    names: list[str] = []
    for node in ty.walk(value):
        if isinstance(node, ty.Cells) and world.places[node.place].seen_by is not None:
            names.append(node.place)
        if isinstance(node, ty.TrackCell) and world.tracks[node.track].seen_by is not None:
            names.append(node.track)
        if isinstance(node, ty.FlagCell) and world.flags[node.flag].seen_by is not None:
            names.append(node.flag)
    if not names:
        names = [
            local.name.partition("%")[0] for local in ty.walk(value) if isinstance(local, ty.Local)
        ]
    return [*dict.fromkeys(name for name in names if name != "me")]
