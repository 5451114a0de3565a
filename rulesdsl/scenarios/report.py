"""What came of running scenarios, as values and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.scenarios.scenario import Scenario
from rulesdsl.source.diagnostic import Diagnostic, Findings
from rulesdsl.source.render_text import render
from rulesdsl.source.span import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@attrs.frozen
class Failure:
    """One thing that is not as a scenario says: where it says so, and what was found."""

    span: Span
    said: str
    details: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class ScenarioResult:
    """What came of one scenario."""

    scenario: Scenario
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Whether everything is as it says."""
        return not self.failures

    def lines(self) -> Iterator[str]:
        """Say what failed, and where."""
        scenario = self.scenario
        covers = ", ".join(note.text for note in scenario.covers)
        title = f"{scenario.name} [{covers}]" if covers else scenario.name
        yield f"{scenario.span.file}:{scenario.span.line}: {title}"
        for failure in self.failures:
            yield f"  line {failure.span.line}: {failure.said}"
            for label, text in failure.details:
                yield f"    {label + ':':<9} {text}"

    def __str__(self) -> str:
        """Say what failed, and where."""
        return "\n".join(self.lines())


@attrs.frozen
class ScenarioReport:
    """Outcomes of the scenarios of a pack, or of several.

    `findings` are mistakes in the scenarios themselves; one that has any is not run, and counts
    as failed.
    """

    results: tuple[ScenarioResult, ...]
    findings: tuple[Diagnostic, ...] = ()
    unreadable: int = 0
    sources: dict[str, SourceFile] = attrs.field(factory=dict, repr=False)

    @property
    def failed(self) -> tuple[ScenarioResult, ...]:
        """The scenarios that were run and failed."""
        return tuple(each for each in self.results if not each.passed)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.failed and not self.findings

    @property
    def summary(self) -> str:
        """How many passed and failed, in a line."""
        if not self.results and not self.findings:
            return "no scenarios"
        failed = len(self.failed)
        said = f"{len(self.results) - failed} passed, {failed} failed"
        return f"{said}, {self.unreadable} not run" if self.unreadable else said

    @property
    def failures(self) -> str:
        """The findings and the failures as text."""
        parts = [render(self.findings, self.sources).rstrip()] if self.findings else []
        return "\n\n".join([*parts, *(str(each) for each in self.failed)])

    def __str__(self) -> str:
        """Return the findings, the failures and the summary as text."""
        return "\n\n".join(part for part in (self.failures, self.summary) if part)


def join_reports(parts: Sequence[ScenarioReport]) -> ScenarioReport:
    """Return several reports as one, in the order of the files, without repeated findings."""
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    for part in parts:
        findings.extend(part.findings)
        sources |= part.sources
    results = sorted((e for part in parts for e in part.results), key=lambda e: e.scenario.span)
    unreadable = sum(part.unreadable for part in parts)
    return ScenarioReport(tuple(results), findings.sorted(), unreadable, sources)
