from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import BOX, CARDS, written
from rulesdsl.scenarios import run_scenarios
from scenarios.small_pack import scenario, write_pack


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
