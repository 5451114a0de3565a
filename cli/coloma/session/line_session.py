"""Session for people who share one terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma.output import CommandError
from coloma.saved_games import save_copy
from coloma.session.answers import (
    OF_SEATS,
    Answer,
    Answers,
    PickedOption,
    Request,
    SessionCommand,
    SessionStopped,
    Unclear,
    requested,
    two_answers,
    understand,
)
from coloma.session.board.layout import (
    compact_board,
    compact_panels,
    plain_board,
    whole_board,
)
from coloma.session.board.panels import Pen, panel_lines, seat_signs
from coloma.session.board.parts import Key, changed, parts_named
from coloma.session.ending.chart import COLUMNS, show_chart
from coloma.session.ending.score_view import show_gains, show_result, show_scores
from coloma.session.help import RUNS_ON, Shelf, Teacher, help_text
from coloma.session.hint_view import hint_lines
from coloma.session.log_view import RuleLines, book_lines, leaf, readable, told
from coloma.session.prompter import Prompter
from coloma.session.question import (
    NumberedQuestion,
    board_room,
    confirming,
    decision_lines,
    plain_question,
    question_lines,
    unavailable_options,
    undone_in_words,
)
from coloma.session.screen import Ink, Screen, hanging, wrapped
from coloma.session.seats import change_seat
from rulesdsl import BoardPanel, Decision, Option, Rulebook
from rulesdsl.bots.mixing import mixes
from rulesdsl.source import english
from rulesdsl.table.news import EVERYBODY, News
from rulesdsl.table.preview import PREVIEWED, previews
from rulesdsl.table.table import GameTable
from rulesdsl.table.undo import NotUndone

if TYPE_CHECKING:
    from rich.text import Text

_PAUSED = "Enter goes on. Here you can also type {commands}."
_ALWAYS = (
    *(SessionCommand.HELP, SessionCommand.RULES, SessionCommand.SAVE, SessionCommand.UNDO),
    *(*OF_SEATS, SessionCommand.QUIT),
)
_OF_VIEWER = (SessionCommand.BOARD, SessionCommand.ME, SessionCommand.LOG, SessionCommand.SCORE)
_STOP_READING = "q"
_AGREED = ("y", "yes")
_LINES_OF_LOG = 20
_EVENTS, _CHANGES = "all", "changes"  # arguments of `log`


class Pause(Enum):
    """End of a pause: by Enter, by `q` or an answer while reading, or by a change of the table."""

    ENTER = auto()
    STOP_READING = auto()
    TAKEN_BACK = auto()


class LineSession:
    """Session of people who take turns at one terminal, with or without bots."""

    def __init__(
        self,
        table: GameTable,
        screen: Screen,
        answers: Answers,
        rules: RuleLines,
        book: Callable[[], Rulebook],
        teacher: Teacher | None = None,
        *,
        teach: bool = False,
        brief: bool = True,
    ) -> None:
        self._brief = brief
        self._table = table
        self._teacher = teacher
        self._says_why_not = teach
        self._book = book
        self._screen = screen
        self._answers = answers
        self._rules = rules
        self._prompter = Prompter(table, book)
        self._news = News(table.game, resumed=table.step > 0, brief=brief)
        people = table.seating.people
        self._alone = len(people) <= 1
        self._viewer = people[0] if len(people) == 1 else EVERYBODY
        self._board_is_old = True
        self._seen: dict[int, tuple[BoardPanel, ...]] = {}
        self._unsure = -1  # the option that awaits confirmation
        self._typed_ahead = ""  # typed in the pager instead of Enter
        self._is_reading = False  # the last command has shown something

    def play(self) -> None:
        """Play to the end of the game or lesson; raise `SessionStopped` if the input ends."""
        while (decision := self._table.game.decision) or not self._end():
            if decision is None:
                continue  # the end is undone
            if self._teacher and self._teacher.is_done(self._table.step):
                if not self._teacher.runs_on:
                    self._end()
                    break
                self._show_news()
                self._teach()
                self._leave_the_lesson()
            if self._let_a_bot_choose(decision):
                self._board_is_old = True
            elif self._hand_over_to(decision.player):
                self._ask(decision)

    def _changes_the_table(self, request: Request, typist: int) -> bool:
        """Carry out `undo` or a command about a seat; return whether this was possible."""
        if request.word is SessionCommand.UNDO:
            return self._undo(typist, request.argument)
        return self._change_seat(request, typist)

    def _change_seat(self, request: Request, typist: int) -> bool:
        """Change who sits where; return whether this was possible."""
        try:
            outcome = change_seat(self._table, request, typist)
        except ValueError as error:
            self._wrong(self._answers.refuse(str(error)))
            return False
        self._paragraph(outcome)
        people = self._table.seating.people
        self._alone = len(people) <= 1
        if not people:
            self._viewer = EVERYBODY
        self._board_is_old = True
        return True

    def _let_a_bot_choose(self, decision: Decision) -> bool:
        if not self._table.thinks:
            return self._table.let_a_bot_choose()
        with self._screen.waiting(
            f"{self._seat(decision.player)} is thinking. Ctrl-C stops the game."
        ):
            return self._table.let_a_bot_choose()

    def _end(self) -> bool:
        """Show the end; return False if it is undone."""
        self._show_news()
        if not self._alone:
            if not self._table.game.open_information:
                self._screen.cover()
            self._viewer = EVERYBODY
            self._show_log("")
        if result := self._table.game.result:
            screen, journal = self._screen, self._table.journal
            screen.line()
            show_result(screen, result, self._table.game.gains, self._table.seating.people)
            show_chart(screen, self._table.history(COLUMNS))
            if journal:
                screen.line()
                screen.line(f"The game is saved in {journal.path}")
                screen.line(f"See the whole log: coloma replay {journal.path}")
        self._teach()
        return not self._undoes_the_end()

    def _undoes_the_end(self) -> bool:
        """Return whether the player takes back the choice that bots have answered with the end."""
        if self._teacher or not self._table.can_undo_the_end():
            return False
        prompt = "Press Enter to finish, or type undo to take your last choice back. "
        try:
            end = self._pause(prompt, self._viewer, (*_ALWAYS, *_OF_VIEWER))
        except SessionStopped:
            end = Pause.ENTER
        if not self._answers.is_terminal:
            self._screen.line()
        return end is Pause.TAKEN_BACK

    def _hand_over_to(self, player: int) -> bool:
        """Let a player take the keyboard; return False if a choice was taken back instead."""
        if player != self._viewer:
            if not self._table.game.open_information:
                self._show_news()
                if not self._cover_for(player):
                    return False
            self._viewer = player
            self._board_is_old = True
        return True

    def _show_news(self) -> None:
        for line in self._unread():
            self._paragraph(line)

    def _unread(self) -> list[str]:
        """Return the news of the viewer, who is nobody before the first one sits down."""
        if not self._alone and self._viewer == EVERYBODY:
            return []
        return told(self._news.fresh_lines(self._table.game, self._viewer))

    def _show_decision(self, question: NumberedQuestion) -> bool:
        """Show the news and a question; return False if a choice was taken back instead."""
        self._screen = self._screen.resized()
        game, player = self._table.game, question.decision.player
        panels = game.board(player)
        new = changed(self._seen.get(player, ()), panels)
        if self._screen.plain:
            self._show_news()
            if self._board_is_old:
                self._plain_board(compact_panels(panels), new)
            plain_question(self._screen, question)
        else:
            screen = self._screen
            news = self._unread()
            shows = screen.is_terminal or self._board_is_old
            room = board_room(question, screen.width, screen.height)
            board = compact_board(panels, self._pen(new), room) if shows else []
            screen.line()
            lines, cut = decision_lines(news, board, question, screen.width, screen.height)
            if self._answers.is_terminal and screen.is_terminal:
                page = max(screen.height - 1, 1)
                for start in range(0, len(cut), page):
                    screen.show(cut[start : start + page])
                    pause = self._pause(
                        *("Press Enter to continue. ", player, (*SessionCommand,)),
                        question.decision,
                    )
                    if pause is Pause.TAKEN_BACK:
                        return False
                    if pause is Pause.STOP_READING:
                        break
            screen.show(lines)
        self._board_is_old = False
        self._teach()
        return True

    def _pause(
        self,
        text: str,
        player: int,
        allowed: Sequence[SessionCommand],
        decision: Decision | None = None,
    ) -> Pause:
        """Wait until a player presses Enter, and carry out allowed commands that come instead.

        While the news before a `decision` are read, another line is the answer to it.
        """
        while True:
            prompt = self._prompter.pause(text, allowed)
            line = (self._take_ahead() or self._answers.next_line(prompt)).strip()
            if not line:
                return Pause.ENTER
            if decision and line.casefold() == _STOP_READING:
                return Pause.STOP_READING
            match requested(line):
                case None if decision:
                    self._typed_ahead = line
                    return Pause.STOP_READING
                case Request(SessionCommand.QUIT):
                    raise SessionStopped("Stopped.")
                case Request(word) as request if word in (SessionCommand.UNDO, *OF_SEATS):
                    if self._changes_the_table(request, player):
                        return Pause.TAKEN_BACK
                case Request(word) as request if word in allowed:
                    self._fulfil(request, decision)
                case _:
                    commands = english.or_list([str(word) for word in allowed])
                    self._paragraph(_PAUSED.format(commands=commands))

    def _ask_again(self, question: NumberedQuestion) -> None:
        screen = self._screen
        if screen.plain:
            plain_question(screen, question)
        elif screen.is_terminal:
            again = f"{question.asked} (Enter shows the choices again.)"
            for line in wrapped(again, screen.width):
                screen.line(line, Ink.PROMPT)
        else:
            screen.line()
            screen.show(question_lines(question, screen.width, screen.height))

    def _plain_board(self, panels: Sequence[BoardPanel], new: frozenset[Key]) -> None:
        for line in plain_board(panels, self._table.game.seats, new):
            self._screen.line(line)

    def _pen(self, new: frozenset[Key]) -> Pen:
        screen = self._screen
        seats = self._table.game.seats
        return Pen(screen.width, seats, seat_signs(seats), new, screen.colour)

    def _cover_for(self, player: int) -> bool:
        """Cover the screen; return False if a choice was taken back instead."""
        if self._answers.is_terminal and self._viewer != EVERYBODY:
            prompt = f"Press Enter to cover the screen for {self._seat(player)}. "
            if self._pause(prompt, self._viewer, (*_ALWAYS, *_OF_VIEWER)) is Pause.TAKEN_BACK:
                return False
        self._screen.cover()
        self._screen.line()
        self._screen.line(f"Pass the keyboard to {self._seat(player)}.", Ink.TITLE)
        if self._answers.is_terminal:
            prompt = "Press Enter when only you can see the screen. "
            if self._pause(prompt, player, _ALWAYS) is Pause.TAKEN_BACK:
                self._viewer = EVERYBODY  # nobody knows who sits there now
                return False
            self._screen.cover()
        return True

    def _ask(self, decision: Decision) -> None:
        final = self._table.final_options(decision)
        together = self._table.game.players > 1
        not_now = unavailable_options(self._table.game, decision) if self._says_why_not else ()
        foreseen = previews(self._table.game, decision) if decision.count <= PREVIEWED else ()
        question = NumberedQuestion(
            decision, self._seat(decision.player), final, together, not_now, foreseen
        )
        if not self._show_decision(question):
            return
        ask_again, self._unsure, self._is_reading = False, -1, False
        while True:
            line = self._answer(question, ask_again=ask_again)
            meant = self._understood(line, question)
            if not isinstance(meant, PickedOption):
                self._drop_the_doubt()
            match meant:
                case PickedOption(index) if doubt := self._doubt(question, meant, line):
                    self._wrong(doubt)
                    ask_again = False
                case PickedOption(index):
                    self._choose(decision, index)
                    return
                case Unclear(advice):
                    self._wrong(self._answers.refuse(advice))
                    ask_again = False
                case Request(word) if word in (SessionCommand.UNDO, *OF_SEATS):
                    if self._changes_the_table(meant, decision.player):
                        return
                    ask_again = False
                case Request():
                    ask_again = self._fulfil(meant, decision)

    def _understood(self, line: str, question: NumberedQuestion) -> Answer:
        """Interpret a line; what follows the first of two answers is kept for the next question.

        The first of two is tried on a copy, and only if it can be undone: then the options that
        follow it tell nothing that the player may not know.
        """
        decision, game, terminal = question.decision, self._table.game, self._answers.is_terminal
        options = decision.options
        if self._unsure >= 0 and line.strip().casefold() in _AGREED:
            return PickedOption(self._unsure)
        answer = understand(line, options, self._part_titles(), ids=not terminal)
        if not isinstance(answer, Unclear) or answer.candidates or decision.sealed:
            return answer

        def after(index: int) -> Sequence[Option]:
            is_final = question.final[index]
            follower = None if is_final else game.following(index, decision.player)
            return () if follower is None else follower.options

        if pair := two_answers(line, options, after):
            index, self._typed_ahead = pair
            return PickedOption(index)
        return answer

    def _part_titles(self) -> Iterator[str]:
        """Yield the titles on the board, which is laid out only if they are read."""
        yield from (panel.title for panel in self._table.game.board(self._viewer or None))

    def _answer(self, question: NumberedQuestion, *, ask_again: bool) -> str:
        if ask_again:
            self._ask_again(question)
        while not (line := self._next_line(question.decision)).strip():
            if not self._answers.is_terminal:
                break
            self._show_decision(question)
        return line

    def _teach(self) -> None:
        if not self._teacher:
            return
        for at, text in enumerate(self._teacher.says(self._table)):
            self._screen.line()
            if not at:
                self._screen.line(self._teacher.title(self._table), Ink.TITLE)
            self._paragraph(text)

    def _leave_the_lesson(self) -> None:
        self._teacher = self._table.script = None
        self._board_is_old = True
        self._screen.line()
        self._screen.line(RUNS_ON, Ink.TITLE)

    def _drop_the_doubt(self) -> None:
        if self._unsure >= 0:
            self._screen.line("Nothing is chosen yet.")
        self._unsure = -1

    def _doubt(self, question: NumberedQuestion, picked: PickedOption, line: str) -> str:
        """Return the request to confirm an answer, or the remark of a lesson; else nothing."""
        decision, index = question.decision, picked.index
        before, self._unsure = self._unsure, index
        hint = self._teacher.hint(self._table, decision, index) if self._teacher else ""
        if self._teacher and hint and not (self._teacher.runs_on and before == index):
            return self._answers.refuse(hint)
        if hint:
            self._leave_the_lesson()
        option = decision.options[index]
        is_part = question.final[index] and not picked.exact
        if before == index or not self._answers.is_terminal or not (option.confirm or is_part):
            return ""
        return confirming(line, option, is_final=question.final[index])

    def _next_line(self, decision: Decision) -> str:
        """Return a line of input; lines from a pipe are echoed.

        A secret answer is not echoed, since another player may look at the screen next.
        """
        if line := self._take_ahead():
            return line
        if self._answers.is_terminal:
            return self._answers.next_line(self._prompter.question(decision))
        line = self._answers.next_line()
        hidden = decision.sealed and not self._alone
        self._screen.line("> (secret)" if hidden else f"> {line}")
        return line

    def _take_ahead(self) -> str:
        line, self._typed_ahead = self._typed_ahead, ""
        return line

    def _choose(self, decision: Decision, index: int) -> None:
        self._seen[decision.player] = self._table.game.board(decision.player)
        self._table.choose(decision, index)
        if decision.sealed and not self._alone:
            self._screen.line("Your answer is noted.")

    def _undo(self, player: int, owner: str = "") -> bool:
        """Undo a choice for the player at the keyboard; return whether it was possible."""
        try:
            undone = self._table.undo(player, owner)
        except NotUndone as error:
            self._wrong(self._answers.refuse(str(error)))
            return False
        self._paragraph(f"Taken back: {undone_in_words(undone, self._table.game.seats)}.")
        self._news.go_back(self._table.game)
        self._board_is_old = True
        return True

    def _fulfil(  # noqa: C901 - one case for each command
        self, request: Request, decision: Decision | None
    ) -> bool:
        word, argument = request.word, request.argument
        was_reading, self._is_reading = self._is_reading, self._answers.is_terminal
        match word:
            case SessionCommand.QUIT if request.short and was_reading:
                self._screen.line("Type quit to stop the game.")
                return True
            case SessionCommand.QUIT:
                raise SessionStopped("Stopped.")
            case SessionCommand.HELP:
                self._screen.line(help_text(self._table, self._viewer))
            case SessionCommand.BOARD | SessionCommand.ME:
                self._show_board(argument, only_mine=word is SessionCommand.ME)
            case SessionCommand.LOG:
                self._show_log(argument)
            case SessionCommand.SCORE:
                self._show_score(argument)
            case SessionCommand.HINT if decision:
                self._hint(decision)
            case SessionCommand.READ if decision:
                return self._read(argument, decision)
            case SessionCommand.RULES:
                lines = book_lines(self._book(), argument, self._screen, self._answers)
                self._leaf(lines)
                return bool(lines)
            case SessionCommand.WHY if decision:
                game, viewer = self._table.game, self._viewer
                for line in self._rules.reasons(
                    game, decision, viewer, argument, brief=self._brief
                ):
                    self._paragraph(line)
            case _:
                self._save(argument)
        return word in (SessionCommand.BOARD, SessionCommand.LOG)

    def _show_score(self, name: str) -> None:
        game = self._table.game
        show = partial(show_gains, name=name) if name else show_scores
        show(self._screen, game.scores(self._viewer or None), gains=game.gains)

    def _hint(self, decision: Decision) -> None:
        if self._teacher:
            self._paragraph(self._teacher.course.hint(self._table.step))
            return
        try:
            with self._screen.waiting("A bot is thinking. Ctrl-C stops it."):
                estimates = self._table.hint(decision)
        except KeyboardInterrupt:
            self._screen.line("No hint: interrupted.")
            return
        mixed = mixes(self._table.game, decision.player)
        for line in hint_lines(decision, estimates, mixed=mixed):
            self._paragraph(line)

    def _show_board(self, name: str, *, only_mine: bool) -> None:
        game = self._table.game
        panels = game.board(self._viewer or None)
        new = changed(self._seen.get(self._viewer, ()), panels)
        if only_mine:
            panels = tuple(each for each in panels if each.seat == self._viewer)
        elif name:
            parts = parts_named(panels, name)
            if isinstance(parts, str):
                self._wrong(parts)
                return
            panels = tuple(parts)
        if not panels:
            self._screen.line("There is nothing to show.")
        elif self._screen.plain:
            self._plain_board(panels, new)
        elif only_mine or name:
            pen = attrs.evolve(self._pen(new), whole=True)
            self._leaf(line for panel in panels for line in panel_lines(panel, pen))
        else:
            self._screen.show(whole_board(panels, self._pen(new)))

    def _read(self, name: str, decision: Decision) -> bool:
        game = self._table.game
        found = Shelf(game.printed, game.named, decision, self._book()).pages(name)
        if isinstance(found, str):
            self._wrong(self._answers.refuse(found))
            return False
        lines: list[str] = []
        for page in found:
            lines.append(self._screen.paint(page.title, Ink.TITLE))
            for label, text in page.rows:
                lines += self._lines_of(f"  {label}: {text}" if label else f"  {text}")
        self._leaf(lines)
        return not name

    def _show_log(self, argument: str) -> None:
        game = self._table.game
        word, _, count = argument.partition(" ")
        if word == _CHANGES:
            lines = readable(game.log, self._viewer)
        else:
            lines = told(game.story(self._viewer, brief=self._brief and word != _EVENTS))
        count = count if word in (_EVENTS, _CHANGES) else argument
        last = lines[-_number(count, default=_LINES_OF_LOG) :]
        self._leaf(line for each in last for line in self._lines_of(each))

    def _leaf(self, lines: Iterable[str | Text]) -> None:
        self._typed_ahead = leaf(lines, self._screen, self._answers)

    def _save(self, argument: str) -> None:
        journal = self._table.journal
        if journal is None:
            self._screen.line("This game is not saved; start it with --journal FILE.")
            return
        try:
            kept = save_copy(journal, Path(argument)) if argument else journal.path
        except CommandError as error:  # the game goes on without the copy
            self._screen.line(f"Not saved: {error}", Ink.WRONG)
            return
        self._screen.line(f"The game is saved in {kept}.")

    def _wrong(self, text: str) -> None:
        self._paragraph(text, Ink.WRONG)

    def _paragraph(self, text: str, ink: Ink | None = None) -> None:
        for line in self._lines_of(text):
            self._screen.line(line, ink)

    def _lines_of(self, text: str) -> list[str]:
        return [text] if self._screen.plain else hanging(text, self._screen.width)

    def _seat(self, player: int) -> str:
        return self._table.game.seats[player - 1]


def _number(text: str, *, default: int) -> int:
    return int(text) if text.isdecimal() and 1 <= len(text) <= 6 and int(text) else default  # noqa: PLR2004
