"""How strong bots are: games are kept, a stopped run goes on, and figures have intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.small_games import PACKS
from soak.strength import Game, Match, run, told

NOUGHTS = Match(str(PACKS / "tic_tac_toe"), 2, "quick", "random", seed=1, iterations=10)


def test_a_run_that_was_stopped_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert run(NOUGHTS, 6, 1, whole) == 0
    assert run(NOUGHTS, 2, 1, parts) == 0
    parts.write_text(parts.read_text()[:-9])  # the last line was cut off
    capsys.readouterr()
    assert run(NOUGHTS, 6, 1, parts) == 0

    assert "of 6 games" in capsys.readouterr().out
    found = [
        {each.split('"seconds"')[0] for each in path.read_text().splitlines() if each[-1] == "}"}
        for path in (whole, parts)
    ]
    assert found[0] == found[1]


def test_games_of_another_match_are_not_mixed_in(tmp_path: Path) -> None:
    results = tmp_path / "found.jsonl"
    run(NOUGHTS, 1, 1, results)
    other = Match(NOUGHTS.pack, 2, "strong", "random")

    with pytest.raises(ValueError, match="has games of another match"):
        run(other, 1, 1, results)


def test_figures_have_intervals() -> None:
    games = [Game(at, 1.0 if at < 3 else 0.0, at >= 3, 5.0, 0.5) for at in range(4)]

    assert told(games).startswith("won 75.0 % (30.1 to 95.4 %) of 4 games, lost 1; 5.0 ± 0.0")
    assert told([]) == "no games"
