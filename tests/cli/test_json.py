from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest

from cli import fake
from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("pack")


def _told(asked: dict[str, Any]) -> list[str]:
    return [line["text"] for line in asked["log"]["story"]]


def _objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_program_plays_by_index_and_id(run: Run) -> None:
    ran = run(
        "play", "--json", "--bots", "1xrandom", "--option", "rounds=1", typed=["0", "done", "2"]
    )
    hello, *questions, end = _objects(ran.out)

    assert hello["people"] == [1]
    assert [each["decision"]["prompt"] for each in questions] == [
        "take some coins",
        "draw?",
        "bid",
    ]
    assert questions[0]["decision"]["options"][1] == {
        "id": "take:two",
        "label": "take 2 coins",
        "final": False,
        "confirm": False,
    }
    assert _told(questions[1]) == ["Player 1 takes one"]
    assert questions[2]["decision"]["sealed"] is True
    assert end["result"]["seats"] == ["Player 1", "Ada (bot)"]
    assert ran.status == 0


def test_a_wrong_line_is_answered_with_an_error_and_asked_again(run: Run) -> None:
    ran = run(
        "play", "--json", "--bots", "1xrandom", typed=["7", "nonsense", "-1", "1", "undo", "quit"]
    )
    objects = _objects(ran.out)

    assert ["error" in each for each in objects[2:5]] == [True, True, True]
    assert objects[5]["decision"]["prompt"] == "draw?"
    assert objects[6]["decision"]["prompt"] == "take some coins"
    assert objects[7]["stopped"] == "Stopped."
    assert Path(objects[7]["journal"]).is_file()


def test_each_player_gets_only_what_they_may_see(run: Run) -> None:
    ran = run("play", "--json", "--players", "2", typed=["0", "draw", "0", "draw", "0", "0"])
    questions = [each for each in _objects(ran.out) if "decision" in each]

    assert questions[2]["player"] == 2
    assert _told(questions[2]) == ["Player 1 takes one", "Player 1 draws a card"]
    (change, *_) = questions[2]["log"]["changes"]
    assert (change["actor"], change["who"], change["rules"]) == (
        1,
        "Player 1",
        ["fake/game.rules:5"],
    )
    for each in questions:
        for panel in each["board"]:
            shows_cards = "the 1" in dict(panel["rows"]).get("cards", "")
            assert not shows_cards or panel["seat"] == each["player"]


@pytest.mark.parametrize(("typed", "taken"), [("1", "2"), ('"1"', "1"), ('"2"', "2")])
def test_a_number_is_an_index_also_where_ids_are_numbers(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, taken: str
) -> None:
    numbered = [attrs.evolve(each, id=str(number)) for number, each in enumerate(fake.COINS, 1)]
    monkeypatch.setattr(fake, "COINS", tuple(numbered))
    ran = run("play", "--json", "--bots", "1xrandom", typed=[typed])
    kept = tomllib.loads(Path(_objects(ran.out)[-1]["journal"]).read_text())

    assert [each["id"] for each in kept["choice"]] == [taken]


@pytest.mark.parametrize("typed", ["0000000001", "2", '"', '""'])
def test_what_is_neither_index_nor_id_takes_nothing(run: Run, typed: str) -> None:
    ran = run("play", "--json", "--bots", "1xrandom", typed=[typed])

    assert "error" in _objects(ran.out)[2]
