"""Playing a journal again: the same content, the same choices, the same game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from coloma import loading
from coloma.catalogue import pack_folder
from coloma.errors import CommandError
from coloma.journal.entries import Choice, Header
from coloma.journal.reading import Journal
from coloma.selection import Selection
from rulesdsl import Game, Pack
from rulesdsl.source.excerpt import in_short

_MOST_LISTED = 6


def packs_of(journal: Journal) -> Selection:
    """Return the folders of the game and of its mods; `CommandError` for one that has gone."""
    header = journal.header
    return Selection(
        _folder(journal, "game", header.pack),
        tuple(_folder(journal, "mod", each) for each in header.mods),
    )


def _folder(journal: Journal, kind: str, wanted: str) -> Path:
    try:
        return pack_folder(wanted)
    except CommandError as error:
        raise CommandError(
            f"{journal.path} was played with the {kind} {in_short(wanted)}: {in_short(str(error))}"
        ) from None


def load_for(journal: Journal, *, with_current: bool) -> Pack:
    """Load the content of a journal.

    Content that has changed since is refused, unless it was said that the current is good enough.
    """
    header = journal.header
    selection = packs_of(journal)
    pack = loading.load_pack(selection.game, selection.mods)
    if pack.digest != header.digest and not with_current:
        raise CommandError(
            f"{journal.path} was played with other content: {_changes(header, pack.files)}"
            " (--replay-with-current tries it with what is there now)"
        )
    return pack


def set_up(journal: Journal, pack: Pack) -> Game:
    """Set the game of a journal up, before its first choice."""
    header = journal.header
    try:
        return pack.new_game(header.players, header.seed, header.options, names=header.names)
    except ValueError as error:
        said = in_short(str(error))
        raise CommandError(f"{journal.path} cannot be played again: {said}") from None


def repeat(game: Game, choice: Choice, number: int, journal: Journal) -> None:
    """Make one choice of a journal again; `number` is for the message if that is impossible."""
    try:
        game.choose(choice.id, player=choice.player)
    except ValueError as error:
        raise cannot_repeat(journal, number, choice, error) from None


def cannot_repeat(
    journal: Journal, number: int, choice: Choice, error: ValueError
) -> CommandError:
    """Return what to say where a choice of a journal is not possible any more."""
    return CommandError(
        f"{journal.path} cannot be played again: choice {number},"
        f" {in_short(choice.id)} of player {choice.player}: {in_short(str(error))}"
    )


def _changes(header: Header, files: Mapping[str, str]) -> str:
    """List the files that are no longer what they were."""
    listed = [
        *(f"{each} is gone" for each in sorted(header.files.keys() - files.keys())),
        *(f"{each} is new" for each in sorted(files.keys() - header.files.keys())),
        *(
            f"{each} has changed"
            for each in sorted(header.files.keys() & files.keys())
            if header.files[each] != files[each]
        ),
    ]
    if not listed:
        return "the engine has changed"
    more = [f"{len(listed) - _MOST_LISTED} more"] if len(listed) > _MOST_LISTED else []
    return ", ".join([*map(in_short, listed[:_MOST_LISTED]), *more])
