from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("pack")

BOTS_ONLY = ("play", "--players", "3", "--bots", "3xrandom", "--plain")


def test_bots_play_to_the_final_scoring(run: Run) -> None:
    ran = run(*BOTS_ONLY, "--seed", "1")

    assert ran.status == 0
    assert "Final scoring" in ran.out
    assert re.search(r"\w+ \(bot\): place 1, \d+ points\n  Coins: \d+\n  Cards: ", ran.out)
    assert re.search(r"(wins|share the victory)\.$", ran.ending, re.MULTILINE)
    assert "\x1b" not in ran.out


def test_the_same_seed_gives_the_same_text_and_another_one_another(run: Run) -> None:
    one, again, other = (run(*BOTS_ONLY, "--seed", seed).out for seed in ("1", "1", "2"))

    assert one == again
    assert one.replace("seed 1", "") != other.replace("seed 2", "")


def test_bots_alone_keep_no_journal_unless_asked(run: Run, tmp_path: Path) -> None:
    run(*BOTS_ONLY)
    assert not (tmp_path / "state").exists()

    run(*BOTS_ONLY, "--journal", str(tmp_path / "kept.toml"))
    assert "[[choice]]" in (tmp_path / "kept.toml").read_text()


def test_end_of_input_stops_cleanly_and_names_the_journal(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", "--seed", "5", typed=["1"])

    assert ran.status == 0
    assert "The input has ended." in ran.out
    kept = re.search(r"coloma play --resume (\S+)", ran.out)
    assert kept
    assert Path(kept[1]).is_file()


def test_a_person_plays_through_a_pipe_of_numbers(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", "--seed", "5", typed=["1"] * 12)

    assert ran.status == 0
    assert "Final scoring" in ran.out
    assert "Player 1 takes one." in ran.lines


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("2", "takes two"),
        ("take:two", "takes two"),
        ("TWO", "takes two"),
        ("take 1", "takes one"),
        ("1 coin", "takes one"),
        ("  take   2   coins ", "takes two"),
    ],
)
def test_a_choice_can_be_typed_by_number_id_or_word(run: Run, typed: str, taken: str) -> None:
    ran = run("play", "--bots", "1xrandom", typed=[typed])

    assert f"Player 1 {taken}." in ran.lines


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("3", "Type a number from 1 to 2"),
        ("-1", "Type a number from 1 to 2"),
        ("9" * 5000, "Type a number from 1 to 2"),
        ("", "Type a number from 1 to 2"),
        ("take", "could be 1 take 1 coin or 2 take 2 coins"),
        ("taek:two", "did you mean take:two?"),
        ("baord", "did you mean board?"),
        ("zzzzzzzzz", "is none of the choices"),
        ("\x1b[2J", "is none of the choices"),
    ],
)
def test_what_means_nothing_is_answered_with_advice_and_changes_nothing(
    run: Run, typed: str, advice: str
) -> None:
    ran = run("play", "--bots", "1xrandom", typed=[typed, "2"])

    assert advice in ran.out
    assert "Player 1 takes two." in ran.lines


def test_help_board_me_log_and_why_answer(run: Run) -> None:
    ran = run(
        "play", "--bots", "1xrandom", "--plain", typed=["1", "?", "me", "log 1", "why", "why 1"]
    )

    assert "take your last choice back" in ran.out
    assert "Player 1: Things:\ncoins: 1 (new)\n" in ran.out
    assert "draw?\n  game.rules:7: rule on line 7\n" in ran.out
    assert "  game.rules:5: rule on line 5" in ran.lines


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("why not two", "take 2 coins: Not for 1.\n  game.rules:9: rule on line 9\n"),
        ("why not DRAW", "draw a card: It is offered now.\n"),
        ("why not take:all", "take everything: Not for 1.\n"),
        ("why not take", "`take` can be:\n  take 1 coin (why not take:one)\n"),
        ("why not fly", "This game has no option that is called `fly`.\n"),
        ("why not", "Say which option: why not, and a word of it.\n"),
        ("why 99", "The log has no more than 1 line"),
        ("why so", "Type why, why 2 "),
    ],
)
def test_why_not_says_what_an_option_lacks(run: Run, asked: str, answer: str) -> None:
    ran = run("play", "--bots", "1xrandom", "--plain", typed=["1", asked])

    assert answer in ran.out


def test_save_copies_the_journal_and_replaces_nothing_else(run: Run, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy.toml", tmp_path / "notes.txt"
    other.write_text("mine")
    ran = run("play", "--bots", "1xrandom", typed=["1", f"save {copy}", f"save {other}", "save"])

    assert 'id = "take:one"' in copy.read_text()
    assert other.read_text() == "mine"
    assert "exists and is not a journal" in ran.out
    assert f"The game is saved in {copy}." in ran.lines


def test_quit_stops_like_the_end_of_input(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", typed=["quit", "1"])

    assert ran.status == 0
    assert "Stopped." in ran.out
    assert "takes one" not in ran.out


def test_board_fits_eighty_columns(run: Run) -> None:
    ran = run("play", "--players", "4", "--bots", "3xrandom", typed=["1", "board"])
    at = len(ran.lines) - 1 - ran.lines[::-1].index("> board")
    board = ran.lines[at + 1 : at + 10]

    assert board[0].split() == [
        *("Middle", "Things:", "Player", "1", "Things:", "Player", "2"),
        *("Things:", "Player", "3"),
    ]
    assert max(map(len, board)) <= 80


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("--players", "9"), "is for 2 to 4 players, not for 9", 1),
        (("--players", "2", "--bots", "3xrandom"), "3 bots cannot sit on 2 seats", 2),
        (("--option", "rounds=9"), "coloma: option rounds cannot be 9: it is one of 1, 2, 3\n", 1),
        (("--option", "round=1"), "similar name exists: `rounds`", 1),
        (("--option", "rounds"), "--option needs name=value", 2),
        (("--option", "rounds=1", "--option", "rounds=2"), "given twice", 2),
        (("--pack", "nowhere"), "there is no pack nowhere", 1),
        (("--pack", "tests"), "tests is not a pack", 1),
        (("--mod", "nowhere"), "there is no pack nowhere", 1),
        (("--script", "nowhere.txt"), "cannot read nowhere.txt: no such file", 1),
        (("--resume", "nowhere.toml"), "cannot read nowhere.toml: no such file", 1),
        (("--resume", "x.toml", "--seed", "1"), "--resume already knows the game", 2),
        (("--replay-with-current",), "goes with --resume", 2),
        (("--bots", "many"), "there is no bot `many`", 2),
        (("--journal", "/proc/none/x.toml", "--bots", "2xrandom"), "cannot write /proc/none", 1),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    run: Run, arguments: tuple[str, ...], message: str, status: int
) -> None:
    ran = run("play", *arguments)

    assert message in ran.err
    assert ran.status == status
    assert ran.out == ""
    assert status == 2 or len(ran.err.splitlines()) == 1


def test_a_journal_is_never_begun_over_another_file(run: Run, tmp_path: Path) -> None:
    there = tmp_path / "there.toml"
    there.write_text("x = 1\n")
    ran = run("play", "--bots", "2xrandom", "--journal", str(there))

    assert "already exists" in ran.err
    assert there.read_text() == "x = 1\n"


def test_options_reach_the_game(run: Run) -> None:
    short = run(*BOTS_ONLY, "--seed", "1", "--option", "rounds=1").out
    long = run(*BOTS_ONLY, "--seed", "1", "--option", "rounds=3").out

    assert (short.count("The round is over."), long.count("The round is over.")) == (1, 3)


def test_a_script_answers_and_its_comments_do_not(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "answers.txt"
    script.write_text("\ufeff# my opening\n\n2\ndone\n")
    ran = run("play", "--bots", "1xrandom", "--script", str(script), typed=["1"])

    assert "Player 1 takes two." in ran.lines
    assert "The script has ended." in ran.out


@pytest.mark.parametrize(
    ("lines", "refused"),
    [
        ("1\n\nnonsense\n1\n", "`nonsense` is none of the choices"),
        ("1\ndraw\nundo\n2\n", "That cannot be taken back"),
    ],
)
def test_a_script_stops_at_a_line_that_is_refused(
    lines: str, refused: str, run: Run, tmp_path: Path
) -> None:
    script = tmp_path / "answers.txt"
    script.write_text(lines)
    ran = run("play", "--bots", "1xrandom", "--script", str(script))

    assert ran.status == 1
    assert f"{script}:3: {refused}" in ran.err


def test_a_name_that_no_file_can_have_does_not_end_the_game(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", typed=["save a\0b", "1"])

    assert "Not saved: a file cannot have that name" in ran.lines
    assert ran.status == 0


@pytest.mark.parametrize("option", ["--journal", "--pack", "--resume"])
def test_what_the_system_refuses_is_said_in_one_line(run: Run, option: str) -> None:
    ran = run("play", "--plain", option, "a" * 300)

    assert ran.status == 1
    assert len(ran.err.splitlines()) == 1
    assert "file name too long" in ran.err


def test_a_log_line_that_is_secret_stays_so_for_the_one_person_at_the_keyboard(
    run: Run,
) -> None:
    ran = run("play", "--bots", "1xrandom", "--seed", "3", typed=["1", "draw", *["1"] * 20])

    own = re.findall(r"^Player 1 draws the .\d+\.$", ran.out, re.MULTILINE)
    assert own
    assert not re.search(r"\(bot\) draws the", ran.out)


def test_the_final_scoring_is_a_table_with_a_column_for_every_seat(run: Run) -> None:
    lines = run("play", "--players", "3", "--bots", "3xrandom", "--seed", "1").lines
    table = lines[lines.index("Final scoring") + 1 :][:6]
    rows = {line[:5]: [int(each) for each in re.findall(r"\d+", line)] for line in table[1:]}

    assert table[0].split() == ["Ada", "(bot)", "Ben", "(bot)", "Cleo", "(bot)"]
    assert [sum(column) for column in zip(*list(rows.values())[:3], strict=True)] == rows["Total"]
    assert min(rows["Place"]) == 1
    assert table[-1].count("* 1") == rows["Place"].count(1)


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("--players", "3"), "--solo is a game of one, and --players asks for 3", 2),
        (("--resume", "x.toml"), "--resume already knows the game", 2),
        ((), "is for 2 to 4 players, not for 1", 1),
    ],
)
def test_solo_where_it_cannot_be(
    run: Run, arguments: tuple[str, ...], message: str, status: int
) -> None:
    ran = run("play", "--solo", *arguments)

    assert message in ran.err
    assert ran.status == status
