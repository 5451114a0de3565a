"""`coloma learn`: a lesson, step by step, at the keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, PackPath, number
from coloma.errors import USAGE, CommandError
from rulesdsl.source.diagnostic import LintError
from rulesdsl.source.ranges import LESSON

if TYPE_CHECKING:
    from rulesdsl.scenarios.lessons import Course


def learn(
    path: PackPath = None,
    lesson: Annotated[int, number("--lesson", LESSON, "Which lesson, if there are more.")] = 1,
    script: Annotated[
        Path | None,
        typer.Option("--script", metavar="FILE", help="Read the answers from a file."),
    ] = None,
    mod: ModNames = None,
    *,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines: for screen readers and pipes.")
    ] = False,
) -> None:
    """Learn a game: each step says what to do and why, and you do it."""
    from coloma.loading import load_pack
    from coloma.selection import select
    from coloma.session.answers import Script, StandardInput
    from coloma.session.beginning import Beginning
    from coloma.session.screen import screen_for
    from coloma.session.seating import Seating
    from coloma.session.sitting import sit_for_people
    from coloma.session.table import Table
    from coloma.session.teacher import Teacher

    selection = select(path, mod or ())
    pack = load_pack(selection.game, selection.mods)
    course = _course(selection.game, selection.mods, lesson, pack.name)
    teacher = Teacher(course)
    seating = Seating(course.game.players, course.game.players - course.learner)
    table = Table(course.game, seating, None, teacher.others)
    answers = Script(script) if script else StandardInput()
    beginning = Beginning(table, pack, selection)
    raise typer.Exit(sit_for_people(beginning, screen_for(plain=plain), answers, teacher))


def _course(game: Path, mods: tuple[Path, ...], number: int, name: str) -> Course:
    """Return a lesson of a game, begun; `CommandError` if there is none, or it is broken."""
    from rulesdsl.scenarios.lessons import load_lessons
    from rulesdsl.scenarios.report import Failure

    room = load_lessons(game, mods)
    if room.findings:
        raise LintError(room.findings, room.suite.sources | room.suite.pack.sources)
    if not room.lessons:
        raise CommandError(f"{name} has no lesson; `coloma rules` explains a game")
    if number > len(room.lessons):
        raise CommandError(f"{name} has no lesson {number}; it has {len(room.lessons)}", USAGE)
    course = room.begin(room.lessons[number - 1])
    if isinstance(course, Failure):
        raise CommandError(f"the lesson cannot start: {course.said} (`coloma test` says more)")
    return course
