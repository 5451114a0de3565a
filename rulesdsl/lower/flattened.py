"""The flat form of one setting with what labels and logs need: back ends start from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower.flat import Flat
from rulesdsl.lower.flatten.program import flatten
from rulesdsl.lower.passes import SHARED

if TYPE_CHECKING:
    from rulesdsl.check import typed as ty
    from rulesdsl.lower.flat import Event
    from rulesdsl.lower.layout import Layout


@attrs.frozen
class Flattened:
    """A whole flat program, as the passes leave it: plain data, which is kept on disk."""

    flat: Flat
    sources: tuple[ty.Asking, ...]  # the questions that its decisions are of
    events: tuple[Event, ...]
    texts: tuple[str, ...]


def flattened(layout: Layout, *, logging: bool, careful: bool = False) -> Flattened:
    """Flatten a program and improve it."""
    shared = flatten(layout, logging=logging, careful=careful)
    for improve in SHARED.values():
        improve(shared.flat)
    return Flattened(shared.flat, tuple(shared.sources), tuple(shared.events), tuple(shared.texts))
