"""Our Liar's Dice and OpenSpiel's, with one die each."""

import random
from collections.abc import Sequence
from typing import Any

from classics.lockstep import Break, ByAction, Difference, Ids, State
from classics.reference import ByReference
from classics.references.liars_dice import liars_dice
from rulesdsl import Game

_FACES = ("one", "two", "three", "four", "five", "six")
_LIAR = 12


def _action(path: Ids, _game: Game) -> int:
    """Return OpenSpiel's number for a bid or challenge; bids are numbered from the lowest."""
    call = path[0].removeprefix("call:")
    if call == "liar":
        return _LIAR
    quantity, face = call.split("-")
    named = face.removesuffix("es" if face == "sixes" else "s")
    return 6 * ("one", "two").index(quantity) + _FACES.index(named)


def _deal(game: Game, state: State) -> int:
    """Return the roll of OpenSpiel's next player; each player sees only their own die."""
    first, second = (_seen(game, player) for player in (1, 2))
    rolls_first = str(state).startswith("-1")
    return _FACES.index(first if rolls_first else second)


def _seen(game: Game, player: int) -> str:
    """Return the face that a player sees; raise Difference unless it is exactly one."""
    board: Any = game.view(player)["board"]
    seen = [each for pile in board["die"] if isinstance(pile, list) for each in pile]
    if len(seen) != 1:
        raise Difference(f"player {player} sees the dice {seen}")
    return str(seen[0]).split("#")[0]


def _steer(_state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Bid one die of some face and call it, or bid two sixes."""
    if _LIAR in actions and chance.random() < 0.6:
        return _LIAR
    return chance.choice([actions[0], actions[min(5, len(actions) - 1)]])


MATCHES = (
    ByAction("Liar's Dice", "liars_dice", "liars_dice", _action, deal=_deal, steer=_steer),
    ByReference("Liar's Dice, three players", "liars_dice", liars_dice, players=3),
    ByReference("Liar's Dice, four players", "liars_dice", liars_dice, players=4),
)
BREAKS = (
    Break("play.rules", "or pips = pips of six", ""),
    Break("play.rules", ">= quantity of c", "> quantity of c"),
    Break("play.rules", "position of c > last", "position of c >= last"),
    Break("play.rules", "quantity of c <= players", "quantity of c < players"),
    Break("play.rules", "c <> liar or last > 0", "c <> liar or last > 1"),
    Break("dice.rules", "per player seen by owner", "per player"),
)
