"""Bots as named on the command line: `quick,strong`, `3xtrained,random`, or a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.output import USAGE, CommandError
from rulesdsl.bots.kinds import KINDS, Level, Making, check_kinds
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, WeightsError, fitted, read, read_levels
from rulesdsl.source.english import so_many
from rulesdsl.source.ranges import PLAYERS, SECONDS

if TYPE_CHECKING:
    from rulesdsl import Pack
    from rulesdsl.bots.bot import Bot
    from rulesdsl.bots.strong import Strong
    from rulesdsl.interpreter.setting import CompiledSetting

BEST = "strong"
"""The bot that gives hints."""
RANDOM, TRAINED = "random", "trained"
USUAL = "normal"
"""The kind of bots if only their number is given."""
Say = Callable[[str], None]
_TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(s|ms|)")
_AS_USUAL = Thought()
_SEVERAL = re.compile(r"([1-9][0-9]?)x(.+)")


PERSON = "person"
"""Word for a seat without a bot, in a list of bots."""


def parse_seats(text: str) -> tuple[str, ...]:
    """Parse a list of kinds of bots and people for the last seats; a person's kind is empty."""
    if PERSON not in text:
        return parse_bots(text)
    parts = (part.strip() for part in text.split(","))
    seats = [("",) if part == PERSON else parse_bots(part) for part in parts]
    return tuple(chain.from_iterable(seats))


def parse_bots(text: str) -> tuple[str, ...]:
    """Parse a list of kinds of bots; raise `CommandError` for an unknown kind."""
    if text.strip().isdecimal():
        if len(text) > 9 or int(text) > PLAYERS.most:  # noqa: PLR2004 - int() rejects long texts
            raise CommandError(f"{text} bots are too many for one game", USAGE)
        return (USUAL,) * int(text)
    found: list[str] = []
    for part in text.split(","):
        several = _SEVERAL.fullmatch(part.strip())
        count, name = (int(several[1]), several[2]) if several else (1, part.strip())
        found += [name] * count
    check_bots(found, len(found))
    return tuple(found)


def check_bots(kinds: Sequence[str], players: int) -> None:
    """Raise `CommandError` for unknown kinds of bots, or for more bots than players."""
    try:
        check_kinds(kinds, players, "`coloma bots` lists them all")
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def seated(text: str, usual: str, players: int) -> tuple[str, ...]:
    """Return a kind of bot for each player; raise `CommandError` for the wrong number of bots."""
    kinds = parse_bots(text) if text else (usual,) * players
    if len(kinds) != players:
        named, there = so_many(len(kinds), "bot", "bots"), so_many(players, "player", "players")
        raise CommandError(f"--bots lists {named} for {there}", USAGE)
    return kinds


def think(kinds: Sequence[str]) -> bool:
    """Return True if any of these kinds of bots searches."""
    return any(KINDS[each].thinks for each in kinds)


def parse_thought(iterations: int | None, think: str) -> Thought:
    """Parse the thinking budget of bots: iterations, a time such as `1s`, or the default."""
    if not think:
        return Thought(iterations)
    if iterations is not None:
        raise CommandError("--think and --iterations are alternatives: leave one out", USAGE)
    found = _TIME.fullmatch(think.strip())
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1) if found else 0.0
    least, most = SECONDS
    if not least <= seconds <= most:
        raise CommandError(
            f"`{think}` is not a thinking time: write seconds, from 10ms to {most:g}s,"
            " such as 1s or 0.5s",
            USAGE,
        )
    return Thought(None, seconds)


def make_bots(
    kinds: Sequence[str],
    pack: Pack,
    setting: CompiledSetting,
    game: Path,
    say: Say = lambda _: None,
    thought: Thought = _AS_USUAL,
    learned: Learned | None = None,
) -> list[Bot]:
    """Create bots for games in a setting; raise `CommandError` if required weights are missing.

    The bots use the weights `learned`, by default those in the game's folder.
    """
    learned = learned or learned_by(kinds, pack, setting, game, say)
    simulator = cache(lambda: pack.simulator(setting.layout.players, setting.options))
    making = Making(simulator, learned, thought, _levels(game))
    made = {each: KINDS[each].make(making) for each in dict.fromkeys(kinds)}
    return [made[each] for each in kinds]


def _levels(game: Path) -> Mapping[str, Level]:
    try:
        return read_levels(game)
    except WeightsError as error:
        raise CommandError(str(error)) from None


def bot_maker(
    pack: Pack,
    setting: CompiledSetting,
    game: Path,
    say: Say = lambda _: None,
    thought: Thought = _AS_USUAL,
) -> Callable[[str], Bot]:
    """Return a function that makes the bot of a kind, once; it raises as `make_bots` does."""
    return cache(lambda kind: make_bots((kind,), pack, setting, game, say, thought)[0])


def make_adviser(pack: Pack, setting: CompiledSetting, game: Path, thought: Thought) -> Strong:
    """Create the bot that gives hints."""
    from rulesdsl.bots.quick import Worlds
    from rulesdsl.bots.strong import Strong

    learned = learned_by((BEST,), pack, setting, game)
    return Strong(
        Worlds(pack.simulator(setting.layout.players, setting.options), learned), thought
    )


def learned_by(
    kinds: Sequence[str],
    pack: Pack,
    setting: CompiledSetting,
    game: Path,
    say: Say = lambda _: None,
) -> Learned:
    """Return the weights for bots from a game's folder.

    If they are missing or unusable, raise `CommandError` for trained bots; other bots play without
    weights, and a note says so if a file exists.
    """
    if set(kinds) <= {RANDOM}:
        return Learned()
    try:
        return fitted(read(game / FILE, pack), setting.option_names)
    except WeightsError as error:
        if TRAINED in kinds:
            raise CommandError(f"{error}; `coloma train` writes new weights") from None
        if (game / FILE).exists():
            say(f"note: {error}; bots play without weights (run `coloma train`)")
        return Learned()
