"""Types of the language."""

from __future__ import annotations

from typing import Literal

import attrs

from rulesdsl.source.english import a_or_an, plural_of


@attrs.frozen
class Type:
    """Type: its family, the kind it ranges over, and whether it includes none."""

    family: str
    of: str = ""
    maybe: bool = False

    def total(self) -> Type:
        """Return the type, excluding none."""
        return attrs.evolve(self, maybe=False) if self.maybe else self

    def or_none(self) -> Type:
        """Return the type including none."""
        return attrs.evolve(self, maybe=True)

    def __str__(self) -> str:
        """Return the type as it is described in messages."""
        words = {
            "number": "a number",
            "yes-no": "a yes or no",
            "text": "text",
            "bundle": "a price",
            "seat": "a seat",
            "player": "a player",
        }
        if self.family in words:
            said = words[self.family]
        elif self.family == "list":
            said = f"a list of {plural_of(self.of)}"
        else:
            said = a_or_an(self.of)
        return f"{said} or none" if self.maybe else said


def mismatch_advice(have: Type, want: Type) -> str:
    """Return advice for a value of one type where another is needed, or ""."""
    if have.family == "seat" and want.family == "player":
        return (
            "A seat may belong to a rival, who is not a player. In the declaration of what is used"
            " here, write `seat` instead of `player`; a choice there is below `for each player"
            " where me = ...:`."
        )
    return ""


SeenBy = Literal["owner", "others", "nobody"]
"""The players who see something that is not open to all; `others` are all but the owner."""
VIEWERS: tuple[SeenBy, ...] = ("owner", "others", "nobody")

NUMBER = Type("number")
YES_NO = Type("yes-no")
TEXT = Type("text")
BUNDLE = Type("bundle")
SEAT = Type("seat", "seat")
PLAYER = Type("player", "player")
SEAT_WORDS = frozenset({"player", "players", "seat", "seats"})  # words for seats in rules
UNKNOWN = Type("unknown")


def entry(kind: str) -> Type:
    """Return the type of a kind's entries; for a table of places, the type of the places."""
    return Type("entry", kind)


def piece(kind: str) -> Type:
    """Return the type of a kind's pieces."""
    return Type("piece", kind)


def listing(kind: str) -> Type:
    """Return the type of a list of a kind's entries."""
    return Type("list", kind)


def fits(have: Type, want: Type) -> bool:
    """Return whether a value of one type fits another, regardless of whether it may be none."""
    if UNKNOWN in (have.total(), want.total()):
        return True
    if want.family == "seat":
        return have.family in {"seat", "player"}
    return have.total() == want.total()


class Indexed:
    """Something that exists once, or once for each combination of entries or seats."""

    dims: tuple[str, ...]

    @property
    def owner_dim(self) -> int | None:
        """The index of the dimension that is the owning seat, or None."""
        return next((at for at, dim in enumerate(self.dims) if dim in {"seat", "player"}), None)
