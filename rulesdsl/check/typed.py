"""The checked tree: every name looked up, every type known, close to what will run.

Nodes are values: two are equal when they compute the same thing in the same way, wherever they
stand in the text.  So a condition that was asked before can be recognised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.types import NUMBER, YES_NO, Type
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator


@attrs.frozen(slots=True)
class Typed:
    """A node of the checked tree."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(slots=True)
class Value(Typed):
    """Something that can be computed."""

    type: Type = attrs.field(default=NUMBER, kw_only=True)


# ---------------------------------------------------------------- plain values
@attrs.frozen(slots=True)
class Const(Value):
    """A number, a yes/no (0, 1), an entry (its index), none (-1)."""

    value: int


@attrs.frozen(slots=True)
class Local(Value):
    """A local of the procedure; names are unique in it."""

    name: str


@attrs.frozen(slots=True)
class Text(Value):
    """A text."""

    text: str


@attrs.frozen(slots=True)
class SeatNumber(Value):
    """A rival, by name: which seat it is depends on the number of players; -1 where absent."""

    rival: str


@attrs.frozen(slots=True)
class Seats(Value):
    """How many players, or seats, there are."""

    players: bool


@attrs.frozen(slots=True)
class Setting(Value):
    """The value of an option."""

    option: str


@attrs.frozen(slots=True)
class Chart(Value):
    """A number read off a chart: the largest key not above it counts, else the first."""

    points: tuple[tuple[int, int], ...]
    key: Value


@attrs.frozen(slots=True)
class TableAt(Value):
    """A value read off a table by the entry of a kind."""

    rows: tuple[Value, ...]
    key: Value


@attrs.frozen(slots=True)
class Bundle(Value):
    """A fixed price: amounts in the order of the pack's priced nouns."""

    amounts: tuple[int, ...]


@attrs.frozen(slots=True)
class Arith(Value):
    """Whole-number arithmetic: + - * / min max."""

    op: str
    left: Value
    right: Value


@attrs.frozen(slots=True)
class Comparison(Value):
    """= <> < <= > >=, on numbers, entries, seats, places and pieces."""

    op: str
    left: Value
    right: Value


@attrs.frozen(slots=True)
class And(Value):
    """All of them."""

    parts: tuple[Value, ...]


@attrs.frozen(slots=True)
class Or(Value):
    """Any of them."""

    parts: tuple[Value, ...]


@attrs.frozen(slots=True)
class Negation(Value):
    """Not."""

    value: Value


@attrs.frozen(slots=True)
class Cases(Value):
    """The first value whose condition holds, else the last."""

    cases: tuple[tuple[Value, Value], ...]
    otherwise: Value


@attrs.frozen(slots=True)
class LetIn(Value):
    """A local bound for one value."""

    name: str
    bound: Value
    inner: Value


@attrs.frozen(slots=True)
class IsSome(Value):
    """Whether a one-or-none value is there."""

    value: Value


@attrs.frozen(slots=True)
class FieldOf(Value):
    """A field of an entry or printed piece, by key where it is indexed."""

    kind: str
    field: str
    subject: Value
    key: Value | None = None


@attrs.frozen(slots=True)
class HasEffect(Value):
    """Whether the effect field of an entry is filled."""

    kind: str
    field: str
    subject: Value
    key: Value | None = None


@attrs.frozen(slots=True)
class Formula(Value):
    """A formula that stands in a field, computed for a seat."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(slots=True)
class EntryOf(Value):
    """The entry that a printed piece is a copy of."""

    piece: str
    subject: Value


@attrs.frozen(slots=True)
class OwnerOf(Value):
    """The seat that a piece belongs to."""

    piece: str
    subject: Value


@attrs.frozen(slots=True)
class CallValue(Value):
    """A named value; `layer` counts the hooks that lie beneath (the whole by default)."""

    name: str
    me: Value
    arguments: tuple[Value, ...]
    layer: int


@attrs.frozen(slots=True)
class ScoreOf(Value):
    """The sum of all scoring lines of a seat."""

    seat: Value


@attrs.frozen(slots=True)
class Ring(Value):
    """So many entries further around a kind."""

    kind: str
    origin: Value
    steps: Value


@attrs.frozen(slots=True)
class MakeBundle(Value):
    """Amounts of several nouns, in the order of the pack's priced nouns."""

    parts: tuple[Value, ...]


@attrs.frozen(slots=True)
class BundlePart(Value):
    """How much of one noun a price holds."""

    bundle: Value
    position: int


@attrs.frozen(slots=True)
class Can(Value):
    """Whether a procedure can be carried out."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(slots=True)
class CanDo(Value):
    """Whether the effect in a field can be carried out."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


# ---------------------------------------------------------------- cells
@attrs.frozen(slots=True)
class Cells(Typed):
    """Cells of a kind of places: a value, a list, or None (all) for each dimension."""

    place: str
    dims: tuple[Value | None, ...]

    @property
    def one(self) -> bool:
        """Whether it is exactly one cell."""
        return all(dim is not None and dim.type.family != "list" for dim in self.dims)


@attrs.frozen(slots=True)
class TrackCell(Value):
    """The number on a track."""

    track: str
    dims: tuple[Value, ...]


@attrs.frozen(slots=True)
class FlagCell(Value):
    """Whether a thing is marked."""

    flag: str
    dims: tuple[Value, ...]


@attrs.frozen(slots=True)
class Located(Value):
    """In which cell of a kind of places a piece is (flat index), or none."""

    piece: str
    subject: Value
    place: str


# ---------------------------------------------------------------- domains
@attrs.frozen(slots=True)
class Domain(Typed):
    """Things to choose from, count or go through; `element` is the type of one."""

    element: Type = attrs.field(kw_only=True)


@attrs.frozen(slots=True)
class Entries(Domain):
    """All entries of a kind."""

    kind: str


@attrs.frozen(slots=True)
class AllSeats(Domain):
    """All players, or all seats."""

    players: bool


@attrs.frozen(slots=True)
class Numbers(Domain):
    """Numbers from low to high."""

    low: Value
    high: Value


@attrs.frozen(slots=True)
class Listed(Domain):
    """The entries of a list."""

    values: Value


@attrs.frozen(slots=True)
class Lying(Domain):
    """Pieces of a kind that lie in cells; `owner` and `entry` narrow them down."""

    piece: str
    cells: Cells
    owner: Value | None = None
    entry: Value | None = None


@attrs.frozen(slots=True)
class AnyWhere(Domain):
    """All pieces of a kind, wherever they are; conditions on a candidate narrow it down."""

    piece: str


@attrs.frozen(slots=True)
class EndPieces(Domain):
    """The top or bottom pieces of a stack."""

    piece: str
    cells: Cells
    top: bool
    count: int


@attrs.frozen(slots=True)
class Filtered(Domain):
    """Those of a domain for which a condition holds."""

    base: Domain
    variable: str
    condition: Value


@attrs.frozen(slots=True)
class CountOf(Value):
    """How many there are."""

    domain: Domain


@attrs.frozen(slots=True)
class AnyOf(Value):
    """Whether there is one."""

    domain: Domain


@attrs.frozen(slots=True)
class MemberOf(Value):
    """Whether a thing is among them."""

    subject: Value
    domain: Domain


@attrs.frozen(slots=True)
class SumOf(Value):
    """A number for each, added up."""

    domain: Domain
    variable: str
    amount: Value


@attrs.frozen(slots=True)
class BestOf(Value):
    """The one that ranks first; none where there is a tie or nobody."""

    domain: Domain
    variable: str
    ranking: tuple[tuple[bool, Value], ...]


@attrs.frozen(slots=True)
class FirstOf(Value):
    """The first along a list behind a thing that fulfils a condition, or none."""

    values: Value
    after: Value | None
    variable: str
    condition: Value


@attrs.frozen(slots=True)
class EndOf(Value):
    """The top or bottom piece of a stack, or none."""

    piece: str
    cells: Cells
    top: bool


@attrs.frozen(slots=True)
class RandomOf(Value):
    """One of them by chance, or none."""

    domain: Domain


@attrs.frozen(slots=True)
class PositionIn(Value):
    """The position of a thing in a list or stack, counted from 1; 0 where it is not in it."""

    subject: Value
    domain: Domain


# ---------------------------------------------------------------- statements
@attrs.frozen(slots=True)
class Step(Typed):
    """Something that is done."""


@attrs.frozen(slots=True)
class SetLocal(Step):
    """Bind a local."""

    name: str
    value: Value


@attrs.frozen(slots=True)
class Pick(Step):
    """The acting player chooses one of a domain."""

    name: str
    domain: Domain
    me: Value
    prompt: str | None


@attrs.frozen(slots=True)
class Require(Step):
    """Possible only where a condition holds."""

    condition: Value


@attrs.frozen(slots=True)
class Run(Step):
    """A verb or step is carried out."""

    proc: str
    me: Value
    arguments: tuple[Value, ...]


@attrs.frozen(slots=True)
class DoField(Step):
    """The effect in a field is carried out."""

    kind: str
    field: str
    subject: Value
    key: Value | None
    me: Value


@attrs.frozen(slots=True)
class MoveCounted(Step):
    """So many like pieces go from cells to a cell; `owner` where they belong to seats."""

    piece: str
    amount: Value | None  # None: all
    up_to: bool
    source: Cells
    target: Cells
    owner: Value | None
    me: Value


@attrs.frozen(slots=True)
class MoveSingle(Step):
    """A single piece goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    me: Value


@attrs.frozen(slots=True)
class MovePrinted(Step):
    """One printed piece (or none) goes to a cell."""

    piece: str
    subject: Value
    target: Cells
    top: bool
    me: Value


@attrs.frozen(slots=True)
class MoveSome(Step):
    """Printed pieces of a domain go to a cell: all, or the first so many."""

    domain: Domain
    amount: Value | None
    up_to: bool
    target: Cells
    top: bool
    me: Value


@attrs.frozen(slots=True)
class ChangeTrack(Step):
    """A track goes up or down, within its bounds."""

    track: str
    dims: tuple[Value, ...]
    up: bool
    amount: Value
    me: Value


@attrs.frozen(slots=True)
class SetFlag(Step):
    """A thing is marked or cleared."""

    flag: str
    dims: tuple[Value, ...]
    on: bool
    me: Value


@attrs.frozen(slots=True)
class ShuffleCells(Step):
    """A stack is shuffled."""

    cells: Cells
    me: Value


@attrs.frozen(slots=True)
class Peek(Step):
    """The acting player learns what pieces are."""

    domain: Domain
    me: Value


@attrs.frozen(slots=True)
class Finish(Step):
    """The game ends."""


@attrs.frozen(slots=True)
class Block(Step):
    """Steps in order."""

    steps: tuple[Step, ...]


@attrs.frozen(slots=True)
class Branching(Step):
    """The first branch whose condition holds, else the last block."""

    branches: tuple[tuple[Value, Block], ...]
    otherwise: Block


@attrs.frozen(slots=True)
class WhereAble(Step):
    """A block where it can be carried out, else the other."""

    block: Block
    otherwise: Block


@attrs.frozen(slots=True)
class Way(Typed):
    """One line of a choice of ways, with the words it is offered under."""

    label: str | None
    text: str
    block: Block


@attrs.frozen(slots=True)
class ChooseWay(Step):
    """The acting player chooses one of the ways that can be gone."""

    ways: tuple[Way, ...]
    me: Value


@attrs.frozen(slots=True)
class Optionally(Step):
    """Yes or no, where it can be carried out; `limit` and `often` for repeated offers."""

    block: Block
    text: str
    me: Value


@attrs.frozen(slots=True)
class OptionallyRepeat(Step):
    """Offered again and again, at most `limit` times (None: as often as it can be paid)."""

    block: Block
    limit: Value | None
    text: str
    me: Value


@attrs.frozen(slots=True)
class RepeatTimes(Step):
    """So many times."""

    times: Value
    block: Block


@attrs.frozen(slots=True)
class RepeatUntil(Step):
    """Until a condition holds, at most so many times."""

    limit: Value
    condition: Value
    block: Block


@attrs.frozen(slots=True)
class ForEach(Step):
    """For each thing of a snapshot; `start` turns a circle of seats."""

    variable: str
    domain: Domain
    start: Value | None
    block: Block


@attrs.frozen(slots=True)
class Secretly(Step):
    """All players choose at once, then the block runs for each in seat order."""

    variable: str
    me: str
    domain: Domain
    prompt: str
    block: Block


@attrs.frozen(slots=True)
class Entry(Typed):
    """One line of a menu; with a variable, one for each thing of its domain."""

    once: bool
    label: str | None
    text: str
    variable: str | None
    domain: Domain | None
    block: Block


@attrs.frozen(slots=True)
class OfferMenu(Step):
    """Lines offered again and again until the player is done."""

    entries: tuple[Entry, ...]
    me: Value


YES = Const(1, type=YES_NO)
NO = Const(0, type=YES_NO)


def parts_of(node: object) -> Iterator[Typed]:
    """Yield the nodes directly inside a node."""
    if isinstance(node, tuple):
        for each in node:
            if isinstance(each, Typed):
                yield each
            elif isinstance(each, tuple):
                yield from parts_of(each)
        return
    for name in _names(type(node)):
        child = getattr(node, name)
        if isinstance(child, Typed):
            yield child
        elif isinstance(child, tuple):
            yield from parts_of(child)


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(cls: type) -> tuple[str, ...]:
    names = _NAMES.get(cls)
    if names is None:
        names = tuple(
            field.name for field in attrs.fields(cls) if field.name not in {"span", "type"}
        )
        _NAMES[cls] = names
    return names


def walk(node: Typed) -> Iterator[Typed]:
    """Yield a node and everything inside it."""
    yield node
    for part in parts_of(node):
        yield from walk(part)
