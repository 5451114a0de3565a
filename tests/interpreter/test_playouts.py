"""A playout is the game that is played choice by choice, without the stops."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesdsl
from packs_on_the_fly import by_choices, loaded

ROOT = Path(__file__).parents[2]
PACKS = [
    *(ROOT / "bench" / "packs").iterdir(),
    *(path.parent for path in (ROOT / "content").rglob("pack.toml")),
]
GAMES = [path for path in PACKS if 'kind = "game"' in (path / "pack.toml").read_text("utf-8")]
FEW = settings(max_examples=25, deadline=None)


def some_options(pack: rulesdsl.Pack, chance: random.Random) -> dict[str, bool | int | str]:
    return {each.name: chance.choice(each.values) for each in pack.options}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_a_playout_is_the_same_game(path: Path) -> None:
    pack = rulesdsl.load(path)
    least, most = pack.players
    settings_of_games = [(least, {}), (most, some_options(pack, random.Random(most)))]
    for players, options in settings_of_games:
        play = pack.playouts(players, options)
        for seed in range(8):
            game = play(seed, random.Random(seed).random)
            assert game.to_data() == by_choices(pack, players, seed, options)


# Decisions of every kind, one inside the other, and what a value or a search may be asked in.
RULES = """\
flag tired per player
track mood per player from 0..9

value best-stall: the stall with most dudes in it
value grumpy of seat: my mood > 3 and my fame < 5

verb shift n dudes:
    let s = a stall where no my dudes in it
    move up to n dudes from my purse into s
    if any stalls where any my dudes in it and size of it > 1: raise my mood by 1
    otherwise: lower my mood by 1
    let t = the stall where any my dudes in it with most size
    if any t:
        may move 1 dude from t into my purse

verb fuss:
    choose one:
        "shift": shift 2 dudes
        "sulk":
            needs my mood < 9
            raise my mood by 2
    may up to 2 times: shift 1 dude
    menu:
        once: raise my fame by 1
        any time for each stall s in (all stalls where any my dudes in it):
            move 1 dude from s into my purse
        once for each card c in my hand: do use of c
"""


@pytest.fixture(scope="module")
def fussy(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    return loaded(
        tmp_path_factory.mktemp("fussy"),
        "if able: fuss\nif grumpy of me:\n    if able: fuss",
        RULES,
    )


@FEW
@given(st.integers(0, 2**40), st.integers(1, 4))
def test_decisions_inside_decisions(fussy: rulesdsl.Pack, seed: int, players: int) -> None:
    game = fussy.playouts(players)(seed, random.Random(seed).random)

    assert game.to_data() == by_choices(fussy, players, seed, {})


def test_a_playout_has_a_result_and_no_decision(fussy: rulesdsl.Pack) -> None:
    game = fussy.playouts(3)(5, random.Random(5).random)

    assert game.over
    assert game.decision is None
    assert game.result is not None
    assert game.log == ()


def test_a_playout_of_a_number_of_players_that_there_is_not(fussy: rulesdsl.Pack) -> None:
    with pytest.raises(ValueError, match="for 1 to 4 players"):
        fussy.playouts(5)
