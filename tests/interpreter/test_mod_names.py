from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import carried_on, written
from rulesdsl import LintError

MANIFEST = """\
id = "{name}"
name = "{name}"
version = "1.0.0"
kind = "mod"
for_game = "fly"
"""
RULES = """\
constants from "numbers.toml"
track {name}.pride per seat
verb {name}.boast: raise my {name}.pride by {name}.step
add to menu of stroll:
    once "{name}": {name}.boast
after act:
    if any {name}.bee in pile: raise my fame by {name}.pride of me * worth of {name}.bee
"""
CARDS = """\
source = "house"
[{name}.bee]
name = "The other bee"
worth = {number}
"""
NUMBERS = """\
source = "house"
[{name}]
step = {number}
"""
GAME = """\
verb stroll:
    menu:
        once "Rest": nothing
"""
SHOW = """\
verb show:
    let c = a card in pile
    move c into my shelf
after act: stroll
"""


def mod(folder: Path, name: str, number: int) -> Path:
    place = folder / "mods" / name
    place.mkdir(parents=True)
    texts = {
        "pack.toml": MANIFEST,
        "more.rules": RULES,
        "cards.toml": CARDS,
        "numbers.toml": NUMBERS,
    }
    for file, text in texts.items():
        (place / file).write_text(text.format(name=name, number=number))
    return place


def test_two_mods_and_the_game_have_things_of_one_name(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "move all cards in deck into pile\nstroll", more=GAME)
    mods = [mod(tmp_path, "hats", 5), mod(tmp_path, "old-shoes", 3)]

    pack = rulesdsl.load(game, mods=mods, cache=False)
    found = carried_on(pack.new_game(1, 1), ["hats", "old-shoes", "done"])

    assert found.asked[0] == ["rest", "hats", "old-shoes", "done"]
    # the prides are 5 and 3; the bees are worth 5 and 3
    assert found.state["t_fame"] == [20]
    assert found.state["t_hatsX2eXpride"] == [5]


def test_an_entry_of_a_mod_has_an_id_of_its_own(tmp_path: Path) -> None:
    act = "move all cards in deck into pile\nmay show"
    game = written(tmp_path / "fly", act, more=GAME + SHOW)
    pack = rulesdsl.load(game, mods=[mod(tmp_path, "hats", 5)], cache=False)

    started = pack.new_game(1, 1)
    started.choose("yes")

    assert started.decision is not None
    labels = {each.id: each.label for each in started.decision.options}
    assert labels["card:bee"] == "Bee"
    assert labels["card:hats.bee"] == "The other bee"


def test_a_mod_changes_what_another_brings_by_its_full_name(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "move all cards in deck into pile\nstroll", more=GAME)
    first, second = mod(tmp_path, "hats", 5), mod(tmp_path, "shoes", 3)
    with (second / "cards.toml").open("a") as cards:
        cards.write("[hats.bee]\nworth = 1\n")
    with (second / "pack.toml").open("a") as manifest:
        manifest.write('after = ["hats"]\n')

    pack = rulesdsl.load(game, mods=[first, second], cache=False)

    assert carried_on(pack.new_game(1, 1), ["hats", "done"]).fame() == 5


def test_without_a_prefix_two_mods_are_told_to_take_one(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "stroll", more=GAME + "after act: stroll\n")
    mods = [mod(tmp_path, "hats", 5), mod(tmp_path, "shoes", 3)]
    for each in mods:
        (each / "more.rules").write_text("track pride per seat\nafter act: raise my pride by 1\n")

    with pytest.raises(LintError) as caught:
        rulesdsl.load(game, mods=mods, cache=False)

    assert "`pride` is declared twice" in str(caught.value)
    assert "`shoes.pride`" in str(caught.value)
