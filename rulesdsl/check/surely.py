"""What is provably there: asked for by a guard or a condition, and changed by nothing since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.known import facts_of
from rulesdsl.check.proofs import atoms, negate
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.types import NUMBER, YES_NO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.effects import Effects
    from rulesdsl.check.intervals import Interval, Intervals
    from rulesdsl.check.known import Facts

MOST_COUNTED = 1_000_000  # a bound beyond is none
ONE = ty.Const(1, type=NUMBER)


class Surely:
    """Follows what is known through steps, and says which changes find something to take."""

    def __init__(self, effects: Effects, intervals: Intervals) -> None:
        self._world = effects.program.world
        self._writes = effects.writes
        self._intervals = intervals

    def behind(self, step: ty.Step, known: Facts) -> Facts:
        """Return what is known after a step."""
        if isinstance(step, ty.Require):
            return known | atoms(step.condition)
        if isinstance(step, ty.Decide) and step.choice is not None:
            return known | facts_of(*step.choice)
        if isinstance(step, ty.SetLocal) and isinstance(step.value, ty.EndOf):
            piece = step.value.type.total()
            lying = ty.Lying(step.value.piece, step.value.cells, element=piece)
            return known | facts_of(step.name, lying)
        return known.without(self._writes(step))

    def inside(self, step: ty.Step, known: Facts) -> Iterator[tuple[ty.Block, Facts]]:
        """Yield the blocks of a step with what is known at their beginning."""
        flow = FACTS[type(step)].flow(step)
        assert flow is not None
        if isinstance(step, ty.ForEach):
            known |= facts_of(step.variable, step.domain)
        if flow.again:
            known = known.without(self._writes(step))
        if isinstance(step, ty.WhereAble):
            yield step.block, known | atoms(step.guard)
            yield step.otherwise, known
        elif isinstance(step, ty.Branching):
            for condition, block in step.branches:
                yield block, known | atoms(condition)
                known |= atoms(negate(condition))
            yield step.otherwise, known
        elif isinstance(step, ty.Decide):
            yield from ((line.block, offered(line, known)) for line in step.lines)
        else:
            yield from ((block, known) for block in flow.blocks)

    def takes_some(self, change: ty.Step, known: Facts) -> bool:
        """Whether there is something that a change takes."""
        if isinstance(change, ty.MoveCounted | ty.MoveSome):
            return change.amount is not None and self._some(change.amount, known)
        if isinstance(change, ty.ChangeTrack):
            cell = ty.TrackCell(change.track, change.dims, type=NUMBER)
            track = self._world.tracks[change.track]
            bounds = self._compared(cell, known)
            return self._some(change.amount, known) and (
                any(_below(op, other[1], min(track.high, MOST_COUNTED)) for op, other in bounds)
                if change.up
                else any(_above(op, other[0], track.low) for op, other in bounds)
            )
        if isinstance(change, ty.SetFlag):
            return negate(ty.FlagCell(change.flag, change.dims, type=YES_NO)) in known
        return True

    def _some(self, amount: ty.Value, known: Facts) -> bool:
        """Whether a number is provably more than none."""
        return self._intervals.of(amount)[0] > 0 or any(
            _above(op, other[0], 0) for op, other in self._compared(amount, known)
        )

    def _compared(self, value: ty.Value, known: Facts) -> Iterator[tuple[str, Interval]]:
        """Yield how a number compares with others, as far as it is known."""
        for fact in known:
            if isinstance(fact, ty.Comparison) and fact.left == value:
                yield fact.op, self._intervals.of(fact.right)
            elif isinstance(fact, ty.Comparison) and fact.right == value:
                yield _MIRRORED[fact.op], self._intervals.of(fact.left)


_MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _above(op: str, other: int, least: int) -> bool:
    """Whether what compares so with a number is more than another one."""
    return other > least - (op == ">") if op in {"=", ">", ">="} else False


def _below(op: str, other: int, most: int) -> bool:
    return other < most + (op == "<") if op in {"=", "<", "<="} else False


def offered(line: ty.Line, known: Facts) -> Facts:
    """Return what is known where a line has been offered, and is carried out."""
    known |= atoms(line.guard)
    return known if line.about is None else known | facts_of(*line.about)


def located(step: ty.Step, known: Facts) -> ty.Step:
    """Return a move of a piece of which it is known where it lies as a move of one from there."""
    if isinstance(step, ty.MovePrinted):
        for fact in known.about(step.subject):
            if isinstance(fact, ty.MemberOf) and isinstance(
                fact.domain.unfiltered, ty.Lying | ty.EndPieces
            ):
                return ty.MoveSome(
                    fact.domain, ONE, up_to=False, target=step.target, top=step.top, me=step.me
                )
    return step
