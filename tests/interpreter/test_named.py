from __future__ import annotations

from pathlib import Path

import rulesdsl
from rulesdsl import Printed
from scenarios.small_pack import MANIFEST, NUMBERS, RULES, STALLS


def _named(folder: Path, more: str = "", **options: bool) -> dict[str, Printed]:
    texts = {"pack.toml": MANIFEST, "game.rules": RULES + more}
    texts |= {"numbers.toml": NUMBERS, "stalls.toml": STALLS}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    game = rulesdsl.load(folder, cache=False).new_game(2, options=options)
    return {each.id: each for each in game.named}


def test_pieces_places_and_scores_say_what_they_are(tmp_path: Path) -> None:
    found = _named(tmp_path)
    assert found["piece:coin"].rows == (("How many", "9"), ("Can lie in", "Heap, Purse"))
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
    if my fame > 3: mark my proud
    menu:
        once "Boast":
            needs my proud
            clear my proud
kind mood: merry, sad
"""
    found = _named(tmp_path, more)
    assert found["track:fame"].rows == (
        ("There is one for each", "player"),
        ("Seen by", "only its owner"),
    )
    assert found["value:treasure"].title == "Treasure"
    assert found["choice:Boast"].kind == "Choice"
    assert (found["mood:merry"].kind, found["mood:merry"].title) == ("Mood", "Merry")
