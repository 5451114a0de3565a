"""Loading is measured in processes of their own, here with a stand-in for the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.loading import load_times

# It works hard unless it finds the cache that it leaves in the place named.
ENGINE = """
import os
import time
from pathlib import Path

def load(pack, mods):
    assert [mod.parent for mod in mods] == [pack / 'mods']
    marker = {marker}
    if not marker.exists():
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        if {leaves_a_cache}:
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()
"""
MARKERS = {
    "in the cache folder": "Path(os.environ['XDG_CACHE_HOME']) / 'engine' / 'marker'",
    "beside the pack": "Path(pack) / '.cache' / 'marker'",
}


def times_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, marker: str, *, leaves_a_cache: bool
) -> tuple[float, float | None]:
    text = ENGINE.format(marker=marker, leaves_a_cache=leaves_a_cache)
    (folder / "stand_in_engine.py").write_text(text, encoding="utf-8")
    (folder / "pack").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    times = load_times(folder / "pack", ["mods/more"], module="stand_in_engine", repeats=1)
    return times.cold, times.cached


@pytest.mark.parametrize("marker", MARKERS.values(), ids=MARKERS)
def test_a_cache_is_cold_first_and_filled_then(
    marker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold, cached = times_of(tmp_path, monkeypatch, marker, leaves_a_cache=True)

    assert cold >= 0.2
    assert cached is not None
    assert cached < 0.1


def test_an_engine_without_a_cache_has_no_cached_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold, cached = times_of(
        tmp_path, monkeypatch, MARKERS["beside the pack"], leaves_a_cache=False
    )

    assert cold >= 0.2
    assert cached is None
