from __future__ import annotations

import re
from pathlib import Path

from coloma.session.table import Seating, seat_names

ROOT = Path(__file__).parents[2]


def test_bots_have_names_that_no_person_has() -> None:
    assert seat_names(Seating(4, 3), ["ben "]) == ["ben ", "Ada (bot)", "Cleo (bot)", "Dora (bot)"]
    assert seat_names(Seating(3, 1), ["Ann"]) == ["Ann", "", "Ada (bot)"]
    many = seat_names(Seating(40, 40), [])
    assert len(set(many)) == 40


def test_no_game_knows_the_names_of_bots() -> None:
    names = {each.split()[0] for each in seat_names(Seating(16, 16), [])}
    texts = (
        path.read_text(encoding="utf-8")
        for path in (ROOT / "content").rglob("*")
        if path.suffix in {".toml", ".rules"}
    )
    words = {word for text in texts for word in re.findall(r"\w+", text)}

    assert names & words == set()
