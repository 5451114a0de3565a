from copy import deepcopy

import pytest

import rulesdsl
from soak.differences import Differences, normalized
from soak.since import Record, record_of


@pytest.fixture(scope="module")
def played() -> Record:
    pack = rulesdsl.load("content/sutters_mill")
    return record_of(pack.new_game(players=2, seed=5, log=True), 5)


def differences(before: Record, now: Record, ids: dict[str, str] | None = None) -> Differences:
    compared = Differences(ids=ids or {})
    compared.add("a game", before, now)
    return compared


def report(before: Record, now: Record, ids: dict[str, str] | None = None) -> dict[str, list[str]]:
    """Return the kinds of differences for each aspect that differs: what was and what is."""
    aspects: dict[str, list[str]] = {}
    lines = differences(before, now, ids).text(9, frozenset()).splitlines()
    for line in lines:
        if not line.startswith(" "):
            aspect = line.partition(":")[0]
            aspects[aspect] = []
        elif line.startswith("    "):
            aspects[aspect].append(line.strip())
    return {aspect: kinds for aspect, kinds in aspects.items() if kinds}


def test_a_game_equals_itself(played: Record) -> None:
    compared = differences(played, deepcopy(played))
    assert compared.games_unequal(frozenset()) == 0
    assert report(played, deepcopy(played)) == {}


def test_texts_differ_apart(played: Record) -> None:
    now = deepcopy(played)
    now["asked"][1]["open"][0]["labels"][0] = "Other words"
    now["asked"][2]["open"][0]["prompt"] = "Another question?"
    now["result"]["result"]["places"] = [9]
    assert [*report(played, now)] == ["labels", "prompts", "result"]
    compared = differences(played, now)
    assert compared.games_unequal(Differences.aspects("labels,prompts")) == 1
    assert compared.games_unequal(Differences.aspects("labels,prompts,result")) == 0


def test_the_log_includes_the_story() -> None:
    assert Differences.aspects("log,labels") == {"labels", "log", "story"}


def test_numbers_of_equal_copies_are_not_compared(played: Record) -> None:
    before, now = deepcopy(played), deepcopy(played)
    before["result"]["board"]["deck"] = [["ace#1", "king"]]
    now["result"]["board"]["deck"] = [["ace#2", "king"]]
    assert report(before, now) == {}
    before["result"]["board"]["marked?"], now["result"]["board"]["marked?"] = [1, 0, 0], [0, 1, 0]
    assert report(before, now) == {}
    now["result"]["board"]["deck"] = [["queen", "king"]]
    assert [*report(before, now)] == ["result"]


def test_lines_of_the_log_are_grouped_by_kind(played: Record) -> None:
    before, now = deepcopy(played), deepcopy(played)
    before["log"] = ["Ann gains 3 Bucks", "Then", "Bob gains 12 Bucks", "Ann rests", "Bob"]
    now["log"] = ["Ann gains 3 bucks", "Ann rests", "Then", "Bob gains 12 bucks"]
    assert report(before, now)["log"] == [
        *("- Ann gains 3 Bucks", "+ Ann gains 3 bucks"),
        *("- Ann rests", "+ (elsewhere) Ann rests"),
        *("- Bob", "+ (nothing)"),
    ]


def test_renamed_ids_are_no_difference(played: Record) -> None:
    now, old = deepcopy(played), played["asked"][3]["open"][0]["ids"][0]
    for asked in now["asked"]:
        for question in asked["open"]:
            question["ids"] = ["new" if option == old else option for option in question["ids"]]
            question["former_ids"] = question["ids"]
    assert report(played, now)["ids"][:2] == [f"- {old}", "+ new"]
    assert report(played, now, {old: "new"}) == {}


def test_ids_of_an_older_language_are_no_difference(played: Record) -> None:
    before = deepcopy(played)
    for asked in before["asked"]:
        for question in asked["open"]:
            question["ids"] = question["former_ids"]
    assert before != played
    assert report(before, played) == {}


def test_nothing_is_compared_after_games_part(played: Record) -> None:
    now = deepcopy(played)
    asked = now["asked"][4]
    asked["open"][0]["ids"].append("one-more")
    now["log"][asked["log_length"] :] = ["Something else"]
    now["asked"][5:] = []
    assert report(played, now) == {"ids": ["- (nothing)", "+ one-more"]}


def test_names_and_numbers_do_not_make_kinds() -> None:
    lines = ("Ann takes 2 Rivers and a Town Hall", "Player 3 takes 14 Sites, a Bar and an Inn")
    assert {normalized(line, ["Ann", "Player 3"]) for line in lines} == {"X takes # X"}
