"""Coverage: rules of the checklist with a scenario, and rule lines that scenarios execute."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.rulebook import pages_of
from rulesdsl.interpreter.python.nodes import identifier
from rulesdsl.source.diagnostics import Findings, similar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import FrameType

    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.packs.toml_document import TomlFile
    from rulesdsl.scenarios.binding import WovenScenario
    from rulesdsl.scenarios.mutation import Mutant
    from rulesdsl.scenarios.scenario import Scenario
    from rulesdsl.scenarios.suite import Suite
    from rulesdsl.source.diagnostics import Diagnostic
    from rulesdsl.source.span import Span


CHECKLIST = "rules_covered.toml"


@attrs.frozen
class Coverage:
    """Coverage of the rules in a checklist, by id and text.

    The checklist is the file `rules_covered.toml` of the pack: `[ids]` names every rule,
    `[exempt]` those that need no scenario, `[untold]` those that the rulebook may omit, each with
    the reason. `missing` rules lack a scenario; `untold` ones are absent from the rulebook, if
    there is one.
    """

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
    """Compare scenarios with the checklist of the pack; None without one."""
    if not pack.has_toml(CHECKLIST):
        return None
    findings = Findings()
    ids: dict[str, str] = {}
    exempt: dict[str, str] = {}
    unneeded: dict[str, str] = {}
    file = pack.toml(CHECKLIST)
    if file is not None:
        ids = _table(file, "ids", findings)
        exempt = _excused(file, "exempt", ids, findings)
        unneeded = _excused(file, "untold", ids, findings)
    notes = [(note.text, note.span) for each in scenarios for note in each.covers]
    pages = pages_of(pack, Findings())  # `lint` reports their errors
    told = [each for page in pages.values() for each in page.tells]
    missing = _left(ids, _known(notes, ids, findings), exempt)
    untold = _left(ids, _known(told, ids, findings), unneeded) if pages else {}
    return Coverage(ids, missing, exempt, untold, findings.sorted())


def _known(named: Iterable[tuple[str, Span]], ids: dict[str, str], findings: Findings) -> set[str]:
    """Return the named rules; report those that the checklist lacks."""
    found: set[str] = set()
    for name, span in named:
        found.add(name)
        if name not in ids:
            message = f"The checklist has no rule `{name}`."
            findings.report("E201", span, message, similar(name, ids))
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


Line = tuple[str, int]
NEAR = 12
"""Maximum distance in lines between a declaration's head and a change that counts as inside it."""


@attrs.frozen
class Touched:
    """Places in the content that a scenario executes, and words in its own texts.

    `procs` are the first lines of procedures and values, `lines` those of executed steps.
    """

    lines: frozenset[Line]
    procs: frozenset[Line]
    words: frozenset[str]


def touched_by(suite: Suite, woven: WovenScenario) -> Touched:
    """Run a scenario under a profiler, and record the functions and rule lines it calls."""
    runner = suite.runner(woven)
    marks = runner.engine.marks
    seen: set[tuple[str, int]] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith("<rules of"):
            seen.add((frame.f_code.co_name, 0))
            caller = frame.f_back
            if caller is not None and caller.f_code.co_filename.startswith("<rules of"):
                seen.add(("", caller.f_lineno))

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        runner.run(woven)
    finally:
        sys.setprofile(before)
    names = {name for name, line in seen if name}
    lines = {(marks[line].file, marks[line].line) for _, line in seen if 0 < line < len(marks)}
    return Touched(frozenset(lines), _procs(suite, names), _words(woven))


def _procs(suite: Suite, names: set[str]) -> frozenset[Line]:
    """Return the first lines of the procedures and values of generated names."""
    program = suite.checked.program
    found: set[Line] = set()
    for key, proc in program.procs.items():
        name = identifier(key, "")
        if any(each[2:].startswith(name) for each in names if each[1:2] == "_"):
            found.add((proc.span.file, proc.span.line))
    for (name, layer), value in program.values.items():
        if f"{identifier(name, 'x_')}_{layer}" in names:
            found.add((value.span.file, value.span.line))
    return frozenset(found)


def _words(woven: WovenScenario) -> frozenset[str]:
    scenario = woven.scenario
    texts = [each.text for each in (*scenario.given, *scenario.expect)]
    texts += [scenario.play.text] if scenario.play else []
    texts += [pick.option for pick in (*scenario.do, *scenario.offered, *scenario.not_offered)]
    texts += [scenario.name.lower(), scenario.after.text if scenario.after else ""]
    return frozenset(word for text in texts for word in text.replace(":", " ").split())


def likely_first(
    scenarios: Iterable[WovenScenario],
    mutant: Mutant,
    touched: Mapping[str, Touched],
    kills: Mapping[str, int],
) -> list[WovenScenario]:
    """Order scenarios by likelihood of killing a mutant: coverage first, then past kills."""
    listed = list(scenarios)
    alike = Counter(each.scenario.group for each in listed)  # these share compiled code

    def unlikely(woven: WovenScenario) -> tuple[int, int, int, str]:
        name, group = woven.scenario.name, woven.scenario.group
        score = _score(mutant, touched[name]) if name in touched else 0
        return (-score, -kills.get(name, 0), -alike[group], str(group))

    return sorted(listed, key=unlikely)


def _score(mutant: Mutant, touched: Touched) -> int:
    score = 0
    if (mutant.shown, mutant.line) in touched.lines:
        score += 6
    begun = [line for file, line in touched.procs if file == mutant.shown and line <= mutant.line]
    if begun and mutant.line - max(begun) < NEAR:
        score += 3
    if any(word in touched.words for word in mutant.about):
        score += 4
    return score
