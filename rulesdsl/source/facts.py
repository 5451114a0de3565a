"""Facts in findings: the data of a message, so that no code has to parse it.

A check attaches them to a finding. Their readers are the fixes (`rulesdsl.check.fixes`), the
merging of repeated findings about one name, and the attribution of findings to mods.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class UnknownName:
    """Unknown or misplaced name; `near` has similar declared names."""

    name: str
    near: tuple[str, ...] = ()


@attrs.frozen
class AmountWithoutName:
    """Noun that lacks a name for its amount, in a hook's header."""


@attrs.frozen
class NothingHasBack:
    """Field declared `seen by all` although its kind has no backs."""


@attrs.frozen
class UncheckedNone:
    """Named value that is used without a check for `none`."""

    name: str


@attrs.frozen
class MayBeSkipped:
    """Step that may be impossible, before which nothing was paid."""


@attrs.frozen
class MayBeJoined:
    """Step that may be impossible, but for which all needs can be checked with those before it."""


@attrs.frozen
class RivalDecides:
    """Choice in a loop over seats, which may include a rival."""


@attrs.frozen
class SuperfluousIndex:
    """Owner or index of something that exists only once, so that `name` alone suffices."""

    name: str


@attrs.frozen
class WrongArgument:
    """Argument of the wrong type; `wanted` is the verb, or the type of its parameter."""

    have: str
    wanted: str


@attrs.frozen
class InNeedsBrackets:
    """Ambiguous phrase; `meant` is the phrase with the required brackets."""

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
class EmptyRange:
    """Loop over numbers whose first one is above the last."""


@attrs.frozen
class SeveralPlaces:
    """Several places where one is needed; `of_seats` if each seat has one."""

    of_seats: bool


@attrs.frozen
class MissingOwner:
    """Indexed track or flag named without an owner; `meant` is that of the acting seat."""

    meant: str


@attrs.frozen
class Ambiguous:
    """Name with one meaning in general and one for the candidate; `meant` selects the latter."""

    meant: str


@attrs.frozen
class OnlyPlayersHave:
    """Piece that only players have, used for a seat that may be a rival."""


@attrs.frozen
class MissingSubject:
    """Text that does not name its subject; `value` is the placeholder to insert."""

    value: str


@attrs.frozen
class Unused:
    """Unused declaration."""


@attrs.frozen
class NeverReached:
    """Effect that is never carried out; `what` is the statement that would carry it out."""

    what: str


@attrs.frozen
class UnchosenPieces:
    """Move of some of a place's pieces, without a word on which; `ordered` in a stack.

    A player can be asked only where there is a `chooser`.
    """

    piece: str
    plural: str
    ordered: bool
    chooser: bool


@attrs.frozen
class EqualCopies:
    """Comparison of two printed pieces, which leaves out equal copies."""


@attrs.frozen
class FilterReadOnce:
    """Filter of players that should be tested in each turn of the loop."""


@attrs.frozen
class HidesNothing:
    """Place that is `seen by` some only, although nothing in it can be hidden."""


@attrs.frozen
class PublicNumber:
    """Place `seen by owner` whose number of hidden pieces others see."""


@attrs.frozen
class OpenToAll:
    """Simultaneous choice among the pieces of all players; `meant` selects the own ones."""

    piece: str
    meant: str


@attrs.frozen
class ShownNowhere:
    """Places and tracks that no panel shows; `panels` are declarations that would show them."""

    panels: tuple[str, ...]


@attrs.frozen
class InListTwice:
    """Repeated member of a list."""


@attrs.frozen
class DeclaredTwice:
    """Second declaration of a name, which can be renamed."""


@attrs.frozen
class MissingFields:
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
    """Conflict between two mods; `mod` would prevail if it were loaded after `first`."""

    mod: str
    first: str


@attrs.frozen
class WrongPrefix:
    """Name with the prefix of another pack; `right` is the corrected name."""

    name: str
    right: str


@attrs.frozen
class BlamedOnMod:
    """Finding in a game that is caused by a mod; `facts` are those of the original finding."""

    facts: object
