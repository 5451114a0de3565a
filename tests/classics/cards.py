"""The cards and melds of Gin Rummy, as OpenSpiel numbers them."""

from functools import cache

from rulesdsl import Game

_NAMES = {
    "a": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "j": "jack",
    "q": "queen",
    "k": "king",
}
_RANKS, _SUITS = list(_NAMES), "scdh"
_SUIT_NAMES = ("spades", "clubs", "diamonds", "hearts")
CARDS = {rank + suit: at for at, (suit, rank) in enumerate((s, r) for s in _SUITS for r in _RANKS)}
NAMED = {
    f"{name}-of-{suit}": at
    for at, (suit, name) in enumerate((s, n) for s in _SUIT_NAMES for n in _NAMES.values())
}


def _melds() -> dict[str, int]:
    """Return OpenSpiel's number for each meld, keyed by the cards of the meld."""
    sets = [
        "-".join(f"{rank}{suit}" for suit in _SUITS if suit != omitted)
        for rank in _RANKS
        for omitted in [*_SUITS, None]
    ]
    runs = [
        "-".join(f"{rank}{suit}" for rank in _RANKS[low : low + size])
        for size in (3, 4, 5)
        for suit in _SUITS
        for low in range(len(_RANKS) - size + 1)
    ]
    return {name: at for at, name in enumerate([*sets, *runs])}


MELDS = _melds()
_SETS = [frozenset(CARDS[card] for card in name.split("-")) for name in MELDS]
_WITH = {card: [meld for meld in _SETS if card in meld] for card in CARDS.values()}


@cache
def least(cards: frozenset[int]) -> int:
    """Return the least deadwood of all arrangements of some cards in melds."""
    if not cards:
        return 0
    first = min(cards)
    melds = [least(cards - meld) for meld in _WITH[first] if meld <= cards]
    return min([worth(first) + least(cards - {first}), *melds])


def worth(card: int) -> int:
    """Return the deadwood of a card outside melds."""
    return min(card % 13 + 1, 10)


def cards_in(game: Game, player: int, place: int) -> list[int]:
    """Return the cards that a player sees in a place."""
    board = game.view(player)["board"]
    assert isinstance(board, dict)
    return [NAMED[each.partition("#")[0]] for each in board["card"][place]]
