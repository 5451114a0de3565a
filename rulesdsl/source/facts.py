"""Facts of findings: what code needs to know of a finding, so that nobody reads its message.

A check reports them with what it says. The fixes (`rulesdsl.check.fixes`), the folding of
many findings about one name into few and the search for the mod that is to blame go by them.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class UnknownName:
    """A name that nothing declares, or that stands for something else; `near` are like it."""

    name: str
    near: tuple[str, ...] = ()


@attrs.frozen
class AmountWithoutName:
    """A noun in the head of a hook that lacks the name for how many."""


@attrs.frozen
class NothingHasBack:
    """A field that says `seen by all`, of something that has no back."""


@attrs.frozen
class AskFirst:
    """A thing that may not be there; `name` is what the rules call it."""

    name: str


@attrs.frozen
class RivalDecides:
    """A choice in a loop over seats, one of which may be a rival's."""


@attrs.frozen
class NothingToSay:
    """Something of which there is only one, asked for as somebody's; `name` is enough."""

    name: str


@attrs.frozen
class WrongArgument:
    """An argument of a call that is not what the verb takes."""


@attrs.frozen
class InNeedsBrackets:
    """An `in` that is read otherwise than it was meant; `meant` has brackets."""

    meant: str


@attrs.frozen
class PlainNumberWanted:
    """An amount where only a number can be."""


@attrs.frozen
class YesNoWanted:
    """A value where only a condition can be."""


@attrs.frozen
class DivisorMayBeZero:
    """A division by something that may be 0."""


@attrs.frozen
class BadBounds:
    """Bounds of a track that are not two fixed numbers, the lower one first."""


@attrs.frozen
class SeveralPlaces:
    """The name of several places where one is wanted; each may belong to a seat."""

    of_seats: bool


@attrs.frozen
class KeptPer:
    """Something of everybody that is asked for as if it were there once; `meant` is mine."""

    meant: str


@attrs.frozen
class Ambiguous:
    """A name that may be the candidate's or the game's; `meant` is the candidate's."""

    meant: str


@attrs.frozen
class OnlyPlayersHave:
    """A thing that each player has, asked of a seat that may be a rival's."""


@attrs.frozen
class SaysTheSame:
    """A text that does not name what it is about; `value` would."""

    value: str


@attrs.frozen
class Unused:
    """A declaration that can be removed: nothing uses it."""


@attrs.frozen
class NeverReached:
    """Something that is never carried out, and what that is due to or about."""

    what: str


@attrs.frozen
class InListTwice:
    """A member that its list has already."""


@attrs.frozen
class DeclaredTwice:
    """A declaration of a name that another one has; it could be called otherwise."""


@attrs.frozen
class Lacking:
    """Fields that an entry lacks: their names, each with its type."""

    fields: tuple[tuple[str, str], ...]


@attrs.frozen
class NotWhole:
    """Something else where a whole number has to be."""


@attrs.frozen
class OutOfRange:
    """A number that is too small or too large."""

    least: int
    most: int


@attrs.frozen
class LoadAfter:
    """Two mods that are at odds; if `mod` is loaded after `first`, it counts."""

    mod: str
    first: str


@attrs.frozen
class WrongPrefix:
    """A name under the id of a pack that does not declare it; `right` has the right one."""

    name: str
    right: str


@attrs.frozen
class BlamedOnMod:
    """A finding in a line of a game, which a mod causes: the game is not to be changed."""

    facts: object
