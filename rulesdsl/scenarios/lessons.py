"""Lessons (positions played step by step, with instructions), and the linting of scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from rulesdsl.check.fixes import offer
from rulesdsl.check.rulebook import Filled, Filler, cut
from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.display.rulebook import TextReader
from rulesdsl.interpreter.game import Game
from rulesdsl.packs.manifest import Players
from rulesdsl.packs.overlay import Layered, read_layers
from rulesdsl.packs.shapes import (
    SOMETHING,
    Field,
    Json,
    Shape,
    TablePlace,
    array,
    is_table,
    list_of,
    table_of,
    text,
)
from rulesdsl.packs.toml_document import TomlFile, TomlTable, exact_fixes
from rulesdsl.scenarios.binding import BoundScenario
from rulesdsl.scenarios.reading import (
    parse_scenarios,
    read_fields,
    read_scenarios,
    spans_of,
    tables_in,
)
from rulesdsl.scenarios.running import TROUBLE, broken
from rulesdsl.scenarios.scenario import (
    Failure,
    RuleText,
    Scenario,
    ScenarioReport,
    ScenarioResult,
    ScriptedChoice,
    option_of,
    players_field,
    rule_text,
    scenario_fields,
)
from rulesdsl.scenarios.suite import Suite, build_suite, check_suite
from rulesdsl.source.diagnostics import Diagnostic, Findings, Report
from rulesdsl.source.files import DISK, Files
from rulesdsl.source.span import Span

START = ("name", "players", "seed", "options", "after", "given", "play")
"""The fields that lessons share with scenarios."""
STEPS = "step"
LEARNER = 1
"""The learner: player 1."""


@attrs.frozen
class Step:
    """Step of a lesson: its text, the choices that follow, and a hint for the learner."""

    say: RuleText
    do: tuple[ScriptedChoice, ...]
    hint: str
    span: Span


@attrs.frozen
class Lesson:
    """A lesson: its start as a scenario without conditions, and its steps."""

    start: Scenario
    steps: tuple[Step, ...]

    @property
    def picks(self) -> tuple[tuple[int, ScriptedChoice], ...]:
        """All choices in order, each with the index of its step."""
        return tuple((at, pick) for at, step in enumerate(self.steps) for pick in step.do)

    @property
    def runs_on(self) -> bool:
        """True if it is a game from its beginning, which goes on after the last step."""
        return self.start.whole_game and self.start.after is None and not self.start.given


def lesson_fields(
    players: Players, at_table: int, *, options: Json | None = None, steps: Json | None = None
) -> tuple[Field, ...]:
    """Return the fields of a lesson for `at_table` players."""
    start = scenario_fields(players, at_table, options=options, steps=steps)
    one = table_of(step_fields(at_table))
    every = Shape(
        lambda value: isinstance(value, list) and all(map(is_table, value)),
        "a list of steps; each begins with `[[lesson.step]]`",
        array(one),
    )
    return (
        attrs.evolve(start[0], about="The name of the lesson."),
        *(each for each in start[1:] if each.key in START),
        Field(STEPS, every, "The steps, in order.", needed=True),
    )


def step_fields(at_table: int) -> tuple[Field, ...]:
    """Return the fields of a step."""
    picks = list_of(option_of(at_table), 'a list of quoted items: do = ["p1 done"]')
    return (
        Field("say", SAID, "The text to read, with values from the game in braces.", needed=True),
        Field("do", picks, "Choices in order: a player and the id of an option.", ()),
        Field("hint", text(SOMETHING), "The hint after a different choice by player 1.", ""),
    )


SAID = text(SOMETHING, "text for the learner to read").then(rule_text)
LIST = "lesson"


def lessons_in(layers: Layered) -> tuple[tuple[Lesson, ...], ...]:
    """Return the lessons of a game and of each of its mods, not checked against the rules."""
    return tuple(
        read_lessons(pack.lessons(Findings()), layers.players, Findings()) for pack in layers.packs
    )


def read_lessons(
    files: Iterable[TomlFile], players: Players, findings: Findings
) -> tuple[Lesson, ...]:
    """Read all lessons; report and skip invalid ones."""
    found: list[Lesson] = []
    for file in files:
        for table, place, lines in tables_in(file, LIST, findings):
            lesson = _lesson(table, players, place, lines)
            findings.extend(place.findings.sorted())
            if not place.findings.has_errors:
                found.append(lesson)
    return tuple(found)


def _lesson(
    table: TomlTable, players: Players, place: TablePlace, lines: tuple[int, int]
) -> Lesson:
    at_table: int = players_field(players).read(table, place) or players.most
    found = _read(table, lesson_fields(players, at_table), place, LIST)
    steps = tuple(_steps(found.pop(STEPS, ()), at_table, place))
    said = {"name": "", **found, **spans_of(found, place)}
    start = Scenario(lines=lines, whole_game="play" not in table, lesson=True, **said)
    return Lesson(start, steps)


def _read(
    table: TomlTable, fields: Sequence[Field], place: TablePlace, what: str
) -> dict[str, Any]:
    place.lacks(f"A {what}", (e.key for e in fields if e.needed and e.key not in table))
    return read_fields(table, fields, place, what)


def _steps(tables: Iterable[TomlTable], at_table: int, around: TablePlace) -> Iterator[Step]:
    for at, table in enumerate(tables):
        place = around.below(STEPS, at)
        found = _read(table, step_fields(at_table), place, STEPS)
        if any(pick.player == LEARNER for pick in found.get("do", ())) and "hint" not in table:
            place.lacks(f"A step in which player {LEARNER} chooses", ["hint"])
        if "say" in found and "do" in found:
            yield Step(found["say"], found["do"], found.get("hint", ""), place.key_span)


@attrs.frozen
class Course:
    """A lesson in progress, with its initial game."""

    # It stores no progress: all queries take the number of choices made so far.

    lesson: Lesson
    game: Game
    texts: tuple[Filled, ...] = attrs.field(repr=False)
    stopped: Callable[[Any], Failure | None] = attrs.field(repr=False)
    """Returns the failure that has ended a game, given its state."""

    def over(self, made: int) -> bool:
        """Return true if all steps are done."""
        return made >= len(self.lesson.picks)

    def wanted(self, made: int) -> ScriptedChoice | None:
        """Return the next choice to make, or None if all steps are done."""
        return None if self.over(made) else self.lesson.picks[made][1]

    def hint(self, made: int) -> str:
        """Return the hint for the next choice."""
        return "" if self.over(made) else self.lesson.steps[self.lesson.picks[made][0]].hint

    def at_step(self, made: int) -> int:
        """Return the number of the step of the next choice, or of the last one."""
        return len(self.lesson.steps) if self.over(made) else self.lesson.picks[made][0] + 1

    def said(self, made: int, game: Game) -> Iterator[str]:
        """Yield the text shown before the next choice, with values from the current game."""
        before = self.lesson.picks[made - 1][0] + 1 if made else 0
        reader = TextReader(game.setting.labels, game.state)
        yield from map(reader.text, self.texts[before : self.at_step(made)])

    def failure(self) -> Failure | None:
        """Play the lesson as scripted; return its first failure, or None."""
        game = self.game.clone()
        for made, (at, pick) in enumerate(self.lesson.picks):
            try:
                list(self.said(made, game))
                failure = self.stopped(game.state) or _refused(pick, game.decision)
                if failure is not None:
                    return failure
                game.choose(pick.option, player=pick.player)
            except TROUBLE as error:
                return broken(self.lesson.steps[at].span, error)
        list(self.said(len(self.lesson.picks), game))
        return self.stopped(game.state)

    @property
    def learner(self) -> int:
        """The number of the learning player (1 is the first)."""
        return LEARNER


def _refused(pick: ScriptedChoice, decision: Decision | None) -> Failure | None:
    if decision is None:
        return Failure(pick.span, f"the game is over before `{pick.option}` is chosen")
    if decision.player == pick.player and decision.index_of(pick.option) is not None:
        return None
    ids = [option.id for option in decision.options]
    said = f"player {pick.player} is not offered `{pick.option}`"
    asked = f"player {decision.player}: {decision.prompt} {', '.join(ids)}"
    return Failure(pick.span, said, (("open", asked),))


@attrs.frozen
class Ready:
    """A lesson ready to begin."""

    lesson: Lesson
    bound: BoundScenario
    texts: tuple[Filled, ...]


@attrs.frozen
class Classroom:
    """The lessons of a pack, with its checked content. `findings` are about the lessons."""

    suite: Suite
    lessons: tuple[Ready, ...]
    findings: tuple[Diagnostic, ...]

    def begin(self, ready: Ready) -> Course | Failure:
        """Set up a lesson; return a failure if it cannot begin."""
        runner, start = self.suite.runner(ready.bound), ready.lesson.start
        if ready.lesson.runs_on:
            game: Game | Failure = Game.begin(runner.setting, start.seed)
        else:
            game = runner.start(ready.bound)
        if isinstance(game, Failure):
            return game

        def stopped(state: Any) -> Failure | None:  # noqa: ANN401 - a state class is generated
            failures = (runner.stopped(act, state) for act in ready.bound.play)
            return next(filter(None, failures), None)

        return Course(ready.lesson, game, ready.texts, stopped)

    def report(self) -> ScenarioReport:
        """Play all lessons as scripted."""
        results = []
        for ready in self.lessons:
            course = self.begin(ready)
            failure = course if isinstance(course, Failure) else course.failure()
            results.append(ScenarioResult(ready.lesson.start, (failure,) if failure else ()))
        sources = self.suite.sources | self.suite.pack.sources
        return ScenarioReport(tuple(results), self.findings, 0, sources)


def load_lessons(
    path: str | Path, mods: Sequence[str | Path] = (), *, of: str | Path | None = None
) -> Classroom:
    """Read the lessons of a game with mods, or only those for the mod in the folder `of`.

    Raises LintError if the content has errors.
    """
    layers = read_layers(path, mods)
    pack = layers.at(of)
    findings = Findings()
    lessons = read_lessons(pack.lessons(findings), layers.players, findings)
    parsed = parse_scenarios([each.start for each in lessons], findings)
    suite = build_suite(layers, pack, parsed, findings)
    by_start = {each.start.span: each for each in lessons}
    ready, program = list[Ready](), suite.checked.program
    for number, bound in enumerate(suite.scenarios):
        lesson = by_start[bound.scenario.span]
        filler = Filler(program.world, findings, lesson.start.players, f"lesson {number}")
        ready.append(Ready(lesson, bound, filled(lesson, filler)))
        program.values.update(filler.values)
    return Classroom(suite, tuple(ready), findings.sorted())


def filled(lesson: Lesson, filler: Filler) -> tuple[Filled, ...]:
    """Return the text of each of a lesson's steps, with its phrases resolved."""
    said = (step.say for step in lesson.steps)
    cuts = (cut(each.text, each.span.file, each.positions, filler.findings) for each in said)
    return tuple(filler.text(each, {}) for each in cuts)


def lint_scenarios(
    path: str | Path,
    mods: Sequence[str | Path] = (),
    *,
    of: str | Path | None = None,
    files: Files = DISK,
) -> Report:
    """Check the scenarios and lessons of a game with mods, or of the mod in the folder `of`.

    Raises LintError if the content has errors.
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
    checked, _, _ = check_suite(layers, parsed, findings)
    world = checked.program.world
    for number, lesson in enumerate(lessons):
        filled(lesson, Filler(world, findings, lesson.start.players, f"lesson {number}"))
    found = offer(findings.sorted(), sources)
    return Report(exact_fixes(found, sources), sources)
