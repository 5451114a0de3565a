"""W606: numbers in tables without a source."""

from __future__ import annotations

from rulesdsl.check.symbols.consistency import UNSAID, SourceLine, table_numbers
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

MOST = 3  # entries of a file that are reported separately
HELP = (
    'Write `source = "house"` (or "rulebook", or "derived") at the top of the file or in the '
    'entry.\nFor individual fields, write `sources = { cost = "house" }` in the entry.'
)


def missing_source(checked: Checked, layers: Layered, findings: Findings) -> None:
    """Report numbers without a source, once for each entry or once for a whole file."""
    by_file: dict[str, dict[str, SourceLine]] = {}
    for line in table_numbers(layers, checked.program.world):
        if line.source == UNSAID:
            entry, _, _ = line.name.rpartition(".")
            by_file.setdefault(line.span.file, {}).setdefault(entry or line.name, line)
    for entries in by_file.values():
        lines, message = [*entries.values()], "This number has no stated source."
        if len(lines) > MOST:
            lines, message = lines[:1], "The numbers in this file have no stated source."
        for line in lines:
            findings.report("W606", line.span, message, HELP)
