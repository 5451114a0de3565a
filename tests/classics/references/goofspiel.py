"""Goofspiel for two or three, in which a tied prize may stay on the table."""

from classics.reference import Rules
from rulesdsl import Game

_RANKS = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)


def goofspiel(game: Game) -> Rules:
    """Play a round for each prize; the engine makes the bids of the last one."""
    options, players = game.setting.options, range(1, game.players + 1)
    values = range(1, int(options["ranks"]) + 1)
    hands = {player: set(values) for player in players}
    scores, table, unseen = dict.fromkeys(players, 0), list[int](), set(values)
    while unseen:
        table.append(next(iter(unseen)) if len(unseen) == 1 else _new_prize(game, unseen))
        unseen.discard(table[-1])
        bids: dict[int, int] = {}
        while len(bids) < len(players):
            player, option = yield {
                each: [f"card:{_RANKS[value - 1]}" for value in hands[each]]
                for each in players
                if each not in bids
            }
            bids[player] = _RANKS.index(option.removeprefix("card:")) + 1
            hands[player].discard(bids[player])
        best = [player for player in players if bids[player] == max(bids.values())]
        if len(best) == 1:
            scores[best[0]] += sum(table)
        if len(best) == 1 or options["tied-prize"] == "lost":
            table.clear()
    return list(scores.values()), list(scores.values())


def _new_prize(game: Game, unseen: set[int]) -> int:
    """Return the prize turned up last."""
    board = game.view(1)["board"]
    assert isinstance(board, dict)
    up = (_RANKS.index(each.partition("-")[0].partition("#")[0]) + 1 for each in board["prize"][1])
    (new,) = unseen.intersection(up)
    return new
