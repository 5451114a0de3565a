"""Something that can be written at a place."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

FITS, COULD = 0, 1


@attrs.frozen
class Item:
    """A word with what it is; `snippet` is written in its place, with stops for the rest."""

    word: str
    sort: str
    detail: str = ""
    snippet: str = ""
    rank: int = FITS


def plain(words: Iterable[str], sort: str, rank: int = FITS) -> list[Item]:
    """Return words that are offered as they are."""
    return [Item(each, sort, rank=rank) for each in words]
