"""Sessions from start to end: the dialogue before a game, resumed journals, saved games."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import attrs

from coloma import loading
from coloma.bots import USUAL, bot_maker, check_bots, make_adviser
from coloma.output import INTERRUPTED, USAGE, CommandError, say
from coloma.packs import (
    PackSummary,
    Selection,
    games_at_hand,
    groups,
    name_for_later,
    select,
)
from coloma.saved_games import (
    FOLDER_VARIABLE,
    SavedGame,
    check_free,
    details,
    listed,
    load_for,
    new_journal_path,
    packs_of,
    saved_games,
)
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
from coloma.session.ending.score_view import show_result, show_scores
from coloma.session.help import Teacher
from coloma.session.json_session import JsonSession
from coloma.session.line_session import LineSession
from coloma.session.log_view import RuleLines, book_lines, leaf
from coloma.session.prompter import completed
from coloma.session.screen import WIDTH, Ink, Screen, shown, wrapped
from rulesdsl import LintError, Option, OptionInfo, Pack, Rulebook
from rulesdsl.bots.kinds import KINDS, LEVELS
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.arguments import checked_name, name_key
from rulesdsl.source import english
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import opening, option_word, so_many
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import read_journal, repeat, set_up
from rulesdsl.table.opening import begin_journal, header_of
from rulesdsl.table.opening import resume as resume_table
from rulesdsl.table.seating import BotMaker, Seating, seat_names
from rulesdsl.table.table import GameTable

if TYPE_CHECKING:
    from rulesdsl.bots.strong import Strong
    from rulesdsl.interpreter.setting import CompiledSetting

_LARGEST_SEED = 2**31


@attrs.frozen
class Wish:
    """Requested settings of a game; `None` means the default."""

    pack: str | None = None
    mods: Sequence[str] = ()
    players: int | None = None
    bots: Sequence[str] = ()
    """Kinds of the bots in the last seats; empty for a person among them."""
    thought: Thought = attrs.Factory(Thought)
    """Thinking budget per choice for bots that search."""
    seed: int | None = None
    options: Sequence[str] = ()
    names: Sequence[str] = ()
    journal: Path | None = None


@attrs.frozen
class Beginning:
    """Table for a session, its pack, and the selection that the pack was loaded from."""

    table: GameTable
    pack: Pack
    selection: Selection
    thought: Thought = attrs.Factory(Thought)


def begin(wish: Wish) -> Beginning:
    """Set up a new game; it has a journal if people play, or if one is requested."""
    selection = select(wish.pack, wish.mods)
    if wish.journal:
        check_free(wish.journal)
    pack = loading.load_pack(selection.game, selection.mods)
    players = loading.usual_players(pack) if wish.players is None else wish.players
    seating = _seating(players, wish.bots)
    seed = secrets.randbelow(_LARGEST_SEED) if wish.seed is None else wish.seed
    options = loading.parse_options(pack, wish.options)
    try:
        names = seat_names(seating, wish.names)
    except ValueError as error:
        raise CommandError(f"--name gives {error}", USAGE) from None
    try:
        game = pack.new_game(players, seed, options, names=names)
    except ValueError as error:
        raise CommandError(str(error)) from None
    sources = name_for_later(selection.game), [*map(name_for_later, selection.mods)]
    header = header_of(game, pack, seating, *sources, options, wish.thought)
    journal = None
    if wish.journal or seating.people:
        path = wish.journal or new_journal_path(pack.id, seed)
        if path is None:
            say(
                "coloma: this game is not saved, because HOME is not set (--journal FILE saves it,"
                f" or set {FOLDER_VARIABLE} to a folder)",
                err=True,
            )
        else:
            journal = begin_journal(path, header, seating)
    bots = _Bots(pack, game.setting, selection.game, wish.thought)
    table = GameTable(game, seating, journal, bots.maker(seating), adviser=bots.adviser)
    return Beginning(table, pack, selection, wish.thought)


def resume(
    path: Path, bots: Sequence[str] | None = None, *, with_current: bool = False
) -> Beginning:
    """Restore the game of a journal, and cut off an incomplete last entry.

    With kinds of `bots`, these take the last seats from now on, and people the others.
    """
    read = read_journal(path)
    pack = load_for(read, with_current=with_current)
    header, selection = read.header, packs_of(read)
    seating = read.seating if bots is None else _seating(header.players, bots)
    game = set_up(read, pack)
    thought = Thought(header.iterations or None, header.seconds or None)
    of_bots = _Bots(pack, game.setting, selection.game, thought)
    table = resume_table(read, game, of_bots.maker(seating), of_bots.adviser)
    for player, kind in seating.changes_from(read.seating):
        table.hand_over(player, kind)
    return Beginning(table, pack, selection, thought)


def _seating(players: int, bots: Sequence[str]) -> Seating:
    check_bots([*filter(None, bots)], players - bots.count(""))
    return Seating.with_last(players, bots)


@attrs.frozen
class _Bots:
    """Maker of the bots for a table, with the learned weights in the game's folder."""

    pack: Pack
    setting: CompiledSetting
    game: Path
    thought: Thought

    def maker(self, seating: Seating) -> BotMaker:
        """Return the maker of bots; raise `CommandError` if a bot lacks its weights."""
        make = bot_maker(self.pack, self.setting, self.game, partial(say, err=True), self.thought)
        for kind in filter(None, seating.kinds):
            make(kind)
        return make

    def adviser(self) -> Strong:
        """Return the bot that gives hints."""
        return make_adviser(self.pack, self.setting, self.game, self.thought)


_T = TypeVar("_T")
_Entry: TypeAlias = tuple[str, str, list[PackSummary]]  # name, description, games
_INDENT = "     "  # below the name of a game
_HELP = """\
Type an answer to the question, or Enter alone for the one in brackets: {usual}.
  back       return to the question before
  rules [X]  show a summary of the rules of the game above, or those about X
  learn      tell how to learn the game step by step
  games      list the saved games
  quit       stop; no game begins
  ?          show this help
`coloma play --help` lists options that answer these questions."""
_BACK, _LEARN, _GAMES = _BEFORE_A_GAME = ("back", "learn", "games")
_COMMANDS = (_BACK, SessionCommand.RULES, _LEARN, _GAMES, SessionCommand.QUIT)
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

    def wish(self) -> Wish:
        """Return the requested settings."""
        while True:
            self._soon, self._at = Wish(), 0
            with suppress(_WentBackError):  # all questions are passed up to the last answer kept
                self._ask_all()
                return self._soon

    def _ask_all(self) -> None:
        folder = str(self._game().folder)
        if folder not in self._packs:
            chosen = select(folder, ())
            self._packs[folder] = loading.load_pack(chosen.game, chosen.mods)
        pack = self._packs[folder]
        self._soon = Wish(pack=folder, options=[])
        players = self._players(pack)
        self._soon = attrs.evolve(self._soon, players=players)
        bots = self._bots(players)
        level = self._level() if bots else USUAL
        names = self._names(players - bots)
        self._soon = attrs.evolve(self._soon, bots=(level,) * bots, names=names)
        self._options(pack)

    def _game(self) -> PackSummary:
        found = games_at_hand()
        if len(found) == 1:
            return found[0]
        by_group = groups(found)
        singly = [(each.name or each.id, each.about, [each]) for each in by_group.pop("")]
        together = [
            (title, ", ".join(each.name or each.id for each in games), games)
            for title, games in by_group.items()
        ]
        games = self._which("Games", [*singly, *together], found)
        if len(games) > 1:
            title = next(each for each, members in by_group.items() if members == games)
            games = self._which(
                title, [(each.name or each.id, "", [each]) for each in games], found
            )
        return games[0]

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
        menu = (
            []
            if of_amounts(options)
            else [(f"  {line.number}. {line.label}", None) for line in numbered(options)]
        )
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
            case SessionCommand.RULES if self._soon.pack:
                self._leaf(book_lines(self._book(), request.argument, self._screen, self._answers))
                return True
            case SessionCommand.RULES:
                self._screen.line("Choose a game first; then `rules` shows its rules.")
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
        if word == _LEARN:
            self._paragraph(self._how_to_learn())
            return
        lines = [line for game in saved_games() for line in listed(game)]
        resuming = "To go on with one, type quit, and then: coloma play --resume NAME"
        self._leaf([*lines, resuming] if lines else ["There are no saved games."])

    def _how_to_learn(self) -> str:
        folder = self._soon.pack
        if folder and not (pack := self._packs[folder]).layers.at(None).lessons(Findings()):
            return f"{shown(pack.name)} has no lessons; `rules` explains it."
        name = shown(name_for_later(Path(folder))) if folder else "GAME"
        return f"To learn it step by step, type quit, and then: coloma learn {name}"

    def _book(self) -> Rulebook:
        soon, pack = self._soon, self._packs[self._soon.pack or ""]
        try:
            return pack.rulebook(soon.players, loading.parse_options(pack, soon.options))
        except LintError:
            return Rulebook(())

    def _leaf(self, lines: Iterable[str]) -> None:
        self._typed_ahead = leaf(lines, self._screen, self._answers)

    def _paragraph(self, text: str) -> None:
        for line in [text] if self._screen.plain else wrapped(text, self._screen.width):
            self._screen.line(line)


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


def show_saved(screen: Screen, game: SavedGame) -> None:
    """Show the settings, the progress and the points of a saved game."""
    journal = game.journal
    if journal is None:
        raise CommandError(game.trouble)
    screen.line(shown(game.name), Ink.TITLE)
    for line in details(game, journal.header):
        screen.line(line)
    screen.line()
    try:
        played = set_up(journal, load_for(journal, with_current=False))
        repeat(journal, lambda each: played.choose(each.id, player=each.player))
        if played.result:
            show_result(screen, played.result, played.gains)
        else:
            show_scores(screen, played.scores(None), played.gains)
    except (CommandError, JournalError, LintError) as error:
        screen.line(f"It cannot be resumed now: {shown(str(error))}", Ink.WRONG)


def sit_for_people(
    beginning: Beginning,
    screen: Screen,
    answers: Answers,
    teacher: Teacher | None = None,
    *,
    teach: bool = False,
    brief: bool = True,
) -> int:
    """Run a session, or a lesson if there is a teacher, as lines of text; return the exit status.

    With `teach`, questions explain unavailable options; in `brief`, the log has a line a turn.
    """
    table, pack, chosen = beginning.table, beginning.pack, beginning.selection
    mods = f" with {shown(', '.join(pack.mods))}" if pack.mods else ""
    players, bots = so_many(table.seating.players, "player", "players"), len(table.seating.of_bots)
    if bots:
        players += f" ({bots} of them {'a bot' if bots == 1 else 'bots'})"
    title = f"{shown(pack.name)} {pack.version}{mods}, {players}, seed {table.game.seed}"
    screen.line(title, Ink.TITLE)
    if table.seating.people:
        screen.line("Type the number of a choice, or ? for help.")
    book = cache(lambda: _book(beginning))
    rules = RuleLines(lambda: loading.sources_of(chosen.game, chosen.mods), book)
    session = LineSession(
        *(table, screen, answers, rules, book, teacher),
        teach=teach or teacher is not None,
        brief=brief,
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
    """Run a session in JSON; return the exit status."""
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


def _book(beginning: Beginning) -> Rulebook:
    """Return the rulebook, or an empty one if it has errors."""
    game = beginning.table.game
    try:
        return beginning.pack.rulebook(game.players, game.options)
    except LintError:
        return Rulebook(())
