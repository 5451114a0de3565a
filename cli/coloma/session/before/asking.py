"""Dialogue before a game: the first screen, and the questions after `Choose`."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import attrs
from rich.cells import cell_len

from coloma import loading
from coloma.bots import USUAL
from coloma.packs import PackSummary, games_at_hand, groups, select
from coloma.saved_games import listed, saved_games
from coloma.session.answers import (
    Answers,
    PickedOption,
    Prompt,
    Request,
    SessionCommand,
    SessionStopped,
    Unclear,
    by_word,
    numbered,
    of_amounts,
    or_list,
    requested,
    understand,
)
from coloma.session.before.first_screen import Further, Learning, ways
from coloma.session.log_view import book_lines, leaf
from coloma.session.prompter import completed
from coloma.session.screen import WIDTH, Ink, Screen, shown, wrapped
from coloma.session.start import Wish
from rulesdsl import LintError, Option, OptionInfo, Pack, Rulebook
from rulesdsl.bots.kinds import KINDS, LEVELS
from rulesdsl.interpreter.arguments import checked_name, name_key
from rulesdsl.interpreter.display.rulebook import unmarked
from rulesdsl.source import english
from rulesdsl.source.english import opening, option_word

_T = TypeVar("_T")
_Entry: TypeAlias = tuple[str, str, list[PackSummary]]  # name, description, games
_INDENT = "     "  # below the name of a game
_HELP = """\
Type an answer to the question, or Enter alone for the one in brackets: {usual}.
  back       return to the question before
  rules [X]  show a summary of the rules of the game above, or those about X
  games      list the saved games
  quit       stop; no game begins
  ?          show this help
`coloma play --help` lists options that answer these questions."""
_BACK, _GAMES = _BEFORE_A_GAME = ("back", "games")
_COMMANDS = (_BACK, SessionCommand.RULES, _GAMES, SessionCommand.QUIT)
_TOO_EARLY = "`{typed}` is for later: no game has begun yet. Here you can also type {commands}."


@attrs.frozen
class _Question(Generic[_T]):
    """Question before a game, below a menu; `read` interprets a line.

    Enter alone stands for the `usual` line, shown as a `label`; `labels` are answers to complete.
    """

    text: str
    usual: str
    label: str
    read: Callable[[str], _T | Request | Unclear]
    menu: Sequence[tuple[str, Ink | None]] = ()
    labels: Sequence[str] = ()


class _WentBackError(Exception):
    """Request for the question before."""


class Asking:
    """Dialogue before a game; it raises `SessionStopped` at `quit` or the end of the input."""

    def __init__(self, screen: Screen, answers: Answers) -> None:
        self._screen = screen
        self._answers = answers
        self._packs: dict[str, Pack] = {}
        self._soon = Wish()
        self._answered: list[Any] = []  # without the last one, if the player went back
        self._at = 0  # the number of the question
        self._typed_ahead = ""  # typed in the pager instead of Enter

    def wish(self) -> Wish | Learning | Path:
        """Return the requested settings, a lesson, or the journal of a game to go on with."""
        while True:
            self._at = 0
            with suppress(_WentBackError):  # all questions are passed up to the last answer kept
                return self._ask_all()

    def _ask_all(self) -> Wish | Learning | Path:
        games = games_at_hand()
        game = games[0]
        while True:
            pack = self._loaded(game)
            self._soon = Wish(pack=str(game.folder), options=[])
            aim = self._first_screen(game, pack, [other for other in games if other != game])
            if isinstance(aim, PackSummary):
                game = aim
            elif aim is Further.ANOTHER_GAME:
                game = self._game(games)
            elif aim is Further.CHOOSE:
                self._settings(pack)
                return self._soon
            else:
                return aim

    def _loaded(self, game: PackSummary) -> Pack:
        folder = str(game.folder)
        if folder not in self._packs:
            chosen = select(folder, ())
            self._packs[folder] = loading.load_pack(chosen.game, chosen.mods)
        return self._packs[folder]

    def _first_screen(
        self, game: PackSummary, pack: Pack, others: Sequence[PackSummary]
    ) -> Wish | Learning | Path | Further | PackSummary:
        """Ask what to do with a game; the name of another game leads to that one."""
        lines = [*ways(game, pack, others)]
        indent = max(cell_len(way.name) for way in lines) + len("  1. ")
        menu = self._wrapped(f"{shown(pack.name)}: {shown(game.about)}".removesuffix(": "), "")
        menu = [(line, Ink.TITLE) for line, _ in menu] + [("", None)]
        for number, way in enumerate(lines, start=1):
            gap = " " * (indent - len("  1. ") - cell_len(way.name) + 2)
            between = ": " if self._screen.plain else gap
            text = f"  {number}. {way.name}{between}{way.about}"
            menu += self._wrapped(text, " " * (indent + 2))
        options = [Option(way.name, way.name, way.aim) for way in lines]
        more = [Option(other.id, other.name or other.id, other) for other in others]
        usual = [way.name for way in lines].index("Play")
        text = f"{shown(pack.name)}: what now? (1 to {len(lines)}, or a word)"
        aim: Wish | Learning | Path | Further | PackSummary
        aim = self._choose(text, options, usual, menu, label="Play", more=more)
        return aim

    def _settings(self, pack: Pack) -> None:
        players = self._players(pack)
        self._soon = attrs.evolve(self._soon, players=players)
        bots = self._bots(players)
        level = self._level() if bots else USUAL
        names = self._names(players - bots)
        self._soon = attrs.evolve(self._soon, bots=(level,) * bots, names=names)
        self._options(pack)

    def _game(self, games: Sequence[PackSummary]) -> PackSummary:
        by_group = groups(games)
        singly = [(game.name or game.id, game.about, [game]) for game in by_group.pop("")]
        together = [
            (title, ", ".join(game.name or game.id for game in members), members)
            for title, members in by_group.items()
        ]
        chosen = self._which("Games", [*singly, *together], games)
        if len(chosen) > 1:
            title = next(title for title, members in by_group.items() if members == chosen)
            chosen = self._which(
                title, [(game.name or game.id, "", [game]) for game in chosen], games
            )
        return chosen[0]

    def _which(
        self, title: str, entries: Sequence[_Entry], games: Sequence[PackSummary]
    ) -> list[PackSummary]:
        """Ask for one of the entries by number or name, or for one of all games by name."""
        menu: list[tuple[str, Ink | None]] = [(title, Ink.TITLE)]
        for number, (name, about, members) in enumerate(entries, start=1):
            version = members[0].version if len(members) == 1 else ""
            menu.append((f"  {number}. {shown(f'{name} {version}'.rstrip())}", None))
            lines = wrapped(shown(about), WIDTH - len(_INDENT)) if about else ()
            menu += [(_INDENT + line, Ink.FAINT) for line in lines]
        single = [members[0] for _, _, members in entries if len(members) == 1]
        others = [[game] for game in games if game not in single]
        options = [Option(members[0].id, name, members) for name, _, members in entries]
        more = [Option(game.id, game.name or game.id, [game]) for (game,) in others]
        text = f"Which game? (1 to {len(entries)}, or its name)"
        chosen: list[PackSummary] = self._choose(text, options, 0, menu, more=more)
        return chosen

    def _players(self, pack: Pack) -> int:
        least, most = pack.players
        if least == most:
            return least
        return self._number("How many players?", least, most, loading.usual_players(pack))

    def _bots(self, players: int) -> int:
        if players == 1:
            return 0
        return self._number("How many of them are bots?", 0, players, players - 1)

    def _level(self) -> str:
        options, others = (
            [Option(kind, kind, kind) for kind in KINDS if (kind in LEVELS) == is_level]
            for is_level in (True, False)
        )
        question = f"{opening(english.or_list([*LEVELS]))} bots?"
        menu = [(f"  {line.number}. {line.label}", None) for line in numbered(options)]
        usual = [*LEVELS].index(USUAL)
        level: str = self._choose(question, options, usual, menu, label=USUAL, more=others)
        return level

    def _names(self, people: int) -> list[str]:
        names: list[str] = []

        def read(line: str) -> str | Request | Unclear:
            request = requested(line)
            if request and not (request.short and request.word is SessionCommand.QUIT):
                return request
            try:
                name = checked_name(line)
            except ValueError as error:
                return Unclear(f"{error}.")
            if name_key(name) in map(name_key, names):
                return Unclear(f"That name is taken: {shown(name)}.")
            return name

        for player in range(1, people + 1):
            usual = f"Player {player}"
            names.append(self._ask(_Question(f"Name of player {player}?", usual, usual, read)))
        return names

    def _options(self, pack: Pack) -> None:
        chosen: dict[str, str] = {}
        while pack.options:
            menu: list[tuple[str, Ink | None]] = [("Options", Ink.TITLE)]
            options = [Option("0", "start the game", None, number=0)]
            for number, option in enumerate(pack.options, start=1):
                value = chosen.get(option.name, option_word(option.default))
                menu.append((f"  {number}. {shown(option.title)}: {shown(value)}", None))
                options.append(Option(option.name, option.title, option, number=number))
            text = f"Change which one? 0 starts the game. (0 to {len(pack.options)})"
            option = self._choose(text, options, 0, menu)
            if option is None:
                break
            chosen[option.name] = self._value(option)
            self._soon = attrs.evolve(
                self._soon, options=[f"{name}={value}" for name, value in chosen.items()]
            )

    def _value(self, info: OptionInfo) -> str:
        words = [*map(option_word, info.values)]
        ids = [
            ("no", "yes")[value] if isinstance(value, bool) else word
            for value, word in zip(info.values, words, strict=True)
        ]
        options = [Option(*parts, parts[1]) for parts in zip(ids, words, strict=True)]
        menu: list[tuple[str, Ink | None]] = (
            []
            if of_amounts(options)
            else [(f"  {line.number}. {line.label}", None) for line in numbered(options)]
        )
        book = self._book()
        for topic in book.explaining(info.name)[:1]:  # the values in words
            menu = [*self._wrapped(shown(unmarked(topic.about(info.name))), "  "), *menu]
        text = f"{shown(info.title)}: {shown(', '.join(words))}?"
        usual = info.values.index(info.default)
        chosen: str = self._choose(text, options, usual, menu, label=words[usual])
        return chosen

    def _number(self, question: str, least: int, most: int, usual: int) -> int:
        options = [Option(str(number), str(number), number) for number in range(least, most + 1)]
        text = f"{question} ({least} to {most})"
        chosen: int = self._choose(text, options, usual - least)
        return chosen

    def _choose(
        self,
        text: str,
        options: Sequence[Option],
        usual: int,
        menu: Sequence[tuple[str, Ink | None]] = (),
        *,
        label: str = "",
        more: Sequence[Option] = (),
    ) -> Any:  # noqa: ANN401 - the value of an option
        """Return the value of the option that is chosen; `more` can be chosen by words only."""
        all_options = [*options, *more]

        def read(line: str) -> object:
            answer = _understood(line, options, more)
            return all_options[answer.index].value if isinstance(answer, PickedOption) else answer

        labels = [shown(option.label) for option in all_options]
        number = str(numbered(options)[usual].number)
        return self._ask(_Question(text, number, label or number, read, menu, labels))

    def _ask(self, question: _Question[_T]) -> _T:
        """Return the answer, which may have been given before the player went back."""
        self._at += 1
        if self._at > len(self._answered):
            self._answered.append(self._answer(question))
        answer: _T = self._answered[self._at - 1]
        return answer

    def _answer(self, question: _Question[_T]) -> _T:
        prompt = Prompt(
            f"{question.text} [{shown(question.label)}] ",
            lambda: ("  ".join(["? help", *_COMMANDS]),),
            lambda typed: completed(typed, (*question.labels, *_COMMANDS, SessionCommand.HELP)),
        )
        shows_menu = True
        while True:
            for text, ink in question.menu if shows_menu else ():
                self._screen.line(text, ink)
            line, self._typed_ahead = self._typed_ahead, ""
            line = line or self._answers.next_line(prompt).strip()
            shows_menu = line.casefold() in _BEFORE_A_GAME
            if shows_menu:
                self._fulfil_early(line.casefold())
                continue
            match question.read(line or question.usual):
                case Unclear(advice):
                    self._screen.line(self._answers.refuse(advice), Ink.WRONG)
                case Request() as request:
                    shows_menu = self._fulfil(request, question, line)
                case answer:
                    return answer

    def _fulfil(self, request: Request, question: _Question[_T], line: str) -> bool:
        """Carry out a command that a game has as well; return whether it has filled the screen."""
        match request.word:
            case SessionCommand.QUIT:
                raise SessionStopped("Stopped.")
            case SessionCommand.HELP:
                self._screen.line(_HELP.format(usual=shown(question.label)))
            case SessionCommand.RULES:
                self._leaf(book_lines(self._book(), request.argument, self._screen, self._answers))
                return True
            case _:
                commands = english.or_list([*map(str, _COMMANDS), "?"])
                self._paragraph(_TOO_EARLY.format(typed=shown(line), commands=commands))
        return False

    def _fulfil_early(self, word: str) -> None:
        """Carry out a command that exists only before a game."""
        if word == _BACK:
            if not self._answered:
                self._screen.line("This is the first question.")
                return
            del self._answered[-1:]
            raise _WentBackError
        lines = [line for game in saved_games() for line in listed(game)]
        resuming = "To go on with one, type quit, and then: coloma play --resume NAME"
        self._leaf([*lines, resuming] if lines else ["There are no saved games."])

    def _book(self) -> Rulebook:
        soon, pack = self._soon, self._packs[self._soon.pack or ""]
        try:
            return pack.rulebook(soon.players, loading.parse_options(pack, soon.options))
        except LintError:
            return Rulebook(())

    def _leaf(self, lines: Iterable[str]) -> None:
        self._typed_ahead = leaf(lines, self._screen, self._answers)

    def _paragraph(self, text: str) -> None:
        for line, _ in self._wrapped(text, ""):
            self._screen.line(line)

    def _wrapped(self, text: str, margin: str) -> list[tuple[str, Ink | None]]:
        """Fold a text for the width of the screen, with a margin before all but the first line."""
        if self._screen.plain:
            return [(text, None)]
        first, *rest = textwrap.wrap(
            text, self._screen.width, subsequent_indent=margin, break_on_hyphens=False
        )
        return [(first, None), *((line, None) for line in rest)]


def _understood(
    line: str, options: Sequence[Option], more: Sequence[Option]
) -> PickedOption | Request | Unclear:
    """Interpret a line as the session does; `more` options are not listed, and have no numbers."""
    answer = understand(line, options, ids=False)
    if isinstance(answer, Request) or line.rstrip(".").isdecimal():
        return answer
    by_name = by_word(line, [*options, *more], ids=False)
    if isinstance(by_name, Unclear) and by_name.candidates:
        names = [name.partition(" ")[2] for name in by_name.candidates]
        return Unclear(f"`{shown(line)}` could be {or_list(names)}.")
    return by_name if isinstance(by_name, PickedOption) else answer
