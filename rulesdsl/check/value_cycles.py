"""Values that are defined by themselves: through hooks, formulas in tables, and scores."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check import typed as ty
from rulesdsl.check.program import RANKING, Computed
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


def order_of_values(program: Program, findings: Findings) -> list[Computed] | None:
    """Return values, callees first; None, with the circle reported, where one is its own."""
    asked: dict[Computed, set[Computed]] = {}
    spans: dict[Computed, Span] = {}
    for (name, layer), value in program.values.items():
        spans[name, layer] = value.span
        asked[name, layer] = _asked_by(program, value.body)
    for (kind, field, _, _), body in program.formulas.items():
        spans.setdefault((kind, field), body.span)
        asked.setdefault((kind, field), set()).update(_asked_by(program, body))
    for _, ranked in program.ranking:
        spans.setdefault(RANKING, ranked.span)
        asked.setdefault(RANKING, set()).update(_asked_by(program, ranked))
    try:
        return list(TopologicalSorter(asked).static_order())
    except CycleError as error:
        circle: list[Computed] = error.args[1][::-1]
        first = min((node for node in circle if node in spans), key=spans.__getitem__)
        at = circle.index(first)
        names = [_title(node) for node in (*circle[at:-1], *circle[:at], first)]
        findings.report("E404", spans[first], *wording.circle_of_values(names))
        return None


def _asked_by(program: Program, body: ty.Value) -> set[Computed]:
    walked = ty.walk(body)
    return {asked for each in walked for asked in FACTS[type(each)].computes(each, program)}


def _title(node: Computed) -> str:
    return node[0] if isinstance(node[1], int) else node[1]
