from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, loaded, rows_of, written
from rulesdsl import Form, Grid, Map, Role, Rows, Table, When, in_words

STEPS = """
source = "house"
step.first = { name = "First", down = 1, across = 1 }
step.landing = { name = "Landing" }
step.last = { name = "Last", down = 2, across = 1 }
alley.up = { name = "Up", stops = ["first", "landing", "last"] }
alley.back = { name = "Back", stops = ["last", "landing", "first"] }
"""
MORE = """
kind face: sun, moon
piece bead "Bead" 9 in box
piece cat "Cat" 1 per seat in first
place box holds bead
place cloth "Cloth" per face per colour holds bead
place step "Step" from "steps.toml" holds cat:
    down: number = 0
    across: number = 0
kind alley from "steps.toml":
    stops: steps
track heat "Heat" per face
value warm of face f: heat of f > 1
rival ghost "Ghost" without score when players = 2
"""
ACT = """
raise heat of moon by 2
move up to 3 beads from box into cloth at moon at blue
move my cat into landing
move top of deck into my hand
raise my guess by 4
may raise my fame by 1
"""


def panel(folder: Path, declared: str, viewer: int | None = 1) -> rulesdsl.BoardPanel:
    (folder / "steps.toml").write_text(STEPS)
    game = loaded(folder, ACT, f"{MORE}\n{declared}\n", box=BOX).new_game(2)
    return next(each for each in game.board(viewer) if each.title == "P")


def words(cells: tuple[rulesdsl.Cell | None, ...]) -> list[str | None]:
    return [None if each is None else in_words(each) for each in cells]


def test_a_table_has_a_line_for_each_player(tmp_path: Path) -> None:
    body = panel(tmp_path, 'panel "P" as table per seat: fame, cards in hand "Cards", cat').body

    assert isinstance(body, Table)
    assert body.columns == ("Fame", "Cards", "Cat")
    assert [(each.label, each.seat) for each in body.lines] == [("Player 1", 1), ("Player 2", 2)]
    assert [words(each.cells) for each in body.lines] == [
        ["0", "1", "Landing"],
        ["0", "0", "First"],
    ]


def test_a_table_of_a_kind_shows_fields_tracks_and_values(tmp_path: Path) -> None:
    of_faces = panel(tmp_path, 'panel "P" as table per face: heat, warm, cloth').body
    of_steps = panel(tmp_path, 'panel "P" as table per step: down, steps').body

    assert isinstance(of_faces, Table)
    assert isinstance(of_steps, Table)
    assert [words(each.cells) for each in of_faces.lines] == [
        ["0", "no", ""],
        ["2", "yes", "Blue: 3 beads"],
    ]
    assert [words(each.cells)[0] for each in of_steps.lines] == ["1", "0", "2"]
    assert of_steps.lines[1].cells[1][0].seat == 1


def test_a_grid_is_laid_out_by_kinds_or_by_fields(tmp_path: Path) -> None:
    by_kinds = panel(tmp_path, 'panel "P" as grid by face and colour: cloths').body
    by_fields = panel(tmp_path, 'panel "P" as grid by down and across: steps').body

    assert isinstance(by_kinds, Grid)
    assert isinstance(by_fields, Grid)
    assert (by_kinds.rows, by_kinds.columns) == (("Sun", "Moon"), ("Red", "Green", "Blue"))
    assert [words(each) for each in by_kinds.cells] == [["", "", ""], ["", "", "3 beads"]]
    assert (by_fields.rows, by_fields.columns) == (("1", "2"), ("1",))
    assert words(by_fields.cells[0] + by_fields.cells[1]) == ["Cat of Player 2, Cat of Ghost", ""]


def test_a_map_has_its_ways_once_and_its_stops_nowhere(tmp_path: Path) -> None:
    declared = 'panel "P" as map along stops by down and across: steps, heat'
    body = panel(tmp_path, declared).body

    assert isinstance(body, Map)
    assert [(each.name, each.at) for each in body.spots] == [
        ("First", (1, 1)),
        ("Landing", None),
        ("Last", (2, 1)),
    ]
    assert body.ways == ((0, 1, 2),)
    assert in_words(body.spots[1].cell) == "Cat of Player 1"
    assert in_words(body.rest[0].cell) == "Sun 0, Moon 2"


@pytest.mark.parametrize("form", ["line", "header", "columns", "rows"])
def test_labels_and_cells_come_in_four_forms(form: str, tmp_path: Path) -> None:
    shown = panel(tmp_path, f'panel "P" as {form}: heat "Warmth", beads in cloth')

    assert isinstance(shown.body, Rows)
    assert shown.body.form is Form(form)
    assert rows_of(shown) == (("Warmth", "Sun 0, Moon 2"), ("Bead", "3"))


def test_a_panel_of_me_is_of_whoever_looks(tmp_path: Path) -> None:
    declared = 'panel "P" always of me: guess, hand'
    mine, others = (panel(tmp_path, declared, each) for each in (1, 2))

    assert (mine.when, mine.seat, others.seat) == (When.ALWAYS, 1, 2)
    assert rows_of(mine) == (("Guess", "4"), ("Hand", "Dog"))
    assert rows_of(others) == (("Guess", "0"), ("Hand", "-"))
    with pytest.raises(StopIteration):
        panel(tmp_path, declared, None)


def test_a_table_hides_what_only_its_owner_sees(tmp_path: Path) -> None:
    body = panel(tmp_path, 'panel "P" as table per player: guess, hand', 2).body

    assert isinstance(body, Table)
    others, mine = body.lines
    assert words(mine.cells) == ["0", ""]
    assert words(others.cells) == ["?", "1 card"]
    assert {each.role for cell in others.cells for each in cell} == {Role.HIDDEN}


def test_a_panel_for_each_of_a_kind_shows_what_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "steps.toml").write_text(STEPS)
    more = f'{MORE}\npanel "P" per face: heat, cloth\n'
    board = loaded(tmp_path, ACT, more, box=BOX).new_game(2).board(1)
    found = {each.of: dict(rows_of(each)) for each in board if each.title == "P"}

    assert [each["Heat"] for each in found.values()] == ["0", "2"]
    assert list(found) == ["Sun", "Moon"]


def test_a_game_without_panels_shows_all_there_is(tmp_path: Path) -> None:
    folder = written(tmp_path, "may raise my fame by 1", box=BOX)
    for file in folder.glob("*.rules"):
        kept = [line for line in file.read_text().splitlines() if not line.startswith("panel ")]
        file.write_text("\n".join(kept) + "\n")
    shared, players = rulesdsl.load(folder, cache=False).new_game(2).board(1)

    assert isinstance(shared.body, Rows)
    assert isinstance(players.body, Table)
    assert "Fame" in players.body.columns
    assert [each.label for each in players.body.lines] == ["Player 1", "Player 2"]
