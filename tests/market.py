"""A little game with cards in a row, to compare contents with: a hundred games take a moment."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """\
id = "market"
name = "Market"
version = "1.0.0"
kind = "game"
players = { least = 2, most = 4 }
"""

CARDS = """\
source = "house"
[ruby]
name = "Ruby"
worth = {ruby}
copies = 2
[opal]
name = "Opal"
worth = 4
copies = 4
[jade]
name = "Jade"
worth = 5
copies = 4
[pearl]
name = "Pearl"
worth = 6
copies = 4
"""

RULES = """\
piece card from "cards.toml" in deck:
    worth: number

stack deck seen by nobody holds card
place row holds card
place shelf per seat holds card

track gold per seat from 0..500

step game:
    shuffle deck
    repeat 3 times: deal
    repeat 3 times:
        for each player: act

step deal:
    if any cards in deck: move top of deck into row
verb refill quiet:
    if any cards in deck: move top of deck into row

verb act:
    choose one "What do you do?":
        "Take a card": take a card "Take which card?"
        "Wait": raise my gold by 2
    refill

verb take card c "takes the {c}":
    needs any c in row
    move c into my shelf
    raise my gold by worth of c

score gold-score "Gold": my gold
win with most score

panel "Table": row
panel "Seat" per seat: shelf, gold
"""


def write_market(folder: Path, ruby: int = 1, rules: str = RULES) -> Path:
    """Write the game into a folder; a ruby is worth so much."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "cards.toml").write_text(CARDS.format(ruby=ruby))
    (folder / "market.rules").write_text(rules)
    return folder
