"""`coloma games` and `coloma replay`: saved games, and the log of a game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

import typer

from coloma.commands.parameters import Log, LogLength, WithCurrent, number
from coloma.output import USAGE, CommandError, say
from rulesdsl.source.ranges import COUNT


class SavedGameAction(StrEnum):
    """Action on saved games."""

    LIST = "list"
    SHOW = "show"
    DELETE = "delete"


def games(
    act: Annotated[
        SavedGameAction, typer.Argument(help="The action; by default, list the games.")
    ] = SavedGameAction.LIST,
    name: Annotated[str | None, typer.Argument(help="The name of a game, from the list.")] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
) -> None:
    """List the saved games, show one, or delete one.

    Games with human players are saved automatically, and stay until you delete them. They are in
    the folder named by the environment variable COLOMA_GAMES; by default, in the system's
    application-state folder.
    """
    if (name is None) is not (act is SavedGameAction.LIST):
        advice = "coloma games list" if act is SavedGameAction.LIST else f"coloma games {act} NAME"
        raise CommandError(f"usage: {advice}", USAGE)
    if yes and act is not SavedGameAction.DELETE:
        raise CommandError("--yes is only for delete", USAGE)
    match act:
        case SavedGameAction.LIST:
            _list()
        case SavedGameAction.SHOW:
            _show(name or "")
        case SavedGameAction.DELETE:
            _delete(name or "", yes=yes)
        case _:
            assert_never(act)


def _list() -> None:
    from coloma.saved_games import listed, saved_games

    found = saved_games()
    if not found:
        say("There are no saved games.")
    for game in found:
        for line in listed(game):
            say(line)


def _show(name: str) -> None:
    from coloma.saved_games import find, saved_game
    from coloma.session.screen import screen_for
    from coloma.session.start import show_saved

    show_saved(screen_for(plain=False), saved_game(find(name)))


def _delete(name: str, *, yes: bool) -> None:
    from coloma.files import remove
    from coloma.saved_games import find
    from coloma.session.answers import SessionStopped, StandardInput

    path = find(name)
    if not yes:
        answers = StandardInput()
        if not answers.is_terminal:
            raise CommandError(f"nobody can confirm the deletion of {name}: add --yes")
        say(f"Delete {name} for good? Type yes: ", nl=False)
        try:
            sure = answers.next_line().strip().casefold() == "yes"
        except SessionStopped:
            sure = False
        if not sure:
            say("Not deleted.")
            return
    remove(path, path.parent)
    say(f"{name} deleted.")


def replay(
    file: Annotated[
        Path, typer.Argument(help="A journal, or the name of a game in `coloma games`.")
    ],
    to: Annotated[int | None, number("--to", COUNT, "Stop after this many choices.")] = None,
    log: Log = LogLength.BRIEF,
    *,
    replay_with_current: WithCurrent = False,
) -> None:
    """Print the log of a game from its journal.

    Hidden information is not shown until the game is over.
    """
    from coloma.saved_games import load_for, named
    from coloma.session.ending.chart import COLUMNS, show_chart
    from coloma.session.ending.score_view import show_result
    from coloma.session.log_view import told
    from coloma.session.screen import screen_for
    from rulesdsl.table.journal import read_journal, repeat, set_up
    from rulesdsl.table.news import EVERYBODY
    from rulesdsl.table.points import history

    journal = read_journal(named(file))
    game = set_up(journal, load_for(journal, with_current=replay_with_current))
    begun = game.clone()
    choices = repeat(journal, lambda each: game.choose(each.id, player=each.player), to)
    screen = screen_for(plain=True)
    viewer = EVERYBODY if game.result is None else None  # everything is public at the end
    for line in told(game.story(viewer, brief=log is LogLength.BRIEF)):
        screen.line(line)
    if game.result:
        screen.line()
        show_result(screen, game.result, game.gains)
        moves = [(each.player, each.id) for each in choices]
        show_chart(screen, history(begun, moves, COLUMNS))


_WITHOUT_EFFECT = {"jobs", "cluster", "json"}  # they do not change the figures


def words_again(context: typer.Context, **settled: object) -> tuple[str, ...]:
    """Return a command line that repeats the running command, with defaults made explicit.

    `settled` maps parameters to the values in use; the others keep their arguments.
    """
    words = context.command_path.split()
    options: list[str] = []
    for each in context.command.params:
        name = each.name or ""
        value = settled.get(name, context.params.get(name))
        values = value if isinstance(value, list | tuple) else [value]
        if name in _WITHOUT_EFFECT or value is None or value is False or value == "":
            continue
        if each.param_type_name == "argument":
            words += map(str, values)
        else:
            long = max(each.opts, key=len)
            options += [word for given in values for word in (long, str(given))]
    return (*words, *options)
