"""What bots like: some options come more often than others, by their ids or their words."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import attrs

from coloma.errors import USAGE, CommandError
from rulesdsl.source.ranges import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl import Option, OptionName

LIKED = 10  # the weight of a pattern that says none; everything else weighs 1


@attrs.frozen
class Taste:
    """Patterns with their weights; the first that fits an option counts."""

    weights: tuple[tuple[str, int], ...] = ()

    def weight(self, option: OptionName | Option) -> int:
        """Return how often an option is taken, against 1 for an option that nothing is said of."""
        words = option.id.lower(), option.label.lower()
        for pattern, weight in self.weights:
            if any(fnmatchcase(word, pattern) for word in words):
                return weight
        return 1

    def idle(self, options: Iterable[OptionName]) -> list[str]:
        """Return the patterns that fit none of some options."""
        words = [word.lower() for each in options for word in (each.id, each.label)]
        every = (pattern for pattern, _ in self.weights)
        return [each for each in every if not any(fnmatchcase(word, each) for word in words)]


def _is_weight(text: str) -> bool:
    return text.isdecimal() and len(text) < 10 and int(text) <= WEIGHT.most  # noqa: PLR2004


def parse_taste(text: str) -> Taste:
    """Read `buy*=20, *discard*=0, done`: patterns of ids or labels, each with its weight."""
    found: list[tuple[str, int]] = []
    for part in text.split(","):
        pattern, told, weight = part.partition("=")
        pattern = pattern.strip().lower()
        if not pattern or (told and not _is_weight(weight.strip())):
            raise CommandError(
                f"`{part.strip()}` is not a preference of bots: write PATTERN, or"
                f" PATTERN=WEIGHT with a whole number {WEIGHT}",
                USAGE,
            )
        found.append((pattern, int(weight) if told else LIKED))
    return Taste(tuple(found))
