"""How a session begins: a new game, or a journal that goes on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs

from coloma import loading
from coloma.bots import check_bots, make_bots, think
from coloma.catalogue import name_for_later
from coloma.errors import CommandError
from coloma.files import write_whole
from coloma.journal.entries import Header, choices_that_stand
from coloma.journal.reading import read_journal
from coloma.journal.retelling import cannot_repeat, load_for, packs_of, set_up
from coloma.journal.shelf import FOLDER_VARIABLE, new_journal_path
from coloma.journal.writing import JournalWriter, check_free
from coloma.output import say
from coloma.selection import Selection, select
from coloma.session.seating import Seating, choices_of, seat_names
from coloma.session.table import Table
from rulesdsl import Game, Pack

_LARGEST_SEED = 2**31


@attrs.frozen
class Wish:
    """What somebody wants to play; `None` where they leave it to us."""

    pack: str | None = None
    mods: Sequence[str] = ()
    players: int | None = None
    bots: Sequence[str] = ()
    """The kinds of bots in the last seats."""
    seed: int | None = None
    options: Sequence[str] = ()
    names: Sequence[str] = ()
    journal: Path | None = None


@attrs.frozen
class Beginning:
    """A table, the content that is played on it, and where that is."""

    table: Table
    pack: Pack
    selection: Selection


def begin(wish: Wish) -> Beginning:
    """Set a new game up, and its journal if people play or one was asked for."""
    selection = select(wish.pack, wish.mods)
    if wish.journal:
        check_free(wish.journal)
    pack = loading.load_pack(selection.game, selection.mods)
    players = loading.usual_players(pack) if wish.players is None else wish.players
    check_bots(wish.bots, players)
    seed = secrets.randbelow(_LARGEST_SEED) if wish.seed is None else wish.seed
    options = loading.parse_options(pack, wish.options)
    seating = Seating(players, len(wish.bots))
    names = seat_names(seating, wish.names)
    try:
        game = pack.new_game(players, seed, options, names=names)
    except ValueError as error:
        raise CommandError(str(error)) from None
    header = Header(
        game=pack.id,
        version=pack.version,
        pack=name_for_later(selection.game),
        digest=pack.digest,
        players=players,
        bots=tuple(wish.bots),
        seed=seed,
        mods=tuple(map(name_for_later, selection.mods)),
        names=tuple(game.seats[:players]),
        options=options,
        files=dict(pack.files),
    )
    journal = None
    if wish.journal or len(wish.bots) < players:
        path = wish.journal or new_journal_path(pack.id, seed)
        if path is None:
            say(
                "coloma: this game is not saved: there is no HOME (--journal FILE saves it,"
                f" or a folder in {FOLDER_VARIABLE})",
                err=True,
            )
        else:
            journal = JournalWriter.begin(path, header)
    return Beginning(_table(game, header, pack, selection, journal), pack, selection)


def resume(path: Path, *, with_current: bool) -> Beginning:
    """Bring the game of a journal back to where it was, and fix the journal if it is torn."""
    read = read_journal(path)
    pack = load_for(read, with_current=with_current)
    table = _table(set_up(read, pack), read.header, pack, packs_of(read), None)
    for number, choice in enumerate(choices_that_stand(read.entries), start=1):
        try:
            table.repeat(choice)
        except ValueError as error:
            raise cannot_repeat(read, number, choice, error) from None
    if read.torn:
        write_whole(path, read.whole)
    table.journal = JournalWriter(path, read.choices, ended=bool(read.outcome))
    return Beginning(table, pack, packs_of(read))


def _table(
    game: Game, header: Header, pack: Pack, selection: Selection, journal: JournalWriter | None
) -> Table:
    """Return a table with people in the first seats, and bots in the last."""
    seating = Seating(header.players, len(header.bots))
    made = make_bots(header.bots, pack, game.setting, selection.game, partial(say, err=True))
    seated = choices_of(dict(zip(seating.of_bots, made, strict=True)))
    return Table(game, seating, journal, seated, bots_think=think(header.bots))
