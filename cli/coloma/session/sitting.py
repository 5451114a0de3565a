"""One sitting: the session from its first line to its last, however it ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from coloma.errors import INTERRUPTED
from coloma.session.answers import Answers, SessionStopped
from coloma.session.beginning import Beginning
from coloma.session.json_session import JsonSession
from coloma.session.line_session import LineSession
from coloma.session.rule_lines import RuleLines
from coloma.session.screen import Ink, Screen, shown
from coloma.session.seating import Seating
from coloma.session.teacher import Teacher
from rulesdsl import LintError, Rulebook
from rulesdsl.source.span import SourceFile


def sit_for_people(
    beginning: Beginning,
    screen: Screen,
    answers: Answers,
    teacher: Teacher | None = None,
    *,
    teach: bool = False,
) -> int:
    """Play in lines, with a lesson if there is a teacher, and return the status for the shell.

    With `teach`, questions say what is not offered, and why.
    """
    table, pack = beginning.table, beginning.pack
    mods = f" with {shown(', '.join(pack.mods))}" if pack.mods else ""
    title = f"{shown(pack.name)} {pack.version}{mods}"
    title += f", {_who(table.seating)}, seed {table.game.seed}"
    screen.line(title, Ink.TITLE)
    if table.seating.people:
        screen.line("Type the number of a choice, or ? for help.")
    session = LineSession(
        *(table, screen, answers, RuleLines(lambda: _sources(beginning))),
        cache(lambda: _book(beginning)),
        teacher,
        teach=teach or teacher is not None,
    )
    try:
        session.play()
    except SessionStopped as stop:
        screen.line()
        screen.line(str(stop))
        _say_how_to_go_on(beginning, screen)
    except KeyboardInterrupt:
        screen.line("\nInterrupted.")
        _say_how_to_go_on(beginning, screen)
        return INTERRUPTED
    finally:
        beginning.table.close()
    return 0


def sit_for_program(beginning: Beginning, screen: Screen, answers: Answers) -> int:
    """Play in JSON, and return the status for the shell."""
    status, stopped = 0, ""
    try:
        JsonSession(beginning.table, screen, answers).play()
    except SessionStopped as stop:
        stopped = str(stop)
    except KeyboardInterrupt:
        status, stopped = INTERRUPTED, "Interrupted."
    finally:
        beginning.table.close()
    if stopped:
        journal = beginning.table.journal
        screen.line(
            json.dumps({"stopped": stopped, "journal": str(journal.path) if journal else None})
        )
    return status


def _say_how_to_go_on(beginning: Beginning, screen: Screen) -> None:
    journal = beginning.table.journal
    if journal:
        screen.line(f"The game is saved in {journal.path}")
        screen.line(f"Resume with: coloma play --resume {journal.path}")


def _who(seating: Seating) -> str:
    players = "1 player" if seating.players == 1 else f"{seating.players} players"
    if not seating.bots:
        return players
    return f"{players} ({seating.bots} of them {'a bot' if seating.bots == 1 else 'bots'})"


def _book(beginning: Beginning) -> Rulebook:
    """Return the rulebook; an empty one where `lint` has something to say about it."""
    game = beginning.table.game
    try:
        return beginning.pack.rulebook(game.players, game.options)
    except LintError:
        return Rulebook(())


def _sources(beginning: Beginning) -> Mapping[str, SourceFile]:
    """Return the texts of the content, as they are now."""
    from coloma import loading

    return loading.sources_of(beginning.selection.game, beginning.selection.mods)
