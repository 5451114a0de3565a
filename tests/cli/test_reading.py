from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from rich.cells import cell_len

import rulesdsl
from cli.conftest import Run
from cli.fake import SONG
from coloma.session.help import Shelf

CONTENT = Path(__file__).parents[2] / "content"

PLAY = ("play", "--players", "2", "--bots", "1xrandom", "--seed", "5")


def asked(run: Run, *typed: str, plain: bool = True) -> list[str]:
    out = run(*PLAY, *(["--plain"] if plain else []), typed=typed).out
    return out.partition(f"> {typed[0]}\n")[2].partition("\nThe input has ended.")[0].splitlines()


@pytest.mark.usefixtures("pack")
def test_the_number_of_a_choice_stands_for_what_it_names(run: Run) -> None:
    assert asked(run, "read 1") == ["One-Leg (Card)", f"  Effect: {SONG}"]


@pytest.mark.usefixtures("pack")
def test_long_texts_are_cut_in_a_menu_and_whole_where_they_are_read(run: Run) -> None:
    lines = run(*PLAY, typed=["read 1"]).lines
    at = lines.index(next(line for line in lines if "1. take 1 coin: whoever" in line))
    read = " ".join(line.strip() for line in asked(run, "read 1", plain=False)[1:])

    assert lines[at + 1].endswith(" ...")
    assert lines[at + 2].lstrip() == "2. take 2 coins"
    assert read == f"Effect: {SONG}"
    assert all(cell_len(line) <= 80 for line in lines if "journal" not in line)


@pytest.mark.usefixtures("pack")
def test_whoever_listens_hears_a_whole_text(run: Run) -> None:
    assert f"1. take 1 coin: {SONG}" in run(*PLAY, "--plain").lines


@pytest.mark.usefixtures("pack")
def test_reading_is_no_move(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.toml"
    run(*PLAY, "--journal", str(kept), typed=["read moor", "1", "read"])

    chosen = [each["id"] for each in tomllib.loads(kept.read_text())["choice"]]
    assert chosen[0] == "take:one"
    assert not any("moor" in each for each in chosen)


@pytest.mark.usefixtures("pack")
def test_help_knows_the_word_and_fits_the_screen(run: Run) -> None:
    told = asked(run, "?")

    assert any(line.startswith("  read NAME") for line in told)
    assert all(cell_len(line) <= 80 for line in told)


SCREEN_WORDS = {
    "boom": "Boom (Choice)",
    "vp": "VP (Track)",
    "hotel": "Hotel (Piece)",
    "lodge": "Lodge (Place)",
    "signpost-offset": "Signpost, so many Sites clockwise of the Barker (Option of the game)",
    "player 1": "Player 1 (Player)",
    "gold worth": "Gold worth (Shown on the board)",
    "hammer": "Hammer (Tool)",
    "bridges on the board": "Bridges on the board (Place)",
    "gunmen": "gunmen",
}


def test_whatever_the_screen_names_can_be_read(run: Run) -> None:
    typed = [f"read {name}" for name in SCREEN_WORDS]
    out = run("play", "--bots", "1xrandom", "--seed", "5", "--plain", typed=typed).out
    for name, title in SCREEN_WORDS.items():
        lines = out.partition(f"> read {name}\n")[2].splitlines()
        assert lines[0] == title
        assert lines[1].startswith("  ")


def _labels(body: rulesdsl.Rows | rulesdsl.Table | rulesdsl.Grid | rulesdsl.Map) -> list[str]:
    match body:
        case rulesdsl.Rows():
            return [row.label for row in body.rows]
        case rulesdsl.Table():
            return list(body.columns)
        case rulesdsl.Grid():
            return []
        case rulesdsl.Map():
            return [spot.name for spot in body.spots]


@pytest.mark.parametrize("pack", [CONTENT, CONTENT / "sutters_mill"], ids=lambda pack: pack.name)
def test_every_label_of_the_board_and_every_choice_can_be_read(pack: Path) -> None:
    loaded = rulesdsl.load(pack)
    game, book = loaded.new_game(2, seed=3), loaded.rulebook(2)
    seen: set[str] = set()
    for step in range(40):
        if game.decision is None:
            break
        shelf = Shelf(game.printed, game.named, game.decision, book)
        labels = {each for panel in game.board(1) for each in _labels(panel.body)} - seen
        assert {label for label in labels if isinstance(shelf.pages(label), str)} == set()
        seen |= labels
        for number in range(1, game.decision.count + 1):
            assert not isinstance(shelf.pages(str(number)), str)
        game.choose(step % game.decision.count)
    assert len(seen) > 10
