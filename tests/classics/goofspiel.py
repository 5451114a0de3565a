"""Our Goofspiel and OpenSpiel's: with open or hidden bids, and with thirteen or five ranks."""

import random
import re
from collections.abc import Sequence
from typing import Any

from classics.lockstep import Break, ByAction, Difference, Ids, State, same_result
from classics.reference import ByReference
from classics.references.goofspiel import goofspiel
from rulesdsl import Game

_RANKS = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)


def _rank(entry: str) -> int:
    """Return the rank (from 0) of a card or prize such as `seven`, `seven#19`, `ten-prize#6`."""
    return _RANKS.index(re.split("[-#]", entry)[0])


def _action(path: Ids, _game: Game) -> int:
    return _rank(path[0].removeprefix("card:"))


def _deal(game: Game, state: State) -> int:
    """Return the prize on offer; the last one is awarded without a question."""
    outcomes = state.chance_outcomes()
    if len(outcomes) == 1:
        return outcomes[0][0]
    _check_secrets(game)
    board: Any = game.view(1)["board"]
    up_for_bids = [_rank(each) for each in board["prize"][1]]
    if len(up_for_bids) != 1:
        raise Difference(f"{len(up_for_bids)} prizes are up for bids")
    return up_for_bids[0]


def _check_secrets(game: Game) -> None:
    """Check that players see the other player's played cards only if bids are open."""
    face_down = game.setting.options["bids-face-down"]
    for viewer in (1, 2):
        board: Any = game.view(viewer)["board"]
        seen = [each for pile in board["card"] if isinstance(pile, list) for each in pile]
        others = [each for each in seen if _owner(each) != viewer]
        rounds = sum(len(pile) for pile in board["prize"][1:] if isinstance(pile, list)) - 1
        if len(others) != (0 if face_down else rounds):
            raise Difference(f"player {viewer} sees {others} after {rounds} rounds")


def _owner(card: str) -> int:
    """Return the owner of a card such as `seven#19`; cards are numbered player by player."""
    return int(card.split("#")[1]) // len(_RANKS) + 1


def _points(state: State) -> list[int]:
    found = re.search(r"Points: (\d+) (\d+)", str(state))
    assert found is not None
    return [int(each) for each in found.groups()]


def _result(game: Game, state: State) -> None:
    """Compare the result and the points of both players."""
    same_result(game, state)
    assert game.result is not None
    if list(game.result.scores) != _points(state):
        raise Difference(f"points: ours {game.result.scores}\n{state}")


def _steer(_state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Bid the lowest or the highest card, which leads to many ties."""
    return chance.choice([actions[0], actions[0], actions[-1]])


def _tie(_game: Game, _player: int, ids: Sequence[str], chance: random.Random) -> str:
    return chance.choice([ids[0], ids[0], ids[-1]])


def _match(name: str, *, face_down: bool, ranks: int) -> ByAction:
    game = f"goofspiel(imp_info={face_down},num_cards={ranks})"
    return ByAction(
        name,
        "goofspiel",
        f"turn_based_simultaneous_game(game={game})",
        _action,
        options={"bids-face-down": face_down, "ranks": ranks},
        deal=_deal,
        steer=_steer,
        result=_result,
    )


MATCHES = (
    _match("Goofspiel", face_down=False, ranks=13),
    _match("Goofspiel, bids face down", face_down=True, ranks=13),
    _match("Goofspiel, five ranks", face_down=False, ranks=5),
    *(
        ByReference(
            f"Goofspiel, {ranks} ranks, {players} players, tied prizes {tied}",
            "goofspiel",
            goofspiel,
            {"ranks": ranks, "tied-prize": tied, "bids-face-down": down},
            players,
            steer=_tie,
        )
        for ranks, players, tied, down in (
            (13, 2, "carried-over", False),
            (6, 2, "carried-over", True),
            (3, 2, "lost", True),
            (13, 3, "lost", False),
            (4, 3, "carried-over", False),
        )
    ),
)

BREAKS = (
    Break("play.rules", "the player with most bidden", "the player with least bidden"),
    Break("play.rules", "otherwise if tied-prize = lost:", "otherwise if tied-prize <> lost:"),
    Break("play.rules", "most bidden", "most bidden then least position of it"),
    Break("ranks.toml", "pips = 11", "pips = 9"),
    Break("ranks.toml", "points = 12", "points = 13"),
    Break(
        "cards.rules",
        'place hidden-played "Played face down" per player seen by owner',
        'place hidden-played "Played face down" per player',
    ),
)
