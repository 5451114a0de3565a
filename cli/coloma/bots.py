"""Which bot has which seat: `quick,strong`, `3xtrained,random`, or only how many there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.errors import USAGE, CommandError
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, WeightsError, check_fit, read
from rulesdsl.bots.worlds import Worlds
from rulesdsl.source.english import so_many
from rulesdsl.source.ranges import PLAYERS, SECONDS
from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from rulesdsl import Pack
    from rulesdsl.bots.bot import Bot
    from rulesdsl.interpreter.setting import Setting

BEST = "strong"
"""Who gives hints."""
RANDOM, TRAINED = "random", "trained"
USUAL = "quick"
"""The bots that somebody plays against who only says how many."""
Say = Callable[[str], None]
_TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(s|ms|)")
_AS_USUAL = Thought()
_SEVERAL = re.compile(r"([1-9][0-9]?)x(.+)")


def _silent(_: str) -> None:
    pass


def parse_bots(text: str) -> tuple[str, ...]:
    """Return the kinds of bots that a text names; CommandError for one that there is not."""
    if text.strip().isdecimal():
        if len(text) > 9 or int(text) > PLAYERS.most:  # noqa: PLR2004 - Python reads no long ones
            raise CommandError(f"{text} bots cannot sit at one table", USAGE)
        return (USUAL,) * int(text)
    found: list[str] = []
    for part in text.split(","):
        several = _SEVERAL.fullmatch(part.strip())
        count, name = (int(several[1]), several[2]) if several else (1, part.strip())
        found += [name] * count
    check_bots(found, len(found))
    return tuple(found)


def check_bots(kinds: Sequence[str], players: int) -> None:
    """Raise CommandError for more bots than seats, and for kinds that there are not."""
    if len(kinds) > players:
        bots, seats = so_many(len(kinds), "bot", "bots"), so_many(players, "seat", "seats")
        raise CommandError(f"{bots} cannot sit on {seats}", USAGE)
    for name in kinds:
        if name not in KINDS:
            advice = did_you_mean(name, KINDS) or "`coloma bots` lists them"
            raise CommandError(f"there is no bot `{name}` ({advice})", USAGE)


def think(kinds: Sequence[str]) -> bool:
    """Whether any bot plays games on in its head."""
    return any(KINDS[each].thinks for each in kinds)


def parse_thought(iterations: int | None, think: str) -> Thought:
    """Return how much bots think: so many iterations, or a time such as `1s`, or as usual."""
    if not think:
        return Thought(iterations)
    if iterations is not None:
        raise CommandError("--think and --iterations both say how much bots think", USAGE)
    found = _TIME.fullmatch(think.strip())
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1) if found else 0.0
    least, most = SECONDS
    if not least <= seconds <= most:
        raise CommandError(
            f"`{think}` is not a time to think: write seconds, from 10ms to {most:g}s,"
            " such as 1s or 0.5s",
            USAGE,
        )
    return Thought(None, seconds)


def make_bots(
    kinds: Sequence[str],
    pack: Pack,
    setting: Setting,
    game: Path,
    say: Say = _silent,
    thought: Thought = _AS_USUAL,
    learned: Learned | None = None,
) -> list[Bot]:
    """Return bots for games of a setting; CommandError where one has not learned the game.

    They know what has been `learned`, or else what is written beside the game.
    """
    learned = learned or learned_by(kinds, pack, setting, game, say)
    simulator = cache(lambda: pack.simulator(setting.layout.players, setting.options))
    making = Making(simulator, learned, thought)
    made = {each: KINDS[each].make(making) for each in dict.fromkeys(kinds)}
    return [made[each] for each in kinds]


def make_adviser(pack: Pack, setting: Setting, game: Path, thought: Thought) -> Strong:
    """Return who gives hints."""
    learned = learned_by((BEST,), pack, setting, game)
    return Strong(
        Worlds(pack.simulator(setting.layout.players, setting.options), learned), thought
    )


def learned_by(
    kinds: Sequence[str],
    pack: Pack,
    setting: Setting,
    game: Path,
    say: Say = _silent,
) -> Learned:
    """Return what bots have learned of a game.

    Those that think play without it where there is nothing, or where content has changed too much,
    which is said; it is a CommandError for those that know nothing else.
    """
    if set(kinds) <= {RANDOM}:
        return Learned()
    try:
        learned = read(game / FILE, pack)
        check_fit(learned, setting.option_names)
    except WeightsError as error:
        if TRAINED in kinds:
            raise CommandError(f"{error}; `coloma train` writes it") from None
        if (game / FILE).exists():
            say(f"note: {error}; bots play without it")
        return Learned()
    return learned
