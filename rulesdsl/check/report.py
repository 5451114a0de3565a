"""What a lint came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from rulesdsl.source.span import SourceFile


@attrs.frozen
class Report:
    """What a lint found: findings in the order of the files, and the files' texts."""

    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps the pack from being played."""
        return tuple(each for each in self.diagnostics if each.severity is Severity.ERROR)
