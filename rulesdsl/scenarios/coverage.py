"""Which rules of a pack's checklist have a scenario.

The checklist is the file `rules_covered.toml` of the pack: `[ids]` names every rule, `[exempt]`
those that need no scenario, each with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.packs.toml_file import TomlFile
    from rulesdsl.scenarios.scenario import Scenario
    from rulesdsl.source.diagnostic import Diagnostic

CHECKLIST = "rules_covered.toml"


@attrs.frozen
class Coverage:
    """Rules with their words: those without a scenario, and those that need none."""

    ids: dict[str, str]
    missing: dict[str, str]
    exempt: dict[str, str]
    findings: tuple[Diagnostic, ...]

    @property
    def summary(self) -> str:
        """How many rules are covered, in a line."""
        wanted = len(self.ids) - len(self.exempt)
        covered = wanted - len(self.missing)
        return f"{covered} of {wanted} rules covered, {len(self.exempt)} exempt"


def covered_rules(pack: PackSource, scenarios: Iterable[Scenario]) -> Coverage | None:
    """Compare scenarios with the checklist of the pack; None without one."""
    if not pack.has_toml(CHECKLIST):
        return None
    findings = Findings()
    ids: dict[str, str] = {}
    exempt: dict[str, str] = {}
    file = pack.toml(CHECKLIST, pack.manifest_file.index.span(()))
    if file is not None:
        ids = _table(file, "ids", findings)
        exempt = _exempt(file, ids, findings)
    covered: set[str] = set()
    for scenario in scenarios:
        for note in scenario.covers:
            covered.add(note.text)
            if note.text not in ids:
                findings.report(
                    "E201",
                    note.span,
                    f"The checklist has no rule `{note.text}`.",
                    did_you_mean(note.text, ids),
                )
    missing = {
        name: words for name, words in ids.items() if name not in covered and name not in exempt
    }
    return Coverage(ids, missing, exempt, findings.sorted())


def _exempt(file: TomlFile, ids: dict[str, str], findings: Findings) -> dict[str, str]:
    found = _table(file, "exempt", findings)
    for name in found:
        if name not in ids:
            findings.report(
                "E201",
                file.index.key_span(("exempt", name)),
                f"The checklist has no rule `{name}`.",
                did_you_mean(name, ids),
            )
    return {name: reason for name, reason in found.items() if name in ids}


def _table(file: TomlFile, name: str, findings: Findings) -> dict[str, str]:
    table = file.data.get(name, {})
    if not isinstance(table, dict):
        findings.report("E005", file.index.span((name,)), "This has to be a table.")
        return {}
    found: dict[str, str] = {}
    for key, words in table.items():
        if isinstance(words, str) and words.strip():
            found[key] = words
        else:
            span = file.index.span((name, key))
            findings.report("E005", span, "This has to be a text.")
    return found
