from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesdsl
from lanterns import write_lanterns
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.symbol_table import ReferenceRole, Symbol, SymbolKind
from rulesdsl.editor.references import View
from rulesdsl.editor.rename import Refused, renaming
from rulesdsl.scenarios import run_scenarios
from rulesdsl.source.diagnostics import edited


def _view(folder: Path) -> View:
    layers, checked, report = check_pack(folder, [folder / "mods/rich"])
    assert report.diagnostics == ()
    assert layers is not None
    assert checked is not None
    return View(layers, checked)


def _declared(view: View) -> Iterator[Symbol]:
    for thing in view.things:
        names = view.of_rules(thing)
        if thing != Symbol(SymbolKind.VERB, "game") and any(
            each.role is ReferenceRole.DECLARES for each in names
        ):
            yield thing


def _renamed(view: View, thing: Symbol, number: int, folder: Path) -> View:
    own = thing.name.rpartition(".")
    edits = renaming(view, thing, f"{own[0]}{own[1]}fresh{number}")
    for file in {each.span.file for each in edits}:
        source = view.source(file)
        assert source is not None
        text = edited(source.text, [each for each in edits if each.span.file == file])
        (folder / file).write_text(text, encoding="utf-8", newline="")
    return _view(folder)


def _passing(folder: Path) -> int:
    mod = folder / "mods/rich"
    reports = [run_scenarios(folder), run_scenarios(folder, [mod], of=mod)]
    assert all(each.ok for each in reports)
    return sum(len(each.results) for each in reports)


def _games(folder: Path, count: int = 3) -> list[object]:
    pack, found = rulesdsl.load(folder), list[object]()
    for seed in range(count):
        chance, game = random.Random(seed), pack.new_game(2 + seed, seed)
        while (decision := game.decision) is not None:
            index = chance.randrange(decision.count)
            found.append((decision.player, decision.count, index))
            game.choose(index)
        assert game.result is not None
        found.append((game.result.scores, game.result.places))
    return found


def test_every_word_can_be_renamed(tmp_path: Path) -> None:
    view = _view(write_lanterns(tmp_path))
    many, before = len(list(_declared(view))), _games(tmp_path)
    number = 0
    while left := [each for each in _declared(view) if "fresh" not in each.name]:
        view, number = _renamed(view, left[0], number, tmp_path), number + 1

    assert number == many > 20
    _view(tmp_path)
    assert _passing(tmp_path) == 2
    assert _games(tmp_path) == before


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
    "thing",
    [Symbol(SymbolKind.NOUN, "suit"), Symbol(SymbolKind.VERB, "dust")],
    ids=lambda each: each.name,
)
def test_scenarios_that_name_it_pass_afterwards(tmp_path: Path, thing: Symbol) -> None:
    write_lanterns(tmp_path)
    for file, more in (("game.rules", POLISH), ("scenarios/coins.toml", POLISHED)):
        before, line, after = (tmp_path / file).read_text().partition("card in my hand\n")
        (tmp_path / file).write_text(before + line + more + after)
    _renamed(_view(tmp_path), thing, 1, tmp_path)
    _view(tmp_path)
    assert _passing(tmp_path) == 4


def test_a_game_that_goes_another_way_would_be_noticed(tmp_path: Path) -> None:
    before = _games(write_lanterns(tmp_path))
    numbers = tmp_path / "numbers.toml"
    numbers.write_text('source = "house"\nfirst-coins = 1\n', encoding="utf-8")
    assert _games(tmp_path) != before


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (Symbol(SymbolKind.NOUN, "coin"), "fame"),
        (Symbol(SymbolKind.NOUN, "purse"), "coins"),
        (Symbol(SymbolKind.ENTRY, "kite", "card"), "moon"),
        (Symbol(SymbolKind.VERB, "dust"), "menu"),
        (Symbol(SymbolKind.VERB, "game"), "all-of-it"),
    ],
)
def test_names_that_are_taken_are_refused(tmp_path: Path, thing: Symbol, name: str) -> None:
    with pytest.raises(Refused):
        renaming(_view(write_lanterns(tmp_path)), thing, name)
