"""All lessons of a pack: read, checked with the content, begun, and played as they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.book.filling import Filler
from rulesdsl.check.book.texts import cut
from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios.lessons.course import Course
from rulesdsl.scenarios.lessons.reading import read_lessons
from rulesdsl.scenarios.parsing import parse_scenarios
from rulesdsl.scenarios.report import Failure, ScenarioReport, ScenarioResult
from rulesdsl.scenarios.suite import Suite, build_suite, declarations
from rulesdsl.source.diagnostic import Findings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rulesdsl.check.book.filling import Filled
    from rulesdsl.scenarios.lessons.lesson import Lesson
    from rulesdsl.scenarios.weaving import WovenScenario
    from rulesdsl.source.diagnostic import Diagnostic


@attrs.frozen
class Ready:
    """A lesson that can be begun."""

    lesson: Lesson
    woven: WovenScenario
    texts: tuple[Filled, ...]


@attrs.frozen
class Classroom:
    """The lessons of a pack on checked content. `findings` are about the lessons."""

    suite: Suite
    lessons: tuple[Ready, ...]
    findings: tuple[Diagnostic, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What the lessons are called."""
        return tuple(each.lesson.start.name for each in self.lessons)

    def begin(self, ready: Ready) -> Course | Failure:
        """Set a lesson up; what keeps it from being begun is returned."""
        game = self.suite.runner(ready.woven).start(ready.woven)
        return game if isinstance(game, Failure) else Course(ready.lesson, game, ready.texts)

    def report(self) -> ScenarioReport:
        """Play all lessons as they say."""
        results = tuple(map(self._result, self.lessons))
        sources = self.suite.sources | self.suite.pack.sources
        return ScenarioReport(results, self.findings, 0, sources)

    def _result(self, ready: Ready) -> ScenarioResult:
        course = self.begin(ready)
        failures = (course,) if isinstance(course, Failure) else tuple(course.failures())
        return ScenarioResult(ready.lesson.start, failures)


def load_lessons(
    path: str | Path, mods: Sequence[str | Path] = (), *, of: str | Path | None = None
) -> Classroom:
    """Read the lessons of a game with mods laid over it, or those of the mod in the folder `of`.

    Raises LintError where the content has errors.
    """
    layers = read_layers(path, mods)
    pack = layers.at(of)
    findings = Findings()
    lessons = read_lessons(pack.lessons(findings), layers.players, findings)
    parsed = parse_scenarios([each.start for each in lessons], findings)
    suite = build_suite(layers, pack, parsed, declarations(layers), findings)
    by_start = {each.start.span: each for each in lessons}
    ready = tuple(
        _ready(by_start[woven.scenario.span], woven, suite, findings, number)
        for number, woven in enumerate(suite.scenarios)
    )
    return Classroom(suite, ready, findings.sorted())


def _ready(
    lesson: Lesson, woven: WovenScenario, suite: Suite, findings: Findings, number: int
) -> Ready:
    """Resolve what a lesson says, and add the values in it to the program."""
    program = suite.checked.program
    filler = Filler(program.world, findings, lesson.start.players, f"lesson {number}")
    texts = filled(lesson, filler)
    program.values.update(filler.values)
    return Ready(lesson, woven, texts)


def filled(lesson: Lesson, filler: Filler) -> tuple[Filled, ...]:
    """Return what a lesson says in its steps, with the phrases in it resolved."""
    return tuple(
        filler.text(cut(say.text, say.span.file, say.positions, filler.findings), {})
        for say in (step.say for step in lesson.steps)
    )
