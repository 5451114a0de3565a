"""The soaks notice what they are there to notice."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded
from soak.accounting import Accounts, NotAccounted
from soak.playing import Watcher, state_of
from soak.settings import Chosen, settings

ACT = """
    move up to 2 dudes from my purse into field
    move top of deck into my hand
    menu:
        once: gain 3 coins
        once: move my pawn into two
"""


def _game(folder: Path) -> rulesdsl.Game:
    return loaded(folder, ACT).new_game(3)


@pytest.mark.parametrize(
    ("field", "spoilt"),
    [
        ("n_coin", [9, 0, 0, 0, 0, 0, 0]),
        ("n_coin", [11, -1, 0, 0, 0, 0, 0]),
        ("s_pawn", [0, 1, 99]),
        ("s_badge", -1),
        ("w_card", [0, 0, 0, 0]),
        ("t_fame", [0, 21, 0]),
        ("f_busy", [0, 2, 0]),
    ],
)
def test_a_spoilt_state_is_noticed(field: str, spoilt: object, tmp_path: Path) -> None:
    game = _game(tmp_path)
    accounts = Accounts(game.setting.engine.layout)
    accounts.check(state_of(game))

    setattr(state_of(game), field, spoilt)

    with pytest.raises(NotAccounted):
        accounts.check(state_of(game))


def test_pieces_of_a_seat_are_not_counted_for_another(tmp_path: Path) -> None:
    game = _game(tmp_path)
    state = state_of(game)
    owned = [at for at, count in enumerate(state.n_dude) if count]
    state.n_dude[owned[0]] -= 1
    state.n_dude[owned[1]] += 1

    with pytest.raises(NotAccounted):
        Accounts(game.setting.engine.layout).check(state)


def test_a_watched_game_plays_to_its_end(tmp_path: Path) -> None:
    game, decisions = Watcher(loaded(tmp_path, ACT)).play(Chosen(3, {}), 1, log=True, words=True)

    assert game.over
    assert decisions >= 3


OPTIONS = """
option first "A": off
option second "B": 3 in 2..4
option third "C": red-way, blue-way
"""


def test_settings_hold_every_value_with_every_count(tmp_path: Path) -> None:
    act = "if first or second > 2 or third = red-way: raise my fame by 1"
    pack = loaded(tmp_path, act, OPTIONS)
    found = settings(pack, 40, 1)

    played = {(name, value) for each in found for name, value in each.options.items()}
    assert played == {(info.name, value) for info in pack.options for value in info.values}
    assert {each.players for each in found} == {1, 2, 3, 4}


def test_settings_for_so_many_players_only(tmp_path: Path) -> None:
    act = "if first or second > 2 or third = red-way: raise my fame by 1"
    found = settings(loaded(tmp_path, act, OPTIONS), 12, 1, players=3)

    assert {each.players for each in found} == {3}
