"""A small game that editors are tried on: rules, a table with effects, scenarios, a mod."""

from __future__ import annotations

from pathlib import Path

GAME = {
    "pack.toml": """\
id = "lanterns"
name = "Lanterns"
version = "1.0.0"
kind = "game"
players = { least = 2, most = 4 }
""",
    "game.rules": """\
# 🏮 Lanterns: what is in the box.
constants from "numbers.toml"
kind suit: sun, moon
piece coin "Coin" 40 in bank
piece card "Card" from "cards.toml" 1 per player in deck:
    worth: number
    suit-of: suit = sun
    cost: bundle
    power: effect

place bank "Bank" holds coin
place purse "Purse" per player holds coin
stack deck "Deck" per player seen by nobody holds card
place hand "Hand" per player seen by owner holds card
place shelf "Shelf" per player holds card
track fame "Fame" per player
flag dusty per card
source "house"

step game:
    for each player p:
        gain first-coins coins
        shuffle my deck
        draw-one
    repeat 2 times:
        for each player: take-turn

verb take-turn:
    draw-one
    menu "🏮 What now?":
        any time: buy a card in my hand

# Takes the top card of the deck.
verb draw-one: move top of my deck into my hand

verb buy card c:
    needs any c in my hand
    pay cost of c
    move c into my shelf
    mark dusty of c
    do power of c

verb gain n coins: move up to n coins from bank into my purse
verb pay n coins: move n coins from my purse into bank
verb pay bundle b: pay coins of b coins
verb win n fame: raise my fame by n
verb dust:
    if any cards in my hand where suit-of of it = moon and not dusty: win 1 fame
value riches: coins in my purse

score fame-score "Fame": my fame
score shelf-score "Cards": worth per cards in my shelf
win with most score then most riches
""",
    "cards.toml": """\
source = "house"

[comb]
name = "Comb"
worth = 1
cost = { coins = 1 }
power = "gain 1 coin"

[drum]
name = "Drum"
worth = 3
suit-of = "moon"
cost = { coins = 2 }
power = "dust"

[kite]
name = "Kite"
worth = 2
cost = { coins = 3 }
power = ["win 1 fame", "may pay 1 coin to win 1 fame"]
""",
    "numbers.toml": """\
source = "house"
first-coins = 3
""",
    "scenarios/coins.toml": """\
[[scenario]]
name = "A coin is gained"
covers = ["COIN-01"]
play = "for p1: gain 2 coins"
expect = ["coins in purse of p1 = 2"]

[[scenario]]
name = "A kite is bought"
given = ["for p1: gain 5 coins", "for p1: move 1 kite from my deck into my hand"]
play = "for p1: take-turn"
do = ["p1 buy-a-card-in-my-hand", "p1 card:kite", "p1 yes", "p1 done"]
expect = ["any kite in shelf of p1"]
""",
}
MOD = {
    "pack.toml": """\
id = "rich"
name = "Rich"
version = "1.0.0"
kind = "mod"
for_game = "lanterns"
""",
    "rich.rules": """\
source "house"
after take-turn: gain 1 coin
before draw-one: win 1 fame
""",
}


def write_lanterns(folder: Path) -> Path:
    """Write the game and its mod, and return the folder of the game."""
    for path, text in {
        **GAME,
        **{f"mods/rich/{name}": each for name, each in MOD.items()},
    }.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
