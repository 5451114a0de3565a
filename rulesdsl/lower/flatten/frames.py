"""The slots of a frame: the locals of a machine, a price as one for each noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.lower import form as fm
    from rulesdsl.lower.flatten.writer import Shared


def spread(shared: Shared, made: fm.Machine, names: Sequence[str]) -> tuple[str, ...]:
    """Return locals of a machine as they lie in its frame."""
    params = shared.layout.program.procs[made.key].params
    bound = ((name, kind) for block in made.blocks for name, kind, _ in block.bound)
    typed = [*((each.name, each.type) for each in params), *bound]
    prices = {name for name, kind in typed if kind.family == "bundle"}
    parts = (shared.layout.parts(name) if name in prices else [name] for name in names)
    return tuple(part for some in parts for part in some)
