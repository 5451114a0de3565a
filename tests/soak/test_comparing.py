"""The soaks of `coloma compare`: what they change is there, and what they count."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulesdsl
from soak import card_test, equal_contents
from soak.card_test import CHANGES
from soak.market import write_market

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", CHANGES)
def test_one_line_of_the_shipped_game_is_another_one(name: str, tmp_path: Path) -> None:
    change = CHANGES[name]
    shutil.copy(ROOT / "content" / change.file, tmp_path)
    before = (tmp_path / change.file).read_text().splitlines()

    card_test._apply(change, tmp_path)  # noqa: SLF001

    after = (tmp_path / change.file).read_text().splitlines()
    differ = [(one, two) for one, two in zip(before, after, strict=True) if one != two]
    assert len(differ) == 1
    assert len(before) == len(after)


def test_equal_contents_with_other_seeds_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equal_contents, "MOST", 2)
    monkeypatch.setattr(equal_contents, "TRAINING", 20)
    game = write_market(tmp_path)
    assert rulesdsl.lint(game).diagnostics == ()

    decided, different = equal_contents._called(game, 5)  # noqa: SLF001

    assert not decided, "two pairs are too few"
    assert different == []
