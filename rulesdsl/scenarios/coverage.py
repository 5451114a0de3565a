"""Coverage: the rules in the checklist that scenarios and the rulebook cover."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulesdsl.check.rulebook import pages_of
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.packs.shapes import Shape, is_table
from rulesdsl.packs.toml_document import TomlFile
from rulesdsl.scenarios import wording
from rulesdsl.scenarios.reading import contents
from rulesdsl.scenarios.scenario import SOME_TEXT, Scenario
from rulesdsl.source.diagnostics import Diagnostic, Findings, similar
from rulesdsl.source.span import Span

CHECKLIST = "rules_covered.toml"


@attrs.frozen
class Coverage:
    """Coverage of the rules in a checklist, by id and text."""

    # The checklist is the file `rules_covered.toml` of the pack: `[ids]` lists every rule,
    # `[exempt]` the rules that need no scenario, and `[untold]` the rules that the rulebook may
    # omit, each with the reason. `missing` rules lack a scenario; `untold` rules are absent from
    # the rulebook, if there is one.

    ids: dict[str, str]
    missing: dict[str, str]
    exempt: dict[str, str]
    untold: dict[str, str]
    findings: tuple[Diagnostic, ...]

    @property
    def summary(self) -> str:
        """The number of covered rules, as a line of text."""
        wanted = len(self.ids) - len(self.exempt)
        covered = wanted - len(self.missing)
        return f"{covered} of {wanted} rules covered, {len(self.exempt)} exempt"


def covered_rules(pack: PackSource, scenarios: Iterable[Scenario]) -> Coverage | None:
    """Compare scenarios with the checklist of the pack; return None if it has no checklist."""
    if not pack.has_toml(CHECKLIST):
        return None
    findings = Findings()
    file = pack.toml(CHECKLIST)
    ids = _table(file, "ids", findings) if file else {}
    exempt = _excused(file, "exempt", ids, findings) if file else {}
    unneeded = _excused(file, "untold", ids, findings) if file else {}
    notes = [(note.text, note.span) for each in scenarios for note in each.covers]
    pages = pages_of(pack, Findings())  # `lint` reports their errors
    told = [each for page in pages.values() for each in page.tells]
    missing = _left(ids, _known(notes, ids, findings), exempt)
    untold = _left(ids, _known(told, ids, findings), unneeded) if pages else {}
    return Coverage(ids, missing, exempt, untold, findings.sorted())


def _known(named: Iterable[tuple[str, Span]], ids: dict[str, str], findings: Findings) -> set[str]:
    """Return the ids of rules; report those that are not in the checklist."""
    found: set[str] = set()
    for name, span in named:
        found.add(name)
        if name not in ids:
            wording.UNKNOWN_RULE.report(findings, span, advice=similar(name, ids), name=name)
    return found


def _left(ids: dict[str, str], done: set[str], excused: dict[str, str]) -> dict[str, str]:
    return {name: words for name, words in ids.items() if name not in done and name not in excused}


def _excused(
    file: TomlFile, table: str, ids: dict[str, str], findings: Findings
) -> dict[str, str]:
    found = _table(file, table, findings)
    named = ((name, file.index.key_span((table, name))) for name in found)
    _known(named, ids, findings)
    return {name: reason for name, reason in found.items() if name in ids}


def _table(file: TomlFile, name: str, findings: Findings) -> dict[str, str]:
    place = contents(file, findings).below(name)
    table = Shape(is_table, "a table", {}).read(file.data.get(name, {}), place) or {}
    found = {key: SOME_TEXT.read(words, place.below(key)) for key, words in table.items()}
    return {key: words for key, words in found.items() if words is not None}
