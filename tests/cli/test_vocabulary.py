from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from coloma.words_of_game import SORTS

FILES = {
    "pack.toml": """\
id = "stalls"
name = "Stalls"
version = "1.0.0"
kind = "game"
""",
    "game.rules": """\
# ---- the box
piece coin "Coin" 20 in bank
place bank holds coin
place purse "Purse" per player holds coin
kind guest "Guest" from "guests.toml":
    tip: number                             # what is left on the plate
constants from "numbers.toml"
option late "Begin late": off
track fame "Fame" per player
flag seen per guest

# How a day goes.
step game: for each player: serve a guest

# ---- what is done
# A guest is served
# and pays.
verb serve guest g:                         # once a day
    mark seen of g
    gain (tip of g + bonus) coins
verb gain n coins: move up to n coins from bank into my purse
verb gain n fame: raise my fame by n
value guests-seen: all guests where seen
after serve guest g when late: gain 1 fame
score seen-score "Guests": guests-seen + my fame
kind mood: merry, calm
kind guest:
    toast: effect per mood                  # what they drink to
verb cheer guest g: do toast of g at calm
""",
    "guests.toml": """\
source = "house"

[ruth]  # the first one
name = "Old Ruth"
tip = 2

[abel]
tip = 1
toast.calm = "gain (tip of abel) coins"
""",
    "numbers.toml": """\
source = "house"
bonus = 1  # for everybody
""",
    "unread.toml": 'gain = "no rule reads this"\n',
}
MOD = {
    "pack.toml": """\
id = "more"
name = "More"
version = "1.0.0"
kind = "mod"
for_game = "stalls"
""",
    "more.rules": 'source "house"\nbefore game: for each player: gain 1 coin\n',
    "guests.toml": 'source = "house"\n[cain]\ntip = 3\n',
}


@pytest.fixture
def game(tmp_path: Path) -> str:
    return written(tmp_path / "stalls", FILES)


@pytest.fixture
def mod(tmp_path: Path) -> str:
    return written(tmp_path / "more", MOD)


def written(folder: Path, files: dict[str, str]) -> str:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


def test_all_words_are_listed_with_their_places(run: Run, game: str) -> None:
    out = run("vocabulary", "--pack", game).out

    for line in (
        "  game.rules:18  verb serve guest g  # A guest is served and pays. once a day",
        "  game.rules:21  verb gain n coins",
        "  game.rules:13  step game  # How a day goes.",
        '  game.rules:2  piece coin "Coin" 20 in bank',
        "  game.rules:23  value guests-seen",
        "  game.rules:24  after serve guest g when late",
        '  game.rules:8  option late "Begin late": off',
        "  numbers.toml:2  bonus = 1  # for everybody",
        "  guest: ruth, abel",
    ):
        assert line.split() in [each.split() for each in out.splitlines()], line
    assert "    tip: number                             # what is left on the plate" in out


def test_every_sort_of_declaration_is_listed(run: Run, game: str) -> None:
    headings = {line.split(":")[0] for line in run("vocabulary", "--pack", game).lines}

    assert {plural for plural, _ in SORTS.values()} - headings == {"rivals"}


def test_one_sort_can_be_asked_for(run: Run, game: str) -> None:
    lines = run("vocabulary", "numbers", "--pack", game).lines

    assert [line.split() for line in lines[3:]] == [
        ["numbers.toml:2", "bonus", "=", "1", "#", "for", "everybody"]
    ]


def test_a_word_is_shown_with_its_rules_and_its_uses(run: Run, game: str) -> None:
    assert run("vocabulary", "serve", "--pack", game).lines == [
        "verb at game.rules:18",
        "    verb serve guest g:                         # once a day",
        "        mark seen of g",
        "        gain (tip of g + bonus) coins",
        "",
        "hook at game.rules:24",
        "    after serve guest g when late: gain 1 fame",
        "",
        "used at",
        "  game.rules:13  step game: for each player: serve a guest",
    ]


def test_two_verbs_of_one_name_are_both_shown(run: Run, game: str) -> None:
    lines = run("vocabulary", "gain", "--pack", game).lines

    assert lines[0] == "verb at game.rules:21"
    assert "verb at game.rules:22" in lines
    assert not [line for line in lines if "unread" in line]


def test_a_kind_is_shown_with_its_fields_and_entries(run: Run, game: str) -> None:
    lines = run("vocabulary", "guests", "--pack", game).lines

    assert lines[0] == "kind at game.rules:5"
    assert "entries: ruth, abel" in lines


def test_an_entry_that_gets_more_fields_in_rules_is_named_once(run: Run, game: str) -> None:
    (Path(game) / "more.rules").write_text(
        "kind guest:\n    late: yes-no = off\nguest ruth:\n    late = on\n", encoding="utf-8"
    )

    assert "entries: ruth, abel" in run("vocabulary", "guest", "--pack", game).lines


def test_a_field_is_shown_with_what_it_is_of_and_where_rules_ask_for_it(
    run: Run, game: str
) -> None:
    assert run("vocabulary", "toast", "--pack", game).lines == [
        "field at game.rules:28",
        "    toast: effect per mood                  # what they drink to",
        "written: do toast of g at merry, where g is a guest",
        "at: merry, calm",
        "entries that say it: abel",
        "",
        "used at",
        "  game.rules:29  verb cheer guest g: do toast of g at calm",
    ]


def test_what_an_entry_holds_is_no_use_of_a_field_but_its_effects_can_be(
    run: Run, game: str
) -> None:
    lines = run("vocabulary", "tip", "--pack", game).lines

    assert "written: tip of g, where g is a guest" in lines
    assert "entries that say it: ruth, abel" in lines
    assert [line.split()[0] for line in lines[lines.index("used at") + 1 :]] == [
        "game.rules:20",
        "guests.toml:9",
    ]


def test_fields_are_listed_by_their_kinds_and_alone_with_their_places(run: Run, game: str) -> None:
    assert "  guest: tip, toast" in run("vocabulary", "--pack", game).lines
    assert run("vocabulary", "fields", "--pack", game).lines[3:] == [
        "  game.rules:6   tip of guest: number  # what is left on the plate",
        "  game.rules:28  toast of guest: effect per mood  # what they drink to",
    ]


def test_an_entry_is_shown_as_it_stands_in_its_table(run: Run, game: str) -> None:
    assert run("vocabulary", "ruth", "--pack", game).lines == [
        "entry at guests.toml:3",
        "    [ruth]  # the first one",
        '    name = "Old Ruth"',
        "    tip = 2",
    ]


def test_a_title_leads_to_the_word(run: Run, game: str) -> None:
    lines = run("vocabulary", "Old Ruth", "--pack", game).lines

    assert "guests.toml:3" in lines[1]


def test_the_words_of_a_mod_are_there_too(run: Run, game: str, mod: str) -> None:
    lines = run("vocabulary", "--pack", game, "--mod", mod).lines

    assert "  more/more.rules:2  before game" in lines
    assert "  guest: ruth, abel, cain" in lines


def test_what_a_mod_brings_is_found_without_its_id(run: Run, game: str, mod: str) -> None:
    with (Path(mod) / "guests.toml").open("a", encoding="utf-8") as table:
        table.write("[more.ruth]\ntip = 4\n")

    lines = run("vocabulary", "ruth", "--pack", game, "--mod", mod).lines
    assert "entry at guests.toml:3" in lines
    assert "entry at more/guests.toml:4" in lines


def test_an_unknown_word_has_advice(run: Run, game: str) -> None:
    ran = run("vocabulary", "srve", "--pack", game)

    assert ran.status == 2
    assert "`serve`" in ran.err


def test_the_shipped_game_can_be_looked_up(run: Run) -> None:
    assert run("vocabulary", "verbs").status == 0
