"""W630: a question from which everybody learns something hidden."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.information_flow import InformationFlow, hides
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import and_list
from rulesdsl.source.span import NOWHERE

_HELP = (
    "Ask in any case: `may` and options with this condition in their `needs` are offered whenever "
    "they might be possible as far as others know. Or turn face up first what decides it."
)
_RESTRICTED_HELP = (
    "Let them choose among all, and test afterwards what comes of it. Or turn face up first what "
    "decides it."
)


def telling_question(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report conditions and loops that depend on hidden things and decide who is asked what."""
    program = checked.program
    if not hides(program.world):
        return
    flow = InformationFlow.of(checked)
    for value, span in flow.telling:
        if span != NOWHERE:
            names = _names(value, program)
            message = f"Whether a question is asked here tells everybody something about {names}."
            findings.report("W630", span, message, _HELP)
    for domain, span in flow.restricted:
        if span != NOWHERE:
            names = _names(domain, program)
            message = (
                f"What can be chosen here tells the player who chooses something about {names}."
            )
            findings.report("W630", span, message, _RESTRICTED_HELP)


def _names(value: ty.Node, program: Program) -> str:
    """Return the names of the hidden things, or else of the locals, on which a value depends."""
    names = list(dict.fromkeys(_hidden(value, program)))
    if not names:
        locals_inside = (part for part in ty.walk(value) if isinstance(part, ty.Local))
        names = list(dict.fromkeys(local.name.partition("%")[0] for local in locals_inside))
    return and_list([f"`{name}`" for name in names if name != "me"]) or "something hidden"


def _hidden(value: ty.Node, program: Program) -> Iterator[str]:
    world = program.world
    for node in ty.walk(value):
        if isinstance(node, ty.CallValue):
            yield from _hidden(program.values[node.name, node.layer].body, program)
        if isinstance(node, ty.Cells) and world.places[node.place].seen_by is not None:
            yield node.place
        if isinstance(node, ty.TrackCell) and world.tracks[node.track].seen_by is not None:
            yield node.track
        if isinstance(node, ty.FlagCell) and world.flags[node.flag].seen_by is not None:
            yield node.flag
