"""W606: numbers in tables without a source."""

from __future__ import annotations

from rulesdsl.check.program import Checked
from rulesdsl.check.symbols.consistency import UNSAID, SourceLine, table_numbers
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

MOST = 3  # entries of a file that are reported separately


def missing_source(checked: Checked, layers: Layered, findings: Findings) -> None:
    """Report numbers without a source, once per entry or once for a whole file."""
    by_file: dict[str, dict[str, SourceLine]] = {}
    for line in table_numbers(layers, checked):
        if line.source == UNSAID:
            entries = by_file.setdefault(line.span.file, {})
            entries.setdefault(_entry(line), line)
    for entries in by_file.values():
        lines = list(entries.values())
        if len(lines) <= MOST:
            for line in lines:
                _report(line, "Nothing says where this number comes from.", findings)
        else:
            _report(lines[0], "Nothing says where the numbers of this file come from.", findings)


def _entry(line: SourceLine) -> str:
    return line.name.rsplit(".", 1)[0]


def _report(line: SourceLine, message: str, findings: Findings) -> None:
    help_text = (
        'Write `source = "house"` (or "rulebook", or "derived") at the top of the file or in the '
        'entry.\nFor single fields, write `sources = { cost = "house" }` in the entry.'
    )
    findings.report("W606", line.span, message, help_text)
