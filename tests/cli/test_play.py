from __future__ import annotations

import re

import pytest

from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("pack")

BOTS_ONLY = ("play", "--players", "3", "--bots", "3xrandom", "--plain")


def test_options_reach_the_game(run: Run) -> None:
    short = run(*BOTS_ONLY, "--seed", "1", "--option", "rounds=1").out
    long = run(*BOTS_ONLY, "--seed", "1", "--option", "rounds=3").out

    assert (short.count("The round is over."), long.count("The round is over.")) == (1, 3)


def test_a_name_that_no_file_can_have_does_not_end_the_game(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", typed=["save a\0b", "1"])

    assert "Not saved: that is not a valid file name" in ran.lines
    assert ran.status == 0


@pytest.mark.parametrize("option", ["--journal", "--pack", "--resume"])
def test_what_the_system_refuses_is_said_in_one_line(run: Run, option: str) -> None:
    ran = run("play", "--plain", option, "a" * 300)

    assert ran.status == 1
    assert len(ran.err.splitlines()) == 1
    assert "file name too long" in ran.err


def test_a_log_line_that_is_secret_stays_so_for_the_one_person_at_the_keyboard(run: Run) -> None:
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
