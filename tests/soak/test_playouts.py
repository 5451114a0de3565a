"""A playout that ends otherwise than the game of choices is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packs_on_the_fly import loaded, written
from soak import playouts
from soak.settings import Chosen

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ACT = "may raise my fame by 1\nlet c = random card in deck\nmove c into my shelf"


def test_games_are_played_in_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, ACT)

    assert playouts.run(str(folder), 12, 1, 1, None, []) == 0
    assert "16 games under 2 settings, 0 failed" in capsys.readouterr().out


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = loaded(tmp_path, ACT)
    other = playouts.by_choices(pack, 2, 2, {})
    monkeypatch.setattr(playouts, "by_choices", lambda *_: other)

    monkeypatch.setattr("rulesdsl.load", lambda *_: pack)
    tally = playouts.play("", [], [Chosen(2, {})], 1)

    assert tally.games == playouts.GAMES_A_SETTING
    assert "ends otherwise" in tally.failures[0]
