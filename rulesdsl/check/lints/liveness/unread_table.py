"""W601 for files: tables that no declaration reads."""

from __future__ import annotations

from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import Span

CHECKLIST = "rules_covered.toml"  # read only by the tests of a pack


def unread_table(_: Checked, layers: Layered, findings: Findings) -> None:
    """Report TOML files that no declaration reads."""
    for pack, path in layers.unread():
        if path.rsplit("/", 1)[-1] == CHECKLIST:
            continue
        shown = next((each for each in pack.sources if each.endswith(path)), path)
        findings.report(
            "W601",
            Span(shown, 1, 1, 1, 1),
            f"No declaration reads the table `{path}`.",
            f'Read it, for example with `kind token from "{path}"`, or remove the file.',
        )
