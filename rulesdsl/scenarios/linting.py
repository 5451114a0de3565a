"""What is wrong with the scenarios and lessons of a pack, found without running them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.book.filling import Filler
from rulesdsl.check.report import Report
from rulesdsl.check.text_fixes import offer
from rulesdsl.packs.exact_edits import exact_fixes
from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios.lessons.classroom import filled
from rulesdsl.scenarios.lessons.reading import read_lessons
from rulesdsl.scenarios.parsing import parse_scenarios
from rulesdsl.scenarios.reading import read_scenarios
from rulesdsl.scenarios.suite import check_suite, declarations
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.files import DISK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rulesdsl.source.files import Files


def lint_scenarios(
    path: str | Path,
    mods: Sequence[str | Path] = (),
    *,
    of: str | Path | None = None,
    files: Files = DISK,
) -> Report:
    """Check the scenarios and lessons of a game with mods, or those of the mod in the folder `of`.

    Raises LintError where the content has errors.
    """
    layers = read_layers(path, mods, files)
    pack = layers.at(of)
    findings = Findings()
    texts, courses = [*pack.scenarios(findings)], [*pack.lessons(findings)]
    sources = layers.sources | pack.sources
    if not (texts or courses):
        return Report(findings.sorted(), sources)
    scenarios = read_scenarios(texts, layers.players, findings)
    lessons = read_lessons(courses, layers.players, findings)
    starts = [*scenarios, *(each.start for each in lessons)]
    parsed = parse_scenarios(starts, findings)
    checked, _, _ = check_suite(layers, parsed, declarations(layers), findings)
    for number, lesson in enumerate(lessons):
        world = checked.program.world
        filled(lesson, Filler(world, findings, lesson.start.players, f"lesson {number}"))
    found = offer(findings.sorted(), sources)
    return Report(exact_fixes(found, sources), sources)
