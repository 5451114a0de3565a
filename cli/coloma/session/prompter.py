"""Prompts of a session: the moment of the game, and the lines that can be typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from coloma.session.answers import OF_SEATS, Prompt, SessionCommand
from coloma.session.board.panels import seat_colour
from coloma.session.screen import shown
from rulesdsl import Decision, Rulebook
from rulesdsl.table.news import EVERYBODY
from rulesdsl.table.table import GameTable

_KEYS = (
    *(SessionCommand.HINT, SessionCommand.READ, SessionCommand.UNDO),
    *(SessionCommand.RULES, SessionCommand.QUIT),
)
_HELP = "? help"
_ENTER = "Enter goes on"


class Prompter:
    """Maker of the prompts of a game.

    They tell the headings of the public log that are open, and who is asked.
    """

    def __init__(self, table: GameTable, book: Callable[[], Rulebook]) -> None:
        """Make prompts for a table and a rulebook, which is read when needed."""
        self._table, self._book = table, book
        self._headings: list[str] = []
        self._read = 0  # lines of the log with these headings

    def question(self, decision: Decision) -> Prompt:
        """Return the prompt for the answer to a question.

        Secret answers are not recalled where people share the keyboard.
        """
        table, player = self._table, decision.player
        alone = len(table.seating.people) <= 1
        return Prompt(
            "> ",
            lambda: (table.game.seats[player - 1], *self._moment(), _keys(_KEYS)),
            lambda typed: completed(typed, *self._lines(typed, decision)),
            0 if decision.sealed and not alone else player,
            "" if len(table.game.seats) == 1 else seat_colour(player),
        )

    def pause(self, text: str, allowed: Sequence[SessionCommand]) -> Prompt:
        """Return the prompt of a pause with commands."""
        return Prompt(
            text,
            lambda: (*self._moment(), _ENTER, _keys(allowed)),
            lambda typed: completed(typed, allowed),
        )

    def _moment(self) -> Sequence[str]:
        """Return the headings of the open parts of the log, and of the last part of all."""
        game = self._table.game
        if game.log_length < self._read:  # choices have been taken back
            self._headings, self._read = [], 0
        for line in game.story(EVERYBODY, self._read):
            if line.level == "part":
                self._headings[line.depth :] = [line.text]
            else:
                del self._headings[max(line.depth, 1) :]
        self._read = game.log_length
        return self._headings

    def _lines(self, typed: str, decision: Decision) -> Iterator[Iterable[str]]:
        yield (*(shown(option.label) for option in decision.options), *SessionCommand)
        word, space, _ = typed.lstrip().partition(" ")
        if space and word.casefold() in [*SessionCommand]:
            command = SessionCommand(word.casefold())
            yield (f"{command} {shown(name)}" for name in self._names(command, decision))
        yield (option.id for option in decision.options)

    def _names(self, command: SessionCommand, decision: Decision) -> Iterable[str]:
        game = self._table.game
        match command:
            case SessionCommand.BOARD:
                return [panel.title for panel in game.board(decision.player)]
            case SessionCommand.READ:
                return [entry.title for entry in (*game.printed, *game.named)]
            case SessionCommand.RULES:
                return [topic.name for topic in self._book().topics]
            case SessionCommand.WHY:
                return [f"not {action.label}" for action in game.actions]
            case word if word is SessionCommand.UNDO or word in OF_SEATS:
                return game.seats[: self._table.seating.players]
            case _:
                return ()


def completed(typed: str, *groups: Iterable[str]) -> Sequence[str]:
    """Return the lines that typed text may become, from the first group that has some.

    These are the lines that begin with it, or else those with a word that does.
    """
    beginning = typed.lstrip().casefold()
    in_a_word = re.compile(rf"(?<!\w){re.escape(beginning)}")
    for group in groups:
        lines = [*dict.fromkeys(group)]
        for begins in (re.compile(re.escape(beginning)).match, in_a_word.search):
            if fitting := [line for line in lines if begins(line.casefold())]:
                return fitting
    return ()


def _keys(commands: Iterable[SessionCommand]) -> str:
    return "  ".join([_HELP, *(word for word in _KEYS if word in commands)])
