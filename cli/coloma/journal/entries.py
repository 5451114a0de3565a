"""What a journal consists of: how the game was set up, and what was chosen since."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import attrs

from rulesdsl import OptionValue


class By(StrEnum):
    """Who made a choice."""

    PERSON = "person"
    BOT = "bot"


@attrs.frozen
class Header:
    """How the game was set up. `pack` and `mods` are names of bundled packs, or paths.

    `digest` and `files` tell whether the content is still the one that was played with; `bots`
    are the kinds of bots in the last seats.
    """

    game: str
    version: str
    pack: str
    digest: str
    players: int
    bots: tuple[str, ...]
    seed: int
    mods: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    options: dict[str, OptionValue] = attrs.field(factory=dict)
    files: dict[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Choice:
    """One choice: the option's id, whose it was, and who made it."""

    player: int
    id: str
    by: By


@attrs.frozen
class Undo:
    """So many choices were taken back. `after` counts the choices that are before it.

    TOML keeps the choices and the undos apart when it is read; `after` puts them together again.
    """

    after: int
    choices: int


@attrs.frozen
class End:
    """The game is over: how it ended, in words."""

    outcome: str


Entry: TypeAlias = Choice | Undo


def choices_that_stand(entries: tuple[Entry, ...]) -> tuple[Choice, ...]:
    """Return the choices that nobody has taken back, in order."""
    standing: list[Choice] = []
    for entry in entries:
        match entry:
            case Choice():
                standing.append(entry)
            case Undo():
                del standing[max(0, len(standing) - entry.choices) :]
    return tuple(standing)
