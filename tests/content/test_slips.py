from __future__ import annotations

from pathlib import Path

import pytest

from check.mutations import findings_after_slips

CONTENT = Path(__file__).parents[2] / "content"
SLIPS = 35


@pytest.mark.nightly
def test_a_slip_in_the_shipped_game_is_told_in_few_findings(tmp_path: Path) -> None:
    texts = sorted([*CONTENT.glob("*.rules"), *CONTENT.glob("*.toml")])  # no packs below it
    files = {each.name: each.read_text(encoding="utf-8") for each in texts}

    numbers = findings_after_slips(tmp_path, files, range(SLIPS))

    assert sorted(numbers)[SLIPS * 8 // 10] <= 3
    assert max(numbers) <= 20
