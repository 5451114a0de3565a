"""Options that are not offered now, each with its reason: for those who still learn a game."""

from __future__ import annotations

from collections.abc import Iterator

from coloma.session.screen import shown
from rulesdsl import Decision, Game

_MOST = 2  # house: of reasons, and of options with the same one


def struck(game: Game, decision: Decision) -> list[str]:
    """Return options of a question that are not offered, a line for each of the first reasons."""
    by_reason: dict[str, list[str]] = {}
    for label, reason in _struck(game, decision):
        if reason not in by_reason and len(by_reason) == _MOST:
            break
        by_reason.setdefault(reason, []).append(label)
    return [f"{_some_of(labels)}. {reason}" for reason, labels in by_reason.items()]


def _some_of(labels: list[str]) -> str:
    more = len(labels) - _MOST
    return ", ".join(labels[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _struck(game: Game, decision: Decision) -> Iterator[tuple[str, str]]:
    """Yield what is not offered for a reason that the content has words for, and the reason.

    The others are many, and most of them plain to see: `why not` tells each.
    """
    number = decision.number
    offered = set(decision.raw)
    for action in game.actions:
        if action.asked_in != number or not offered.isdisjoint(action.raw):
            continue
        reason = game.why_not(action, decision.player)
        if reason.declared:
            yield shown(action.label), shown(reason.text)
