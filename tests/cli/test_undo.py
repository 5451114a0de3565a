"""The remark about undo and `undo` agree, for people at one keyboard and against bots."""

import random
from itertools import islice
from pathlib import Path

import pytest

import rulesdsl
from coloma.packs import PackSummary, bundled_packs
from kept import shipped_pack
from packs_on_the_fly import BOX, loaded
from rulesdsl.bots.bot import ByWeight, all_alike
from rulesdsl.table.seating import Seating
from rulesdsl.table.table import GameTable
from rulesdsl.table.undo import NotUndone

GAMES = [summary for summary in bundled_packs() if not summary.is_mod]
MOST = 40  # choices of people looked at in a game


def seated(pack: rulesdsl.Pack, players: int, bots: int, seed: int = 1) -> GameTable:
    seating = Seating.with_last(players, ("random",) * bots)
    return GameTable(pack.new_game(players, seed), seating, None, lambda _: ByWeight(all_alike))


def choose(table: GameTable, index: int) -> None:
    """Make the choice of a person, and the choices of bots after it."""
    decision = table.game.decision
    assert decision
    table.choose(decision, index)
    while table.let_a_bot_choose():
        pass


def undone(table: GameTable, typist: int, owner: str = "") -> bool:
    try:
        table.undo(typist, owner)
    except NotUndone:
        return False
    return True


def check_one_choice(table: GameTable, chance: random.Random) -> bool:
    """Make a random choice, undo it if that is possible, and make it again; True if it is."""
    decision = table.game.decision
    assert decision
    index, player = chance.randrange(decision.count), decision.player
    final, secret = table.final_options(decision)[index], decision.is_secret(index)
    before = table.game.to_data()
    choose(table, index)
    after, asked = table.game.to_data(), table.game.decision
    if asked is None and not final:
        assert table.can_undo_the_end()
    typist = asked.player if asked else player
    other = secret and typist != player
    if other:
        assert not undone(table, typist)
        assert table.game.to_data() == after
    assert undone(table, typist, str(player) if other else "") is not final
    if not final:
        assert table.game.to_data() == before
        choose(table, index)
    assert table.game.to_data() == after
    return not final


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_undo_does_what_the_remark_says(game: PackSummary, people: int) -> None:
    pack = shipped_pack(game.folder)
    players = max(2, pack.players[0])
    for seed in range(2):
        table, chance = seated(pack, players, players - people, seed), random.Random(seed)
        while table.let_a_bot_choose():
            pass
        for _ in islice(iter(lambda: table.game.over, True), MOST):  # noqa: B023
            check_one_choice(table, chance)


# -------------------------------------------------------------------- small games
RAISE = """
choose one:
    "one": raise my fame by 1
    "two": raise my fame by 2
"""
TAKE = """
choose one:
    "take": move top 1 of deck into my hand
    "pass": raise my fame by 1
"""
ROUNDS = BOX.replace(
    "step game: for each player: act", "step game:\n    shuffle deck\n    repeat 2 times: turns"
)
TURNS = "step turns: for each player: act"
BIDS = BOX.replace(
    "step game: for each player: act",
    "step game: all choose secretly a number n in 1..3: raise my fame by n",
)


def final(table: GameTable) -> list[bool]:
    assert table.game.decision
    return [*table.final_options(table.game.decision)]


def test_undo_goes_back_over_the_public_answer_of_a_bot(tmp_path: Path) -> None:
    table = seated(loaded(tmp_path, RAISE, TURNS, box=ROUNDS), 2, 1)
    assert final(table) == [False, False]
    choose(table, 0)
    assert table.step == 2
    assert undone(table, 1)
    assert table.step == 0


def test_an_answer_that_a_bot_may_give_makes_an_option_final(tmp_path: Path) -> None:
    pack = loaded(tmp_path, TAKE, TURNS, box=ROUNDS)
    assert final(seated(pack, 2, 0)) == [True, False]
    for seed in range(4):  # whatever the bot will answer
        assert final(seated(pack, 2, 1, seed)) == [True, True]


def test_an_option_is_final_if_the_next_player_may_know_more(tmp_path: Path) -> None:
    table = seated(loaded(tmp_path, TAKE, TURNS, box=ROUNDS), 2, 0)
    choose(table, 1)
    choose(table, 0)
    assert final(table) == [True, True]
    choose(table, 1)
    with pytest.raises(NotUndone, match="Player 2 may know something that Player 1 does not"):
        table.undo(2)


def test_owners_take_secret_answers_back_until_the_last_one(tmp_path: Path) -> None:
    table = seated(loaded(tmp_path, "nothing", box=BIDS), 3, 0)
    assert final(table) == [False, False, False]
    choose(table, 0)
    with pytest.raises(NotUndone, match="Player 1 chose in secret"):
        table.undo(2)
    with pytest.raises(NotUndone, match="There is no player `Ann`"):
        table.undo(2, "Ann")
    choose(table, 1)
    assert final(table) == [True, True, True]
    assert [each.player for each in table.game.decisions] == [3]

    table.undo(3, "player 1")
    assert [each.player for each in table.game.decisions] == [1, 3]
    choose(table, 2)
    choose(table, 2)
    assert [score.total for score in table.game.scores(None)] == [3, 2, 3]
    assert not undone(table, 3, "3")


def test_undo_takes_back_ones_own_secret_answer_and_never_a_later_one(tmp_path: Path) -> None:
    for answered, typist, still_asked in (
        ((0, 1), 1, [1, 3]),
        ((0, 1), 2, [2, 3]),
        ((0, 1), 3, None),
        ((0,), 1, [1, 2, 3]),
        ((0,), 2, None),
    ):
        table = seated(loaded(tmp_path, "nothing", box=BIDS), 3, 0)
        for index in answered:
            choose(table, index)
        before = [decision.player for decision in table.game.decisions]
        assert undone(table, typist) is (still_asked is not None)
        now = [decision.player for decision in table.game.decisions]
        assert now == (still_asked or before)


def test_the_only_person_cannot_take_a_secret_answer_back(tmp_path: Path) -> None:
    assert final(seated(loaded(tmp_path, "nothing", box=BIDS), 3, 2)) == [True, True, True]
