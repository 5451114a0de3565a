from __future__ import annotations

import pickle

import pytest

from rulesdsl.source.diagnostics import Findings, LintError, Related, Severity, diagnose
from rulesdsl.source.span import NOWHERE, SourceFile, Span

HERE = Span("a.rules", 2, 3, 2, 7)
BELOW = Span("a.rules", 10, 1, 10, 2)
ELSEWHERE = Span("b.rules", 1, 1, 1, 2)


def test_name_and_severity_come_from_the_table() -> None:
    finding = diagnose("E201", HERE, "no `coim`", related=[Related(BELOW, "a coin")])

    assert (finding.name, finding.severity) == ("unknown-name", Severity.ERROR)
    assert finding.related == (Related(BELOW, "a coin"),)


def test_a_code_that_nobody_declared_is_our_own_mistake() -> None:
    with pytest.raises(KeyError):
        diagnose("E000", HERE, "what")


def test_findings_come_in_the_order_of_the_files() -> None:
    findings = Findings()
    for span in (ELSEWHERE, BELOW, HERE, NOWHERE):
        findings.report("E201", span, "no such name")

    assert [each.span for each in findings.sorted()] == [NOWHERE, HERE, BELOW, ELSEWHERE]


def test_one_code_is_reported_once_at_a_place() -> None:
    findings = Findings()
    findings.report("E201", HERE, "first")
    findings.report("E201", HERE, "first")
    findings.report("E201", HERE, "second")
    findings.report("E002", HERE, "another code")

    assert [each.message for each in findings.sorted()] == ["another code", "first"]


def test_only_errors_keep_a_pack_from_being_played(monkeypatch: pytest.MonkeyPatch) -> None:
    warning = ("dusty", "warning", "A dusty card")
    monkeypatch.setitem(diagnose.__globals__["TABLE"], "W999", warning)
    findings = Findings()
    findings.report("W999", HERE, "dusty")

    assert not findings.has_errors

    findings.report("E201", HERE, "no such name")

    assert findings.has_errors


def test_a_lint_error_shows_what_it_carries() -> None:
    source = SourceFile("a.rules", "\n  coim\n")
    error = LintError([diagnose("E201", HERE, "no `coim`")], {"a.rules": source})

    assert "a.rules:2:3" in str(error)
    assert "2 |   coim" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
