"""Small slips of the kind that people make, put into content by chance."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from check.stock import write
from rulesdsl.check.read import check_pack
from rulesdsl.syntax.lexemes import Sort, lexemes
from soak.slips import WAYS, Slipper

_WAYS = (*WAYS, "name", "name")


def findings_after_slips(folder: Path, files: Mapping[str, str], seeds: range) -> list[int]:
    """Return how many findings there are after each of some slips."""
    write(folder, files)
    slipper = slipper_of(files)
    numbers = []
    for seed in seeds:
        path, text = slip(slipper, random.Random(seed))
        (folder / path).write_bytes(text.encode())
        numbers.append(len(check_pack(folder)[2].diagnostics))
        (folder / path).write_bytes(files[path].encode())
    return numbers


def slipper_of(files: Mapping[str, str]) -> Slipper:
    """Return what makes slips in some files: any name in them may stand for any other."""
    found = (each for text in files.values() for each in lexemes(text))
    return Slipper(files, [sorted({each.text for each in found if each.sort is Sort.NAME})])


def slip(slipper: Slipper, chance: random.Random) -> tuple[str, str]:
    """Return the path of one of the files, and its text with one slip."""
    found = slipper.slip(chance.choice(_WAYS), chance)
    return found.path, slipper.slipped(found)
