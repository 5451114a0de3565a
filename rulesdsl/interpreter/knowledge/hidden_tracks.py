"""What a track that a player does not see has come to where other pieces lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.constants import fixed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulesdsl.interpreter.knowledge.following import Change, Knowledge
    from rulesdsl.lower.flat import Event

Swaps = dict[str, dict[int, int]]
"""By kind of pieces: for each piece, the one that lies there in another world."""


class Unlike(ValueError):  # noqa: N818 - says what a world is
    """A world in which something would have happened otherwise."""


def retold(known: Knowledge, track: str, cells: list[int], swaps: Swaps) -> list[int]:
    """Return the cells of a track as they are in another world.

    A change that depends on the face of a piece is computed again for the one in its place.
    Raises Unlike where a cell would have gone beyond its bounds, and stopped there, on the way.
    """
    info = known.setting.labels.world.tracks[track]
    found = [info.low] * len(cells)
    for at, value in _course(known, track, swaps):
        found[at] = value
        if not info.low <= value <= info.high:
            raise Unlike(f"{track} would be {value}")
    return [
        value if known.sees_track(track, at) else new
        for at, (value, new) in enumerate(zip(cells, found, strict=True))
    ]


def strain(known: Knowledge, swaps: Swaps) -> int:
    """Return how far tracks would go beyond their bounds in another world, all in all."""
    tracks = known.setting.labels.world.tracks
    return sum(
        max(tracks[track].low - value, value - tracks[track].high, 0)
        for track in known.changes
        for _, value in _course(known, track, swaps)
    )


def _course(known: Knowledge, track: str, swaps: Swaps) -> Iterator[tuple[int, int]]:
    """Yield the cells of a track that change, one after the other, and what they come to."""
    low = known.setting.labels.world.tracks[track].low
    found: dict[int, int] = {}
    for change in known.changes[track]:
        value = found[change.cell] = found.get(change.cell, low) + _by(known, change, swaps)
        yield change.cell, value


def _by(known: Knowledge, change: Change, swaps: Swaps) -> int:
    """Return by how much a track changes in another world."""
    pieces = tuple(
        swaps.get(cause.type.of, {}).get(piece, piece)
        for cause, piece in zip(change.event.causes, change.causes, strict=True)
    )
    if not pieces:
        return change.by
    key = id(change.event), pieces  # events live as long as the engine; to hash them takes long
    if key not in known.amounts:
        known.amounts[key] = _amount(known, change.event, pieces)
    amount = known.amounts[key]
    return change.by if amount is None else amount


def _amount(known: Knowledge, event: Event, pieces: Sequence[int]) -> int | None:
    """Return by how much an event about some pieces changes a track.

    None where that does not follow from what is printed on the pieces alone.
    """
    step, layout = event.change, known.setting.layout
    assert step is not None
    given = dict(zip((each.name for each in event.causes), pieces, strict=True))
    amount = fixed(_printed(known, step.amount, given), layout.players, layout.settings)
    if amount is None:
        return None
    return amount if step.up else -amount


def _printed(known: Knowledge, amount: ty.Value, given: Mapping[str, int]) -> ty.Value:
    """Return an amount with the numbers that are printed on pieces put in."""

    def number(node: ty.Node) -> ty.Node:
        if not isinstance(node, ty.FieldOf) or node.key is not None:
            return node
        if not isinstance(node.subject, ty.Local) or node.subject.name not in given:
            return node
        entry, _ = known.setting.layout.instances(node.kind)[given[node.subject.name]]
        entries = known.setting.labels.world.kinds[node.kind].entries
        value = entries[entry].values.get((node.field, None))
        return ty.Const(value, type=node.type) if isinstance(value, int) else node

    return ty.rewrite(amount, number)
