"""What a scenario runs through, so that those come first that may notice a change."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.pynodes import identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import FrameType

    from rulesdsl.scenarios.mutation.mutant import Mutant
    from rulesdsl.scenarios.suite import Suite
    from rulesdsl.scenarios.weaving import WovenScenario

Line = tuple[str, int]
NEAR = 12
"""How many lines below the head of a declaration a change still counts as a part of it."""


@attrs.frozen
class Touched:
    """Places of the content that a scenario runs through, and the words that it says itself.

    `procs` are the first lines of procedures and values, `lines` those of steps in them.
    """

    lines: frozenset[Line]
    procs: frozenset[Line]
    words: frozenset[str]


def touched_by(suite: Suite, woven: WovenScenario) -> Touched:
    """Run a scenario and note which generated code is called, and from which lines of rules."""
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
    """Return where the procedures and values of generated names begin."""
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
    """Order scenarios: first those that run through the change, then those that noticed most."""
    listed = list(scenarios)
    alike = Counter(each.scenario.group for each in listed)  # they share compiled code

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
