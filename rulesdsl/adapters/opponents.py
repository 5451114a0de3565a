"""Bots of ours as the opponents of a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.weights import FILE, check_fit, read
from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.adapters.playing import Table
    from rulesdsl.bots.bot import Bot


def opponents(table: Table, bots: Sequence[str | Bot]) -> list[Bot]:
    """Return the bots of all seats but the learner's, made of their kinds where they are names.

    Raises ValueError for a kind that there is not, and where what `trained` bots have learned of
    the game is missing or does not fit.
    """
    kinds = [each for each in bots if isinstance(each, str)]
    for name in kinds:
        if name not in KINDS:
            advice = did_you_mean(name, KINDS) or f"there are {', '.join(KINDS)}"
            raise ValueError(f"there is no bot `{name}` ({advice})")
    making = Making(
        lambda: table.pack.simulator(table.players, table.options), _learned(table, kinds)
    )
    made = {each: KINDS[each].make(making) for each in dict.fromkeys(kinds)}
    return [made[each] if isinstance(each, str) else each for each in bots]


def _learned(table: Table, kinds: Sequence[str]) -> Learned:
    """Return what bots have learned of the game, from the file beside its content."""
    path = table.pack.layers.game.folder / FILE
    if "trained" not in kinds and not path.exists():
        return Learned()
    learned = read(path, table.pack)
    check_fit(learned, table.setting.option_names)
    return learned
