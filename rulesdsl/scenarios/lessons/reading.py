"""From the files of a pack to lessons; a mistake is a finding at its exact place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.packs.manifest import Players
from rulesdsl.scenarios.fields import players_field
from rulesdsl.scenarios.lessons.lesson import (
    LEARNER,
    STEPS,
    Lesson,
    Step,
    lesson_fields,
    step_fields,
)
from rulesdsl.scenarios.reading import report_unknown, tables_in
from rulesdsl.scenarios.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.packs.place import Place
    from rulesdsl.packs.toml_file import TomlFile, TomlTable
    from rulesdsl.source.diagnostic import Findings

LIST = "lesson"
KEYS = tuple(each.key for each in lesson_fields(Players(1, 1), 1))
STEP_KEYS = tuple(each.key for each in step_fields(1))


def read_lessons(
    files: Iterable[TomlFile], players: Players, findings: Findings
) -> tuple[Lesson, ...]:
    """Read all lessons; those that say something impossible are reported and left out."""
    found: list[Lesson] = []
    for file in files:
        for table, place, lines in tables_in(file, LIST, findings):
            lesson = _lesson(table, players, place, lines)
            findings.extend(place.findings.sorted())
            if not place.findings.has_errors:
                found.append(lesson)
    return tuple(found)


def _lesson(table: TomlTable, players: Players, place: Place, lines: tuple[int, int]) -> Lesson:
    report_unknown(table, KEYS, place, LIST)
    at_table: int = players_field(players).read(table, place) or players.most
    fields = lesson_fields(players, at_table)
    place.lacks("A lesson", (each.key for each in fields if each.needed and each.key not in table))
    read = {each.key: each.read(table, place) for each in fields}
    listed = read.pop(STEPS) or ()
    steps = tuple(_steps(listed, at_table, place))
    said = {key: value for key, value in read.items() if value is not None}
    options = said.get("options", {})
    start = Scenario(
        lines=lines,
        span=place.below("name").span,
        option_spans={name: place.below("options", name).span for name in options},
        whole_game="play" not in table,
        **{"name": "", **said},
    )
    return Lesson(start, steps)


def _steps(tables: Iterable[TomlTable], at_table: int, around: Place) -> Iterator[Step]:
    fields = step_fields(at_table)
    for at, table in enumerate(tables):
        place = around.below(STEPS, at)
        report_unknown(table, STEP_KEYS, place, STEPS)
        lacking = [each.key for each in fields if each.needed and each.key not in table]
        place.lacks("A step", lacking)
        read = {each.key: each.read(table, place) for each in fields}
        if any(pick.player == LEARNER for pick in read["do"] or ()) and "hint" not in table:
            place.lacks(f"A step in which player {LEARNER} chooses", ["hint"])
        if read["say"] is not None and read["do"] is not None:
            yield Step(read["say"], read["do"], read["hint"] or "", place.key_span)
