"""Liar's Dice for two to four players."""

from classics.reference import Rules
from rulesdsl import Game

_NUMBERS = ("one", "two", "three", "four")
_FACES = ("one", "two", "three", "four", "five", "six")
_CALLS = [
    f"{number}-{face if number == 'one' else face + ('es' if face == 'six' else 's')}"
    for number in _NUMBERS
    for face in _FACES
]


def liars_dice(game: Game) -> Rules:
    """Bid until somebody calls; a six counts for every face."""
    players = game.players
    dice = [_die(game, player) for player in range(1, players + 1)]
    last, mover = -1, 0
    while True:
        calls = _CALLS[last + 1 : players * len(_FACES)] + (["liar"] if last >= 0 else [])
        _, option = yield {mover + 1: [f"call:{call}" for call in calls]}
        call = option.removeprefix("call:")
        if call == "liar":
            break
        last, mover = _CALLS.index(call), (mover + 1) % players
    quantity, face = divmod(last, len(_FACES))
    true = sum(die in (face, len(_FACES) - 1) for die in dice) > quantity
    loser = mover if true else (mover - 1) % players
    scores = [int(player != loser) for player in range(players)]
    return scores, scores


def _die(game: Game, player: int) -> int:
    """Return the face of a player's die, from 0; its owner sees it."""
    board = game.view(player)["board"]
    assert isinstance(board, dict)
    seen = [each for place in board["die"] if isinstance(place, list) for each in place]
    return next(_FACES.index(str(each).partition("#")[0]) for each in seen)
