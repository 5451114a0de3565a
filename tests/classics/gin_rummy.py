"""Our gin rummy and OpenSpiel's: each of our options is one OpenSpiel action.

OpenSpiel lets a player discard the card just taken from the pile, and gives no points for equal
deadwood. Our game has settings for both.
"""

import random
from collections.abc import Sequence
from typing import Protocol, cast

import rulesdsl
from classics.cards import CARDS, MELDS, cards_in, least
from classics.lockstep import Break, ByAction, Difference, Ids, Match, State, same_result
from classics.reference import ByReference
from classics.references.gin_rummy import gin
from rulesdsl import Game

_UPCARD, _STOCK, _PASS, _KNOCK, _MELD = 52, 53, 54, 55, 56
_KNOCKS = "knock-with-upcard-the-card"
_ACTIONS = {
    "take-the-card-if-able-end-turn": _UPCARD,
    "raise-upcards-taken-by-1-take-the-card": _UPCARD,
    _KNOCKS: _KNOCK,
    "draw": _STOCK,
    "pass-it": _PASS,
    "end-deal-the-card": _PASS,
    "abandon": _UPCARD,  # theirs is over when the fiftieth upcard is taken
    "done": _PASS,
    "meld:done": _PASS,
    "face:knock": _KNOCK,
}
_HAND = 10
_BOLD = (0.05, 0.2)  # house: how often a steered player knocks before it is gin; to be undercut
_KEEN = 0.8  # house: how often a steered player lays down or lays off what can be
_STUBBORN = 0.05  # house: how often a steered player throws back the card just taken
_PILE, _HANDS = 1, (2, 3)  # in the view of the board: the places of cards, as they are declared


class _Gin(State, Protocol):
    """OpenSpiel's gin rummy state."""

    def current_phase(self) -> str: ...
    def deadwood(self) -> list[int]: ...
    def prev_upcard(self) -> int | None: ...


def _action(ids: Ids, _game: Game) -> int | None:
    (name,) = ids
    if name in _ACTIONS:
        return _ACTIONS[name]
    kind, _, thing = name.partition(":")
    return _MELD + MELDS[thing] if kind == "meld" else CARDS[thing]


def _deal(game: Game, state: State) -> int:
    """Return the card that our game dealt next, to a hand or the pile, or the card drawn."""
    left = {card for card, _ in state.chance_outcomes()}
    dealt = len(CARDS) - len(left)
    hands = [cards_in(game, player, place) for player, place in enumerate(_HANDS, start=1)]
    if dealt < 2 * _HAND:
        return min(left.intersection(hands[dealt // _HAND]))
    seen = cards_in(game, 1, _PILE) if dealt == 2 * _HAND else [*hands[0], *hands[1]]
    found = left.intersection(seen)
    if len(found) != 1:
        raise Difference(f"{len(found)} cards have been drawn\n{state}")
    return found.pop()


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Choose actions that make melds, and so lead to knocks, lay-offs, gin and undercuts."""
    gin = cast("_Gin", state)
    player = gin.current_player()
    phase = str(gin.current_phase()).rpartition(".")[2]
    if phase == "DISCARD":
        own, other = gin.deadwood()[player], gin.deadwood()[1 - player]
        if _KNOCK in actions and (own == 0 or chance.random() < _BOLD[other <= own]):
            return _KNOCK
        cards = [each for each in actions if each < _UPCARD]
        if gin.prev_upcard() in cards and chance.random() < _STUBBORN:
            return gin.prev_upcard()
        return min(cards, key=lambda each: (_after(gin, each).deadwood()[player], chance.random()))
    if phase in ("DRAW", "FIRST_UPCARD") and _UPCARD in actions:
        taken = _after(gin, _UPCARD)
        helps = not taken.is_terminal() and taken.deadwood()[player] < gin.deadwood()[player]
        return _UPCARD if helps else max(actions)
    if phase in ("KNOCK", "LAYOFF", "WALL") and chance.random() < _KEEN:
        return chance.choice([each for each in actions if each != _PASS] or list(actions))
    return None


def _after(state: _Gin, action: int) -> _Gin:
    return cast("_Gin", state.child(action))


def _same_points(game: Game, state: State) -> None:
    """Compare the points of the deal, which OpenSpiel also subtracts from the loser."""
    result = game.result
    if result is None:
        raise Difference(f"ours is not over\n{state}")
    ours = result.scores[0] - result.scores[1]
    if ours != state.returns()[0]:
        raise Difference(f"points: ours {result.scores}, theirs {state.returns()}\n{state}")
    same_result(game, state)


def _match(name: str, spiel: str, **options: rulesdsl.OptionValue) -> Match:
    same: dict[str, rulesdsl.OptionValue] = {"throw-back": True, "level": "no-points"}
    return ByAction(
        name,
        "gin_rummy",
        spiel,
        _action,
        options={**same, **options},
        deal=_deal,
        steer=_steer,
        result=_same_points,
    )


def _knock_often(game: Game, player: int, ids: Sequence[str], chance: random.Random) -> str | None:
    """Knock as soon as possible, and otherwise discard what leaves least deadwood."""
    if "face:knock" in ids:
        return "face:knock" if chance.random() < _KEEN else None
    if ids[0].startswith("face:"):
        hand = frozenset(cards_in(game, player, _HANDS[player - 1]))
        held = [CARDS[each.removeprefix("face:")] for each in ids]
        best = min(held, key=lambda card: (least(hand - {card}), chance.random()))
        return ids[held.index(best)]
    return _KNOCKS if _KNOCKS in ids else None


MATCHES: Sequence[Match] = [
    ByReference("gin rummy, usual options", "gin_rummy", gin, steer=_knock_often),
    ByReference(
        "gin rummy, to 100",
        "gin_rummy",
        gin,
        {"target": 100},
        steer=_knock_often,
        always=True,
        long=True,
    ),
    ByReference("gin rummy, gin only", "gin_rummy", gin, {"knock-limit": 0}, steer=_knock_often),
    _match("gin rummy", "gin_rummy"),
    _match("gin rummy, oklahoma", "gin_rummy(oklahoma=true)", oklahoma=True),
    _match("gin rummy, knocking with 5", "gin_rummy(knock_card=5)", **{"knock-limit": 5}),
]
BREAKS: Sequence[Break] = [
    Break("numbers.toml", "stock-left = 2", "stock-left = 3"),
    Break("numbers.toml", "undercut-bonus = 25", "undercut-bonus = 20"),
    Break("deal.rules", "if again: mark closed", "if again: nothing"),
    Break("deadwood.rules", "or m / 4 - 8 * (m / 32) = 7", "or m / 4 - 8 * (m / 32) = 6"),
    Break("knock.rules", "laid-off of down of a-low and f", "laid-off of a-low and f"),
    Break("table.rules", "if least <= most-left:", "if least < most-left:"),
]
