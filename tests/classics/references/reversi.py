"""Reversi with corners given to Black, and won by the fewest discs."""

from classics.reference import Rules
from rulesdsl import Game

_WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
_CORNERS = ("a1", "h8", "h1", "a8")
_SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]


def reversi(game: Game) -> Rules:
    """Play until nobody can turn a disc."""
    discs = {"e4": 1, "d5": 1, "d4": 2, "e5": 2}
    discs |= dict.fromkeys(_CORNERS[: int(game.setting.options["handicap"])], 1)
    mover = 1

    def turned(player: int, square: str) -> list[str]:
        found: list[str] = []
        for x, y in _WAYS:
            ray, at = [], _next(square, x, y)
            while discs.get(at) == 3 - player:
                ray.append(at)
                at = _next(at, x, y)
            if discs.get(at) == player:
                found += ray
        return found

    def moves(player: int) -> list[str]:
        return [each for each in _SQUARES if each not in discs and turned(player, each)]

    while moves(1) or moves(2):
        if moves(mover):
            _, option = yield {mover: [f"square:{each}" for each in moves(mover)]}
            square = option.removeprefix("square:")
            discs |= dict.fromkeys([*turned(mover, square), square], mover)
        mover = 3 - mover
    scores = [list(discs.values()).count(player) for player in (1, 2)]
    return scores, [-each for each in scores] if game.setting.options["fewest-wins"] else scores


def _next(square: str, x: int, y: int) -> str:
    return chr(ord(square[0]) + x) + chr(ord(square[1]) + y)
