"""Table at which a lesson is played."""

from __future__ import annotations

from coloma.bots import USUAL, bot_maker
from coloma.loading import load_pack
from coloma.output import USAGE, CommandError
from coloma.packs import Selection
from coloma.session.help import SCRIPTED, Teacher
from coloma.session.screen import shown
from coloma.session.start import Beginning, Wish, seated
from rulesdsl import Pack
from rulesdsl.scenarios.lessons import Course, lessons_in, load_lessons
from rulesdsl.scenarios.scenario import Failure
from rulesdsl.source.diagnostics import LintError
from rulesdsl.table.seating import Seating, seat_names
from rulesdsl.table.table import GameTable


def begin_lesson(selection: Selection, number: int) -> tuple[Beginning, Teacher]:
    """Set up a lesson (1 is the first) with bots, which follow its script as long as it lasts."""
    pack = load_pack(selection.game, selection.mods)
    course = _course(selection, number, pack.name)
    teacher, game = Teacher(course), course.game
    others = game.players - course.learner
    if not course.lesson.runs_on:
        seating = Seating.with_last(game.players, (SCRIPTED,) * others)
        bots = bot_maker(pack, game.setting, selection.game)
        table = GameTable(game, seating, None, bots, script=teacher.others)
        return Beginning(table, pack, selection), teacher
    seating = Seating.with_last(game.players, (USUAL,) * others)
    game.rename(seat_names(seating, ()))
    options = course.lesson.start.options
    return seated(game, seating, pack, selection, options, Wish(), teacher.others), teacher


def list_of(pack: Pack) -> str:
    """Return a line with all lessons of a game and its mods; empty if there is only one."""
    names = [shown(lesson.start.name) for of_pack in lessons_in(pack.layers) for lesson in of_pack]
    numbered = [f"{number}. {name}" for number, name in enumerate(names, start=1)]
    return f"Lessons, for --lesson N: {'; '.join(numbered)}." if len(names) > 1 else ""


def _course(selection: Selection, number: int, name: str) -> Course:
    """Load and start a lesson; raise `CommandError` if there is none, or it is broken."""
    names: list[str] = []
    for pack in (None, *selection.mods):
        room = load_lessons(selection.game, selection.mods, of=pack)
        if room.findings:
            raise LintError(room.findings, room.suite.sources | room.suite.pack.sources)
        at = number - len(names) - 1
        if at < len(room.lessons):
            course = room.begin(room.lessons[at])
            if isinstance(course, Failure):
                raise CommandError(f"the lesson cannot start: {course.said} (see `coloma test`)")
            return course
        names += [ready.lesson.start.name for ready in room.lessons]
    if not names:
        raise CommandError(f"{name} has no lessons; `coloma rules` explains the game")
    listed = "; ".join(names)
    raise CommandError(f"{name} has no lesson {number}; it has {len(names)}: {listed}", USAGE)
