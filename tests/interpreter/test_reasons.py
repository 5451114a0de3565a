from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import MANIFEST
from rulesdsl.table.routes import routes

GAME = """\
source "house"
piece card "Card" from "cards.toml" in deck:
    worth: number
stack deck "Deck" seen by nobody holds card
place hand "Hand" per player seen by owner holds card
place shelf "Shelf" per player holds card
track coins "Coins" per player from 0..9
flag tired "tired" per player
step game:
    shuffle deck
    for each player: move top 3 of deck into my hand
    repeat 2 times:
        for each player: act
verb act:
    menu "What next?":
        any time "Shelve": shelve
        any time "Sell": sell a card in my shelf "Sell which?"
        once "Rest":
            needs my coins >= 3
            mark my tired
        once "Pass": nothing
verb shelve: move a card in my hand into my shelf
verb sell card c:
    move c into bottom of deck
    raise my coins by worth of c
score coin-score "Coins": my coins
win with most score
"""
NAMES = ("fox", "owl", "hen", "elk", "bat", "cow")
CARDS = 'source = "house"\n' + "".join(
    f'[{name}]\nname = "{name.title()}"\nworth = {worth}\n'
    for worth, name in enumerate(NAMES, start=1)
)


@pytest.fixture
def game(tmp_path: Path) -> rulesdsl.Game:
    for name, text in (("pack.toml", MANIFEST), ("game.rules", GAME), ("cards.toml", CARDS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return rulesdsl.load(tmp_path, cache=False).new_game(2, 1)


def reason(game: rulesdsl.Game, label: str) -> str:
    asked = game.decision
    assert asked is not None
    actions = [action for action in game.actions if action.label == label]
    actions.sort(key=lambda action: action.asked_in != asked.number)
    return game.why_not(actions[0], asked.player).text


def test_a_reason_names_numbers_and_places(game: rulesdsl.Game) -> None:
    assert reason(game, "Rest") == "It takes at least 3 Coins; you have 0."
    assert reason(game, "Sell") == "There is no Card in your Shelf."


def test_a_reason_says_where_the_thing_lies_if_the_player_sees_it(game: rulesdsl.Game) -> None:
    game.choose("shelve", player=1)
    shelved = game.decisions[0].options[0].label
    game.choose(0, player=1)
    game.choose("shelve", player=1)
    held = {option.label for option in game.decisions[0].options}
    assert len(held) == 2
    assert reason(game, shelved) == f"{shelved} is not in your Hand: it is in your Shelf."
    others = {name.title() for name in NAMES} - {*held, shelved}
    assert {reason(game, name) for name in others} == {
        f"{name} is not in your Hand." for name in others
    }


def test_what_is_asked_elsewhere_says_where_and_what_leads_there(game: rulesdsl.Game) -> None:
    asked = [each for each in game.actions if each.decision == "shelve:card"]
    action = next(each for each in asked if each.label == "Fox")
    text = game.why_not(action, 1).text
    assert text.endswith("and you are asked something else now.")
    ways = [way for way in routes(game, 1) if way.decision.number == action.asked_in]
    labels = [[option.label for option in way.options] for way in ways]
    game.choose("shelve", player=1)
    assert game.decisions[0].number == action.asked_in
    assert labels[0] == ["Shelve"]


def test_what_a_place_asks_says_so(tmp_path: Path) -> None:
    more = """
place spot "Spot" holds card:
    deed: effect
spot mill "Mill":
    deed:
        choose one "Grind what?":
            "Corn": raise my coins by 1
            "Rye": raise my coins by 2
step stay:
    for each player: do deed of mill
after game: stay
"""
    rules = GAME + more
    for name, text in (("pack.toml", MANIFEST), ("game.rules", rules), ("cards.toml", CARDS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    game = rulesdsl.load(tmp_path, cache=False).new_game(2, 1)

    action = next(each for each in game.actions if each.label == "Corn")

    where = "It is chosen at “Grind what?”, which comes with Mill."
    assert game.why_not(action, 1).text == f"{where} You are asked something else now."
