"""Changes in the log as data for one viewer: what moved from where to where, and how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rulesdsl.interpreter.display.scene import ScenePlan
from rulesdsl.interpreter.log.lines import LogLine
from rulesdsl.interpreter.state import CHOICE

if TYPE_CHECKING:
    from rulesdsl.interpreter.log.reader import LogReader
    from rulesdsl.interpreter.state import Entry

Way: TypeAlias = tuple[int, int]
"""The cells of a move, by their codes."""


@attrs.frozen
class SceneChange:
    """Change that a viewer reads of, with references as in a scene; empty where there is none.

    The `subject` is the piece, the kind of the pieces, or the track that changes; pieces of
    several copies are named by their entry, since none of them can be followed. `amount` is how
    many pieces move, or by how much a track rises, and `actor` the number of the seat that acts,
    or 0. There is no index of the log, which would count lines that the viewer does not read.
    """

    kind: str
    actor: int
    subject: str
    source: str = ""
    target: str = ""
    amount: int = 0


@attrs.frozen
class ChangeReader:
    """Reader of the changes in a log, as a player (from 1) or a spectator (0) sees them."""

    plan: ScenePlan
    logs: LogReader
    viewer: int

    def read(self, entries: Sequence[Entry], start: int) -> Iterator[SceneChange]:
        """Yield the changes from entry `start` on that the viewer reads of."""
        for at in range(start, len(entries)):
            number, _, _, *values = entries[at]
            if number == CHOICE:
                continue
            event, line = self.logs.engine.events[number], self.logs.line(entries, at)
            if line.quiet or line.seen(self.viewer) is None:
                continue
            change = self._change(line, event.subject, values)
            if change is not None:
                yield change

    def _change(self, line: LogLine, subject: str, values: Sequence[int]) -> SceneChange | None:
        is_open, actor = line.is_open_to(self.viewer), line.actor_in(line.seen(self.viewer))
        fill = partial(SceneChange, line.kind, actor)
        match line.kind:
            case "move" if is_open:
                count, old, new = values[:3]
                return self._moved(fill(subject=subject, amount=count), (old, new), subject)
            case "place":
                owner, old, new = values[:3]
                single = fill(subject=self.plan.entity(subject, owner), amount=1)
                return self._moved(single, (old, new), subject)
            case "piece" if is_open or (line.hidden is not None and line.hidden.route):
                piece, old, new = values[:3]
                name = self._piece(subject, piece) if is_open else ""
                return self._moved(fill(subject=name, amount=1), (old, new), subject)
            case "track" if is_open:
                index, before, after = values[:3]
                return fill(subject=self._cell(subject, index), amount=after - before)
            case "flag" if is_open:
                index, on = values[:2]
                return fill(subject=self._cell(subject, index), amount=on)
            case _:
                return None

    def _moved(self, change: SceneChange, way: Way, kind: str) -> SceneChange:
        source, target = (self.plan.cells_by_code.get((kind, code), "") for code in way)
        return attrs.evolve(change, source=source, target=target)

    def _piece(self, kind: str, piece: int) -> str:
        ref = f"{kind}:{self.plan.labels.printed(kind, piece).id}"
        return ref if self.plan.world.kinds[kind].has_copies else f"{ref}#1"

    def _cell(self, name: str, index: int) -> str:
        info = self.plan.world.counter(name)
        assert info is not None
        return self.plan.value_ref(info, index)
