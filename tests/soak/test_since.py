"""Games seen from outside: the same at every commit that changes nothing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rulesdsl
from packs_on_the_fly import written
from soak import since
from soak.tracing import traced

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ACT = """
menu:
    any time: pay 1 coin to raise my fame by 1
    once for each card c in deck: raise my fame by 2
"""


def test_a_game_leaves_one_trace_and_another_seed_another(tmp_path: Path) -> None:
    pack = rulesdsl.load(written(tmp_path, ACT), cache=False)

    one, again, other = (traced(pack, 2, {}, seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_games_are_held_against_a_commit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(tmp_path, ACT))

    assert since.run("HEAD", path, [], 3, 1, 1) == 0
    assert "0 not as at HEAD" in capsys.readouterr().out


def test_a_game_that_differs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = iter([["a", "b"], ["a", "c"]])
    monkeypatch.setattr(since, "_traced", lambda *_: next(traces))

    assert since.run("HEAD", str(written(tmp_path, ACT)), [], 2, 1, 1) == 1
    assert "NOT THE SAME" in capsys.readouterr().out
