"""`read` shows what is printed on things, and menus show the texts of what is chosen."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.fake import SONG
from coloma.session.cells import width

PLAY = ("play", "--players", "2", "--bots", "1", "--seed", "5")


def asked(run: Run, *typed: str, plain: bool = True) -> list[str]:
    """Return the lines between the first thing typed and the end of the input."""
    out = run(*PLAY, *(["--plain"] if plain else []), typed=typed).out
    return out.partition(f"> {typed[0]}\n")[2].partition("\nThe input has ended.")[0].splitlines()


@pytest.mark.usefixtures("pack")
@pytest.mark.parametrize("name", ["card:one-eye", "ONE-EYE", "One-Eye  "])
def test_what_is_printed_is_found_by_id_and_title(run: Run, name: str) -> None:
    told = asked(run, f"read {name}")

    assert told[:3] == ["One-Eye (Card)", "  Worth: 3", "  Price, Day: 2 coins"]


@pytest.mark.usefixtures("pack")
def test_a_part_of_a_name_will_do_where_it_fits_one(run: Run) -> None:
    assert asked(run, "read moo") == ["Moor (Hill)", "  Height: 1"]
    assert asked(run, "read of the sea") == [
        "One-Eye of the sea (Card)",
        "  Nothing but its title.",
    ]
    assert asked(run, "read one") == [
        "`one` could be One-Eye (Card), One-Leg (Card) or One-Eye of the sea (Card)."
    ]


@pytest.mark.usefixtures("pack")
def test_a_name_that_several_things_bear_shows_them_all(run: Run) -> None:
    told = asked(run, "read one-eye")

    assert [line for line in told if not line.startswith(" ")] == [
        "One-Eye (Card)",
        "One-Eye of the sea (Card)",
    ]


@pytest.mark.usefixtures("pack")
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("mooor", "Nothing that can be read is called `mooor`. Did you mean moor?"),
        ("qqqqq", "Nothing that can be read is called `qqqqq`. `read` lists all that can be."),
        ("2", "Choice 2 names nothing that could be read; `read` lists what can be."),
        ("99", "Choice 99 names nothing that could be read; `read` lists what can be."),
    ],
)
def test_an_unknown_name_is_answered_with_advice(run: Run, name: str, advice: str) -> None:
    assert asked(run, f"read {name}") == [advice]


@pytest.mark.usefixtures("pack")
def test_the_number_of_a_choice_stands_for_what_it_names(run: Run) -> None:
    assert asked(run, "read 1") == ["One-Leg (Card)", f"  Effect: {SONG}"]


@pytest.mark.usefixtures("pack")
def test_without_a_name_and_with_a_kind_there_is_a_list(run: Run) -> None:
    cards = "  Card: One-Eye, One-Leg, One-Eye of the sea"

    assert asked(run, "read")[:3] == ["What can be read", cards, "  Hill: Moor"]
    assert asked(run, "read card") == ["What can be read", cards]


@pytest.mark.usefixtures("pack")
def test_long_texts_are_cut_in_a_menu_and_whole_where_they_are_read(run: Run) -> None:
    lines = run(*PLAY, typed=["read 1"]).lines
    at = lines.index(next(line for line in lines if "1. take 1 coin: whoever" in line))
    read = " ".join(line.strip() for line in asked(run, "read 1", plain=False)[1:])

    assert lines[at + 1].endswith(" ...")
    assert lines[at + 2].lstrip() == "2. take 2 coins"
    assert read == f"Effect: {SONG}"
    assert all(width(line) <= 80 for line in lines if "journal" not in line)


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
def test_the_words_of_a_text_choose_nothing(run: Run) -> None:
    ran = run(*PLAY, typed=["whoever"])

    assert "`whoever` is none of the choices" in ran.out


@pytest.mark.usefixtures("pack")
def test_help_knows_the_word_and_fits_the_screen(run: Run) -> None:
    told = asked(run, "?")

    assert any(line.startswith("  read NAME") for line in told)
    assert all(width(line) <= 80 for line in told)
