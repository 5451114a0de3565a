from __future__ import annotations

from collections import Counter
from pathlib import Path

from soak.drawing.whole import pack_of
from soak.judging import Judge, write_pack
from soak.sitting import Outcome


def test_a_pack_is_drawn_again_from_its_number() -> None:
    assert pack_of(7) == pack_of(7)
    assert pack_of(7) != pack_of(8)


def test_drawn_packs_play_or_are_refused(tmp_path: Path) -> None:
    cases = [Judge().judge(write_pack(tmp_path, pack_of(seed)), seed) for seed in range(12)]

    outcomes = Counter(each.outcome for each in cases)
    assert outcomes[Outcome.FAILED] == 0
    assert outcomes[Outcome.PLAYED] > outcomes[Outcome.REFUSED]
