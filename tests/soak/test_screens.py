"""The soak of the screens: a few positions of each game, and that it notices what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rulesdsl
from coloma.session.panel_view import Pen, panel_lines
from soak import screens

if TYPE_CHECKING:
    from rich.text import Text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "folder", ["content", "content/sutters_mill", "content/classics/four_in_a_row"]
)
def test_screens_of_random_positions_fit(folder: str) -> None:
    found = screens.measure(rulesdsl.load(ROOT / folder), 6, seed=3)

    assert found.positions == 6
    assert found.wrong == []


def test_a_board_that_is_too_high_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "WHOLE", 5)
    found = screens.measure(rulesdsl.load(ROOT / "content"), 1, seed=3)

    assert any("a board of" in each for each in found.wrong)


def test_what_is_cut_without_a_mark_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(panel: rulesdsl.BoardPanel, pen: Pen) -> list[Text]:
        lines = panel_lines(panel, pen)
        return lines if pen.width > screens.SIZES[1][0] else lines[:1]

    monkeypatch.setattr("soak.screens.panel_lines", cut)
    found = screens.measure(rulesdsl.load(ROOT / "content"), 1, seed=3)

    assert any(each.endswith("is cut without a mark") for each in found.wrong)
