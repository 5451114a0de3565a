"""Saved games: in a list, and one with all that can be said about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from coloma.errors import CommandError
from coloma.journal.entries import Header, choices_that_stand
from coloma.journal.reading import Journal
from coloma.journal.retelling import load_for, repeat, set_up
from coloma.journal.shelf import SavedGame
from coloma.session.score_view import show_scores
from coloma.session.scoring_view import show_result
from coloma.session.screen import Ink, Screen, shown
from rulesdsl import Game, LintError
from rulesdsl.source.english import and_list, option_word


def listed(game: SavedGame) -> Iterator[str]:
    """Yield the lines of a game in the list."""
    yield shown(game.name)
    if game.journal is None:
        yield f"    cannot be read: {shown(game.trouble)}"
        return
    header = game.journal.header
    yield f"    {_played(game)}: {shown(header.game)} with {_players(header)}, {_how_far(game)}"


def show_saved(screen: Screen, game: SavedGame) -> None:
    """Show a game: how it was set up, how far it is, and what everybody has."""
    journal = game.journal
    if journal is None:
        raise CommandError(game.trouble)
    screen.line(shown(game.name), Ink.TITLE)
    for line in _details(game, journal.header):
        screen.line(line)
    screen.line()
    try:
        _show_points(screen, _played_again(journal))
    except (CommandError, LintError) as error:
        screen.line(f"It cannot be resumed now: {shown(str(error))}", Ink.WRONG)


def _details(game: SavedGame, header: Header) -> Iterator[str]:
    mods = f" with {', '.join(header.mods)}" if header.mods else ""
    yield f"Game: {shown(f'{header.game} {header.version}{mods}')}"
    yield f"Players: {_players(header)}"
    if header.options:
        chosen = (f"{name}={option_word(value)}" for name, value in header.options.items())
        yield f"Options: {shown(', '.join(chosen))}"
    yield f"Seed: {header.seed}"
    yield f"Last played: {_played(game)}"
    yield f"How far: {_how_far(game)}"
    yield f"Saved in: {game.path}"
    if not game.outcome:
        yield f"Resume with: coloma play --resume {game.path}"
    yield f"Look back with: coloma replay {game.path}"


def _played_again(journal: Journal) -> Game:
    """Return the game as it is; CommandError where its content has changed or gone."""
    game = set_up(journal, load_for(journal, with_current=False))
    for number, choice in enumerate(choices_that_stand(journal.entries), start=1):
        repeat(game, choice, number, journal)
    return game


def _show_points(screen: Screen, game: Game) -> None:
    """Show the result, or of a game that goes on what everybody may know."""
    if game.result:
        show_result(screen, game.result)
    else:
        show_scores(screen, game.scores(None))


def _players(header: Header) -> str:
    if header.names:
        return shown(and_list(header.names))
    return "1 player" if header.players == 1 else f"{header.players} players"


def _how_far(game: SavedGame) -> str:
    if game.outcome:
        return f"over: {shown(game.outcome)}"
    return (
        "not over, 1 choice made"
        if game.choices == 1
        else f"not over, {game.choices} choices made"
    )


def _played(game: SavedGame) -> str:
    return f"{datetime.fromtimestamp(game.played).astimezone():%Y-%m-%d %H:%M}"
