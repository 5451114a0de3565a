"""One session from beginning to end, and the list of saved games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache

from coloma.journal import (
    Journal,
    JournalHeader,
    SavedGame,
    choices_that_stand,
    load_for,
    repeat,
    set_up,
)
from coloma.output import INTERRUPTED, CommandError
from coloma.session.answers import Answers, SessionStopped
from coloma.session.help import Teacher
from coloma.session.json_session import JsonSession
from coloma.session.line_session import LineSession
from coloma.session.log_view import RuleLines
from coloma.session.score_view import show_result, show_scores
from coloma.session.screen import Ink, Screen, shown
from coloma.session.seating import Seating
from coloma.session.start import Beginning
from rulesdsl import Game, LintError, Rulebook
from rulesdsl.source.english import and_list, option_word, so_many
from rulesdsl.source.span import SourceFile


def listed(game: SavedGame) -> Iterator[str]:
    """Yield the lines of a game in the list."""
    yield shown(game.name)
    if game.journal is None:
        yield f"    cannot be read: {shown(game.trouble)}"
        return
    header = game.journal.header
    yield f"    {_played(game)}: {shown(header.game)} with {_players(header)}, {_how_far(game)}"


def show_saved(screen: Screen, game: SavedGame) -> None:
    """Show a saved game: settings, progress, and everybody's points."""
    journal = game.journal
    if journal is None:
        raise CommandError(game.trouble)
    screen.line(shown(game.name), Ink.TITLE)
    for line in _details(game, journal.header):
        screen.line(line)
    screen.line()
    try:
        played = _played_again(journal)
        if played.result:
            show_result(screen, played.result)
        else:
            show_scores(screen, played.scores(None))
    except (CommandError, LintError) as error:
        screen.line(f"It cannot be resumed now: {shown(str(error))}", Ink.WRONG)


def _details(game: SavedGame, header: JournalHeader) -> Iterator[str]:
    mods = f" with {', '.join(header.mods)}" if header.mods else ""
    yield f"Game: {shown(f'{header.game} {header.version}{mods}')}"
    yield f"Players: {_players(header)}"
    if header.options:
        chosen = (f"{name}={option_word(value)}" for name, value in header.options.items())
        yield f"Options: {shown(', '.join(chosen))}"
    yield f"Seed: {header.seed}"
    yield f"Last played: {_played(game)}"
    yield f"Progress: {_how_far(game)}"
    yield f"Saved in: {game.path}"
    if not game.outcome:
        yield f"Resume with: coloma play --resume {game.path}"
    yield f"See the log with: coloma replay {game.path}"


def _played_again(journal: Journal) -> Game:
    game = set_up(journal, load_for(journal, with_current=False))
    for number, choice in enumerate(choices_that_stand(journal.entries), start=1):
        repeat(game, choice, number, journal)
    return game


def _players(header: JournalHeader) -> str:
    if header.names:
        return shown(and_list(header.names))
    return so_many(header.players, "player", "players")


def _how_far(game: SavedGame) -> str:
    if game.outcome:
        return f"over: {shown(game.outcome)}"
    return f"not over, {so_many(game.choices, 'choice', 'choices')} made"


def _played(game: SavedGame) -> str:
    return f"{datetime.fromtimestamp(game.played).astimezone():%Y-%m-%d %H:%M}"


def sit_for_people(
    beginning: Beginning,
    screen: Screen,
    answers: Answers,
    teacher: Teacher | None = None,
    *,
    teach: bool = False,
) -> int:
    """Play in lines, with a lesson if there is a teacher; return the exit status.

    With `teach`, questions list unavailable options with the reasons.
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
    """Play in JSON; return the exit status."""
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
    players = so_many(seating.players, "player", "players")
    if not seating.bots:
        return players
    return f"{players} ({seating.bots} of them {'a bot' if seating.bots == 1 else 'bots'})"


def _book(beginning: Beginning) -> Rulebook:
    """Return the rulebook, or an empty one if it has findings."""
    game = beginning.table.game
    try:
        return beginning.pack.rulebook(game.players, game.options)
    except LintError:
        return Rulebook(())


def _sources(beginning: Beginning) -> Mapping[str, SourceFile]:
    from coloma import loading

    return loading.sources_of(beginning.selection.game, beginning.selection.mods)
