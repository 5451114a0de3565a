"""Values in texts that no viewer can ever read, because nobody sees what they are about.

Who provably sees something is worked out by `visibility`; here it is asked the other way round: is
there nobody who might see it?  So what belongs to a seat counts as seen, a thing that has a name
too (it may lie open by then), and so does what some rule looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check import typed as ty
from rulesdsl.check.visibility import ALL, NOBODY, OPEN, Sight, Sights, Visibility
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.check.program import Eyes, Program, TypedProc
    from rulesdsl.source.diagnostic import Findings


def check_unreadable(program: Program, findings: Findings) -> None:
    """Report values in texts that are hidden from everybody whatever happens."""
    hopeful = _Hopeful(program, _looked_at(program))
    for proc in program.procs.values():
        _check(proc, hopeful, findings)


def _looked_at(program: Program) -> frozenset[str]:
    """Return the places where some rule looks at pieces."""
    return frozenset(
        part.cells.place
        for proc in program.procs.values()
        for step in ty.walk(proc.block)
        if isinstance(step, ty.Peek)
        for part in ty.walk(step.domain)
        if isinstance(part, ty.Lying | ty.EndPieces)
    )


def _check(proc: TypedProc, hopeful: _Hopeful, findings: Findings) -> None:
    found = [*ty.walk_all(proc.block)]
    names = (each.name for each in found if isinstance(each, ty.Local))
    sights = Sights(dict.fromkeys(names, OPEN))
    for each in found:
        if isinstance(each, ty.SetLocal) and each.value.type.family != "piece":
            face = hopeful.face(each.value, sights)
            sights.learn(each.name, Sight(ALL, face))
        if not isinstance(each, ty.Words) or each.span == NOWHERE:
            continue
        for value in each.values:
            if hopeful.face(value, sights) == NOBODY:
                span = value.span if value.span.line else each.span
                findings.report("E414", span, *wording.unseen_by_all())


class _Hopeful(Visibility):
    """Takes everything for seen that somebody may see at some time."""

    def __init__(self, program: Program, looked_at: frozenset[str]) -> None:
        super().__init__(program)
        self._looked_at = looked_at

    def _face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:
        if isinstance(value, ty.Located):  # a piece can be found wherever it lies open
            return ALL
        return super()._face(value, sights)

    def track_eyes(self, track: str, dims: Sequence[ty.Value], unsure: Eyes = ALL) -> Eyes:
        """Return nobody for a track that nobody sees, and everybody for all others."""
        return _perhaps(super().track_eyes(track, dims, unsure or ALL))

    def pile_eyes(self, piece: str, cells: ty.Cells, unsure: Eyes = ALL) -> Eyes:
        """Return nobody for faces that nobody sees and no rule shows to somebody."""
        own = super().pile_eyes(piece, cells, unsure or ALL)
        return ALL if cells.place in self._looked_at else _perhaps(own)


def _perhaps(eyes: Eyes) -> Eyes:
    return NOBODY if eyes == NOBODY else ALL
