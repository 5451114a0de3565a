"""`coloma replay`: what happened in a game that was kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import WithCurrent, number
from rulesdsl.source.ranges import COUNT


def replay(
    file: Annotated[
        Path, typer.Argument(help="The journal of the game, or its name in `coloma games`.")
    ],
    to: Annotated[int | None, number("--to", COUNT, "Stop after this many choices.")] = None,
    *,
    replay_with_current: WithCurrent = False,
) -> None:
    """Print what happened in a game, from its journal.

    As long as the game is not over, what is hidden from somebody stays hidden.
    """
    from coloma.journal.entries import choices_that_stand
    from coloma.journal.reading import read_journal
    from coloma.journal.retelling import load_for, repeat, set_up
    from coloma.journal.shelf import named
    from coloma.session.chart_view import chart_columns, show_chart
    from coloma.session.history import history
    from coloma.session.news import EVERYBODY, folded, told
    from coloma.session.scoring_view import show_result
    from coloma.session.screen import screen_for

    journal = read_journal(named(file))
    game = set_up(journal, load_for(journal, with_current=replay_with_current))
    begun, choices = game.clone(), choices_that_stand(journal.entries)[:to]
    for at, choice in enumerate(choices, start=1):
        repeat(game, choice, at, journal)
    screen = screen_for(plain=True)
    viewer = EVERYBODY if game.result is None else None  # nothing is secret any more
    for line in folded(told(game.story(viewer))):
        screen.line(line)
    if game.result:
        screen.line()
        show_result(screen, game.result)
        moves = [(each.player, each.id) for each in choices]
        show_chart(screen, history(begun, moves, chart_columns(screen)))
