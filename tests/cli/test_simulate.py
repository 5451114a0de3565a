from __future__ import annotations

import pytest

from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("pack")


def test_the_summary_is_the_same_for_any_number_of_jobs(run: Run) -> None:
    one, two = (
        run("simulate", "--games", "60", "--players", "3", "--jobs", jobs) for jobs in ("1", "2")
    )

    assert one.status == 0
    assert one.out == two.out
    assert "Fake Game: 60 games of 3, seed 0" in one.lines
    assert "games a second" in one.err


def test_wins_and_means_are_of_the_games_that_were_played(run: Run) -> None:
    lines = run("simulate", "--games", "1", "--seed", "3").lines
    rows = {line[:8]: line[8:].split() for line in lines if line.startswith("Player")}

    assert rows.keys() == {"Player 1", "Player 2"}
    assert all(float(mean) == int(least) == int(most) for mean, least, most, *_ in rows.values())
    assert sum(int(row[3]) for row in rows.values()) >= 1
    assert lines[-1] == "decisions a game: mean 12.0, least 12, most 12"


def test_another_seed_gives_other_games(run: Run) -> None:
    one, other = (run("simulate", "--games", "9", "--seed", seed).lines[1:] for seed in "12")

    assert one != other


def test_bots_take_what_they_prefer(run: Run) -> None:
    poor, rich = (
        run("simulate", "--games", "5", "--prefer", f"{liked}=1,*=0").lines
        for liked in ("done", "*two*")
    )
    means = [float(line[8:].split()[0]) for line in (poor[2], rich[2])]

    assert means[0] < means[1]


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("--players", "7"), "is for 2 to 4 players", 1),
        (("--option", "x=1"), "has no option x", 1),
        (("--games", "0"), "--games", 2),
        (("--prefer", "take=much"), "PATTERN=WEIGHT", 2),
        (("--jobs", "0"), "--jobs", 2),
    ],
)
def test_what_cannot_be_simulated_is_said(
    run: Run, arguments: tuple[str, ...], message: str, status: int
) -> None:
    ran = run("simulate", *arguments)

    assert message in ran.err
    assert ran.status == status
