from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from cli.mods_on_disk import write_game, write_mod

WORTH = {"cards.toml": 'source = "house"\n[juggler]\nworth = 7\n'}


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A game, and two mods beside it."""
    write_game(tmp_path / "coins")
    write_mod(tmp_path / "hats", files=WORTH)
    write_mod(tmp_path / "shoes")
    return tmp_path


def test_a_saved_game_goes_on_with_the_same_mods_in_any_order(box: Path) -> None:
    mods = [box / "shoes", box / "hats"]
    saved = rulesdsl.load(box / "coins", mods, cache=False).new_game(2, 5).to_data()
    pack = rulesdsl.load(box / "coins", mods[::-1], cache=False)

    assert saved["mods"] == ["hats", "shoes"]
    assert pack.game_from_data(saved).to_data() == saved


@pytest.mark.parametrize(
    ("saved_with", "loaded_with", "message"),
    [
        (("hats", "shoes"), ("shoes",), "saved with mods that are not loaded: hats"),
        (("hats", "shoes"), (), "saved with mods that are not loaded: hats, shoes"),
        ((), ("shoes",), "saved without mods that are loaded: shoes"),
        (("hats",), ("shoes",), "saved with mods that are not loaded: hats"),
    ],
)
def test_a_saved_game_is_refused_without_its_mods(
    box: Path, saved_with: tuple[str, ...], loaded_with: tuple[str, ...], message: str
) -> None:
    saved = rulesdsl.load(box / "coins", [box / each for each in saved_with], cache=False)
    loaded = rulesdsl.load(box / "coins", [box / each for each in loaded_with], cache=False)

    with pytest.raises(ValueError, match=rf"^this game was {message}$"):
        loaded.game_from_data(saved.new_game(2, 5).to_data())


def test_a_saved_game_is_refused_by_another_game_and_by_other_content(box: Path) -> None:
    pack = rulesdsl.load(box / "coins", cache=False)
    saved = pack.new_game(2, 5).to_data()

    with pytest.raises(ValueError, match=r"^this is a saved game of stones, not of coins$"):
        pack.game_from_data(saved | {"pack": "stones"})
    with pytest.raises(ValueError, match=r"^this game was saved with other content$"):
        pack.game_from_data(saved | {"digest": "0"})
    with pytest.raises(ValueError, match=r"^this is not a saved game"):
        pack.game_from_data({"digest": pack.digest})


def test_a_mod_alone_cannot_be_loaded(box: Path) -> None:
    with pytest.raises(rulesdsl.LintError) as refused:
        rulesdsl.load(box / "hats", cache=False)

    assert [each.code for each in refused.value.diagnostics] == ["E501"]
    assert "`hats` is a mod for the game `coins`, which is not loaded." in str(refused.value)
