"""The stock game with a fair, whose tables have every type of field."""

import tomllib
from pathlib import Path

from check.stock import STOCK, write

RULES = """\
kind season: spring, autumn
kind feast "Feast" from "feasts.toml":
    about: text
    open: yes-no = on
    fee: bundle
    mood: colour = red
    lasts: seasons
    prize: number per season = 0
    toll: number per season
    chart: number per number
    days: number = 3
    dance: effect per season
    bow: effect
    goodbye: automatic
    fun: formula
kind prize from "fair.toml":
    size: number = 1
kind booth from "fair.toml":
    gives: prize
"""
TABLES = {
    "feasts.toml": """\
source = "house"

[harvest]
name = "Harvest home"
id = "home"
about = "When all is done"
open = false
fee = { coins = 2, round = 0 }
mood = "blue"
lasts = ["spring", "autumn"]
prize.autumn = 3
toll = { spring = 1, autumn = 2 }
chart = { 1 = 5, 20 = 7 }
days = 4
dance.autumn = "gain 1 coin"
bow = ["gain 1 coin", "gain 1 fame"]
goodbye = "gain 1 coin"
fun = "coins in my purse"
sources = { fee = "rulebook" }

[carnival]
fee = {}
toll = { spring = 0, autumn = -1 }
chart = { 0 = 1 }
""",
    "fair.toml": """\
[prize.doll]
size = 2
source = "house"

[prize.ribbon]
name = "Ribbon"

[booth.shooting]
gives = "doll"
""",
    "more.toml": """\
source = "house"
small = 3
chart = { 1 = 2, 5 = 4 }
tolls = { red = { coins = 1 }, blue = { coins = 2 } }
""",
}
PACK = STOCK | TABLES | {"fair.rules": RULES + 'constants from "more.toml"\n'}


def write_fair(folder: Path) -> Path:
    write(folder, PACK)
    return folder


def tables() -> dict[str, dict[str, object]]:
    """Return the tables of the pack as data, keyed by path."""
    return {
        name: tomllib.loads(text)
        for name, text in PACK.items()
        if name.endswith(".toml") and name != "pack.toml"
    }
