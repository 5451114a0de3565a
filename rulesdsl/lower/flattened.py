"""Flat form of one setting, with its questions, log events and text."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.lower.flat import Event, Flat
from rulesdsl.lower.layout import Layout


@attrs.frozen
class Flattened:
    """Complete flat program after the shared passes; plain data, cached on disk."""

    flat: Flat
    sources: tuple[ty.Asking, ...]  # the question of each decision
    events: tuple[Event, ...]
    texts: tuple[str, ...]


def flattened(layout: Layout, *, logging: bool, careful: bool = False) -> Flattened:
    """Build the flat form of a program and run the shared passes."""
    from rulesdsl.lower.builder.program import flatten  # noqa: PLC0415 - on a cache miss
    from rulesdsl.lower.passes import SHARED  # noqa: PLC0415 - on a cache miss

    shared = flatten(layout, logging=logging, careful=careful)
    for improve in SHARED.values():
        improve(shared.flat)
    return Flattened(shared.flat, tuple(shared.sources), tuple(shared.events), tuple(shared.texts))
