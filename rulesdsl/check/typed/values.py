"""Values, domains, cells and text in the typed tree."""

from __future__ import annotations

from typing import Literal

import attrs

from rulesdsl.check.symbols.types import NUMBER, YES_NO, Type
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.tree import ASIDE


@attrs.frozen(cache_hash=True)
class Typed:
    """Node of the typed tree."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(cache_hash=True)
class ValueNode(Typed):
    """Expression; for a condition, `why` is the text shown if it fails."""

    type: Type = attrs.field(default=NUMBER, kw_only=True)
    why: MessageText | None = attrs.field(
        default=None, eq=False, repr=False, kw_only=True, metadata=ASIDE
    )


@attrs.frozen(cache_hash=True)
class DomainNode(Typed):
    """Set to choose from, count or iterate over; `element` is the type of its elements."""

    element: Type = attrs.field(kw_only=True)

    @property
    def unfiltered(self) -> Domain:
        """The domain without its filters."""
        return self  # type: ignore[return-value] # every subclass is in the union


@attrs.frozen(cache_hash=True)
class StepNode(Typed):
    """Action; it reveals hidden information if one of the conditions in `reveals` holds."""

    reveals: tuple[Value, ...] = attrs.field(
        default=(), eq=False, repr=False, kw_only=True, metadata=ASIDE
    )


@attrs.frozen(cache_hash=True)
class Cells(Typed):
    """Cells in one kind of place: a value, a list, or None (all) for each dimension."""

    place: str
    dims: tuple[Value | None, ...]

    @property
    def one(self) -> bool:
        """True if this is exactly one cell."""
        return all(dim is not None and dim.type.family != "list" for dim in self.dims)


@attrs.frozen(cache_hash=True)
class TrackCell(ValueNode):
    """Number on a track at the given indexes."""

    track: str
    dims: tuple[Value, ...]

    @property
    def counter(self) -> str:
        """The name of the track."""
        return self.track


@attrs.frozen(cache_hash=True)
class FlagCell(ValueNode):
    """State of a flag at the given indexes."""

    flag: str
    dims: tuple[Value, ...]

    @property
    def counter(self) -> str:
        """The name of the flag."""
        return self.flag


@attrs.frozen(cache_hash=True)
class Located(ValueNode):
    """Cell (flat index) where a piece lies, in one kind of place, or none."""

    piece: str
    subject: Value
    place: str


@attrs.frozen(cache_hash=True)
class Entries(DomainNode):
    """All entries of a kind."""

    kind: str


@attrs.frozen(cache_hash=True)
class AllSeats(DomainNode):
    """All players, or all seats."""

    players: bool


@attrs.frozen(cache_hash=True)
class NumberRange(DomainNode):
    """Numbers from `low` to `high`, inclusive."""

    low: Value
    high: Value
    most: int | None = attrs.field(default=None, eq=False, kw_only=True)  # upper bound of its size


@attrs.frozen(cache_hash=True)
class ListedEntries(DomainNode):
    """Entries in a list."""

    values: Value


@attrs.frozen(cache_hash=True)
class Lying(DomainNode):
    """Pieces of a kind in cells, optionally only those of an `owner` or copies of an `entry`.

    Among options, equal copies are one element unless `apart` is set; in rankings always.
    """

    piece: str
    cells: Cells
    owner: Value | None = None
    entry: Value | None = None
    apart: bool = False


@attrs.frozen(cache_hash=True)
class AnyWhere(DomainNode):
    """All pieces of a kind, wherever they are; a filter selects some of them."""

    piece: str


@attrs.frozen(cache_hash=True)
class EndPieces(DomainNode):
    """Top or bottom pieces of a stack, at most `count`."""

    piece: str
    cells: Cells
    top: bool
    count: int


@attrs.frozen(cache_hash=True)
class Filtered(DomainNode):
    """Elements of a domain for which a condition holds."""

    base: Domain
    variable: str
    condition: Value

    @property
    def unfiltered(self) -> Domain:
        """The domain without this filter and those below it."""
        return self.base.unfiltered


@attrs.frozen(cache_hash=True)
class CountOf(ValueNode):
    """Size of a domain."""

    domain: Domain


@attrs.frozen(cache_hash=True)
class AnyOf(ValueNode):
    """Test whether a domain has any elements."""

    domain: Domain


@attrs.frozen(cache_hash=True)
class MemberOf(ValueNode):
    """Membership in a domain."""

    subject: Value
    domain: Domain


@attrs.frozen(cache_hash=True)
class SumOf(ValueNode):
    """Sum over a domain; `exact` if it provably stays within 64 bits."""

    domain: Domain
    variable: str
    amount: Value
    exact: bool = attrs.field(default=False, eq=False, kw_only=True)


@attrs.frozen(cache_hash=True)
class BestOf(ValueNode):
    """Element of a domain that ranks first; none if empty, or if other than equal copies tie."""

    domain: Domain
    variable: str
    ranking: tuple[tuple[bool, Value], ...]


@attrs.frozen(cache_hash=True)
class FirstOf(ValueNode):
    """First element of a list, after another, for which a condition holds, or none."""

    values: Value
    after: Value | None
    variable: str
    condition: Value


@attrs.frozen(cache_hash=True)
class EndOf(ValueNode):
    """Top or bottom piece of a stack, or none; or the one at an index from there, from 1.

    With an index, there may be several cells: it is counted through them.
    """

    piece: str
    cells: Cells
    top: bool
    index: Value | None = None


@attrs.frozen(cache_hash=True)
class RandomOf(ValueNode):
    """Random element of a domain, or none."""

    domain: Domain


@attrs.frozen(cache_hash=True)
class PositionIn(ValueNode):
    """Position of an element in a list or stack, counted from 1; 0 if absent."""

    subject: Value
    domain: Domain


@attrs.frozen(cache_hash=True)
class Const(ValueNode):
    """Constant: a number, a boolean (0, 1), an entry (its index), none (-1)."""

    value: int


@attrs.frozen(cache_hash=True)
class Local(ValueNode):
    """Local variable, with a name that is unique in its procedure."""

    name: str


def is_me(node: object) -> bool:
    """Return whether a value is the acting seat."""
    return isinstance(node, Local) and node.name == "me"


@attrs.frozen(cache_hash=True)
class TextValue(ValueNode):
    """Constant text."""

    text: str


@attrs.frozen(cache_hash=True)
class SeatNumber(ValueNode):
    """Seat of a rival: a number that depends on the player count; -1 if the rival is absent."""

    rival: str


@attrs.frozen(cache_hash=True)
class Seats(ValueNode):
    """Number of players or seats."""

    players: bool


@attrs.frozen(cache_hash=True)
class SettingValue(ValueNode):
    """Value of an option."""

    option: str


@attrs.frozen(cache_hash=True)
class Chart(ValueNode):
    """Lookup in a chart: the value at the largest key not above `key`, or else the first."""

    points: tuple[tuple[int, int], ...]
    key: Value


@attrs.frozen(cache_hash=True)
class TableAt(ValueNode):
    """Lookup in a table by an entry of a kind."""

    rows: tuple[Value, ...]
    key: Value


@attrs.frozen(cache_hash=True)
class Bundle(ValueNode):
    """Constant price: amounts in the order of the nouns that prices in the pack can contain."""

    amounts: tuple[int, ...]


@attrs.frozen(cache_hash=True)
class Arith(ValueNode):
    """Integer arithmetic: + - * / min max; `exact` if it provably stays within 64 bits."""

    op: str
    left: Value
    right: Value
    exact: bool = attrs.field(default=False, eq=False, kw_only=True)


@attrs.frozen(cache_hash=True)
class Comparison(ValueNode):
    """Comparison (= <> < <= > >=) of numbers, entries, seats, places or pieces."""

    op: str
    left: Value
    right: Value


@attrs.frozen(cache_hash=True)
class And(ValueNode):
    """Conjunction."""

    parts: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class Or(ValueNode):
    """Disjunction."""

    parts: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class Negation(ValueNode):
    """Negation."""

    value: Value


@attrs.frozen(cache_hash=True)
class Cases(ValueNode):
    """Value of the first case whose condition holds, or else of the last case."""

    cases: tuple[tuple[Value, Value], ...]
    otherwise: Value

    @property
    def values(self) -> tuple[Value, ...]:
        """All alternatives."""
        return (*(value for _, value in self.cases), self.otherwise)


@attrs.frozen(cache_hash=True)
class LetIn(ValueNode):
    """Local bound within one value."""

    name: str
    bound: Value
    inner: Value


@attrs.frozen(cache_hash=True)
class IsSome(ValueNode):
    """Test whether an optional value is present."""

    value: Value


@attrs.frozen(cache_hash=True)
class FieldOf(ValueNode):
    """Value of an entry's or printed piece's field, with a key if the field is indexed."""

    kind: str
    field: str
    subject: Value
    key: Value | None = None


@attrs.frozen(cache_hash=True)
class HasEffect(ValueNode):
    """Test whether an entry has an effect in a field."""

    kind: str
    field: str
    subject: Value
    key: Value | None = None


@attrs.frozen(cache_hash=True)
class FieldFormula(ValueNode):
    """Value of the formula in a field, evaluated for a seat."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(cache_hash=True)
class EntryOf(ValueNode):
    """Entry that a printed piece is a copy of."""

    piece: str
    subject: Value


@attrs.frozen(cache_hash=True)
class OwnerOf(ValueNode):
    """Seat to which a piece belongs."""

    piece: str
    subject: Value


@attrs.frozen(cache_hash=True)
class CallValue(ValueNode):
    """Call to a named value; `layer` counts the hooks applied to it (normally all)."""

    name: str
    me: Value
    arguments: tuple[Value, ...]
    layer: int


@attrs.frozen(cache_hash=True)
class ScoreOf(ValueNode):
    """Sum of all scoring lines for a seat."""

    seat: Value


@attrs.frozen(cache_hash=True)
class StandingOf(ValueNode):
    """Rank of a seat in the final ranking, counted from 1; tied seats share a rank."""

    seat: Value


@attrs.frozen(cache_hash=True)
class Ring(ValueNode):
    """Entry that is `steps` ahead of `origin` in the cyclic order of its kind."""

    kind: str
    origin: Value
    steps: Value


@attrs.frozen(cache_hash=True)
class MakeBundle(ValueNode):
    """Price with computed amounts, in the order of the nouns that prices can contain."""

    parts: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class BundlePart(ValueNode):
    """Amount of one noun in a price."""

    bundle: Value
    position: int


@attrs.frozen(cache_hash=True)
class Can(ValueNode):
    """Test whether a procedure can be run: the value of its guard."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class CanDo(ValueNode):
    """Test whether the effect in a field can be run: the value of its guard."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


Seen = Literal["all", "actor", "nobody"]


@attrs.frozen(cache_hash=True)
class MessageText(Typed):
    """Text shown to people: `said` are the literal parts around its values.

    `nouns` has the noun of each value that is an amount, or "". The information-flow annotation
    sets the readers of each value (`seen`); the pieces, tracks and flags whose visibility decides
    whether others may read it (`faces`); or else the places that hide it if anything hidden from
    them lies there (`piles`).
    """

    said: tuple[str, ...]
    values: tuple[Value, ...] = ()
    nouns: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    faces: tuple[tuple[Value, ...], ...] = ()
    piles: tuple[tuple[str, ...], ...] = ()

    @property
    def fixed(self) -> str:
        """The literal text, without the values."""
        return "".join(self.said)

    @property
    def derived(self) -> bool:
        """True if the content has no such text: the checker composed it."""
        return self.span == NOWHERE


YES = Const(1, type=YES_NO)
NO = Const(0, type=YES_NO)

# -------------------------------------------------------------------- the closed unions
_Plain = Const | Local | TextValue | SeatNumber | Seats | SettingValue | Chart | TableAt
_Operation = Arith | Comparison | And | Or | Negation | Cases | LetIn | IsSome | Ring
_Price = Bundle | MakeBundle | BundlePart
_Attribute = FieldOf | HasEffect | FieldFormula | EntryOf | OwnerOf | ScoreOf | StandingOf
_State = TrackCell | FlagCell | Located | CallValue | Can | CanDo
_Selection = CountOf | AnyOf | MemberOf | SumOf | BestOf | FirstOf | EndOf | RandomOf | PositionIn
Value = _Plain | _Operation | _Price | _Attribute | _State | _Selection
"""An expression."""

Domain = Entries | AllSeats | NumberRange | ListedEntries | Lying | AnyWhere | EndPieces | Filtered
"""A set to choose from, count or iterate over."""
