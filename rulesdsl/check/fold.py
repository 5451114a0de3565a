"""Many findings about one name as few: a slip in a declaration shows wherever it is used."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.source.diagnostic import Diagnostic

ABOUT_A_NAME = {"E004", "E201", "E204"}
MOST = 3
_NAME = re.compile(r"`([^`]*)`")


def fold(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Keep the first findings about a name; the last that is kept tells of the others."""
    every = tuple(findings)
    often = Counter(map(_subject, every))
    so_far: Counter[str] = Counter()
    kept: list[Diagnostic] = []
    for each in every:
        subject = _subject(each)
        so_far[subject] += 1
        more = often[subject] - MOST
        if not subject or so_far[subject] < MOST or more <= 0:
            kept.append(each)
        elif so_far[subject] == MOST:
            places = "one more place" if more == 1 else f"{more} more places"
            help_text = f"{each.help}\n" if each.help else ""
            told = f"{help_text}The same problem is in {places}."
            kept.append(attrs.evolve(each, help=told, more=more))
    return tuple(kept)


def _subject(finding: Diagnostic) -> str:
    """Return what a finding is about: a name, or the same message; empty if it is alone."""
    if finding.code in {"E205", "W602"} and "`" in finding.message:
        return finding.message
    if finding.code == "E006":
        return finding.message.partition(" lacks ")[2]
    names = _NAME.findall(finding.message) if finding.code in ABOUT_A_NAME else []
    return str(names[-1]).removesuffix("s") if names else ""
