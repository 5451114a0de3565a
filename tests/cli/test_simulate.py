from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable

import jsonschema
import pytest

from cli.conftest import Run
from coloma.simulation import games
from coloma.simulation.tables import schema_text
from rulesdsl.figures.games import Figures

GAME = ("--pack", "content/classics/tic_tac_toe")
SCHEMA = {"$defs": json.loads(schema_text())["$defs"]}


def test_the_summary_is_the_same_for_any_number_of_jobs(run: Run) -> None:
    one, two = (run("simulate", *GAME, "--games", "9000", "--jobs", jobs) for jobs in ("1", "2"))

    assert one.status == 0
    assert one.out == two.out
    assert "Tic-Tac-Toe: 9000 games of 2, seed 0" in one.lines
    assert "games a second" in one.err


def test_wins_and_means_are_of_the_games_that_were_played(run: Run) -> None:
    lines = run("simulate", *GAME, "--games", "1", "--seed", "3").lines
    rows = {line[:8]: line[8:].split() for line in lines if re.match(r"Player \d ", line)}

    assert rows.keys() == {"Player 1", "Player 2"}
    assert all(float(mean) == int(least) == int(most) for mean, least, most, *_ in rows.values())
    assert sum(int(row[3]) for row in rows.values()) >= 1
    assert "decisions a game: mean 8.0, least 8, most 8" in lines


def test_what_the_end_means_is_counted(run: Run) -> None:
    lines = run("simulate", "--games", "20", "--players", "1").lines

    (said,) = [line for line in lines if line.startswith("Player 1: ")]
    assert sum(map(int, re.findall(r"\d+", said.partition(":")[2]))) == 20


def test_bots_take_what_they_prefer(run: Run) -> None:
    corners = run("simulate", *GAME, "--games", "200", "--prefer", "*1*=0,*3*=0").lines
    anything = run("simulate", *GAME, "--games", "200", "--prefer", "nothing=1").lines

    assert corners[-2] != anything[-2]


def test_items_are_counted_the_same_for_any_number_of_jobs(run: Run) -> None:
    asked = ("simulate", *GAME, "--games", "1100", "--by", "option", "--by", "verb", "--json")

    one, two = (run(*asked, "--jobs", jobs) for jobs in ("1", "2"))

    assert one.status == 0, one.err
    assert one.out == two.out
    data = json.loads(one.out)
    jsonschema.validate(data, json.loads(schema_text())["$defs"]["simulated"] | SCHEMA)
    assert data["complete"] is True
    assert [each["bot"] for each in data["seats"]] == ["random", "random"]
    assert 900 < sum(each["wins"] for each in data["seats"]) < 1100  # the others are drawn
    assert all(each["shared"] == 0 for each in data["seats"])
    assert [sum(each["places"]) for each in data["seats"]] == [1100, 1100]
    items = [each for each in data["items"] if each["group"] == "option"]
    moves = sum(each["chosen"] for each in items)
    assert moves == pytest.approx(data["decisions"]["mean"] * 1100)


def test_the_middle_of_the_board_goes_with_victories(run: Run) -> None:
    lines = run("simulate", *GAME, "--games", "2000", "--by", "option").lines

    at = lines.index("by option: players who chose it in a game, compared with those who did not")
    best = lines[at + 2]
    assert "5" in best
    assert best.endswith("more points")


def test_one_question_alone_is_counted(run: Run) -> None:
    asked = ("simulate", "--games", "40", "--bots", "4xtrained", "--players", "4", "--by", "card")

    everywhere, there = (
        {each["id"]: each for each in json.loads(run(*asked, *more, "--json").out)["items"]}
        for more in ((), ("--in", "build-in-town"))
    )

    assert all(set(each["questions"]) <= {"build-in-town"} for each in there.values())
    assert any(each["chosen"] for each in there.values())
    for name, each in there.items():
        assert each["chosen"] == everywhere[name]["questions"].get("build-in-town", 0)


def test_csv_has_a_line_for_each_item_or_seat(run: Run) -> None:
    seats = list(csv.DictReader(run("simulate", *GAME, "--games", "50", "--csv").lines))
    items = list(
        csv.DictReader(run("simulate", *GAME, "--games", "50", "--by", "option", "--csv").lines)
    )

    assert [each["name"] for each in seats] == ["Player 1", "Player 2"]
    assert all(int(each["wins"]) >= 0 for each in seats)
    assert len(items) == 9
    assert "points.difference.low" in items[0]


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_interrupted_it_says_that_this_is_not_all(
    run: Run, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    real = games.player

    def interrupted(plan: games.GamePlan) -> Callable[[range], Figures]:
        play = real(plan)

        def some(numbers: range) -> Figures:
            if numbers.start:
                raise KeyboardInterrupt
            return play(numbers)

        return some

    monkeypatch.setattr(games, "player", interrupted)
    ran = run("simulate", *GAME, "--games", "9000", *how)

    assert ran.status == 130
    assert "interrupted after 4096 of 9000 games; the result is partial" in ran.err
    if how:
        data = json.loads(ran.out)
        assert (data["games"], data["complete"]) == (4096, False)
        assert sum(data["seats"][0]["places"]) == 4096
    else:
        assert ran.lines[0] == "partial: 4096 of 9000 games were played"


def test_interrupted_at_once_it_has_no_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: games.GamePlan) -> Callable[[range], Figures]:
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "player", never)
    ran = run("simulate", *GAME, "--json")

    assert ran.status == 130
    assert json.loads(ran.out)["games"] == 0
    assert json.loads(ran.out)["seats"] == []
