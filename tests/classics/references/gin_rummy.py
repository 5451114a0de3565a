"""Gin Rummy with the usual options, by a search of all arrangements of melds.

Which melds are laid down, and what is laid off, is left to our game: OpenSpiel's does the same.
"""

from collections.abc import Generator, Iterable
from functools import cache

from classics.cards import CARDS, MELDS, cards_in
from classics.reference import Choice, Legal, Rules
from rulesdsl import Game

_NAME = {card: name for name, card in CARDS.items()}
_SETS = [frozenset(CARDS[card] for card in name.split("-")) for name in MELDS]
_WITH = {card: [meld for meld in _SETS if card in meld] for card in _NAME}
_Deal = Generator[Legal, Choice, tuple[int, int]]
_PILE, _HANDS, _DEADWOOD = 1, {1: 2, 2: 3}, {1: 8, 2: 9}


@cache
def least(cards: frozenset[int]) -> int:
    """Return the least deadwood of all arrangements of some cards in melds."""
    if not cards:
        return 0
    first = min(cards)
    melds = [least(cards - meld) for meld in _WITH[first] if meld <= cards]
    return min([_worth([first]) + least(cards - {first}), *melds])


def _worth(cards: Iterable[int]) -> int:
    return sum(min(card % 13 + 1, 10) for card in cards)


def gin(game: Game) -> Rules:
    """Play deals until somebody has the points of the option `target`, or a single deal."""
    target, points = int(game.setting.options["target"]), [0, 0]
    for deal in range(41 if target else 1):
        for _ in points if deal else ():
            yield {each.player: ["start:next-deal"] for each in game.decisions}
        winner, gain = yield from _deal(game, deal % 2 + 1)
        points[winner - 1] += gain
        if target and max(points) >= target:
            break
    return points, points


def _deal(game: Game, mover: int) -> _Deal:
    """Play a deal that a player opens; return who scores, and how much."""
    limit, (up,) = int(game.setting.options["knock-limit"]), cards_in(game, 1, _PILE)
    stock, upcards, passed, opening = 31, 0, 0, True
    while opening or stock > 2:
        taken = frozenset[int]()
        if opening or passed != 2:
            other = "pass" if opening else "draw-from-the-stock"
            first = "take-the" if upcards < 49 else "end-the-deal-now"
            _, option = yield {mover: [first, other]}
            if option == "end-the-deal-now":
                return mover, 0
            if option == "pass":
                passed += 1
                mover, opening = 3 - mover, passed < 2
                continue
            upcards += option == "take-the" and not opening
            taken = frozenset({up} if option == "take-the" else ())
        stock, passed, opening = stock - (not taken), 0, False
        hand = _hand(game, mover)
        ids = [f"face:{_NAME[card]}" for card in hand - taken]
        may_knock = min(least(hand - {card}) for card in hand - taken) <= limit
        _, option = yield {mover: [*ids, "face:knock"] if may_knock else ids}
        if option == "face:knock":
            return (yield from _settle(game, mover, hand, taken))
        up, mover = CARDS[option.removeprefix("face:")], 3 - mover
    hand, taken = _hand(game, mover) | {up}, frozenset({up})
    if min(least(hand - {card}) for card in hand - taken) <= limit:
        _, option = yield {mover: ["knock", "end-the-deal"]}
        if option == "knock":
            return (yield from _settle(game, mover, hand, taken))
    return mover, 0


def _settle(game: Game, knocker: int, hand: frozenset[int], taken: frozenset[int]) -> _Deal:
    """Score a deal; `taken` is the upcard, which the knocker may not discard."""
    limit = int(game.setting.options["knock-limit"])
    useless = [card for card in hand - taken if least(hand - {card}) <= limit]
    yield {knocker: [f"card:{_NAME[card]}" for card in useless]}
    while game.decision and game.decision.options[0].id != "start:next-deal":
        yield {game.decision.player: [each.id for each in game.decision.options]}
    own, other = (_worth(cards_in(game, e, _DEADWOOD[e])) for e in (knocker, 3 - knocker))
    if own < other or not own:
        return knocker, other - own + (0 if own else 25)
    return 3 - knocker, own - other + 25


def _hand(game: Game, player: int) -> frozenset[int]:
    return frozenset(cards_in(game, player, _HANDS[player]))
