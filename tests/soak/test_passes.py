"""A pass that makes another game of a program is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from packs_on_the_fly import written
from rulesdsl.lower import flat as fl
from rulesdsl.lower.passes import OF_MODULES
from soak import passes

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ACT = "may raise my fame by 1\nlet c = random card in deck\nmove c into my shelf"


def test_games_are_played_with_and_without_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, ACT)

    assert passes.run(str(folder), 60, 1, None, []) == 0
    assert "100 games under 2 settings in 8 other ways, 0 failed" in capsys.readouterr().out


def test_a_pass_that_changes_something_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(flat: fl.Flat) -> None:
        changed = attrs.evolve(flat.functions["of:score"], body=(fl.Return(fl.Const(7)),))
        flat.functions["of:score"] = changed

    monkeypatch.setitem(OF_MODULES, "wrong", wrong)

    assert passes.run(str(written(tmp_path, ACT)), 50, 1, 2, []) == 1
    assert "without wrong, scores" in capsys.readouterr().out
