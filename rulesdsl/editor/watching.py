"""A game whose files change: after each change, what is wrong, and whether scenarios still pass.

Everything stays in memory between two looks: what has been read and checked, the scenarios as
trees, and on what each of them depended when it last passed. So a look takes as long as what has
changed, and what is recorded goes on from the last `coloma test` and is kept for the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from rulesdsl.check.report import Report
from rulesdsl.editor.session import Session
from rulesdsl.lower.lowering import lower
from rulesdsl.packs.layers import Layered
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.scenarios.changed import Passed, Record, read_record, write_record
from rulesdsl.scenarios.fingerprints import fingerprint, fingerprints
from rulesdsl.scenarios.parsing import ParsedScenario, parse_scenarios
from rulesdsl.scenarios.reading import count_scenarios, read_scenarios
from rulesdsl.scenarios.report import ScenarioReport
from rulesdsl.scenarios.scenario import Scenario
from rulesdsl.scenarios.suite import build_suite, declarations
from rulesdsl.source.diagnostic import Diagnostic, Findings


@attrs.frozen
class Look:
    """What a look found. `ran` is None where content with errors kept scenarios from being run."""

    report: Report
    ran: ScenarioReport | None = None
    every: int = 0


@attrs.frozen
class _Scenarios:
    """The scenarios of some files, and what is wrong with these."""

    every: tuple[Scenario, ...]
    findings: tuple[Diagnostic, ...]
    unreadable: int


class Watching:
    """The scenarios of a game with its mods, or of the mod in the folder `of`, as files change."""

    def __init__(self, game: Path, mods: Sequence[Path] = (), of: Path | None = None) -> None:
        self.of = of
        self._session = Session(game, mods)
        self._record: Record | None = None
        self._texts: object = None
        self._read = _Scenarios((), (), 0)
        self._parsed: dict[str, ParsedScenario] = {}
        self._passed: dict[str, Passed] = {}

    def look(self) -> Look:
        """Check the packs as they are now, and run the scenarios that a change touches."""
        state = self._session.check()
        layers, checked = state.layers, state.checked
        if layers is None or checked is None or state.report.errors:
            return Look(state.report)
        pack = layers.at(self.of)
        scenarios = self._scenarios(layers, pack)
        if self._record is None:
            self._record = read_record(layers, pack) or Record()
        parts = fingerprints(checked.program, lower(checked))
        touched = self._record.touched(scenarios.every, parts)
        ran = self._run(layers, pack, touched) if touched else ScenarioReport((), ())
        if touched or parts != self._record.parts:
            passed = self._record.without(touched) | self._passed
            self._record = Record(parts, passed, self._record.lessons)
            write_record(layers, pack, self._record)
        findings = Findings()
        findings.extend((*scenarios.findings, *ran.findings))
        ran = ScenarioReport(
            ran.results,
            findings.sorted(),
            ran.unreadable + scenarios.unreadable,
            state.report.sources | pack.sources,
        )
        return Look(state.report, ran, len(scenarios.every))

    def _scenarios(self, layers: Layered, pack: PackSource) -> _Scenarios:
        """Read the scenarios, unless their files say what they said before."""
        findings = Findings()
        files = pack.scenarios(findings)
        texts = [(each.source.path, each.source.text) for each in files], layers.players
        if texts != self._texts or findings.sorted():
            every = read_scenarios(files, layers.players, findings)
            lost = sum(map(count_scenarios, files)) - len(every)
            self._texts, self._read = texts, _Scenarios(every, findings.sorted(), lost)
            self._parsed = {  # a text that is no more is forgotten
                key: self._parsed[key] for key in map(_key, every) if key in self._parsed
            }
        return self._read

    def _run(
        self, layers: Layered, pack: PackSource, touched: Sequence[Scenario]
    ) -> ScenarioReport:
        findings = Findings()
        parsed = [each for scenario in touched if (each := self._tree(scenario, findings))]
        suite = build_suite(layers, pack, parsed, declarations(layers), findings)
        report = suite.report()
        self._passed = suite.passed
        lost = len(touched) - len(parsed)
        return attrs.evolve(report, unreadable=report.unreadable + lost)

    def _tree(self, scenario: Scenario, findings: Findings) -> ParsedScenario | None:
        """Return a scenario with its texts as trees, which stay the same for the same texts."""
        key = _key(scenario)
        if key not in self._parsed:
            found = parse_scenarios([scenario], findings)
            if not found:
                return None
            self._parsed[key] = found[0]
        return self._parsed[key]


def _key(scenario: Scenario) -> str:
    return f"{scenario.span} {fingerprint(scenario)}"
