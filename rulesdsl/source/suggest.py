"""What a misspelt name was probably meant to be."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.english import or_list
from rulesdsl.source.fix import Fix, replacing

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from rulesdsl.source.span import Span

MOST_OFFERED = 3  # house: more names than these help nobody
MOST_LISTED = 8  # house: so many names can be read at a glance
LETTERS_A_SLIP = 4  # house: with a slip in every second letter, it may have been any word
KEPT_DISTANCES = 16_384  # house: a name that is broken is asked for again, wherever it is used


@attrs.frozen
class Advice:
    """What to do about a word, in words, and the words that may have been meant by it.

    All of them are `near`; those that are `meant` can be written just like that.
    """

    text: str
    written: str = ""
    meant: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the words."""
        return self.text

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.text)

    def fixes(self, span: Span) -> tuple[Fix, ...]:
        """Return the fixes for the word at a place; sure is only what is alone and very near."""
        return tuple(
            replacing(span, self.written, each, safe=self._is_sure(each)) for each in self.meant
        )

    def _is_sure(self, word: str) -> bool:
        first, *others = self.meant
        return (
            word == first
            and is_slip(self.written, word)
            and all(_is_form(word, other, self.written) for other in others)
        )


def _is_form(word: str, other: str, written: str) -> bool:
    """Whether another word is the plural or singular of one that is nearer to what is written."""
    is_other = other == f"{word}s" or word == f"{other}s"
    return is_other and distance(written, word) < distance(written, other)


def is_slip(written: str, meant: str) -> bool:
    """Whether a word is so near to another one that it must be that one, misspelt."""
    return len(written) >= distance(written, meant) * LETTERS_A_SLIP


def closest(name: str, candidates: Iterable[str], limit: int | None = None) -> list[str]:
    """Return the candidates within `limit` slips of `name`, nearest first, then by alphabet.

    Without a limit it is a third of the name's length, and at least one slip.
    """
    allowed = max(1, len(name) // 3) if limit is None else limit
    near = (
        (distance(name, candidate), candidate)
        for candidate in set(candidates)
        if candidate != name and _may_be_near(name, candidate, allowed)
    )
    return [candidate for slips, candidate in sorted(near) if slips <= allowed]


def _may_be_near(one: str, other: str, allowed: int) -> bool:
    """Whether two words could be so near: a slip changes the length, or the letters, by one.

    It costs a hundredth of a distance, and most of the names of a game are far from a word.
    """
    return (
        abs(len(other) - len(one)) <= allowed
        and len(set(one).difference(other)) <= allowed
        and len(set(other).difference(one)) <= allowed
    )


def similar(name: str, candidates: Iterable[str], misfits: Container[str] = ()) -> Advice:
    """Return the help that offers the nearest names; it is false if none is near.

    The `misfits` among them may have been meant, but could not be written just like that.
    """
    best = tuple(closest(name, candidates)[:MOST_OFFERED])
    meant = tuple(each for each in best if each not in misfits)
    return Advice(_offer([f"`{each}`" for each in best]), name, meant, best)


def among(name: str, candidates: Iterable[str]) -> Advice:
    """Return the help that offers the nearest names, or where none is near, all of a few."""
    known = list(dict.fromkeys(candidates))
    near = similar(name, known)
    if near or not 0 < len(known) <= MOST_LISTED:
        return near
    return Advice(f"Expected {or_list([f'`{each}`' for each in known])}.")


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return the words of that help, where nothing is written that could be changed."""
    return similar(name, candidates).text


def _offer(names: list[str]) -> str:
    if len(names) == 1:
        return f"a similar name exists: {names[0]}"
    return f"similar names exist: {', '.join(names)}" if names else ""


@lru_cache(KEPT_DISTANCES)
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
