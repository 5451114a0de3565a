"""Sessions from start to end: the dialogue before a game, resumed journals, saved games."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import attrs

from coloma import loading
from coloma.bots import USUAL, bot_maker, check_bots, make_adviser
from coloma.output import INTERRUPTED, USAGE, CommandError, say
from coloma.packs import (
    PackSummary,
    Selection,
    bundled_packs,
    groups,
    introduce,
    name_for_later,
    select,
    usual_folder,
)
from coloma.saved_games import (
    FOLDER_VARIABLE,
    SavedGame,
    check_free,
    load_for,
    new_journal_path,
    packs_of,
)
from coloma.session.answers import (
    Answers,
    Prompt,
    Request,
    SessionCommand,
    SessionStopped,
    requested,
)
from coloma.session.help import Teacher
from coloma.session.json_session import JsonSession
from coloma.session.line_session import LineSession
from coloma.session.log_view import RuleLines
from coloma.session.score_view import show_result, show_scores
from coloma.session.screen import WIDTH, Ink, Screen, shown, wrapped
from rulesdsl import LintError, OptionInfo, Pack, Rulebook
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.arguments import checked_name, name_key
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.english import and_list, option_word, so_many
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import JournalHeader, read_journal, repeat, set_up
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
    return Beginning(table, pack, selection)


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
    return Beginning(table, pack, selection)


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
_Entry: TypeAlias = tuple[str, str, list[PackSummary]]  # title, description, games
_INDENT = "     "  # below the name of a game
_ADVICE = "(? explains, quit stops.)"
_HELP = """\
Type an answer to the question, or Enter alone for the one in brackets: {usual}.
  quit       stop; no game begins
  ?          show this help
`coloma play --help` lists options that answer these questions; `coloma learn`
teaches a game step by step."""


class Asking:
    """Dialogue before a game; it raises `SessionStopped` at `quit` or the end of the input."""

    def __init__(self, screen: Screen, answers: Answers) -> None:
        self._screen = screen
        self._answers = answers

    def wish(self) -> Wish:
        """Return the requested settings."""
        folder = str(self._game().folder)
        chosen = select(folder, ())
        pack = loading.load_pack(chosen.game, chosen.mods)
        players = self._players(pack)
        bots = self._bots(players)
        names = self._names(players - bots)
        options = self._options(pack)
        return Wish(
            pack=folder, players=players, bots=(USUAL,) * bots, names=names, options=options
        )

    def _game(self) -> PackSummary:
        found = games_at_hand()
        if len(found) == 1:
            return found[0]
        by_group = groups(found)
        singly = [(_called(each), each.about, [each]) for each in by_group.pop("")]
        together = [
            (title, ", ".join(each.name or each.id for each in games), games)
            for title, games in by_group.items()
        ]
        chosen = self._which("Games", [*singly, *together], found)
        if len(chosen) > 1:
            title = next(each for each, games in by_group.items() if games is chosen)
            chosen = self._which(title, [(_called(each), "", [each]) for each in chosen], found)
        return chosen[0]

    def _which(
        self, title: str, entries: Sequence[_Entry], games: Sequence[PackSummary]
    ) -> list[PackSummary]:
        by_name = {name.casefold(): each for each in games for name in (each.name, each.id)}
        self._screen.line(title, Ink.TITLE)
        for number, (called, about, _) in enumerate(entries, start=1):
            self._screen.line(f"  {number}. {shown(called)}")
            for line in wrapped(shown(about), WIDTH - len(_INDENT)) if about else ():
                self._screen.line(_INDENT + line, Ink.FAINT)

        def read(text: str) -> list[PackSummary]:
            named = by_name.get(text.casefold())
            return [named] if named else entries[_number(text, 1, len(entries)) - 1][2]

        return self._ask(f"Which game? (1 to {len(entries)}, or its name)", "1", read)

    def _players(self, pack: Pack) -> int:
        least, most = pack.players
        if least == most:
            return least
        return self._number("How many players?", least, most, loading.usual_players(pack))

    def _bots(self, players: int) -> int:
        if players == 1:
            return 0
        return self._number("How many of them are bots?", 0, players, players - 1)

    def _names(self, people: int) -> list[str]:
        names: list[str] = []

        def read(text: str) -> str:
            name = checked_name(text)
            if name_key(name) in map(name_key, names):
                raise ValueError(f"That name is taken: {shown(name)}.")
            return name

        for player in range(1, people + 1):
            question = f"Name of player {player}?"
            names.append(self._ask(question, f"Player {player}", read, is_name=True))
        return names

    def _options(self, pack: Pack) -> list[str]:
        chosen: dict[str, str] = {}
        while pack.options:
            self._screen.line("Options", Ink.TITLE)
            for number, option in enumerate(pack.options, start=1):
                value = chosen.get(option.name, option_word(option.default))
                self._screen.line(f"  {number}. {shown(option.title)}: {shown(value)}")
            at = self._number("Change which one? 0 starts the game.", 0, len(pack.options), 0)
            if at == 0:
                break
            option = pack.options[at - 1]
            chosen[option.name] = self._value(option)
        return [f"{name}={value}" for name, value in chosen.items()]

    def _value(self, option: OptionInfo) -> str:
        values = ", ".join(map(option_word, option.values))
        question = f"{shown(option.title)}: {shown(values)}?"
        return self._ask(
            question, option_word(option.default), lambda text: option_word(option.parse(text))
        )

    def _number(self, question: str, least: int, most: int, usual: int) -> int:
        return self._ask(
            f"{question} ({least} to {most})", str(usual), lambda text: _number(text, least, most)
        )

    def _ask(
        self, question: str, usual: str, read: Callable[[str], _T], *, is_name: bool = False
    ) -> _T:
        while True:
            line = self._answers.next_line(Prompt(f"{question} [{shown(usual)}] ")).strip()
            command = requested(line)
            if command == Request(SessionCommand.QUIT) and not (is_name and command.short):
                raise SessionStopped("Stopped.")
            if command == Request(SessionCommand.HELP):
                self._screen.line(_HELP.format(usual=shown(usual)))
                continue
            try:
                return read(line or usual)
            except ValueError as error:
                self._screen.line(self._answers.refuse(f"{error} {_ADVICE}"), Ink.WRONG)


def _called(game: PackSummary) -> str:
    return f"{game.name or game.id} {game.version}".rstrip()


def _number(text: str, least: int, most: int) -> int:
    number = int(text) if text.isdecimal() and len(text) < 10 else least - 1  # noqa: PLR2004
    if not least <= number <= most:
        raise ValueError(f"Type a number from {least} to {most}.")
    return number


def games_at_hand() -> list[PackSummary]:
    """Return the games to offer: the default one, those in this folder, and the bundled ones.

    The default may be a mod, which stands for its game with the mod.
    """
    around = [Path(), *sorted(each.parent for each in Path().glob(f"*/{MANIFEST}"))]
    own = [introduce(each) for each in around if (each / MANIFEST).is_file()]
    others = [each for each in (*own, *bundled_packs()) if not each.is_mod]
    found = {each.folder.resolve(): each for each in (introduce(usual_folder()), *others)}
    return list(found.values())


def listed(game: SavedGame) -> Iterator[str]:
    """Yield the lines about a saved game for the list of games."""
    yield shown(game.name)
    if game.journal is None:
        yield f"    cannot be read: {shown(game.trouble)}"
        return
    header = game.journal.header
    yield f"    {_played(game)}: {shown(header.game)} with {_players(header)}, {_how_far(game)}"


def show_saved(screen: Screen, game: SavedGame) -> None:
    """Show the settings, the progress and the points of a saved game."""
    journal = game.journal
    if journal is None:
        raise CommandError(game.trouble)
    screen.line(shown(game.name), Ink.TITLE)
    for line in _details(game, journal.header):
        screen.line(line)
    screen.line()
    try:
        played = set_up(journal, load_for(journal, with_current=False))
        repeat(journal, lambda each: played.choose(each.id, player=each.player))
        if played.result:
            show_result(screen, played.result)
        else:
            show_scores(screen, played.scores(None))
    except (CommandError, JournalError, LintError) as error:
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
    """Run a session, or a lesson if there is a teacher, as lines of text; return the exit status.

    With `teach`, questions explain unavailable options.
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
