"""Facts of findings, so that no code reads a message.

A check attaches them to a finding. They are read by the fixes (`rulesdsl.check.fixes`), by the
merging of repeated findings about one name, and by the attribution of findings to mods.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class UnknownName:
    """Unknown or misplaced name; `near` are similar declared names."""

    name: str
    near: tuple[str, ...] = ()


@attrs.frozen
class AmountWithoutName:
    """Noun in the header of a hook without a name for its amount."""


@attrs.frozen
class NothingHasBack:
    """Field with `seen by all` of things without backs."""


@attrs.frozen
class AskFirst:
    """Value that may be none, with its name in the rules."""

    name: str


@attrs.frozen
class RivalDecides:
    """Choice in a loop over seats, which may include a rival."""


@attrs.frozen
class NothingToSay:
    """Owner or index of something that exists once; `name` suffices."""

    name: str


@attrs.frozen
class WrongArgument:
    """Argument of a wrong type; `wanted` is the verb, or the type that its parameter has."""

    have: str
    wanted: str


@attrs.frozen
class InNeedsBrackets:
    """Phrase that needs brackets; `meant` has them."""

    meant: str


@attrs.frozen
class PlainNumberWanted:
    """Amount in place of a number."""


@attrs.frozen
class YesNoWanted:
    """Value in place of a condition."""


@attrs.frozen
class DivisorMayBeZero:
    """Division by a value that may be 0."""


@attrs.frozen
class BadBounds:
    """Bounds of a track other than two fixed numbers in ascending order."""


@attrs.frozen
class SeveralPlaces:
    """Several places where one is needed; each may belong to a seat."""

    of_seats: bool


@attrs.frozen
class KeptPer:
    """Track or flag of each seat without its owner; `meant` is the acting seat's."""

    meant: str


@attrs.frozen
class Ambiguous:
    """Name of both the candidate and the game; `meant` is the candidate's."""

    meant: str


@attrs.frozen
class OnlyPlayersHave:
    """Piece of each player, of a seat that may be a rival's."""


@attrs.frozen
class SaysTheSame:
    """Text that leaves out its subject, `value`."""

    value: str


@attrs.frozen
class Unused:
    """Unused declaration."""


@attrs.frozen
class NeverReached:
    """Unreachable part, with its cause or subject."""

    what: str


@attrs.frozen
class InListTwice:
    """Repeated member of a list."""


@attrs.frozen
class DeclaredTwice:
    """Second declaration of a name, which could be renamed."""


@attrs.frozen
class Lacking:
    """Missing fields of an entry, as pairs of name and type."""

    fields: tuple[tuple[str, str], ...]


@attrs.frozen
class NotWhole:
    """Value in place of a whole number."""


@attrs.frozen
class OutOfRange:
    """Number outside its range."""

    least: int
    most: int


@attrs.frozen
class LoadAfter:
    """Conflict of two mods; `mod` prevails if it is loaded after `first`."""

    mod: str
    first: str


@attrs.frozen
class WrongPrefix:
    """Name with the prefix of another pack; `right` is corrected."""

    name: str
    right: str


@attrs.frozen
class BlamedOnMod:
    """Finding in a game that is caused by a mod."""

    facts: object
