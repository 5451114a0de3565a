import pytest

import rulesdsl
from packs_on_the_fly import BOX, written
from soak.words import Reading, Words

MORE = """\
piece egg/eggs "Egg" 9 in coop
piece treat "Easter egg" 9 in coop
place coop "Hen house" holds egg, treat
kind tool-of-trade "Tool": axe, saw
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Words:
    folder = tmp_path_factory.mktemp("farm")
    game = rulesdsl.load(written(folder, "nothing", MORE, box=BOX), cache=False).new_game()
    return Words.of(game.setting.labels.world, ["farm"])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("path", "It is so by yard.rules:10."),
        ("code", "Ann gains {n} Eggs"),
        ("code", "Ann gains None Eggs"),
        ("code", "Choose egg:brown"),
        ("source", "take my Eggs"),
        ("source", "take an Egg or else sing"),
        ("empty part", "Common: : Egg"),
        ("hole", "Ann draws  of Nell"),
        ("hole", ", and gains 2 Eggs"),
        ("hole", "Take the?"),
        ("doubled word", "Ann gains gains 2 Eggs"),
        ("doubled word", "Show your a Egg?"),
        ("article", "Ann takes a Egg"),
        ("article", "Ann takes an Barn"),
        ("punctuation", "Never!."),
        ("there are now", "There are now 10 counts"),
        ("prefix", "gain farm.eggs"),
        ("id", "take a tool-of-trade"),
        ("name that has a title", "2 Eggs in coop"),
        ("name that has a title", "Which tool of trade?"),
        ("plural", "1 Eggs"),
        ("plural", "2 Egg"),
        ("plural", "2 Easter egg (red)"),
        ("plural", "Ann takes an Easter eggs"),
        ("plural", "You may go 1 spaces"),
        ("plural", "-2 Eggs"),
        ("lower case", "the game ends"),
    ],
)
def test_what_no_player_should_read_is_found(words: Words, kind: str, text: str) -> None:
    reading = Reading()
    reading.read("story", text, words)
    assert kind in reading.wrong


@pytest.mark.parametrize(
    "text",
    [
        "Player 1 gains 2 Eggs, and puts them into the Hen house",
        "Ann has 1 Egg: an old one, an hour old, on a used plate",
        "Row 1 goes to Ann, who has none of them",
        "You may go 2 spaces (you have 1)",
        "Ann hides 2 Easter eggs (1 Easter egg)",
    ],
)
def test_ordinary_sentences_are_not_reported(words: Words, text: str) -> None:
    reading = Reading()
    reading.read("story", text, words)
    assert not reading.wrong
