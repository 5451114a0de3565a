from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from check.small import RICH

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
