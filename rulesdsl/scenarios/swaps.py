"""Which words of a pack can take each other's place and still make sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import World

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


def alike(world: World) -> dict[str, tuple[str, ...]]:
    """Return for each name the others of its kind: for a plural, other plurals."""
    found: dict[str, tuple[str, ...]] = {}
    for group in _groups(world):
        names = list(dict.fromkeys(group))
        for name in names:
            others = tuple(each for each in names if each != name)
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *others)))
    return {name: others for name, others in found.items() if others}


def _groups(world: World) -> Iterator[list[str]]:
    tables: dict[object, list[tuple[str, str]]] = {}
    for place in world.places.values():
        tables.setdefault(("place", place.dims), []).append((place.name, place.plural))
    for piece in world.pieces.values():
        key = ("piece", piece.style, piece.owned)
        tables.setdefault(key, []).append((piece.name, piece.plural))
    for track in world.tracks.values():
        tables.setdefault(("track", track.dims), []).append((track.name, track.plural))
    for names in tables.values():
        yield [singular for singular, _ in names]
        yield [plural for _, plural in names]
    for kind in world.kinds.values():
        if kind.role != "piece":
            yield [each.name for each in kind.entries]
    flags: dict[object, list[str]] = {}
    for flag in world.flags.values():
        flags.setdefault(flag.dims, []).append(flag.name)
    yield from flags.values()
    values: dict[object, list[str]] = {}
    for value in world.values.values():
        if value.score_title is None:
            values.setdefault(tuple(param.type for param in value.params), []).append(value.name)
    yield from values.values()
    yield [name for name, value in world.constants.items() if isinstance(value, int)]
