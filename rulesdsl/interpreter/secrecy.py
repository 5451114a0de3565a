"""Who may be told what a named value comes to: it is as hidden as what it looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.walk import parts_of
from rulesdsl.check.visibility import ALL, EYES, eyes_of

if TYPE_CHECKING:
    from rulesdsl.check.program import Program


class Secrecy:
    """Tells of named values who may see them: nobody, the seat that they are of, or all."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[tuple[str, int], int] = {}

    def eyes(self, name: str, layer: int) -> int:
        """Return who may see a value."""
        key = (name, layer)
        if key not in self._known:
            found = self.program.values[key]
            me = found.params[0] if found.params else found.me
            self._known[key] = self._of(found.body, me)
        return self._known[key]

    def _of(self, node: ty.Node, me: ty.Value | None) -> int:
        """Return who may see what a node looks at; `me` is the seat that the value is of."""
        world = self.program.world
        match node:
            case (
                ty.CountOf(domain=ty.Lying(owner=None, entry=None) as lying)
                | ty.AnyOf(domain=ty.Lying(owner=None, entry=None) as lying)
            ):
                return self._all(lying.cells, me)  # how many lie there is no secret
            case ty.TrackCell():
                track = world.tracks[node.track]
                own = eyes_of(EYES.get(track.seen_by, ALL), node.dims, me)
            case ty.Lying() | ty.EndPieces() | ty.EndOf():
                place = world.places[node.cells.place]
                own = eyes_of(EYES.get(place.seen_by, ALL), node.cells.dims, me)
            case ty.CallValue():
                own = self.eyes(node.name, node.layer)
                first = node.arguments[0] if node.arguments else node.me
                own = eyes_of(own, (first,), me)
            case _:
                own = ALL
        return min(own, self._all(node, me))

    def _all(self, node: ty.Node, me: ty.Value | None) -> int:
        return min((self._of(part, me) for part in parts_of(node)), default=ALL)
