from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import BOX, CARDS, written
from rulesdsl.scenarios import Failure, ScenarioReport, run_scenarios
from rulesdsl.source.diagnostic import LintError
from scenarios.small_pack import scenario, write_pack


def run(folder: Path, **values: object) -> ScenarioReport:
    return run_scenarios(write_pack(folder, scenario(name="it", **values)))


def failures(report: ScenarioReport) -> list[Failure]:
    assert not report.findings, str(report)
    return [failure for result in report.results for failure in result.failures]


PASSING: dict[str, dict[str, object]] = {
    "box": {"expect": ["coins in heap = 9"], "play": ""},
    "given": {
        "given": ["for p2: take 2 coins", "for p1: take 1 coins"],
        "expect": ["coins in purse of p2 = 2", "coins in purse of p1 = 1"],
    },
    "after": {"after": "deal", "players": 3, "expect": ["coins in purse of p3 = 1"]},
    "after that asks": {"after": "game", "expect": ["coins in heap = 5"]},
    "play": {
        "given": ["for p1: take 1 coins"],
        "play": "for p1: visit",
        "do": ["p1 stall:baker"],
        "expect": ["coins in purse of p1 = 2"],
        "over": False,
    },
    "offered": {
        "given": ["for p1: take 1 coins"],
        "play": "for p1: visit",
        "offered": ["p1 stall:baker", "p1 stall:beggar"],
        "not_offered": ["p2 stall:baker", "p1 stall:butcher"],
    },
    "left open": {
        "given": ["for p1: take 1 coins"],
        "play": "for p1: visit",
        "expect": ["coins in purse of p1 = 1"],
        "open": ["p1"],
    },
    "not offered, and so spoken of": {
        "given": ["for p1: take 1 coins"],
        "play": "for p1: visit",
        "not_offered": ["p1 stall:butcher"],
    },
    "whole game": {
        "do": ["p1 stall:baker", "p2 *"],
        "over": True,
        "scores": [2, 2],
        "places": [1, 1],
        "log": ["Player 1"],
    },
    "options": {
        "options": {"rich": True},
        "expect": ["coins in purse of p1 = 2"],
        "over": False,
    },
    "several lines": {
        "given": ["for p1:\\n  take 1 coins\\n  take 2 coins"],
        "expect": ["coins in purse of p1 = 3"],
    },
}


@pytest.mark.parametrize("values", PASSING.values(), ids=PASSING)
def test_what_holds_passes(tmp_path: Path, values: dict[str, object]) -> None:
    report = run(tmp_path, **values)

    assert failures(report) == []
    assert report.ok
    assert report.summary == "1 passed, 0 failed"


FAILING: dict[str, tuple[dict[str, object], str]] = {
    "expect": (
        {"after": "deal", "expect": ["coins in heap = 9"]},
        "expected coins in heap = 9",
    ),
    "offered": (
        {"play": "for p1: visit", "offered": ["p1 stall:baker"]},
        "expected that player 1 is offered `stall:baker`",
    ),
    "not offered": (
        {"after": "deal", "play": "for p1: visit", "not_offered": ["p1 stall:baker"]},
        "expected that player 1 is not offered `stall:baker`",
    ),
    "open, and nobody spoke of it": (
        {"play": "for p1: visit", "given": ["for p1: take 1 coins"], "expect": ["1 = 1"]},
        "player 1 is still asked something at the end, and nothing here speaks of it",
    ),
    "open, and only others spoken of": (
        {
            "play": "for p1: visit",
            "given": ["for p1: take 1 coins"],
            "not_offered": ["p2 stall:baker"],
        },
        "player 1 is still asked something at the end, and nothing here speaks of it",
    ),
    "not open": (
        {"after": "deal", "expect": ["1 = 1"], "open": ["p2"]},
        "expected that player 2 is still asked something",
    ),
    "wrong player": (
        {"do": ["p2 stall:baker"], "over": False},
        "player 2 is not asked, and cannot choose `stall:baker`",
    ),
    "wrong option": (
        {"do": ["p1 stall:butcher"], "over": False},
        "player 1 is not offered `stall:butcher`",
    ),
    "impossible": (
        {"given": ["for p1: pay 1 coins"], "over": False},
        "this cannot be carried out here",
    ),
    "impossible later": (
        {
            "given": ["for p1: take 1 coins\\nfor each player: pay 1 coins"],
            "expect": ["coins in heap = 10"],
        },
        "this cannot be carried out here: pieces are missing",
    ),
    "asks": (
        {"given": ["for p1: take 1 coins", "for p1: visit"], "over": False},
        "this asks somebody; `given` must not",
    ),
    "over": ({"over": True}, "expected that the game is over"),
    "log": ({"after": "deal", "log": ["xyz"]}, "expected in the log: xyz"),
    "scores": (
        {"do": ["p1 *", "p2 *"], "scores": [3, 2]},
        "expected scores [3, 2]",
    ),
}


@pytest.mark.parametrize(("values", "said"), FAILING.values(), ids=FAILING)
def test_what_does_not_hold_fails(tmp_path: Path, values: dict[str, object], said: str) -> None:
    report = run(tmp_path, **values)

    assert [failure.said for failure in failures(report)] == [said]
    assert not report.ok
    assert report.summary == "0 passed, 1 failed"


@pytest.mark.parametrize(
    "condition",
    ["coins in heap = 0", "coins in heap < 1", "no coins in heap", "coins in heap > 9"],
)
def test_what_was_found_is_told_without_what_was_expected(tmp_path: Path, condition: str) -> None:
    report = run(tmp_path, after="deal", expect=[condition])

    assert [each.details[0] for each in failures(report)] == [("found", "coins in heap: 7")]


THIEF = """
place pocket per seat holds coin
rival thief "Thief" without score when players = 3 or rich
verdict won "Richest" when my standing = 1
verdict lost "Robbed" when any thief
step robbery:
    if any thief:
        for thief: move up to 2 coins from heap into my pocket
after deal: robbery
"""
ROBBED = {"after": "deal", "expect": ["coins in pocket of thief = 2"]}


@pytest.mark.parametrize("table", [{"players": 3}, {"options": {"rich": True}}])
def test_a_rival_can_be_named_where_it_is_at_the_table(
    tmp_path: Path, table: dict[str, object]
) -> None:
    pack = write_pack(tmp_path, scenario(name="it", **ROBBED, **table), thief__rules=THIEF)

    assert str(run_scenarios(pack)) == "1 passed, 0 failed"


def test_a_rival_cannot_be_named_where_it_is_not(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, scenario(name="it", **ROBBED, players=2), thief__rules=THIEF)

    assert [each.code for each in run_scenarios(pack).findings] == ["E302"]


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["won", "none"], []),
        (["won", "lost"], ["expected that player 2 has lost"]),
        (["none", "none"], ["expected that player 1 has none"]),
    ],
)
def test_verdicts(tmp_path: Path, verdicts: list[str], said: list[str]) -> None:
    text = scenario(name="it", given=["for p1: take 1 coins"], verdicts=verdicts)
    report = run_scenarios(write_pack(tmp_path, text, thief__rules=THIEF))

    assert [failure.said for failure in failures(report)] == said


def test_what_is_asked_can_be_asked_for(tmp_path: Path) -> None:
    report = run(tmp_path, play="game", offered=["p1 ?"])

    assert str(report).splitlines()[1:3] == [
        "  line 4: expected that player 1 is offered `?`",
        "    open:     player 1: Visit: which Stall? stall:baker, stall:beggar",
    ]


def test_a_failure_shows_place_rules_both_sides_and_what_is_open(tmp_path: Path) -> None:
    wrong = ["coins in heap = 3 + 1", "no coins in heap"]
    report = run(tmp_path, covers=["A-1"], play="game", expect=wrong, open=["p1"])

    assert str(report).splitlines() == [
        f"{tmp_path.as_posix()}/scenarios/all.toml:2: it [A-1]",
        "  line 5: expected coins in heap = 3 + 1",
        "    found:    coins in heap: 7",
        "    found:    3 + 1: 4",
        "    open:     player 1: Visit: which Stall? stall:baker, stall:beggar",
        "  line 5: expected no coins in heap",
        "    found:    coins in heap: 7",
        "    open:     player 1: Visit: which Stall? stall:baker, stall:beggar",
        "",
        "0 passed, 1 failed",
    ]


def test_one_that_fails_does_not_hide_the_others(tmp_path: Path) -> None:
    pack = write_pack(
        tmp_path,
        scenario(name="wrong", expect=["coins in heap = 1"]),
        scenario(name="right", covers=["A-2"], after="deal", expect=["coins in heap = 7"]),
    )

    assert run_scenarios(pack).summary == "1 passed, 1 failed"
    assert run_scenarios(pack, only="RIGHT").summary == "1 passed, 0 failed"
    assert run_scenarios(pack, only="a-2").summary == "1 passed, 0 failed"
    assert run_scenarios(pack, only="all.toml").summary == "1 passed, 1 failed"


def test_a_pack_without_scenarios_says_so(tmp_path: Path) -> None:
    report = run_scenarios(write_pack(tmp_path))

    assert report.ok
    assert str(report) == "no scenarios"


def test_content_with_errors_is_refused_as_by_lint(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, scenario(name="a", over=False), numbers__toml="start-coin = 1\n")

    with pytest.raises(LintError) as refused:
        run_scenarios(pack)

    assert "start-coins" in str(refused.value)


def test_the_scenarios_of_the_game_or_of_a_mod_run_on_both(tmp_path: Path) -> None:
    dealt = scenario(name="game", after="deal", expect=["coins in heap = 7"])
    game = write_pack(tmp_path / "game", dealt)
    mod = tmp_path / "mod"
    (mod / "scenarios").mkdir(parents=True)
    (mod / "pack.toml").write_text(
        'id = "poor"\nname = "Poor"\nversion = "1.0"\nkind = "mod"\nfor_game = "coins"\n'
    )
    (mod / "numbers.toml").write_text('source = "house"\nstart-coins = 0\n')
    text = scenario(name="mod", after="deal", expect=["coins in heap = 9"])
    (mod / "scenarios" / "poor.toml").write_text(text)

    def ran(mods: list[Path], of: Path | None = None) -> list[tuple[str, bool]]:
        report = run_scenarios(game, mods, of=of)
        return [(each.scenario.name, each.passed) for each in report.results]

    assert ran([]) == [("game", True)]
    assert ran([mod]) == [("game", False)]
    assert ran([mod], of=mod) == [("mod", True)]


def test_a_reason_where_nobody_is_asked(tmp_path: Path) -> None:
    """What was played is over: a reason can only be given of what is being asked."""
    values = {
        "given": ["for p1: take 1 coins"],
        "why-not": ["p1 stall:baker because it is too dear"],
    }
    (result,) = run_scenarios(write_pack(tmp_path, scenario(name="it", **values))).results

    assert "nobody is asked" in result.failures[0].said


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("any cards in hand of p1", ""),
        ("not no cards in hand of p1", ""),
        ("cards in hand of p1 > 0", ""),
        ("(any cards in hand of p1) = (any coins in heap)", ""),
        ("any cards in hand of p2", "cards in hand of p2: 0"),
        ("(any cards in hand of p2) = (any coins in heap)", "coins in heap: 10"),
        ("ways of ant = ways of bee", "ways of ant: One, Three"),
    ],
)
def test_scenarios_ask_for_what_any_phrase_comes_to(
    expected: str, found: str, tmp_path: Path
) -> None:
    box = BOX.replace("    use: effect\n", "    use: effect\n    ways: stalls\n")
    folder = written(tmp_path, "raise note by 1", box=box)
    cards = CARDS.replace("worth = 1", 'worth = 1\nways = ["one", "three"]')
    (folder / "cards.toml").write_text(cards)
    (folder / "scenarios").mkdir()
    scenario = f"""
    [[scenario]]
    name = "Some cards"
    given = ["for p1: move up to 2 cards from deck into my hand"]
    play = ""
    expect = ["{expected}"]
    """
    (folder / "scenarios" / "some.toml").write_text(scenario)

    report = run_scenarios(folder)

    assert not report.findings
    details = [each for result in report.results for f in result.failures for each in f.details]
    assert details == [] if not found else ("found", found) in details, details
