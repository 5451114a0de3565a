"""`coloma games`: the games that were kept."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, assert_never

import typer

from coloma.errors import USAGE, CommandError
from coloma.output import say


class Act(StrEnum):
    """What can be done with saved games."""

    LIST = "list"
    SHOW = "show"
    DELETE = "delete"


def games(
    act: Annotated[Act, typer.Argument(help="What to do.")] = Act.LIST,
    name: Annotated[
        str | None, typer.Argument(help="The name of a game, as the list has it.")
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
) -> None:
    """List the saved games, show one, or delete one.

    Games with people are kept by themselves, until somebody deletes them. The folder is the one in
    the variable COLOMA_GAMES, or the system's.
    """
    if (name is None) is not (act is Act.LIST):
        advice = "coloma games list" if act is Act.LIST else f"coloma games {act} NAME"
        raise CommandError(f"it is called like this: {advice}", USAGE)
    if yes and act is not Act.DELETE:
        raise CommandError("--yes goes with delete", USAGE)
    match act:
        case Act.LIST:
            _list()
        case Act.SHOW:
            _show(name or "")
        case Act.DELETE:
            _delete(name or "", yes=yes)
        case _:
            assert_never(act)


def _list() -> None:
    from coloma.journal.shelf import saved_games
    from coloma.session.saved_view import listed

    found = saved_games()
    if not found:
        say("No game is saved.")
    for game in found:
        for line in listed(game):
            say(line)


def _show(name: str) -> None:
    from coloma.journal.shelf import find, saved_game
    from coloma.session.saved_view import show_saved
    from coloma.session.screen import screen_for

    show_saved(screen_for(plain=False), saved_game(find(name)))


def _delete(name: str, *, yes: bool) -> None:
    from coloma.files import remove
    from coloma.journal.shelf import find
    from coloma.session.answers import SessionStopped, StandardInput

    path = find(name)
    if not yes:
        answers = StandardInput()
        if not answers.is_terminal:
            raise CommandError(f"nothing is deleted without a person to ask: add --yes for {name}")
        say(f"Delete {name} for good? Type yes: ", nl=False)
        try:
            sure = answers.next_line().strip().casefold() == "yes"
        except SessionStopped:
            sure = False
        if not sure:
            say("It was not deleted.")
            return
    remove(path, path.parent)
    say(f"{name} is deleted.")
