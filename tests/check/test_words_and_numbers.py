from pathlib import Path

import pytest

import rulesdsl
from check.small import RICH
from packs_on_the_fly import BOX, written
from rulesdsl.check.analysis.secrecy.visibility import Visibility
from rulesdsl.check.typed.program import Program

MORE = """\
source "house"
# ---- a part of the file
# What the fair is like,
# in two lines.
value luck: 3 + round  # house: a guess
verb try:  # it does nothing
    raise round by luck
step rest: for each player: act
after act: raise my fame by 2
instead of value luck: 4
score luck-score "Luck": luck
town shop "Shop":  # small
    size = 3
panel "Fair": chest, row, piles, towns, round
verdict won "You won" when my fame > 3
place yard "Yard" from "yards.toml" holds meeple:
    depth: number per season
    deep: number = 5
"""
YARDS = """\
source = "house"
# The first of them.
[north]  # cold
name = "North"
depth = { spring = 7, summer = 1 }
source = "rulebook"

[south]
name = "South"
depth = { spring = 2, summer = 1 }
deep = 6
sources = { deep = "derived" }
"""


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fair")
    for each in RICH.iterdir():
        (folder / each.name).write_text(each.read_text("utf-8"), "utf-8")
    (folder / "more.rules").write_text(MORE, "utf-8")
    (folder / "yards.toml").write_text(YARDS, "utf-8")
    return folder


GOLDEN = Path(__file__).parent / "words"


def _compare(name: str, lines: list[str], *, update: bool) -> None:
    path = GOLDEN / f"{name}.txt"
    if update:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    assert lines == path.read_text("utf-8").splitlines()


def test_the_words_of_a_game(fair: Path, update_golden: bool) -> None:
    found = rulesdsl.vocabulary(fair)
    lines = [found.title]
    for each in found.words:
        place = f"{Path(each.span.file).name}:{each.span.line}"
        lines.append(f"{each.sort} {each.name}/{each.plural} at {place}: {each.said}")
        details = {
            "about": each.about,
            "fields": "; ".join(each.fields),
            "of": each.of,
            "keys": ", ".join(each.keys),
            "example": each.example,
            "said by": ", ".join(each.said_by),
            "lines": str(each.text.count("\n") + 1),
        }
        lines += [f"    {name}: {said}" for name, said in details.items() if said]

    _compare("words", lines, update=update_golden)


def test_where_words_are_used(fair: Path, update_golden: bool) -> None:
    found = rulesdsl.vocabulary(fair)
    lines = []
    for each in found.words:
        uses = [f"{Path(use.file).name}:{use.line}" for use in found.uses(each)]
        lines.append(f"{each.sort} {each.name}: {' '.join(uses) or '-'}")
    _compare("uses", lines, update=update_golden)


def test_where_numbers_come_from(fair: Path, update_golden: bool) -> None:
    lines = [
        f"{Path(each.span.file).name}:{each.span.line}:{each.span.column} {each.source}: "
        f"{each.name} {each.value}"
        for each in rulesdsl.sources(fair)
    ]
    _compare("numbers", lines, update=update_golden)


SECRETS = """
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
    """Return formulas, each with the seats that can see its result."""
    found: list[tuple[str, str]] = []
    for block in SEEN.split("# ")[1:]:
        who, *formulas = block.strip().splitlines()
        found += [(each, who) for each in formulas]
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Return a program with all formulas as values."""
    folder = tmp_path_factory.mktemp("seen")
    more = SECRETS
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
