"""Changed journals of a small pack: refused with a line, or played to the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from packs_on_the_fly import written
from soak import journals
from soak.cases import Outcome, Sitting

if TYPE_CHECKING:
    import pytest

ACT = """
gain 5 coins
may: choose-fame
for each player p:
    for p: choose-fame
"""


def test_changed_journals_are_refused_or_played(tmp_path: Path) -> None:
    pack, results = str(written(tmp_path / "pack", ACT)), tmp_path / "results"

    assert journals.run(pack, Sitting(1, 150, results)) == 0

    cases = [json.loads(line) for line in results.read_text().splitlines()]
    found = {outcome: sum(each["outcome"] == outcome for each in cases) for outcome in Outcome}
    assert found[Outcome.REFUSED] > 60
    assert found[Outcome.PLAYED] > 25


def test_what_raises_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr("soak.journals.read_journal", broken)

    assert journals.run(str(written(tmp_path, ACT)), Sitting(1, 3)) == 1
