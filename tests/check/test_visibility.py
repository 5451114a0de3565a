from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, written
from rulesdsl.check.analysis.visibility import Visibility
from rulesdsl.check.typed.program import Program

MORE = """
kind suit: sun, moon
piece tile "Tile" from "tiles.toml" 1 per player in bag:
    suit: suit seen by all
    points: number
    bonus: formula
    act: effect
    near: suits
stack bag "Bag" seen by nobody holds tile
place rack "Rack" per player seen by owner holds tile, badge
place open-rack per player holds tile
track secret per player seen by nobody
track wounds per card
flag known per card
option mode "M": off
value twice of player: my guess * 2
value plus of number n: n + 1
value liking of player:
    sun if my guess > 2
    otherwise moon
"""
TILES = """
source = "house"
[sun-one]
suit = "sun"
points = 1
bonus = "my fame"
act = "raise my fame by 1"
near = ["sun", "moon"]
[moon-two]
suit = "moon"
points = 2
bonus = "my guess"
act = "choose-fame"
"""
SEEN = (Path(__file__).parent / "visibility.txt").read_text("utf-8")


def cases() -> list[tuple[str, str]]:
    """Return formulas, and who sees what each comes to."""
    found: list[tuple[str, str]] = []
    for block in SEEN.split("# ")[1:]:
        who, *formulas = block.strip().splitlines()
        found += [(each, who) for each in formulas]
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """All formulas as values of one pack."""
    folder = tmp_path_factory.mktemp("seen")
    more = MORE
    for at, (formula, _) in enumerate(cases()):
        first, *rest = formula.split(" otherwise ")
        more += f"value asked-{at} of player:"
        more += f"\n    {first}\n    otherwise {rest[0]}\n" if rest else f" {formula}\n"
    written(folder, "may raise my fame by 1", more, box=BOX)
    (folder / "tiles.toml").write_text(TILES)
    return rulesdsl.load(folder, cache=False).program


@pytest.mark.parametrize("at", range(len(cases())), ids=[formula for formula, _ in cases()])
def test_who_sees_what_a_value_comes_to(at: int, program: Program) -> None:
    assert _who(Visibility(program), f"asked-{at}") == cases()[at][1]


def test_a_hidden_score_hides_where_everybody_stands(tmp_path: Path) -> None:
    box = BOX.replace('"Fame": my fame', '"Fame": my guess')
    more = "value own of player: my score\nvalue place of player: my standing\n"
    program = rulesdsl.load(written(tmp_path, "nothing", more, box=box), cache=False).program
    see = Visibility(program)

    assert [_who(see, each) for each in ("own", "place")] == ["own", "nobody"]


def _who(see: Visibility, value: str) -> str:
    eyes, owner = see.value_eyes(value, 0)
    return "all" if eyes is None else "own" if owner in eyes else "nobody"
