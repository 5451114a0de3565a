"""Routes of a player's own choices, which lead to further questions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import attrs

from rulesdsl.interpreter.decisions import Decision, Option
from rulesdsl.interpreter.game import Game

_MOST_COPIES = 150  # house: positions that are tried; about 0.2 s in the games that ship


@attrs.frozen
class Route:
    """Options that a player can choose one after the other, and the position that they lead to.

    `first` is the index of the first option; `decision` is the question that comes next.
    """

    first: int
    options: tuple[Option, ...]
    game: Game
    decision: Decision


def routes(game: Game, player: int) -> Iterator[Route]:
    """Yield routes from a player's open question, the shortest first.

    Options are tried on copies. A route ends where somebody else is asked, or anybody learns
    something hidden or random. A sealed question is answered by the verb that previews it.
    """
    ends: deque[tuple[Game, Decision, int, tuple[Option, ...]]] = deque()
    open_now = (decision for decision in game.decisions if decision.player == player)
    ends.extend((game, decision, -1, ()) for decision in open_now)
    copies = 0
    while ends:
        position, decision, first, way = ends.popleft()
        for index, option in enumerate(decision.options):
            copies += 1
            if copies > _MOST_COPIES:
                return
            step = position.previewed if decision.sealed else position.tried
            trial = step(index, player)
            follower = None if trial is None else trial.decision
            if trial is None or follower is None or follower.player != player:
                continue
            route = Route(index if first < 0 else first, (*way, option), trial, follower)
            yield route
            ends.append((trial, follower, route.first, route.options))
