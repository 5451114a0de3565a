"""Cells of places, tracks and flags, and where a piece is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import Typed, ValueNode

if TYPE_CHECKING:
    from rulesdsl.check.typed import Value


@attrs.frozen(cache_hash=True)
class Cells(Typed):
    """Cells of a kind of places: a value, a list, or None (all) for each dimension."""

    place: str
    dims: tuple[Value | None, ...]

    @property
    def one(self) -> bool:
        """Whether it is exactly one cell."""
        return all(dim is not None and dim.type.family != "list" for dim in self.dims)


@attrs.frozen(cache_hash=True)
class TrackCell(ValueNode):
    """The number on a track."""

    track: str
    dims: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class FlagCell(ValueNode):
    """Whether a thing is marked."""

    flag: str
    dims: tuple[Value, ...]


@attrs.frozen(cache_hash=True)
class Located(ValueNode):
    """In which cell of a kind of places a piece is (flat index), or none."""

    piece: str
    subject: Value
    place: str
