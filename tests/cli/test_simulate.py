from __future__ import annotations

import re
from functools import reduce

import pytest

import rulesdsl
from cli.conftest import Run
from coloma.simulation.summary import Summary
from rulesdsl.interpreter.simulator.python_runner import PythonRunner

GAME = ("--pack", "bench/packs/tic_tac_toe")


def test_the_summary_is_the_same_for_any_number_of_jobs(run: Run) -> None:
    one, two = (run("simulate", *GAME, "--games", "9000", "--jobs", jobs) for jobs in ("1", "2"))

    assert one.status == 0
    assert one.out == two.out
    assert "Tic-tac-toe: 9000 games of 2, seed 0" in one.lines
    assert "games a second" in one.err


def test_wins_and_means_are_of_the_games_that_were_played(run: Run) -> None:
    lines = run("simulate", *GAME, "--games", "1", "--seed", "3").lines
    rows = {line[:8]: line[8:].split() for line in lines if line.startswith("Player")}

    assert rows.keys() == {"Player 1", "Player 2"}
    assert all(float(mean) == int(least) == int(most) for mean, least, most, *_ in rows.values())
    assert sum(int(row[3]) for row in rows.values()) >= 1
    assert lines[-1] == "decisions a game: mean 8.0, least 8, most 8"


def test_the_figures_are_those_of_the_python_back_end() -> None:
    pack = rulesdsl.load("bench/packs/tic_tac_toe")
    fast = pack.simulator(2)
    slow = rulesdsl.Simulator(fast.setting, PythonRunner(fast.setting))

    one, other = (Summary.of_playouts(each.playouts(2000, 0)) for each in (fast, slow))

    assert list(one.lines()) == list(other.lines())


def test_parts_make_the_same_whole_in_any_order() -> None:
    simulator = rulesdsl.load("bench/packs/tic_tac_toe").simulator(2)
    parts = [
        Summary.of_playouts(simulator.playouts(count, 0, first=first))
        for first, count in ((0, 100), (100, 50), (150, 1))
    ]

    whole = Summary.of_playouts(simulator.playouts(151, 0))

    assert reduce(Summary.with_more, parts) == reduce(Summary.with_more, parts[::-1]) == whole


def test_another_seed_gives_other_games(run: Run) -> None:
    one, other = (
        run("simulate", *GAME, "--games", "9", "--seed", seed).lines[1:] for seed in "12"
    )

    assert one != other


def test_what_the_end_means_is_counted(run: Run) -> None:
    lines = run("simulate", "--games", "20", "--players", "1").lines

    (said,) = [line for line in lines if line.startswith("Player 1: ")]
    assert sum(map(int, re.findall(r"\d+", said.partition(":")[2]))) == 20


def test_bots_take_what_they_prefer(run: Run) -> None:
    corners = run("simulate", *GAME, "--games", "200", "--prefer", "*1*=0,*3*=0").lines
    anything = run("simulate", *GAME, "--games", "200", "--prefer", "nothing=1").lines

    assert corners[-1] != anything[-1]


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("--players", "7"), "is for 2 to 2 players, not 7", 1),
        (("--option", "x=1"), "has no option x", 1),
        (("--games", "0"), "--games", 2),
        (("--prefer", "take=much"), "PATTERN=WEIGHT", 2),
        (("--jobs", "0"), "--jobs", 2),
    ],
)
def test_what_cannot_be_simulated_is_said(
    run: Run, arguments: tuple[str, ...], message: str, status: int
) -> None:
    ran = run("simulate", *GAME, *arguments)

    assert message in ran.err
    assert ran.status == status


def test_bots_that_have_learned_win(run: Run) -> None:
    ran = run("simulate", "--players", "4", "--games", "100", "--bots", "random,trained,2xrandom")

    assert ran.status == 0, ran.err
    assert ran.lines[1] == "bots: random, trained, random, random"
    wins = {line[:8]: int(line.split()[-2]) for line in ran.lines if line.startswith("Player")}
    assert wins["Player 2"] >= 90


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--players", "4", "--bots", "smart"), "there is no bot `smart`"),
        (("--players", "2", "--bots", "traind,random"), "a similar name exists: `trained`"),
        (("--players", "3", "--bots", "trained"), "--bots names 1 bot, for 3 players"),
        (("--players", "2", "--bots", "3xrandom"), "--bots names 3 bots, for 2 players"),
        (("--players", "2", "--bots", "2xrandom", "--prefer", "a=2"), "leave out --bots"),
        ((*GAME, "--bots", "trained,random"), "`coloma train` writes it"),
    ],
)
def test_bots_that_do_not_fit_are_refused(run: Run, argv: tuple[str, ...], message: str) -> None:
    ran = run("simulate", *argv)

    assert ran.status
    assert message in ran.err
