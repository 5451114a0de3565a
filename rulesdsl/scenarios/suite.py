"""All scenarios of a pack, which are checked together with its content, compiled and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

import attrs

from rulesdsl.check.analysis.secrecy.information_flow import annotate
from rulesdsl.check.frontend import build_world, check_layers, check_program, empty_world
from rulesdsl.check.resolve.program import new_context, resolve_program
from rulesdsl.check.typed.program import Checked
from rulesdsl.interpreter.pack import Pack, pack_of
from rulesdsl.packs.overlay import Layered, read_layers
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.scenarios.binding import Binder, BoundScenario
from rulesdsl.scenarios.reading import (
    ParsedScenario,
    count_scenarios,
    parse_scenarios,
    read_scenarios,
)
from rulesdsl.scenarios.running import ScenarioRunner, Watched
from rulesdsl.scenarios.scenario import Scenario, ScenarioReport, ScenarioResult
from rulesdsl.source.diagnostics import Diagnostic, Findings, LintError, Severity
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.declarations import Decl
from rulesdsl.syntax.parser import parse_file

_TOLD = "E416"  # a statement that tells a secret


@attrs.define
class Suite:
    """A pack's scenarios, with its checked content. `findings` are about the scenarios."""

    layers: Layered = attrs.field(repr=False)
    pack: PackSource = attrs.field(repr=False)
    scenarios: tuple[BoundScenario, ...]
    findings: tuple[Diagnostic, ...]
    unreadable: int
    checked: Checked = attrs.field(repr=False)
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    _runners: dict[object, ScenarioRunner] = attrs.field(factory=dict, init=False, repr=False)

    def run(self, bound: BoundScenario, *, brief: bool = False) -> ScenarioResult:
        """Run one scenario; if `brief`, do not look for the reasons of failures.

        Scenarios with the same setting share compiled code.
        """
        return self.runner(bound).run(bound, brief=brief)

    def watch(self, bound: BoundScenario) -> Watched:
        """Run one scenario and return its outcome, regardless of its expectations."""
        return self.runner(bound).watch(bound)

    def report(self) -> ScenarioReport:
        """Run all scenarios and return the report."""
        results = tuple(map(self.run, self.scenarios))
        return ScenarioReport(results, self.findings, self.unreadable, self.sources)

    def runner(self, bound: BoundScenario) -> ScenarioRunner:
        """Return the runner of a scenario, compiled for its players and options."""
        scenario, group = bound.scenario, bound.scenario.group
        if group not in self._runners:
            setting = self._pack(group).setting(scenario.players, scenario.options, log=True)
            self._runners[group] = ScenarioRunner(setting, self.sources)
        return self._runners[group]

    def _pack(self, group: tuple[object, ...]) -> Pack:
        """Return the pack with the procedures of only one group of scenarios."""
        others = [each for each in self.scenarios if each.scenario.group != group]
        names = {name for each in others for name in (*each.procs, *each.values)}
        whole = self.checked.program
        program = attrs.evolve(
            whole,
            procs={key: each for key, each in whole.procs.items() if key not in names},
            guards={key: each for key, each in whole.guards.items() if key not in names},
            values={key: each for key, each in whole.values.items() if key[0] not in names},
        )
        return attrs.evolve(pack_of(self.layers, program), on_demand=True)


def run_scenarios(
    path: str | Path,
    mods: Sequence[str | Path] = (),
    *,
    of: str | Path | None = None,
    only: str | None = None,
) -> ScenarioReport:
    """Run the scenarios of a game with mods, or only those for the mod in the folder `of`.

    `only` selects scenarios with this string in their name, file or covered rules. Raises
    LintError if the content has errors.
    """
    return load_suite(path, mods, of=of, only=only).report()


def load_suite(
    path: str | Path,
    mods: Sequence[str | Path] = (),
    *,
    of: str | Path | None = None,
    only: str | None = None,
    among: Callable[[Sequence[Scenario]], Sequence[Scenario]] | None = None,
) -> Suite:
    """Read the scenarios that `run_scenarios` runs; `among` filters or sorts them."""
    layers = read_layers(path, mods)
    about_scenarios = Findings()
    pack = layers.at(of)
    files = pack.scenarios(about_scenarios)
    scenarios = read_scenarios(files, layers.players, about_scenarios)
    wanted = [each for each in scenarios if only is None or _is_wanted(each, only)]
    if among is not None:
        wanted = [*among(wanted)]
    parsed = parse_scenarios(wanted, about_scenarios)
    suite = build_suite(layers, pack, parsed, about_scenarios)
    suite.findings = (*layers.findings.sorted(), *suite.findings)
    suite.unreadable += len(wanted) - len(parsed)
    if only is None:
        suite.unreadable += sum(map(count_scenarios, files)) - len(scenarios)
    return suite


def build_suite(
    layers: Layered,
    pack: PackSource,
    parsed: Iterable[ParsedScenario],
    findings: Findings,
    *,
    brief: bool = False,
) -> Suite:
    """Check content and scenarios together; see `check_suite`."""
    checked, bound, sound = check_suite(layers, parsed, findings, brief=brief)
    annotate(checked)
    invalid, sources = len(bound) - len(sound), dict(layers.sources)
    return Suite(layers, pack, tuple(sound), findings.sorted(), invalid, checked, sources)


def check_suite(
    layers: Layered, parsed: Iterable[ParsedScenario], findings: Findings, *, brief: bool = False
) -> tuple[Checked, list[BoundScenario], list[BoundScenario]]:
    """Check content and scenarios together; return all scenarios, and the valid ones.

    Raises LintError for content with errors; if `brief`, without findings.
    """
    rules = _declarations(layers, brief=brief)
    content = Findings()
    world = empty_world(layers)
    bodies = new_context(world, content)
    build_world(world, rules, layers, content, bodies.noted)
    program = resolve_program(bodies)
    if content.has_errors or layers.findings.has_errors:
        _refuse(layers, brief=brief)
    bodies.findings = findings
    binder = Binder(bodies, program, findings)
    every = [binder.bind(each) for each in parsed]
    sound = _sound(every, findings)
    spans = {each.scenario.span for each in sound}
    for bound in (each for each in every if each.scenario.span not in spans):
        for key in bound.procs:
            del program.procs[key]
        for name in bound.values:
            del program.values[name, 0]
    late = Findings()
    checked = check_program(program, late)
    files = {each.scenario.span.file for each in every}
    for finding in late.sorted():
        if finding.span.file not in files:
            content.add(finding)
        elif finding.code != _TOLD:  # nobody plays the statements that set up a position
            findings.add(finding)
    if content.has_errors:
        _refuse(layers, brief=brief)
    return checked, every, _sound(sound, findings)


def _declarations(layers: Layered, *, brief: bool) -> list[Decl]:
    findings = Findings()
    files = [
        parse_file(source.text, source.path, findings, source.language).file
        for source in layers.rules
    ]
    if findings.has_errors:
        _refuse(layers, brief=brief)
    return [each for file in files for each in file.declarations]


def _sound(bound: Iterable[BoundScenario], findings: Findings) -> list[BoundScenario]:
    wrong = [each.span for each in findings.sorted() if each.severity is Severity.ERROR]
    return [each for each in bound if not any(each.scenario.covers_line(span) for span in wrong)]


def _refuse(layers: Layered, *, brief: bool) -> NoReturn:
    findings = Findings()
    if not brief:
        check_layers(layers, findings)
        findings.extend(layers.findings.sorted())
    raise LintError(findings.sorted(), layers.sources)


def _is_wanted(scenario: Scenario, only: str) -> bool:
    texts = (scenario.name, scenario.span.file, *(note.text for note in scenario.covers))
    return any(only.lower() in text.lower() for text in texts)
