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


POLISH = """\
        once: polish
verb polish:
    choose one:
        "dust": dust
        "rest": rest
        "stay": win 1 fame
verb rest:
    let s = a suit where lit of it "Which suit?"
    mark shone of s
flag shone per suit
value lit of suit s: shone of s
"""
POLISHED = """
[[scenario]]
name = "A moon is dusted"
play = "for p1: polish"
do = ["p1 dust"]
expect = ["fame of p1 = 0"]

[[scenario]]
name = "Nothing is lit, so nobody rests"
play = "for p1: polish"
do = []
why-not = ["p1 rest because It needs: a Suit where lit of it"]
"""


@pytest.mark.parametrize(
    "thing", [Thing(Sort.NOUN, "suit"), Thing(Sort.VERB, "dust")], ids=lambda each: each.name
)
def test_scenarios_that_name_it_pass_afterwards(
    tmp_path: Path, thing: Thing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option that has words of its own keeps its id; a reason tells of a kind by its name."""
    write_lanterns(tmp_path)
    for file, more in (("game.rules", POLISH), ("scenarios/coins.toml", POLISHED)):
        before, line, after = (tmp_path / file).read_text().partition("card in my hand\n")
        (tmp_path / file).write_text(before + line + more + after)
    monkeypatch.setattr("soak.renames.declared_things", lambda _: [thing])
    tally = Tally()
    try_renames(_view(tmp_path), every=1, seed=1, most=None, tally=tally, games=1)
    assert tally.failures == []
    assert tally.renamed == 1
    assert tally.scenarios > 1


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
