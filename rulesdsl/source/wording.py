"""Wording of findings: templates of messages and advice, with the facts as fields."""

from __future__ import annotations

from collections.abc import Iterable
from string import Formatter
from typing import NamedTuple

import attrs

from rulesdsl.source.diagnostics import Advice, Findings, Related
from rulesdsl.source.english import a_or_an, opening
from rulesdsl.source.span import Span


class WordedFinding(NamedTuple):
    """Code, message and advice of one finding."""

    code: str
    message: str
    advice: str | Advice


@attrs.frozen
class Wording:
    """Code of a finding, with templates of its message and advice.

    `{name!a}` puts an article before a name, and `{dims!p}` is `per card per seat`; a message
    begins with a capital.
    """

    code: str
    message: str
    advice: str = ""

    def __call__(self, advice: str | Advice = "", **fields: object) -> WordedFinding:
        """Return the finding with its facts; `advice` replaces that of the template."""
        message = opening(_FORMATTER.vformat(self.message, (), fields))
        help_text = advice or _FORMATTER.vformat(self.advice, (), fields)
        return WordedFinding(self.code, message, help_text)

    def report(
        self,
        findings: Findings,
        span: Span,
        related: Iterable[Related] = (),
        *,
        advice: str | Advice = "",
        facts: object = None,
        **fields: object,
    ) -> None:
        """Report the finding with its facts; `advice` replaces that of the template."""
        code, message, help_text = self(advice, **fields)
        findings.report(code, span, message, help_text, related, facts=facts)


class _Formatter(Formatter):
    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion == "a":
            return a_or_an(str(value))
        if conversion == "p" and isinstance(value, tuple):
            return f"per {' per '.join(value)}"
        return super().convert_field(value, conversion)


_FORMATTER = _Formatter()
