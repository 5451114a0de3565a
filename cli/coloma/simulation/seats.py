"""Which bot has which seat: `trained,random`, `3xtrained,random`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.errors import USAGE, CommandError
from rulesdsl.source.english import so_many
from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from rulesdsl import Pack
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.simulator import Weights

RANDOM, TRAINED = "random", "trained"
BOTS = {
    RANDOM: "takes any option, each as likely as the others",
    TRAINED: "takes options as often as it has learned by self-play (`coloma train`)",
}
_SEVERAL = re.compile(r"([1-9][0-9]?)x(.+)")


def parse_bots(text: str, players: int) -> tuple[str, ...]:
    """Return the bot of each player; CommandError for names or numbers that do not fit."""
    found: list[str] = []
    for part in text.split(","):
        several = _SEVERAL.fullmatch(part.strip())
        count, name = (int(several[1]), several[2]) if several else (1, part.strip())
        if name not in BOTS:
            advice = did_you_mean(name, BOTS) or f"there are {' and '.join(BOTS)}"
            raise CommandError(f"there is no bot `{name}` ({advice})", USAGE)
        found += [name] * count
    if len(found) != players:
        bots, seats = so_many(len(found), "bot", "bots"), so_many(players, "player", "players")
        raise CommandError(f"--bots names {bots}, for {seats}", USAGE)
    return tuple(found)


def weights_of(
    bots: tuple[str, ...], pack: Pack, setting: Setting, game: Path
) -> list[Weights] | None:
    """Return how often each bot takes options, None where all are random.

    CommandError where what bots have learned is not there, or is of other content.
    """
    from rulesdsl.bots.weights import FILE, WeightsError, check_fit, read

    if TRAINED not in bots:
        return None
    try:
        learned = read(game / FILE, pack)
        check_fit(learned, setting.option_names)
    except WeightsError as error:
        raise CommandError(f"{error}; `coloma train` writes it") from None
    return [learned.weigh if each == TRAINED else {} for each in bots]
