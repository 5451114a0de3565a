"""Sessions from start to end: new games, resumed journals, saved games."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma import loading
from coloma.bots import bot_maker, check_bots, make_adviser
from coloma.output import INTERRUPTED, USAGE, CommandError, say
from coloma.packs import Selection, name_for_later, select
from coloma.saved_games import (
    FOLDER_VARIABLE,
    SavedGame,
    check_free,
    details,
    load_for,
    new_journal_path,
    packs_of,
    short_name,
)
from coloma.session.answers import Answers, SessionStopped
from coloma.session.ending.score_view import show_result, show_scores
from coloma.session.help import Teacher
from coloma.session.json_session import JsonSession
from coloma.session.line_session import LineSession
from coloma.session.log_view import RuleLines
from coloma.session.screen import Ink, Screen, shown
from rulesdsl import Game, LintError, OptionValue, Pack, Rulebook
from rulesdsl.bots.thought import Thought
from rulesdsl.source.english import so_many
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import Journal, read_journal, repeat, set_up
from rulesdsl.table.opening import begin_journal, header_of
from rulesdsl.table.opening import resume as resume_table
from rulesdsl.table.seating import BotMaker, Script, Seating, seat_names
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
    return seated(game, seating, pack, selection, options, wish)


def seated(
    game: Game,
    seating: Seating,
    pack: Pack,
    selection: Selection,
    options: Mapping[str, OptionValue],
    wish: Wish,
    script: Script | None = None,
) -> Beginning:
    """Seat people and bots at a new game, with a journal if people play or one is requested."""
    sources = name_for_later(selection.game), [*map(name_for_later, selection.mods)]
    header = header_of(game, pack, seating, *sources, options, wish.thought)
    journal = None
    if wish.journal or seating.people:
        path = wish.journal or new_journal_path(pack.id, game.seed)
        if path is None:
            say(
                "coloma: this game is not saved, because HOME is not set (--journal FILE saves it,"
                f" or set {FOLDER_VARIABLE} to a folder)",
                err=True,
            )
        else:
            journal = begin_journal(path, header, seating)
    bots = _Bots(pack, game.setting, selection.game, wish.thought)
    make = bots.maker(seating)
    table = GameTable(game, seating, journal, make, script=script, adviser=bots.adviser)
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


def replayed(journal: Journal) -> Game:
    """Return the game of a journal at its last choice; raise an error if that is impossible."""
    played = set_up(journal, load_for(journal, with_current=False))
    repeat(journal, lambda choice: played.choose(choice.id, player=choice.player))
    return played


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
        played = replayed(journal)
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
        screen.line(f"Resume with: coloma play --resume {short_name(journal.path)}")


def _book(beginning: Beginning) -> Rulebook:
    """Return the rulebook, or an empty one if it has errors."""
    game = beginning.table.game
    try:
        return beginning.pack.rulebook(game.players, game.options)
    except LintError:
        return Rulebook(())
