"""The packs that numbered cases are of: one in a folder, or packs from scratch by turns."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.check.read import check_pack
from rulesdsl.source.diagnostic import Severity
from soak import scratch
from soak.judging import mods_in, write_pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCRATCH = "scratch"
CASES = 25  # with one pack, before the next one is drawn
APART = 1_000  # seeds from one pack to the next: enough that one of them lints clean


@contextmanager
def folders_of(pack: str) -> Iterator[Callable[[int], str]]:
    """Yield what returns the folder of the pack of a case, by its number."""
    if pack != SCRATCH:
        yield lambda _: pack
        return
    with tempfile.TemporaryDirectory(prefix="packs-") as folder:
        made: dict[int, str] = {}

        def of(number: int) -> str:
            at = number // CASES
            if at not in made:
                made[at] = clean_pack(Path(folder, f"{at}"), at * APART)
            return made[at]

        yield of


def clean_pack(folder: Path, seed: int) -> str:
    """Write the first pack from scratch, from a seed on, that lints clean; return its folder.

    It is a game without mods: what is saved with them is read with them only.
    """
    for each in count(seed):
        write_pack(folder, scratch.pack_of(each))
        report = check_pack(folder, ())[2]
        errors = any(found.severity is Severity.ERROR for found in report.diagnostics)
        if not errors and not mods_in(folder):
            return f"{folder}"
    raise AssertionError
