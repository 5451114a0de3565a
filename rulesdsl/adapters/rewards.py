"""What players are rewarded for: how the game ends for them, or each point as they get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import Setting

Reward = Literal["result", "points"]
"""`result`: once, at the end, from -1 to 1.  `points`: what one's known score has changed by."""
VERDICTS = {"won": 1.0, "drawn": 0.0, "lost": -1.0}


def check_reward(reward: str) -> None:
    """Raise ValueError for a kind of reward that there is not."""
    known = get_args(Reward)
    if reward not in known:
        raise ValueError(f"`reward` is one of {', '.join(known)}, not {reward!r}")


def results(game: Game) -> list[float]:
    """Return what the end of a game is worth to each player, from -1 to 1; 0 while it goes on.

    Where the rules say that a player has won, drawn or lost, it is 1, 0 or -1.  Else each of n
    seats that is not in first place loses 1 / (n - 1), and those in first place share what the
    others lose: one of three alone wins 1, two of three win 1/4 each.  Together all seats that
    score have 0; a player who alone scores, and of whom no verdict is said, has 0.
    """
    end = game.result
    if end is None:
        return [0.0] * game.players
    shares = _shares(end.places)
    scoring = game.setting.layout.scoring_seats()
    found: list[float] = []
    for player, verdict in enumerate(end.verdicts):
        if verdict is not None:
            found.append(VERDICTS[verdict.word])
        else:
            found.append(shares[scoring.index(player)] if player in scoring else 0.0)
    return found


def _shares(places: Sequence[int]) -> list[float]:
    many, first = len(places), list(places).count(1)
    if many <= 1:
        return [0.0] * many
    won, lost = (many - first) / (first * (many - 1)), -1 / (many - 1)
    return [won if each == 1 else lost if first < many else 0.0 for each in places]


def own_scores(game: Game) -> list[int | None]:
    """Return the score of each player as they may know it; None for one that is hidden or not."""
    known = (
        {each.seat: each.total for each in game.scores(player)}.get(player)
        for player in range(1, game.players + 1)
    )
    return list(known)


def gains(game: Game, before: Sequence[int | None]) -> tuple[list[float], list[int | None]]:
    """Return by what the score of each player has changed, and the scores that were known last.

    What is hidden counts when it becomes known, at the latest at the end of the game.
    """
    now = own_scores(game)
    known = [old if new is None else new for new, old in zip(now, before, strict=True)]
    changes = zip(known, before, strict=True)
    return [float((new or 0) - (old or 0)) for new, old in changes], known


def sums_to_nothing(setting: Setting) -> bool:
    """Whether the results of all players together are always 0."""
    players = tuple(range(setting.layout.players))
    alone = len(players) == 1
    return not setting.layout.program.verdicts and (
        alone or setting.layout.scoring_seats() == players
    )
