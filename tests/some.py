from typing import Any, TypeVar

from rulesdsl.source.diagnostics import Diagnostic, Findings

T = TypeVar("T")


def some(value: T | None) -> T:
    assert value is not None
    return value


def reported(*given: Any, **named: Any) -> Diagnostic:  # noqa: ANN401 - as of `Findings.report`
    """Return the finding that a report makes."""
    findings = Findings()
    findings.report(*given, **named)
    (finding,) = findings.sorted()
    return finding
