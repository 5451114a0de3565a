from __future__ import annotations

import json
from pathlib import Path

import pytest

from packs_on_the_fly import loaded
from rulesdsl import Game, Pack, SaveError

ACT = """\
let p = a player
for p: raise my fame by 2
may move my pawn into one
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    return loaded(tmp_path, ACT, 'rival miser "Miser"')


def test_names_reach_questions_log_score_and_result(pack: Pack) -> None:
    game = pack.new_game(3, names=["Ann", "Bob"])

    assert game.seats == ("Ann", "Bob", "Player 3", "Miser")
    assert game.decision is not None
    assert [each.label for each in game.decision.options] == ["Ann", "Bob", "Player 3"]
    game.choose("player:2")
    assert any("Bob" in line.text for line in game.log)
    assert [each.name for each in game.scores(None)] == list(game.seats)
    played(game)
    assert game.result is not None
    assert game.result.seats == game.seats


def test_an_empty_name_is_the_usual_one(pack: Pack) -> None:
    assert pack.new_game(3, names=["", " ", "Ann"]).seats[:3] == ("Player 1", "Player 2", "Ann")


def test_games_with_other_names_share_what_is_compiled(pack: Pack) -> None:
    usual, one, other = (pack.new_game(2, names=each) for each in ((), ("Ann",), ("Bob", "Cy")))

    assert usual.setting.engine is one.setting.engine is other.setting.engine
    assert [each.seats[:2] for each in (usual, one, other)] == [
        ("Player 1", "Player 2"),
        ("Ann", "Player 2"),
        ("Bob", "Cy"),
    ]
    assert len({json.dumps(each.to_data()["state"]) for each in (usual, one, other)}) == 1


def test_copies_and_saves_keep_the_names(pack: Pack) -> None:
    game = pack.new_game(2, names=["Ann"])
    saved = json.loads(json.dumps(game.to_data()))

    assert game.clone().seats == game.seats
    assert pack.game_from_data(saved).seats == game.seats
    assert pack.game_from_data(saved).to_data() == game.to_data()


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Ann", "Bob", "Cy"], "3 names are too many for 2 players"),
        (["Ann", "ANN "], "two seats cannot both be called ANN"),
        (["Player 2"], "two seats cannot both be called Player 2"),
        (["miser"], "two seats cannot both be called Miser"),
        (["An\nn"], "cannot be a name"),
        (["\x1b[2J"], "cannot be a name"),
        (["An\u202en"], "cannot be a name"),
        (["x" * 31], "'x{30}...' is too long: a name has at most 30 characters"),
    ],
)
def test_names_that_cannot_be(pack: Pack, names: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        pack.new_game(2, names=names)
    saved = pack.new_game(2).to_data()
    with pytest.raises(SaveError, match="`names` is invalid"):
        pack.game_from_data({**saved, "names": names})


@pytest.mark.parametrize("names", ["Ann", 0, None, [3], {"1": "Ann"}])
def test_names_of_a_save_that_are_no_texts(pack: Pack, names: object) -> None:
    with pytest.raises(SaveError, match="`names`"):
        pack.game_from_data({**pack.new_game(2).to_data(), "names": names})


def played(game: Game) -> None:
    while game.decision:
        game.choose(0)
