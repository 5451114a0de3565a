"""The scene: what a viewer sees as data, and the references by which options find things in it."""

import random
from pathlib import Path

import pytest

import rulesdsl
from coloma.packs import PackSummary, bundled_packs
from interpreter.test_leaks import leaks_nothing
from kept import shipped_pack
from packs_on_the_fly import BOX, loaded

GAMES = [summary for summary in bundled_packs() if not summary.is_mod]
POSITIONS = 25

MORE = """
kind way "Way":
    to: stall
way left "Left":
    to = one
way right "Right":
    to = two
flag tired per player
flag noted per player quiet
memory goal: stall per player seen by owner
verb go:
    let w = a way
    move my pawn into (to of w)
verb tuck:
    let c = a card in my hand
    move c into my shelf
"""
DEAL = """step game:
    shuffle deck
    for each player: move top of deck into my hand
    for each player: act"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    box = BOX.replace("step game: for each player: act", DEAL)
    act = "go\nset my goal to a stall\nmay gain 2 coins\nif able: tuck"
    return loaded(tmp_path_factory.mktemp("scene"), act, MORE, box=box)


def cell(game: rulesdsl.Game, viewer: int | None, ref: str) -> rulesdsl.SceneCell:
    return next(cell for cell in game.scene(viewer).cells if cell.ref == ref)


def test_cells_are_listed_with_what_lies_there_and_empty_ones_too(pack: rulesdsl.Pack) -> None:
    game = pack.new_game(2, 3)
    mine = cell(game, 1, "hand:1")
    assert (mine.place, mine.seat, mine.within, mine.stack) == ("hand", 1, ("seat:1",), False)
    assert [piece.count for piece in mine.pieces] == [1]
    assert all(piece.ref.startswith("card:") and piece.title for piece in mine.pieces)
    assert cell(game, 1, "stall:two").pieces == ()
    coins = cell(game, 1, "heap").pieces[0]
    assert (coins.ref, coins.kind, coins.count) == ("coin@heap", "coin", 10)


def test_hidden_pieces_have_no_reference(pack: rulesdsl.Pack) -> None:
    game = pack.new_game(2, 3)
    for viewer in (2, None):
        (others,) = cell(game, viewer, "hand:1").pieces
        assert (others.ref, others.title, others.count) == ("", "", 1)
    deck = cell(game, 1, "deck")
    assert deck.stack
    assert {piece.ref for piece in deck.pieces} == {""}


def test_options_refer_to_what_they_name(pack: rulesdsl.Pack) -> None:
    game = pack.new_game(2, 3)
    scene = game.scene(1)
    assert [option.refs for option in scene.options] == [
        ("way:left", "stall:one"),
        ("way:right", "stall:two"),
    ]
    assert game.scene(2).options == game.scene(None).options == ()
    game.choose(0)
    assert [option.refs[0] for option in game.scene(1).options][:2] == [
        "stall:one",
        "stall:two",
    ]
    game.choose(0)
    assert {option.refs for option in game.scene(1).options} == {()}
    game.choose("no")
    tucked = game.scene(1)
    assert [option.refs[1] for option in tucked.options] == ["hand:1"]
    assert all({*option.refs} <= tucked.refs for option in tucked.options)


def test_questions_refer_to_what_they_name_and_changes_to_what_moves(pack: rulesdsl.Pack) -> None:
    game = pack.new_game(2, 3)
    dealt = [
        [(change.kind, change.subject[:5], change.source, change.target) for change in changes]
        for changes in (game.changes(1), game.changes(2), game.changes(None))
    ]
    known, unknown = (("piece", name, "deck", "hand:{}") for name in ("card:", ""))
    own = [(*known[:3], "hand:1"), (*unknown[:3], "hand:2")]
    other = [(*unknown[:3], "hand:1"), (*known[:3], "hand:2")]
    assert dealt == [own, other, [(*unknown[:3], f"hand:{seat}") for seat in (1, 2)]]

    start = game.log_length
    game.choose("way:left")
    game.choose(1)
    game.choose("yes")
    changes = game.changes(2, start)
    assert [(c.kind, c.subject, c.source, c.target, c.amount) for c in changes] == [
        ("place", "pawn:1", "corner:1", "stall:one", 1),
        ("move", "coin", "heap", "purse:1", 2),
    ]
    assert {change.actor for change in changes} == {1}


def test_values_are_hidden_from_those_who_do_not_see_them(pack: rulesdsl.Pack) -> None:
    game = pack.new_game(2, 3)
    game.choose(0)
    game.choose(0)
    own, other = (
        {value.ref: value.value for value in game.scene(viewer).values} for viewer in (1, 2)
    )
    assert own["goal:1"] == "One"
    assert other["goal:1"] is None
    assert other["goal:2"] == ""
    assert own["tired:1"] is False
    assert "noted:1" not in own


def test_a_scene_tells_nothing_that_a_viewer_may_not_know(pack: rulesdsl.Pack) -> None:
    leaks_nothing(pack)


@pytest.mark.parametrize("summary", GAMES, ids=lambda summary: summary.id)
def test_what_options_name_is_in_the_scene(summary: PackSummary) -> None:
    shipped, named = shipped_pack(summary.folder), 0
    least, most = shipped.players
    for seed in range(2):
        game, chance = shipped.new_game(min(most, max(least, 3)), seed), random.Random(seed)
        for _ in range(POSITIONS):
            if game.decision is None:
                break
            scene = game.scene(game.decision.player)
            for option in scene.options:
                named += bool(option.refs)
                assert not option.refs or scene.refs & {*option.refs}, option
            game.choose(chance.randrange(game.decision.count))
    assert named


def test_equal_pieces_are_numbered_as_they_lie(tmp_path: Path) -> None:
    act = "shuffle deck\nmay gain 1 coin"
    copied = loaded(tmp_path, act, box=BOX.replace("seen by nobody", ""))
    game = copied.new_game(2, 3)
    before = [piece.ref for piece in cell(game, None, "deck").pieces]
    game.choose(0)
    after = [piece.ref for piece in cell(game, None, "deck").pieces]
    assert sorted(before) == sorted(after)
