"""What can be computed: constants, locals, fields, sums, questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import ValueNode
from rulesdsl.check.types import YES_NO

if TYPE_CHECKING:
    from rulesdsl.check.typed import Value


@attrs.frozen(cache_hash=True)
class Const(ValueNode):
    """A number, a yes/no (0, 1), an entry (its index), none (-1)."""

    value: int


@attrs.frozen(cache_hash=True)
class Local(ValueNode):
    """A local of the procedure; names are unique in it."""

    name: str


def is_me(node: object) -> bool:
    """Whether a value is whoever carries the procedure out."""
    return isinstance(node, Local) and node.name == "me"


@attrs.frozen(cache_hash=True)
class Text(ValueNode):
    """A text."""

    text: str


@attrs.frozen(cache_hash=True)
class SeatNumber(ValueNode):
    """A rival, by name: which seat it is depends on the number of players; -1 where absent."""

    rival: str


@attrs.frozen(cache_hash=True)
class Seats(ValueNode):
    """How many players, or seats, there are."""

    players: bool


@attrs.frozen(cache_hash=True)
class Setting(ValueNode):
    """The value of an option."""

    option: str


@attrs.frozen(cache_hash=True)
class Chart(ValueNode):
    """A number read off a chart: the largest key not above it counts, else the first."""

    points: tuple[tuple[int, int], ...]
    key: Value


@attrs.frozen(cache_hash=True)
class TableAt(ValueNode):
    """A value read off a table by the entry of a kind."""

    rows: tuple[Value, ...]
    key: Value


@attrs.frozen(cache_hash=True)
class Bundle(ValueNode):
    """A fixed price: amounts in the order of the pack's priced nouns."""

    amounts: tuple[int, ...]


@attrs.frozen(cache_hash=True)
class Arith(ValueNode):
    """Whole-number arithmetic: + - * / min max; `exact` where it provably stays within 64 bits."""

    op: str
    left: Value
    right: Value
    exact: bool = attrs.field(default=False, eq=False, kw_only=True)


@attrs.frozen(cache_hash=True)
class Comparison(ValueNode):
    """= <> < <= > >=, on numbers, entries, seats, places and pieces."""

    op: str
    left: Value
    right: Value


@attrs.frozen(cache_hash=True)
class And(ValueNode):
    """All of them."""

    parts: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class Or(ValueNode):
    """Any of them."""

    parts: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class Negation(ValueNode):
    """Not."""

    value: Value


@attrs.frozen(cache_hash=True)
class Cases(ValueNode):
    """The first value whose condition holds, else the last."""

    cases: tuple[tuple[Value, Value], ...]
    otherwise: Value

    @property
    def values(self) -> tuple[Value, ...]:
        """What it may come to."""
        return (*(value for _, value in self.cases), self.otherwise)


@attrs.frozen(cache_hash=True)
class LetIn(ValueNode):
    """A local bound for one value."""

    name: str
    bound: Value
    inner: Value


@attrs.frozen(cache_hash=True)
class IsSome(ValueNode):
    """Whether a one-or-none value is there."""

    value: Value


@attrs.frozen(cache_hash=True)
class FieldOf(ValueNode):
    """A field of an entry or printed piece, by key where it is indexed."""

    kind: str
    field: str
    subject: Value
    key: Value | None = None


@attrs.frozen(cache_hash=True)
class HasEffect(ValueNode):
    """Whether the effect field of an entry is filled."""

    kind: str
    field: str
    subject: Value
    key: Value | None = None


@attrs.frozen(cache_hash=True)
class Formula(ValueNode):
    """A formula that is in a field, computed for a seat."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(cache_hash=True)
class EntryOf(ValueNode):
    """The entry that a printed piece is a copy of."""

    piece: str
    subject: Value


@attrs.frozen(cache_hash=True)
class OwnerOf(ValueNode):
    """The seat that a piece belongs to."""

    piece: str
    subject: Value


@attrs.frozen(cache_hash=True)
class CallValue(ValueNode):
    """A named value; `layer` counts the hooks that lie beneath (the whole by default)."""

    name: str
    me: Value
    arguments: tuple[Value, ...]
    layer: int


@attrs.frozen(cache_hash=True)
class ScoreOf(ValueNode):
    """The sum of all scoring lines of a seat."""

    seat: Value


@attrs.frozen(cache_hash=True)
class StandingOf(ValueNode):
    """The place of a seat in the final ranking: 1 is first, those who are level share one."""

    seat: Value


@attrs.frozen(cache_hash=True)
class Ring(ValueNode):
    """So many entries further around a kind."""

    kind: str
    origin: Value
    steps: Value


@attrs.frozen(cache_hash=True)
class MakeBundle(ValueNode):
    """Amounts of several nouns, in the order of the pack's priced nouns."""

    parts: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class BundlePart(ValueNode):
    """How much of one noun a price holds."""

    bundle: Value
    position: int


@attrs.frozen(cache_hash=True)
class Can(ValueNode):
    """Whether a procedure can be carried out."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class CanDo(ValueNode):
    """Whether the effect in a field can be carried out."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


YES = Const(1, type=YES_NO)
NO = Const(0, type=YES_NO)
