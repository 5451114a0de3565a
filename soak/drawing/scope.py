"""What is in reach at a place in the drawn rules, and phrases with how tightly they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from soak.drawing.box import Named

# How tightly a phrase holds together; what is looser goes into brackets.
ATOM, OF, AT, AMOUNT, IN, PER, PRODUCT, SUM, CAP, COMPARE, NOT, AND, OR, WHERE, LOOSE = range(15)
DEEP = 3


@attrs.frozen
class Text:
    """A phrase, and how tightly it holds together."""

    text: str
    level: int = ATOM

    def at(self, level: int) -> str:
        """Return it for a place where it may be at most so loose."""
        return self.text if self.level <= level else f"({self.text})"

    def __str__(self) -> str:
        """Show it as it is."""
        return self.text


@attrs.define
class Scope:
    """What is in reach at a place in the rules."""

    me: str | None = None  # seat or player
    it: str | None = None  # type of the candidate
    names: dict[str, str] = attrs.Factory(dict)  # locals and their types
    values: int = 10_000  # values below this one
    procs: int = 10_000  # procedures below this one
    chooses: bool = False  # whether somebody can be asked
    draws: bool = False  # whether chance may be asked
    flow: bool = False  # in a step: nothing may be impossible
    dirty: bool = False  # something was changed already
    inside: str = ""  # the procedure
    fields: bool = True  # whether effects of entries may be done
    effects: int = 10_000  # effects of fields below this one may be done
    formulas: bool = True  # whether formulas of entries may be asked
    auto: bool = False  # nobody is ever asked below
    ending: bool = False  # scores may be asked
    depth: int = 0
    beneath: Named | None = None  # the value whose lower layer may be asked

    def under(self, it: str | None = None) -> Scope:
        """Return the scope of a condition on a candidate."""
        return attrs.evolve(
            self, it=it or self.it, names=dict(self.names), depth=self.depth + 1, draws=False
        )

    def block(self, **changes: object) -> Scope:
        """Return the scope of a body below."""
        return attrs.evolve(self, names=dict(self.names), depth=self.depth + 1, **changes)  # type: ignore[arg-type]


def fits(have: str, want: str) -> bool:
    """Whether a thing of one type can stand for another."""
    return have == want or (want == "seat" and have == "player")
