"""Which words can take each other's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.world import KindInfo, PieceInfo, PlaceInfo, TrackInfo, World

FLIPS = {
    "any": "no",
    "no": "any",
    "most": "least",
    "least": "most",
    "raise": "lower",
    "lower": "raise",
    "top": "bottom",
    "bottom": "top",
    "and": "or",
    "or": "and",
    "mark": "clear",
    "clear": "mark",
    "before": "after",
    "after": "before",
    "on": "off",
    "off": "on",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "seat": "player",
    "player": "seat",
}
"""Words of the language that can stand for each other."""


@attrs.frozen
class Name:
    """A name of a pack, and the family of names that could be in its place.

    Where what they name has the same `shape`, the rules often still make sense; a name without
    a shape is only ever written by mistake for another.
    """

    text: str
    family: str
    shape: object = None


def alike(world: World) -> dict[str, tuple[str, ...]]:
    """Return for each name the others of its family and shape: for a plural, other plurals."""
    found: dict[str, tuple[str, ...]] = {}
    for group in _grouped(each for each in names(world) if each.shape is not None):
        for name in group:
            others = (each for each in group if each != name)
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *others)))
    return {name: others for name, others in found.items() if others}


def families(world: World) -> list[list[str]]:
    """Return the names of a pack by families, those with several members."""
    every = _grouped(attrs.evolve(each, shape=None) for each in names(world))
    return [group for group in every if len(group) > 1]


def _grouped(every: Iterable[Name]) -> list[list[str]]:
    found: dict[tuple[str, object], dict[str, None]] = {}
    for name in every:
        found.setdefault((name.family, name.shape), {})[name.text] = None
    return [[*group] for group in found.values()]


def names(world: World) -> Iterator[Name]:
    """Yield all names of a pack."""
    for place in world.places.values():
        yield from _both("place", place, place.dims)
    for piece in world.pieces.values():
        yield from _both("piece", piece, (piece.style, piece.owned))
    for track in world.tracks.values():
        yield from _both("track", track, track.dims)
    for kind in world.kinds.values():
        yield from _both("kind", kind, None)
        shape = None if kind.role == "piece" else ()
        yield from (Name(each.name, f"entry of {kind.name}", shape) for each in kind.entries)
        yield from (Name(each, "field") for each in kind.fields)
    for flag in world.flags.values():
        yield Name(flag.name, "flag", flag.dims)
    for value in world.values.values():
        given = tuple(param.type for param in value.params)
        yield Name(value.name, "value", given if value.score_title is None else None)
    for name, number in world.constants.items():
        yield Name(name, "constant", () if isinstance(number, int) else None)
    yield from (Name(each, "option") for each in world.options)
    yield from (Name(each, "procedure") for each in world.procs)


def _both(
    family: str, named: PlaceInfo | PieceInfo | TrackInfo | KindInfo, shape: object
) -> Iterator[Name]:
    yield Name(named.name, family, shape)
    yield Name(named.plural, f"{family}s", shape)
