"""The texts of scenarios as syntax trees: they stay the same whatever the content says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostic import Findings
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.scenarios.scenario import RuleText, Scenario
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body


@attrs.frozen
class ParsedScenario:
    """A scenario with its statements and expressions as trees."""

    scenario: Scenario
    given: tuple[tuple[RuleText, Body], ...]
    play: tuple[RuleText, Body] | None
    expect: tuple[tuple[RuleText, Expr], ...]


def parse_scenarios(
    scenarios: Iterable[Scenario], findings: Findings
) -> tuple[ParsedScenario, ...]:
    """Parse all texts; a scenario with a text that cannot be read is reported and left out."""
    found: list[ParsedScenario] = []
    for scenario in scenarios:
        mine = Findings()
        parsed = _parse(scenario, mine)
        findings.extend(mine.sorted())
        if parsed is not None and not mine.has_errors:
            found.append(parsed)
    return tuple(found)


def _parse(scenario: Scenario, findings: Findings) -> ParsedScenario | None:
    given = [(text, _effect(text, findings)) for text in scenario.given]
    play = None if scenario.play is None else (scenario.play, _effect(scenario.play, findings))
    expect = [(text, _formula(text, findings)) for text in scenario.expect]
    if any(each is None for _, each in (*given, *expect)) or (play and play[1] is None):
        return None
    return ParsedScenario(
        scenario,
        tuple((text, body) for text, body in given if body is not None),
        None if play is None or play[1] is None else (play[0], play[1]),
        tuple((text, body) for text, body in expect if body is not None),
    )


def _effect(text: RuleText, findings: Findings) -> Body | None:
    return parse_effect(text.text, text.span.file, findings, text.positions)


def _formula(text: RuleText, findings: Findings) -> Expr | None:
    return parse_formula(text.text, text.span.file, findings, text.positions)
