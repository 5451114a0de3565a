"""What a misspelt name was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def closest(name: str, candidates: Iterable[str], limit: int | None = None) -> list[str]:
    """Return the candidates within `limit` slips of `name`, nearest first, then by alphabet.

    Without a limit it is a third of the name's length, and at least one slip.
    """
    allowed = max(1, len(name) // 3) if limit is None else limit
    near = (
        (distance(name, candidate), candidate)
        for candidate in set(candidates)
        if abs(len(candidate) - len(name)) <= allowed and candidate != name
    )
    return [candidate for slips, candidate in sorted(near) if slips <= allowed]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return the help that offers the nearest names, or an empty text if none is near."""
    best = [f"`{each}`" for each in closest(name, candidates)[:3]]
    if not best:
        return ""
    if len(best) == 1:
        return f"a similar name exists: {best[0]}"
    return f"similar names exist: {', '.join(best)}"


def distance(one: str, other: str) -> int:
    """Count the slips between two words: a letter missing, added, changed, or two swapped.

    This is optimal string alignment: no stretch of the word is fixed twice.
    """
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        before_last, last = last, row
    return last[-1]
