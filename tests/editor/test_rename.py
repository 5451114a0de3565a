"""Every word of a small game gets another name, one after the other; the game stays the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.check.naming import Sort, Thing
from rulesdsl.check.read import check_pack
from rulesdsl.editor.rename import Refused, declared_things, renaming
from rulesdsl.editor.view import View
from soak.lanterns import write_lanterns
from soak.renames import Tally, games_of, try_renames


def _view(folder: Path) -> View:
    layers, checked, report = check_pack(folder, [folder / "mods/rich"])
    assert report.diagnostics == ()
    assert layers is not None
    assert checked is not None
    return View(layers, checked)


def test_every_word_can_be_renamed(tmp_path: Path) -> None:
    view, tally = _view(write_lanterns(tmp_path)), Tally()
    try_renames(view, every=100, seed=1, most=None, tally=tally, games=3)
    assert tally.failures == []
    assert tally.renamed == len(list(declared_things(view))) > 20
    assert tally.places == 1


def test_a_game_that_goes_another_way_would_be_noticed(tmp_path: Path) -> None:
    before = games_of(write_lanterns(tmp_path), 3)
    numbers = tmp_path / "numbers.toml"
    numbers.write_text('source = "house"\nfirst-coins = 1\n', encoding="utf-8")
    assert games_of(tmp_path, 3) != before


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (Thing(Sort.NOUN, "coin"), "fame"),
        (Thing(Sort.NOUN, "purse"), "coins"),
        (Thing(Sort.ENTRY, "kite", "card"), "moon"),
        (Thing(Sort.VERB, "dust"), "menu"),
        (Thing(Sort.VERB, "game"), "all-of-it"),
    ],
)
def test_names_that_are_taken_are_refused(tmp_path: Path, thing: Thing, name: str) -> None:
    with pytest.raises(Refused):
        renaming(_view(write_lanterns(tmp_path)), thing, name)
