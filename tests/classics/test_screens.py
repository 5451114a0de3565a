"""The board of every classic after ten choices, on terminals of 80 and 60 columns.

`pytest tests/classics/test_screens.py --update-golden` writes the screens again: look at each.
"""

from __future__ import annotations

import random
from pathlib import Path

import attrs
import pytest
from rich.cells import cell_len

from classics.lockstep import CLASSICS
from coloma.session.answers import SessionStopped
from coloma.session.screen import Screen
from coloma.session.start import Beginning, Wish, begin, sit_for_people

SCREENS = Path(__file__).parent / "screens"
SIZES = ((80, 24), (60, 24))
CHOICES = 10
PACKS = sorted(each.parent.name for each in CLASSICS.glob("*/pack.toml"))


@attrs.define
class Typist:
    """A person who chooses at random until ten choices are made, then reads the screen."""

    beginning: Beginning
    chance: random.Random
    capture: pytest.CaptureFixture[str]
    screen: str = ""
    is_terminal: bool = False

    def next_line(self) -> str:
        """Type the id of an option."""
        self.screen = self.capture.readouterr().out
        table = self.beginning.table
        if table.step >= CHOICES:
            raise SessionStopped("Ten choices are made.")
        decision = table.game.decision
        assert decision is not None
        return self.chance.choice(decision.options).id

    def refuse(self, advice: str) -> str:
        """Fail: an id is always understood."""
        raise AssertionError(advice)


def _wish(pack: str, journal: Path) -> Wish:
    """Return the wish for a game of a person against a bot that plays at random."""
    folder = str(CLASSICS / pack)
    return Wish(folder, players=2, bots=("random",), seed=1, journal=journal)


@pytest.mark.parametrize("size", SIZES, ids=[f"{columns}x{lines}" for columns, lines in SIZES])
@pytest.mark.parametrize("pack", PACKS)
def test_the_board_can_be_read(
    pack: str,
    size: tuple[int, int],
    tmp_path: Path,
    update_golden: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    columns, lines = size
    journal = tmp_path / "journal.toml"
    beginning = begin(_wish(pack, journal))
    typist = Typist(beginning, random.Random(1), capsys)
    screen = Screen(is_terminal=True, width=columns, height=lines)
    sit_for_people(beginning, screen, typist)
    shown = [line.rstrip() for line in typist.screen.splitlines() if not line.startswith("> ")]
    seen = "\n".join(shown).lstrip("\n") + "\n"
    assert max(map(cell_len, seen.splitlines())) <= columns
    assert len(seen.splitlines()) < lines, seen  # the last one is for the answer
    golden = SCREENS / f"{pack}-{columns}x{lines}.txt"
    if update_golden:
        golden.write_text(seen, encoding="utf-8")
    assert seen == golden.read_text(encoding="utf-8")
