"""Whatever slip is made in content, checking it gives findings and never an exception."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from check.mutations import slip
from check.stock import STOCK, write
from kept import files_read_once
from rulesdsl.check.read import check_pack

CONTENT = Path(__file__).parents[2] / "content"
SLIPS_IN_STOCK, SLIPS_IN_CONTENT = 265, 35


def _content() -> dict[str, str]:
    """Return the files of the shipped game itself, without the packs below it."""
    files = [*CONTENT.glob("*.rules"), *CONTENT.glob("*.toml")]
    return {each.name: each.read_text(encoding="utf-8") for each in sorted(files)}


def _findings_after_slips(folder: Path, files: Mapping[str, str], seeds: range) -> list[int]:
    write(folder, files)
    numbers = []
    for seed in seeds:
        path, text = slip(files, random.Random(seed))
        (folder / path).write_bytes(text.encode())
        numbers.append(len(check_pack(folder)[2].diagnostics))
        (folder / path).write_bytes(files[path].encode())
    return numbers


@pytest.mark.parametrize("part", range(5))
def test_a_slip_in_a_small_pack_is_told_in_few_findings(tmp_path: Path, part: int) -> None:
    size = SLIPS_IN_STOCK // 5

    numbers = _findings_after_slips(tmp_path, STOCK, range(part * size, (part + 1) * size))

    assert sorted(numbers)[size * 9 // 10] <= 3
    assert max(numbers) <= 12


def test_a_slip_in_the_shipped_game_is_told_in_few_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files_read_once(monkeypatch)
    numbers = _findings_after_slips(tmp_path, _content(), range(SLIPS_IN_CONTENT))

    assert sorted(numbers)[SLIPS_IN_CONTENT * 8 // 10] <= 3
    assert max(numbers) <= 20
