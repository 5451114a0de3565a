"""A little game with scenarios, written to a folder of the test's own."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """
id = "coins"
name = "Coins"
version = "1.0.0"
kind = "game"
players = { least = 2, most = 3 }
"""

RULES = """
constants from "numbers.toml"

kind stall "Stall" from "stalls.toml":
    price: number
    wares: effect

place heap holds coin
place purse per player holds coin
piece coin "Coin" 9 in heap
option rich "Everybody begins with a coin": off

step game:
    deal
    for each player:
        if able: visit

step deal:
    for each player: take start-coins coins
    if rich: for each player: take 1 coins

verb take n coins: move up to n coins from heap into my purse

verb visit:
    let s = a stall where price of it <= coins in my purse
    pay price of s coins
    do wares of s

verb pay n coins:
    move n coins from my purse into heap

score wealth "Coins": coins in my purse
win with most score
"""

NUMBERS = """
source = "rulebook"
start-coins = 1
"""

STALLS = """
source = "rulebook"

[baker]
price = 1
wares = "move up to 2 coins from heap into my purse"

[beggar]
price = 0
wares = "move up to 1 coins from heap into my purse"
"""

CHECKLIST = """
[ids]
A-1 = "Everybody begins with a coin"
A-2 = "The baker pays back"
A-3 = "The table is round"
A-4 = "The beggar is thankful"

[exempt]
A-3 = "nothing to compute"
"""

TEXTS = {
    "pack.toml": MANIFEST,
    "coins.rules": RULES,
    "numbers.toml": NUMBERS,
    "stalls.toml": STALLS,
    "rules_covered.toml": CHECKLIST,
}


def scenario(**values: object) -> str:
    """Return the text of one scenario; values are written as TOML has them."""
    lines = [f"{key.replace('_', '-')} = {_toml(value)}" for key, value in values.items()]
    return "\n".join(["[[scenario]]", *lines, ""])


def write_pack(folder: Path, *scenarios: str, **files: str) -> Path:
    """Write the pack; each text becomes a part of its one file of scenarios."""
    texts = TEXTS | {name.replace("__", "."): text for name, text in files.items()}
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    if scenarios:
        (folder / "scenarios").mkdir(exist_ok=True)
        (folder / "scenarios" / "all.toml").write_text("\n".join(scenarios), encoding="utf-8")
    return folder


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in value.items())} }}"
    return f'"{value}"' if isinstance(value, str) else str(value)
