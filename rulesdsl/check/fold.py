"""Many findings about one name as few: a slip in a declaration shows wherever it is used."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.facts import (
    BlamedOnMod,
    Lacking,
    NeverReached,
    NothingToSay,
    UnknownName,
    WrongArgument,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.source.diagnostic import Diagnostic

MOST = 3


def fold(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Keep the first findings about a name; the last that is kept tells of the others."""
    every = tuple(findings)
    often = Counter(map(_subject, every))
    so_far: Counter[object] = Counter()
    kept: list[Diagnostic] = []
    for each in every:
        subject = _subject(each)
        so_far[subject] += 1
        more = often[subject] - MOST
        if subject is None or so_far[subject] < MOST or more <= 0:
            kept.append(each)
        elif so_far[subject] == MOST:
            places = "one more place" if more == 1 else f"{more} more places"
            help_text = f"{each.help}\n" if each.help else ""
            told = f"{help_text}The same problem is in {places}."
            kept.append(attrs.evolve(each, help=told, more=more))
    return tuple(kept)


def _subject(finding: Diagnostic) -> object:
    """Return what a finding is about that others may be about, too; None if it is alone."""
    facts = finding.facts
    if isinstance(facts, BlamedOnMod):
        facts = facts.facts
    match facts:
        case UnknownName(name=name):
            return name.removesuffix("s")
        case Lacking() | NothingToSay() | NeverReached():
            return facts
        case WrongArgument():
            return finding.message  # of the same kind, where it says the same
        case _:
            return None
