"""First screen of `coloma play`: what one can do with a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from typing import TypeAlias

import attrs

from coloma.bots import USUAL
from coloma.output import CommandError
from coloma.packs import PackSummary, groups, introduce
from coloma.saved_games import SavedGame, last_unfinished, packs_of, when
from coloma.session.board.layout import header_lines
from coloma.session.board.panels import Pen, seat_signs
from coloma.session.screen import WIDTH, shown
from coloma.session.start import Wish, replayed
from rulesdsl import Game, LintError, Pack
from rulesdsl.lower.layout import Layout
from rulesdsl.scenarios.lessons import lessons_in
from rulesdsl.source.english import and_list, so_many
from rulesdsl.table.errors import JournalError

_USUAL_PLAYERS = 4  # house: most rulebooks explain the game of several, without special rules
_MOST_NAMED = 3  # house: as many names of other games as fit one line


@attrs.frozen
class Learning:
    """Lesson to begin: the pack, and the number of the lesson."""

    pack: str
    number: int


class Further(Enum):
    """Line of the first screen that leads to more questions."""

    CHOOSE = auto()
    ANOTHER_GAME = auto()


Aim: TypeAlias = Wish | Learning | Path | Further
"""Outcome of a line: a new game, a lesson, the journal of a saved game, or more questions."""


@attrs.frozen
class FirstLine:
    """Line of the first screen: a name, what it leads to in words, and what that is."""

    name: str
    about: str
    aim: Aim


def ways(game: PackSummary, pack: Pack, others: Sequence[PackSummary]) -> Iterator[FirstLine]:
    """Yield the lines for a game; there is always one called `Play`."""
    yield from _lessons(game, pack)
    yield from _games(game, pack)
    yield FirstLine("Choose", ", ".join(_settings(pack)), Further.CHOOSE)
    if others:
        in_order = [other for group in groups(others).values() for other in group]
        names = [shown(other.name or other.id) for other in in_order]
        more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
        yield FirstLine(
            "Another game", and_list([*names[:_MOST_NAMED], *more]), Further.ANOTHER_GAME
        )
    saved = last_unfinished()
    if saved and (moment := _moment(saved)):
        yield FirstLine("Go on", f"{moment}, {when(saved)}", saved.path)


def _lessons(game: PackSummary, pack: Pack) -> Iterator[FirstLine]:
    lessons = [one for of_pack in lessons_in(pack.layers) for one in of_pack]
    for number, lesson in enumerate(lessons, start=1):
        name = "Learn it" if len(lessons) == 1 else f"Learn: {shown(lesson.start.name)}"
        end = "; runs on into a game" if lesson.runs_on else ""
        steps = so_many(len(lesson.steps), "step", "steps")
        yield FirstLine(name, f"{steps}{end}", Learning(str(game.folder), number))


def _games(game: PackSummary, pack: Pack) -> Iterator[FirstLine]:
    least, most = pack.players
    players = min(max(_USUAL_PLAYERS, least), most)
    usual = f"usual rules, {USUAL} bots" if players > 1 else "usual rules"
    bots = so_many(players - 1, "bot", "bots") if players > 1 else "nobody else"
    wish = Wish(str(game.folder), players=players, bots=(USUAL,) * (players - 1))
    yield FirstLine("Play", f"you and {bots}, {usual}", wish)
    if least == 1 < most:
        in_game = [pack.program.world.rivals[name] for name in Layout(pack.program, 1, {}).rivals]
        titles = [shown(rival.title) for rival in in_game if rival.scores]
        about = f"against {and_list(titles)}" if titles else "usual rules for one"
        yield FirstLine("Play alone", about, Wish(str(game.folder), players=1))


def _settings(pack: Pack) -> Iterator[str]:
    least, most = pack.players
    if least < most:
        yield "players"
    if most > 1:
        yield "bots"
    yield "names"
    if pack.options:
        yield "options"


def _moment(saved: SavedGame) -> str:
    """Return a game and how far it has gone; empty if it cannot be resumed."""
    if saved.journal is None:
        return ""
    with suppress(CommandError, JournalError, LintError):
        game = replayed(saved.journal)
        name = introduce(packs_of(saved.journal).game).name or saved.journal.header.game
        return f"{shown(name)}, {_how_far(game, saved)}"
    return ""


def _how_far(game: Game, saved: SavedGame) -> str:
    pen = Pen(WIDTH, game.seats, seat_signs(game.seats), frozenset(), colour=False)
    header = next(iter(header_lines(game.board(None), pen)), None)
    if header is not None:
        return header.plain.partition(" · ")[0]
    return so_many(saved.choices, "choice", "choices") + " made"
