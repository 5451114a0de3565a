from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import MANIFEST, loaded, rows_of, written
from rulesdsl import Printed
from rulesdsl.lower.flat.text import function_text, machine_text
from scenarios.small_pack import TEXTS, write_pack
from some import some

STALL = "let s = a stall\nmove my pawn into s"
HOLD = "if able: hold a feast"
RULES = """
kind mood "Mood": merry, calm
kind feast "Feast" from "feasts.toml":
    text: text
    shout: text
    size: number = 4
    loud: yes-no = off
    fee: bundle
    follows: mood
    moods: moods
    prize: number per number
    dance: effect per mood
    song: automatic
    fun: formula
verb pay bundle b: pay coins of b coins
verb hold feast f:
    pay fee of f
    do song of f
    for each mood m in moods of f:
        if any dance of f at m: do dance of f at m
    raise note by (size of f + fun of f + prize of f at 1)
    if loud of f and follows of f = calm: raise note by 1
"""
FEASTS = """
source = "house"
[ball]
name = "Great ball"
text = "All who can walk will dance"
loud = true
fee = { coins = 1 }
follows = "calm"
moods = ["merry", "calm"]
prize = { 1 = 2, 3 = 5 }
dance.merry = ["may pay 2 coins to raise my fame by 1", "raise note by 1"]
song = "raise my fame by 1"
fun = "coins in my purse at most 2"
[picnic]
fee = {}
follows = "merry"
moods = ["merry"]
prize = { 1 = 1 }
song = "nothing"
fun = "0"
"""


def game(folder: Path, act: str) -> rulesdsl.Game:
    written(folder, act, RULES)
    (folder / "feasts.toml").write_text(FEASTS)
    return rulesdsl.load(folder, cache=False).new_game(1, 1)


def rows(of: rulesdsl.Game, entry: str) -> dict[str, str]:
    return next(dict(each.rows) for each in of.printed if each.id == entry)


def test_every_sort_of_field_is_put_into_words(tmp_path: Path) -> None:
    assert rows(game(tmp_path, HOLD), "feast:ball") == {
        "Text": "All who can walk will dance",
        "Size": "4",
        "Loud": "yes",
        "Fee": "1 coin",
        "Follows": "Calm",
        "Moods": "Merry, Calm",
        "Prize": "2 for 1, 5 for 3",
        "Fun": "coins in your Purse at most 2",
    }


def test_what_holds_nothing_is_left_out_but_not_a_price_of_nothing(tmp_path: Path) -> None:
    picnic = rows(game(tmp_path, HOLD), "feast:picnic")
    assert not {"Text", "Shout", "Dance, Merry", "Dance, Calm"} & picnic.keys()
    assert (picnic["Fee"], picnic["Size"], picnic["Loud"]) == ("nothing", "4", "no")


def test_pieces_and_places_are_printed_too_and_plain_lists_are_not(tmp_path: Path) -> None:
    found = game(tmp_path, HOLD)
    kinds = {each.kind for each in found.printed}
    assert rows(found, "card:cow") == {"Worth": "3", "Use": "pay 2 coins, raise your fame by 9"}
    assert rows(found, "stall:two") == {"Size": "2"}
    assert "Mood" not in kinds


def test_what_is_printed_does_not_depend_on_where_things_lie(tmp_path: Path) -> None:
    one = game(tmp_path, STALL)
    before = one.printed
    assert one.decision is not None
    one.choose(0)
    assert one.printed == before


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        (HOLD, [("feast:ball", "All who can walk will dance"), ("feast:picnic", "")]),
        (
            "menu:\n    once for each feast f in feasts: hold f",
            [("feast:ball", "All who can walk will dance"), ("feast:picnic", ""), ("", "")],
        ),
        # what the line says that it does is enough
        (
            "menu:\n    once for each feast f in feasts: do song of f",
            [("feast:ball", ""), ("feast:picnic", ""), ("", "")],
        ),
        (STALL, [("stall:one", ""), ("stall:two", ""), ("stall:three", "")]),
        ("may gain 1 coin", [("", ""), ("", "")]),
    ],
)
def test_options_have_texts(act: str, shown: list[tuple[str, str]], tmp_path: Path) -> None:
    decision = some(game(tmp_path, f"gain 5 coins\n{act}").decision)
    assert [(each.about, each.text) for each in decision.options] == shown


def _named(folder: Path, more: str = "", **options: bool) -> dict[str, Printed]:
    write_pack(folder, coins__rules=TEXTS["coins.rules"] + more)
    game = rulesdsl.load(folder, cache=False).new_game(2, options=options)
    return {each.id: each for each in game.named}


def test_pieces_places_and_scores_say_what_they_are(tmp_path: Path) -> None:
    found = _named(tmp_path)
    assert found["piece:coin"].rows == (("How many", "9"), ("Can be in", "Heap, Purse"))
    assert found["place:purse"].rows == (("Holds", "Coin"), ("There is one for each", "player"))
    assert found["score:wealth"].title == "Coins"
    assert found["kind:stall"].rows == (("There are", "Baker, Beggar"),)
    assert found["seat:player 2"].title == "Player 2"


def test_options_say_what_holds_in_this_game(tmp_path: Path) -> None:
    rows = dict(_named(tmp_path, rich=True)["option:rich"].rows)
    assert rows == {"Name": "rich", "In this game": "on"}


def test_tracks_say_whose_they_are_and_who_sees_them(tmp_path: Path) -> None:
    more = """
track fame "Fame" per player seen by owner
panel "All": fame, treasure
value treasure: all coins in heap
flag proud per player
place sky holds coin
after visit:
    raise my fame by 1
    if my fame > 3: mark my proud shown
    menu:
        once "Boast":
            needs my proud
            clear my proud
kind mood: merry, sad
"""
    found = _named(tmp_path, more)
    rows = (("There is one for each", "player"), ("Seen by", "only its owner"))
    assert found["track:fame"].rows == rows
    assert found["value:treasure"].title == "Treasure"
    assert found["choice:Boast"].kind == "Choice"
    assert (found["mood:merry"].kind, found["mood:merry"].title) == ("Mood", "Merry")


CARDS = ("Ant", "Bee", "Cow", "Dog")
SHOW = 'verb hold card c "shows the {c}": '


def test_a_card_is_named_to_those_who_see_it_by_the_end(tmp_path: Path) -> None:
    act = "move top of deck into my hand\nfor each card c in my hand:\n    hold c\n    play-it c"
    more = SHOW + "raise my fame by 1\n"
    more += 'verb play-it card c "plays the {c}": move c into my shelf'
    hand = loaded(tmp_path, act, more).new_game(2)
    name = next(text for text in CARDS if text in hand.story(None)[1].text)

    mine, theirs = ([line.text for line in hand.story(viewer)][:3] for viewer in (1, 2))

    played = f"Player 1 plays the {name}: from the Hand to the Shelf"
    assert mine[1:] == [f"Player 1 shows the {name}: +1 fame", played]
    assert theirs == [
        "Player 1 draws 1 card",
        "Player 1 shows a card: +1 fame",
        played,
    ]


def test_parts_of_the_game_are_headings(tmp_path: Path) -> None:
    more = 'step tally number n "The count of {n}": for each player: raise my fame by n\n'
    game = loaded(tmp_path, "raise note by 1", more + "after game: tally 3").new_game(2)

    lines = [(line.level, line.depth, line.text) for line in game.story(0)]

    assert lines[-3:] == [
        ("part", 0, "The count of 3"),
        ("line", 0, "Player 1 gains 3 fames"),
        ("line", 0, "Player 2 gains 3 fames"),
    ]


def test_what_goes_on_says_so(tmp_path: Path) -> None:
    more = 'verb wander "wanders": choose-fame'
    game = loaded(tmp_path, "wander", more).new_game(2)

    assert [(line.text, line.goes_on) for line in game.story(0)] == [("Player 1 wanders", True)]
    game.choose("two")
    assert [(line.text, line.goes_on) for line in game.story(0)] == [
        ("Player 1 wanders: +2 fames", False),
        ("Player 2 wanders", True),
    ]


def now(*lines: str) -> str:
    """Return a menu in which the option "Look" has the given body."""
    body = "\n".join(f"        {each}" for each in lines)
    return f'menu "What now?":\n    once "Look":\n{body}\n    once "Wait": gain 1 coin'


def test_what_is_taken_once_and_what_is_offered_say_so(tmp_path: Path) -> None:
    act = 'menu "What now?":\n    once "Buy": gain 3 coins\n    once "Wait": gain 1 coin'
    game = loaded(tmp_path, act).new_game(2)
    buy = next(each for each in game.actions if each.id == "gain-3-coins")
    assert game.why_not(buy).offered
    game.choose("gain-3-coins")
    assert game.why_not(buy).text == "It can be done only once, and has already been done."
    assert game.why_not(buy, 2).text == "It is up to Player 1 now."


def test_a_piece_elsewhere_is_not_where_it_has_to_lie(tmp_path: Path) -> None:
    act = (
        "move top of deck into my hand\nif any cards in my hand: move a card in my hand into pile"
    )
    game = loaded(tmp_path, act).new_game(2)
    here = (each for each in game.actions if each.asked_in == some(game.decision).number)
    reasons = {reason.text for each in here if not (reason := game.why_not(each)).offered}
    assert reasons == {f"{name} is not in your Hand." for name in ("Ant", "Bee", "Cow")}


def test_a_text_costs_the_playouts_nothing(tmp_path: Path) -> None:
    said = 'needs my busy "It is {n} on {cards in deck} cards"'
    code = []
    for at, line in enumerate((said, said[:13])):
        pack = loaded(tmp_path / str(at), now("let n = 2 + note", line))
        flat = pack.setting(2, {}, log=False).engine.flat
        code.append([*map(function_text, flat.functions.values())])
        code[-1] += map(machine_text, flat.machines.values())

    assert code[0] == code[1]


BACKS = """
kind suit: sun, moon
piece tile "Tile" from "tiles.toml" in bag:
    suit: suit seen by all
    worth: number
stack bag "Bag" seen by nobody holds tile
place rack "Rack" per player seen by owner holds tile
place table-top "Table" holds tile
step game:
    for each player:
        move top 2 of bag into my rack
        may play-tile
verb play-tile:
    let t = a tile in my rack
    move t into table-top
score worths "Tiles": worth per tiles in my rack
win with most score
panel "All": bag, table-top
panel "Own" per player: rack
"""
TILES = """
source = "house"
[sun-1]
suit = "sun"
worth = 1
[sun-2]
suit = "sun"
worth = 2
[moon-1]
suit = "moon"
worth = 1
[moon-2]
suit = "moon"
worth = 2
[moon-3]
suit = "moon"
worth = 3
"""
# from the top of the bag: moon-3, moon-2, moon-1, sun-2, sun-1


def tiles_in(folder: Path, rules: str = BACKS) -> Path:
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "tiles.toml").write_text(TILES)
    (folder / "game.rules").write_text(rules)
    return folder


def begun(folder: Path) -> rulesdsl.Game:
    game = rulesdsl.load(tiles_in(folder), cache=False).new_game(2)
    game.choose("no")  # the second player has two tiles now as well
    return game


def test_a_view_shows_the_backs_of_what_lies_hidden(tmp_path: Path) -> None:
    board = begun(tmp_path).view(1)["board"]
    assert board["tile"] == [  # type: ignore[index]
        ["Sun"],
        ["moon-2#3", "moon-3#4"],
        ["Moon", "Sun"],
        [],
    ]


SECRETS = """
track mood "Mood" per player seen by owner
place trunk "Trunk" per player seen by owner only holds coin
after game: reckon
step reckon: say "Moods above 0: {all players where mood > 0}"
"""
STASH = """\
raise my mood by 1
gain 1 coin
move up to 1 coin from my purse into my trunk
if my mood > 0: raise my fame by 1 shown
otherwise: raise my fame by 1 shown
"""


def test_lines_that_others_read_tell_neither_actor_nor_rule_nor_number(tmp_path: Path) -> None:
    game = loaded(tmp_path, STASH, SECRETS).new_game(1)
    away = next(line for line in game.log if "goes out of sight" in line.hidden_text)
    assert (away.actor_in(away.seen(1)), away.actor_in(away.seen(0))) == (1, 0)
    assert away.seen_rules(1)
    assert not away.seen_rules(0)
    shown = next(line for line in game.log if line.text == "Player 1 gains 1 fame")
    assert shown.rules
    assert not shown.seen_rules(1)
    told = [line for line in game.story(0) if line.text.endswith("out of sight")]
    assert [line.actor for line in told] == [0]
    assert "Moods above 0: some" in [line.text for line in game.story(0)]


@pytest.mark.parametrize(
    ("viewer", "racks"),
    [
        (1, ["Moon 3, Moon 2", "2 Tiles (1 Moon, 1 Sun)"]),
        (2, ["2 Tiles (Moon)", "Moon 1, Sun 2"]),
        (None, ["2 Tiles (Moon)", "2 Tiles (1 Moon, 1 Sun)"]),
    ],
)
def test_the_board_counts_backs(viewer: int | None, racks: list[str], tmp_path: Path) -> None:
    shared, *own = begun(tmp_path).board(viewer)
    assert rows_of(shared) == (("Bag", "1 Tile (Sun)"), ("Table", "-"))
    assert [dict(rows_of(each))["Rack"] for each in own] == racks


def test_the_log_tells_others_the_back_only(tmp_path: Path) -> None:
    lines = begun(tmp_path).log
    assert "Player 1 draws Moon 3" in [line.seen_text(1) for line in lines]
    assert "Player 1 draws a Tile (Moon)" in [line.seen_text(2) for line in lines]
    assert "Moon 3" not in " ".join(line.seen_text(2) for line in lines)


@pytest.mark.parametrize(
    "wrong",
    [
        BACKS.replace("suit seen by all", "suit seen by owner"),
        BACKS + "kind mood:\n    joy: number seen by all = 1\nmood glad:\n    joy = 2\n",
        BACKS.replace("worth: number\n", "worth: number\n    act: effect seen by all\n", 1),
        BACKS.replace(
            "worth: number\n", "worth: number\n    age: number per suit seen by all\n", 1
        ),
    ],
)
def test_only_plain_fields_of_pieces_are_printed_on_a_back(wrong: str, tmp_path: Path) -> None:
    report = rulesdsl.lint(tiles_in(tmp_path, wrong))
    assert "E201" in {each.code for each in report.diagnostics}
