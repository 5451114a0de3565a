"""W630: a question from which everybody learns something hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.secrecy.information_flow import InformationFlow
from rulesdsl.check.analysis.secrecy.visibility import Visibility, hides, written_name
from rulesdsl.check.typed.program import Checked
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
    if not hides(checked.program.world):
        return
    flow = InformationFlow.of(checked)
    for value, span in flow.telling:
        if span != NOWHERE:
            names = _names(value, flow.see)
            message = f"Whether a question is asked here tells everybody something about {names}."
            findings.report("W630", span, message, _HELP)
    for restriction, span in flow.restricted:
        if span != NOWHERE:
            names = _names(restriction, flow.see)
            message = (
                f"What can be chosen here tells the player who chooses something about {names}."
            )
            findings.report("W630", span, message, _RESTRICTED_HELP)


def _names(value: ty.Node, see: Visibility) -> str:
    """Return the names of the hidden things, or else of the locals, on which a value depends."""
    parts = [*see.evaluated(value)]
    names = list(dict.fromkeys(_hidden(parts, see)))
    if not names:
        locals_inside = (part for part in parts if isinstance(part, ty.Local))
        names = list(dict.fromkeys(written_name(local.name) for local in locals_inside))
    return and_list([f"`{name}`" for name in names if name != "me"]) or "something hidden"


def _hidden(parts: Iterable[ty.Node], see: Visibility) -> Iterator[str]:
    for part in parts:
        if isinstance(part, ty.Cells) and see.world.places[part.place].seen_by is not None:
            yield part.place
        info = see.hidden_counter(part)
        if info is not None:
            yield info.name
