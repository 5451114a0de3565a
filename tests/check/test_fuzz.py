from __future__ import annotations

from pathlib import Path

import pytest

from check.mutations import findings_after_slips
from check.stock import STOCK

SLIPS_IN_STOCK = 265


@pytest.mark.parametrize("part", range(5))
def test_a_slip_in_a_small_pack_is_told_in_few_findings(tmp_path: Path, part: int) -> None:
    size = SLIPS_IN_STOCK // 5

    numbers = findings_after_slips(tmp_path, STOCK, range(part * size, (part + 1) * size))

    assert sorted(numbers)[size * 9 // 10] <= 3
    assert max(numbers) <= 12
