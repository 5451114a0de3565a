"""Cost of loading and checking a pack, with an empty cache and with a filled one."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROOT: Final = Path(__file__).parents[1]
_REPEATS: Final = 3


@attrs.frozen
class LoadTimes:
    """Medians in CPU seconds; `cached` is None if loading writes no cache."""

    importing: float
    cold: float
    cached: float | None


@attrs.frozen
class _Probe:
    importing: float
    load: float


def load_times(
    pack: Path, mods: Sequence[str] = (), module: str = "rulesdsl", repeats: int = _REPEATS
) -> LoadTimes:
    """Load a pack repeatedly, each time in a new process; mods are folders inside the pack's."""
    cold: list[_Probe] = []
    cached: list[_Probe] = []
    # In the first round, Python compiles the engine's own modules.
    for turn in range(repeats + 1):
        with tempfile.TemporaryDirectory() as folder:
            first, second = _cold_and_cached(pack, mods, module, Path(folder))
        if turn > 0:
            cold.append(first)
            cached += [second] if second else []
    return LoadTimes(
        importing=statistics.median(probe.importing for probe in cold + cached),
        cold=statistics.median(probe.load for probe in cold),
        cached=statistics.median(probe.load for probe in cached) if cached else None,
    )


def _cold_and_cached(
    pack: Path, mods: Sequence[str], module: str, folder: Path
) -> tuple[_Probe, _Probe | None]:
    """Load a copy of the pack twice with an initially empty cache folder.

    The copy ensures that caches next to the pack, or keyed by its path, are empty as well.
    """
    copy = folder / "pack"
    shutil.copytree(pack, copy)
    before = _files(folder)
    loaded = [str(copy), *(str(copy / mod) for mod in mods)]
    cold = _probe(loaded, module, folder / "cache")
    left_a_cache = _files(folder) != before
    return cold, _probe(loaded, module, folder / "cache") if left_a_cache else None


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def _probe(loaded: Sequence[str], module: str, cache: Path) -> _Probe:
    finished = subprocess.run(  # noqa: S603 - our own module, in our own interpreter
        [sys.executable, "-m", "bench.load_probe", module, *loaded],
        cwd=_ROOT,
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    times: dict[str, float] = json.loads(finished.stdout)
    return _Probe(times["import"], times["load"])
