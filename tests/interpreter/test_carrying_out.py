"""What takes several lines: the flow, cells, prices, candidates, effects of fields."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, box_with_game, carried_on, findings, loaded, played, written


def test_the_flow_ends_inside_nested_calls(tmp_path: Path) -> None:
    more = """
        verb outer: for each stall s: inner on s
        verb inner on stall s:
            raise my fame by 1
            if size of s = 2: deepest
        verb deepest:
            may raise my fame by 3
            end game
        """

    done = played(tmp_path, "outer\nraise my fame by 9", "no", more=more, players=2)

    assert (done.fame(1), done.fame(2)) == (2, 0)
    assert done.state["frames"] == []


def test_cells_of_a_procedure_are_its_own(tmp_path: Path) -> None:
    act = """
        raise my paid by 2
        if my fame > 9: raise my fame by 1
        raise my fame by my paid
        """

    assert played(tmp_path, act, box=box_with_game("for each player: act")).fame() == 4


def test_pieces_that_belong_to_somebody_stay_theirs_in_common_places(tmp_path: Path) -> None:
    act = "move up to 2 dudes from my purse into field\nraise my fame by my dudes in field"

    done = played(tmp_path, act, players=3)

    assert [done.fame(seat) for seat in (1, 2, 3)] == [2, 2, 2]
    assert done.row("Field") == "2 dudes of Player 1, 2 dudes of Player 2, 2 dudes of Player 3"


def test_a_bundle_is_paid_by_its_nouns(tmp_path: Path) -> None:
    more = """
        piece jug from "jugs.toml" in deck:
            price: bundle
        verb pay bundle b: pay (coins of b) coins
        verb buy jug j:
            pay price of j
            raise my fame by 5
        """
    box = BOX.replace("stack deck seen by nobody holds card", "stack deck holds card, jug")
    jugs = "source = 'house'\n[red]\nprice = { coins = 3 }\n[big]\nprice = { coins = 7 }\n"
    act = "gain 5 coins\nif able:\n    let j = a jug in deck\n    buy j"
    folder = written(tmp_path, act, more, box=box)
    (folder / "jugs.toml").write_text(jugs)

    done = carried_on(rulesdsl.load(folder, cache=False).new_game(1), [])

    assert (done.fame(), done.row("Purse", 1)) == (5, "2 coins, 3 dudes")


def test_a_secret_choice_with_one_option_is_asked(tmp_path: Path) -> None:
    more = 'place lake "Lake" holds pawn:\n    size: number\nlake deep "Deep":\n    size = 1\n'
    box = box_with_game("all choose secretly a lake s: move my pawn into s")

    done = played(tmp_path, "nothing", "lake:deep", "lake:deep", players=2, box=box, more=more)

    assert done.asked == [["lake:deep"], ["lake:deep"]]


@pytest.mark.parametrize(
    ("where", "among", "asked"),
    [
        ("my hand", "card in my hand", [["card:dog"]]),
        ("my shelf", "card in my shelf", []),
        ("deck", "dog in (top 1 of deck) where worth = 3", [["card:dog"]]),
        ("rack", "card in (top 2 of rack)", []),
        ("rack", "dog in (top 2 of rack) where worth = 3", []),
    ],
)
def test_one_candidate_is_a_question_only_where_it_is_hidden(
    where: str, among: str, asked: list[list[str]], tmp_path: Path
) -> None:
    act = f"""
        move top of deck into {where}
        if able:
            let c = a {among}
            move c into pile
        """

    done = played(tmp_path, act, *(each[0] for each in asked), more="stack rack holds card")

    assert (done.asked, done.row("Pile")) == (asked, "Dog")


def test_effects_of_fields_are_done_as_they_stand_in_the_table(tmp_path: Path) -> None:
    act = "for each card c in deck:\n    if able: do use of c"

    assert played(tmp_path, act, "three").fame() == 4


def test_an_absent_effect_cannot_be_carried_out(tmp_path: Path) -> None:
    act = """
        move all cards in deck into my shelf
        menu:
            once for each card c in my shelf: used on c
        """

    done = played(tmp_path, act, "done", more="verb used on card c: do use of c\n")

    assert done.asked == [["used:ant", "used:bee", "done"]]


def test_what_may_get_stuck_is_refused(tmp_path: Path) -> None:
    assert findings(tmp_path, "move 2 coins from my purse into heap") == ["E401"]


def test_a_pack_on_the_fly_plays_with_every_number_of_players(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "may raise my fame by 1")

    for players in range(1, 5):
        game = pack.new_game(players)
        for _ in range(players):
            game.choose("yes")
        assert game.over


def test_the_last_of_several_ways_may_be_to_do_nothing(tmp_path: Path) -> None:
    act = 'choose one:\n    "one": raise my fame by 1\n    "none": nothing'

    assert played(tmp_path / "one", act, "one").fame() == 1
    assert played(tmp_path / "none", act, "none").fame() == 0


def test_moved_pieces_stay_those_of_their_seat(tmp_path: Path) -> None:
    act = "move all dudes in purses into field\nraise my fame by my dudes in field"

    game = played(tmp_path, act, players=3)

    assert [game.fame(seat) for seat in (1, 2, 3)] == [3, 3, 3]


def test_pieces_of_others_do_not_come_to_a_seat(tmp_path: Path) -> None:
    game = played(tmp_path, "move all dudes in purses into my purse", players=2)

    assert (game.row("Purse", 1), game.row("Purse", 2)) == ("3 dudes", "3 dudes")


def test_what_a_track_counts_for_each_piece_is_named_by_the_piece(tmp_path: Path) -> None:
    box = BOX.replace('"cards.toml" in deck', '"cards.toml" 2 in pile')
    more = 'track wear per card\ntrack mud per pawn\npanel "More": wears, muds\n'
    act = """
        for each card c in pile where c = dog: raise wear of c by 1
        raise mud of my pawn by 1
    """
    game = carried_on(loaded(tmp_path, act, more, box=box).new_game(2), []).game

    said = [line.text for line in game.log]
    assert said.count("The Wear of Dog is now 1") == 2
    assert "The Mud of Pawn of Player 2 is now 1" in said


@pytest.mark.parametrize(
    ("seen", "back", "learned"),
    [("", "", 1), (" seen by nobody", "", 0), (" seen by nobody", " seen by all", 1)],
)
def test_a_shuffle_that_somebody_sees_is_learned(
    seen: str, back: str, learned: int, tmp_path: Path
) -> None:
    box = BOX.replace("stack deck seen by nobody", f"stack deck{seen}")
    box = box.replace("worth: number", f"worth: number{back}")

    game = loaded(tmp_path, "shuffle deck", box=box).new_game(1)

    assert game.learned == learned
