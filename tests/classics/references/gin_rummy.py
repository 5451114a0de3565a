"""Gin Rummy by the least deadwood of all arrangements, with no upcard thrown back."""

from collections.abc import Generator

from classics.cards import CARDS, cards_in, least, worth
from classics.reference import Choice, Legal, Rules
from rulesdsl import Game

_NAME = {card: name for name, card in CARDS.items()}
_PILE, _HANDS, _DEADWOOD = 1, {1: 2, 2: 3}, {1: 8, 2: 9}


def gin(game: Game) -> Rules:
    """Play deals until somebody has the points of the option `target`, or a single deal."""
    target, points = int(game.setting.options["target"]), [0, 0]
    for deal in range(41 if target else 1):
        for _ in points if deal else ():
            yield {decision.player: ["start:next-deal"] for decision in game.decisions}
        winner, gain = yield from _deal(game, deal % 2 + 1)
        points[winner - 1] += gain
        if target and max(points) >= target:
            break
    return points, points


def _deal(game: Game, mover: int) -> Generator[Legal, Choice, tuple[int, int]]:
    limit, (up,) = int(game.setting.options["knock-limit"]), cards_in(game, 1, _PILE)
    stock, upcards, passes = 31, 0, 0
    while stock > 2:
        taken = (
            "take-the-card-if-able-end-turn"
            if passes < 3
            else "raise-upcards-taken-by-1-take-the-card"
        )
        take = taken if upcards < 49 else "abandon"
        draw = "pass-it" if passes < 2 else "draw"
        _, option = yield {mover: [draw] if passes == 2 else [take, draw]}
        if option == "abandon":
            return mover, 0
        if option == "pass-it":
            mover, passes = 3 - mover, passes + 1
            continue
        stock, upcards = stock - (option == draw), upcards + (option == take and passes > 2)
        hand = frozenset(cards_in(game, mover, _HANDS[mover]))
        free = hand if option == draw else hand - {up}
        useless = [card for card in free if least(hand - {card}) <= limit]
        ids = [f"face:{_NAME[card]}" for card in free]
        _, option = yield {mover: [*ids, "face:knock"] if useless else ids}
        if option == "face:knock":
            break
        up, mover, passes = CARDS[option.removeprefix("face:")], 3 - mover, 3
    else:
        free = frozenset(cards_in(game, mover, _HANDS[mover]))
        useless = [card for card in free if least(free - {card} | {up}) <= limit]
        ends, knocks = "end-deal-the-card", "knock-with-upcard-the-card"
        ids = [knocks, ends] if useless else [ends]
        if (yield {mover: ids})[1] != knocks:
            return mover, 0
    yield {mover: [f"card:{_NAME[card]}" for card in useless]}
    # what is laid down and off is left to our game: the matches with OpenSpiel compare it
    while game.decision and game.decision.options[0].id != "start:next-deal":
        yield {game.decision.player: [option.id for option in game.decision.options]}
    own, other = (sum(map(worth, cards_in(game, e, _DEADWOOD[e]))) for e in (mover, 3 - mover))
    if own < other or not own:
        return mover, other - own + (0 if own else 25)
    return 3 - mover, own - other + 25
