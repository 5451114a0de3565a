"""A module that plays another game than a session is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import rulesdsl
from packs_on_the_fly import loaded, written
from soak import playouts
from soak.settings import Chosen

if TYPE_CHECKING:
    from pathlib import Path

ACT = "may raise my fame by 1\nlet c = random card in deck\nmove c into my shelf"


def test_games_are_played_in_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, ACT)

    assert playouts.run(str(folder), 12, 1, 1, None, []) == 0
    assert "16 games under 2 settings, 0 failed" in capsys.readouterr().out


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = loaded(tmp_path, ACT)
    other = playouts.by_choices(pack, 2, {}, 1, 99)
    monkeypatch.setattr(playouts, "by_choices", lambda *_: other)

    monkeypatch.setattr("rulesdsl.load", lambda *_: pack)
    tally = playouts.play("", [], [Chosen(2, {})], 1)

    assert tally.games == playouts.GAMES_A_SETTING
    assert "by choices" in tally.failures[0]


def test_another_state_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = loaded(tmp_path, ACT)
    monkeypatch.setattr(rulesdsl.Simulator, "to_game", lambda _: pack.new_game(2, 77))

    with pytest.raises(playouts.Different, match="another state"):
        playouts.compare(pack, 2, {}, 1, 1)
