"""Things to choose from, count or go through, and what is computed of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import DomainNode, ValueNode
from rulesdsl.check.typed.cells import Cells

if TYPE_CHECKING:
    from rulesdsl.check.typed import Domain, Value


@attrs.frozen(cache_hash=True)
class Entries(DomainNode):
    """All entries of a kind."""

    kind: str


@attrs.frozen(cache_hash=True)
class AllSeats(DomainNode):
    """All players, or all seats."""

    players: bool


@attrs.frozen(cache_hash=True)
class Numbers(DomainNode):
    """Numbers from low to high."""

    low: Value
    high: Value
    most: int | None = attrs.field(default=None, eq=False, kw_only=True)  # how many at the most


@attrs.frozen(cache_hash=True)
class Listed(DomainNode):
    """The entries of a list."""

    values: Value


@attrs.frozen(cache_hash=True)
class Lying(DomainNode):
    """Pieces of a kind that lie in cells; `owner` and `entry` narrow them down.

    Where they are offered, copies that look alike are one thing, or each is one: `apart`.
    """

    piece: str
    cells: Cells
    owner: Value | None = None
    entry: Value | None = None
    apart: bool = False


@attrs.frozen(cache_hash=True)
class AnyWhere(DomainNode):
    """All pieces of a kind, wherever they are; conditions on a candidate narrow it down."""

    piece: str


@attrs.frozen(cache_hash=True)
class EndPieces(DomainNode):
    """The top or bottom pieces of a stack."""

    piece: str
    cells: Cells
    top: bool
    count: int


@attrs.frozen(cache_hash=True)
class Filtered(DomainNode):
    """Those of a domain for which a condition holds."""

    base: Domain
    variable: str
    condition: Value

    @property
    def unfiltered(self) -> Domain:
        """The things that its conditions pick from."""
        return self.base.unfiltered


@attrs.frozen(cache_hash=True)
class CountOf(ValueNode):
    """How many there are."""

    domain: Domain


@attrs.frozen(cache_hash=True)
class AnyOf(ValueNode):
    """Whether there is one."""

    domain: Domain


@attrs.frozen(cache_hash=True)
class MemberOf(ValueNode):
    """Whether a thing is among them."""

    subject: Value
    domain: Domain


@attrs.frozen(cache_hash=True)
class SumOf(ValueNode):
    """A number for each, added up; `exact` where the sum provably stays within 64 bits."""

    domain: Domain
    variable: str
    amount: Value
    exact: bool = attrs.field(default=False, eq=False, kw_only=True)


@attrs.frozen(cache_hash=True)
class BestOf(ValueNode):
    """The one that ranks first; none where there is a tie or nobody."""

    domain: Domain
    variable: str
    ranking: tuple[tuple[bool, Value], ...]


@attrs.frozen(cache_hash=True)
class FirstOf(ValueNode):
    """The first along a list after a thing that fulfils a condition, or none."""

    values: Value
    after: Value | None
    variable: str
    condition: Value


@attrs.frozen(cache_hash=True)
class EndOf(ValueNode):
    """The top or bottom piece of a stack, or none."""

    piece: str
    cells: Cells
    top: bool


@attrs.frozen(cache_hash=True)
class RandomOf(ValueNode):
    """One of them by chance, or none."""

    domain: Domain


@attrs.frozen(cache_hash=True)
class PositionIn(ValueNode):
    """The position of a thing in a list or stack, counted from 1; 0 where it is not in it."""

    subject: Value
    domain: Domain
