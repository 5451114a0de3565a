"""Options that are not offered now, each with its reason: for those who still learn a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from coloma.session.screen import shown
from rulesdsl import Decision, Game

_MOST = 2  # house: a question is not to be buried


def struck(game: Game, decision: Decision) -> list[str]:
    """Return the first options of a question that are not offered, and why not."""
    return list(islice(_struck(game, decision), _MOST))


def _struck(game: Game, decision: Decision) -> Iterator[str]:
    """Yield what is not offered for a reason that the content has words for.

    The others are many, and most of them plain to see: `why not` tells each.
    """
    number = decision.number
    offered = set(decision.raw)
    for action in game.actions:
        if action.asked_in != number or not offered.isdisjoint(action.raw):
            continue
        reason = game.why_not(action, decision.player)
        if reason.declared:
            yield f"{shown(action.label)}. {shown(reason.text)}"
