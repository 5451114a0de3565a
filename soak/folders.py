"""The packs that numbered cases are of: one in a folder, or packs from scratch by turns."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.check.read import check_pack
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

        @cache
        def made(at: int) -> str:
            return clean_pack(Path(folder, f"{at}"), at * APART)

        yield lambda number: made(number // CASES)


def clean_pack(folder: Path, seed: int) -> str:
    """Write the first pack from scratch, from a seed on, that lints clean; return its folder.

    It is a game without mods: what is saved with them is read with them only.
    """
    seeds = count(seed)
    write_pack(folder, scratch.pack_of(next(seeds)))
    while mods_in(folder) or check_pack(folder)[2].errors:
        write_pack(folder, scratch.pack_of(next(seeds)))
    return f"{folder}"
