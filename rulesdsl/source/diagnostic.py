"""A problem as a value, the collection of them, and the one exception that carries them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rulesdsl.source.code_table import TABLE
from rulesdsl.source.facts import UnknownName
from rulesdsl.source.suggest import Advice

if TYPE_CHECKING:
    from rulesdsl.source.fix import Fix
    from rulesdsl.source.span import SourceFile, Span


Said: TypeAlias = "tuple[str, str | Advice]"  # what is wrong, and what to do


class Severity(StrEnum):
    """How bad a finding is: an error keeps a pack from being played, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@attrs.frozen
class Related:
    """Another place that belongs to a finding, and what it has to do with it."""

    span: Span
    message: str


@attrs.frozen
class Diagnostic:
    """One finding: what is wrong, where, and what to do about it.

    `fixes` are changes of the text that do it; the first is the best one. It stands for itself and
    `more` of the same kind that are not shown. `facts` are what it is made from, where code asks
    for them: nobody reads a message but who shows it.
    """

    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    help: str = ""
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    more: int = 0
    facts: object = None


def diagnose(
    code: str,
    span: Span,
    message: str,
    help: str | Advice = "",
    related: Iterable[Related] = (),
    *,
    fixes: Iterable[Fix] = (),
    facts: object = None,
) -> Diagnostic:
    """Return the finding for a code of the table; `KeyError` if nobody declared the code.

    Help that offers other words for what is written at the place brings their fixes with it, and
    is what the finding is made from, where there are no other facts.
    """
    name, severity, _title = TABLE[code]
    all_fixes, advice = tuple(fixes), help if isinstance(help, Advice) else None
    if advice is not None:
        all_fixes += advice.fixes(span)
    return Diagnostic(
        code,
        name,
        Severity(severity),
        span,
        message,
        str(help),
        tuple(related),
        all_fixes,
        facts=facts or (UnknownName(advice.written, advice.near) if advice else None),
    )


class Findings:
    """Collects findings while the checks go on, so that one run reports all of them."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def add(self, diagnostic: Diagnostic) -> None:
        """Take one finding in."""
        self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take several findings in."""
        self._found.extend(diagnostics)

    def __len__(self) -> int:
        return len(self._found)

    def since(self, number: int) -> tuple[Diagnostic, ...]:
        """Return what was taken in after so many findings."""
        return tuple(self._found[number:])

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | Advice = "",
        related: Iterable[Related] = (),
        *,
        fixes: Iterable[Fix] = (),
        facts: object = None,
    ) -> None:
        """Diagnose and add in one go."""
        self.add(diagnose(code, span, message, help, related, fixes=fixes, facts=facts))

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return the findings in the order of the files, at most one for a code at a place."""
        first: dict[tuple[str, Span], Diagnostic] = {}
        for diagnostic in self._found:
            first.setdefault((diagnostic.code, diagnostic.span), diagnostic)
        return tuple(sorted(first.values(), key=lambda each: (each.span, each.code)))

    @property
    def has_errors(self) -> bool:
        """Whether anything found keeps the pack from being played."""
        return any(each.severity is Severity.ERROR for each in self._found)


class LintError(Exception):
    """Content that cannot be played; `diagnostics` lists everything that was found.

    `sources` are the files by their paths, as far as they could be read.
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile] | None = None
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        """Render all findings as text."""
        from rulesdsl.source.render_text import render  # noqa: PLC0415 - it imports this module

        return render(self.diagnostics, self.sources)
