"""Beginning of a session at a table: the header of a new journal, and a game that goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.pack import OptionValue, Pack
from rulesdsl.table.journal import (
    FORMAT,
    Journal,
    JournalHeader,
    JournalWriter,
    repeat,
)
from rulesdsl.table.seating import BotMaker, Seating
from rulesdsl.table.table import GameTable

if TYPE_CHECKING:
    from rulesdsl.bots.strong import Strong

_USUAL_OPTIONS: Mapping[str, OptionValue] = {}
_USUAL_THOUGHT = Thought()


def header_of(
    game: Game,
    pack: Pack,
    seating: Seating,
    source: str,
    mods: Sequence[str] = (),
    options: Mapping[str, OptionValue] = _USUAL_OPTIONS,
    thought: Thought = _USUAL_THOUGHT,
) -> JournalHeader:
    """Return the header for the journal of a new game with these `options`.

    The content is found again by `source` and `mods`: names of bundled packs, or paths.
    """
    last = takewhile(bool, reversed(seating.kinds))
    return JournalHeader(
        format=FORMAT,
        game=pack.id,
        version=pack.version,
        pack=source,
        digest=pack.digest,
        players=seating.players,
        bots=tuple(last)[::-1],
        seed=game.seed,
        mods=tuple(mods),
        names=tuple(game.seats[: seating.players]),
        options=dict(options),
        files=dict(pack.files),
        iterations=thought.iterations or 0,
        seconds=thought.seconds or 0.0,
    )


def begin_journal(path: Path, header: JournalHeader, seating: Seating) -> JournalWriter:
    """Replace or create a file with a new journal, including the seats that `header` lacks."""
    journal = JournalWriter.begin(path, header)
    usual = Seating.with_last(header.players, header.bots)
    for player, kind in seating.changes_from(usual):
        journal.seat(player, kind)
    return journal


def resume(
    journal: Journal,
    game: Game,
    bots: BotMaker,
    adviser: Callable[[], Strong] | None = None,
) -> GameTable:
    """Return a table with the game of a journal (`set_up` begins it), which then goes on.

    An incomplete last entry of the file is cut off. Raises `JournalError` if a choice is no
    longer possible.
    """
    table = GameTable(game, journal.seating, None, bots, adviser=adviser)
    repeat(journal, table.repeat)
    table.position = len(journal.entries)
    table.journal = JournalWriter.go_on(journal)
    return table
