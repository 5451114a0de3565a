"""Hints: what a bot that thinks would do, and how good it finds what is offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import attrs

from coloma.session.seating import seed_of_choice

if TYPE_CHECKING:
    from rulesdsl import Decision, Game
    from rulesdsl.bots.strong import Strong

_MOST_LISTED = 4
_BETTER = ((0.1, "clearly better than"), (0.03, "a little better than"))  # house
_AS_GOOD = "about as good as"

Estimates: TypeAlias = Sequence[tuple[int, float]]
"""Options by their indexes, the best first, with what they are worth: from 0, lost, to 1."""


@attrs.define
class Adviser:
    """Gives hints; the bot that knows them is made when somebody asks for the first one."""

    _make: Callable[[], Strong]
    _bot: Strong | None = None

    def hint(self, game: Game, player: int, step: int) -> Estimates:
        """Return estimates for a player who is asked, after so many choices.

        They are the same each time.
        """
        if self._bot is None:
            self._bot = self._make()
        return self._bot.estimates(game, player, seed_of_choice(game.seed, player, step))


def hint_lines(decision: Decision, found: Estimates) -> list[str]:
    """Say a hint in words: the best option, and how much better it is than the next one."""
    options = decision.options
    if len(options) == 1:
        return ["Hint: there is only one choice."]

    def named(index: int) -> str:
        return f"{index + 1}, {options[index].label}"

    best, *others = found
    said = f"Hint: {named(best[0])}."
    if others:
        said += f" It is {_how_much(best[1] - others[0][1])} {named(others[0][0])}."
    listed = ", ".join(f"{at + 1}: {round(100 * each)}" for at, each in found[:_MOST_LISTED])
    return [said, f"Estimates, from 0 (lost) to 100 (won by far): {listed}"]


def _how_much(by: float) -> str:
    return next((words for least, words in _BETTER if by >= least), _AS_GOOD)
