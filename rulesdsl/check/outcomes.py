"""What steps may come to: for each way they may go, what is surely taken and what may be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.effects import Cell, Effects
    from rulesdsl.check.program import Program
    from rulesdsl.source.span import Span

MOST_WAYS = 60  # beyond, ways are taken together: what all of them take, what any of them gives


@attrs.frozen
class Outcome:
    """One way: the cells that are surely taken from, those that may be added to, whose doing."""

    taken: frozenset[Cell] = frozenset()
    given: frozenset[Cell] = frozenset()
    by: Span | None = None  # the effect of an entry, where one was carried out


Outcomes = tuple[Outcome, ...]
NOTHING = Outcome()


class Ways:
    """Works out the ways that steps may go, calls included. An amount counts as more than none."""

    def __init__(self, program: Program, effects: Effects) -> None:
        self.program = program
        self.effects = effects
        self._of_procs: dict[str, Outcomes] = {}

    def of_block(self, block: ty.Block) -> Outcomes:
        """Return the ways of steps in order."""
        found: Outcomes = (NOTHING,)
        for step in block.steps:
            found = _then(found, self._of_step(step))
        return found

    def _of_proc(self, key: str) -> Outcomes:
        if key not in self.program.procs:
            return (NOTHING,)
        if key not in self._of_procs:
            self._of_procs[key] = self.of_block(self.program.procs[key].block)
        return self._of_procs[key]

    def _of_step(self, step: ty.Step) -> Outcomes:
        match step:
            case ty.Run():
                return self._of_proc(step.proc)
            case ty.DoField():
                return self._of_field(step)
            case ty.Branching():
                blocks = [block for _, block in step.branches]
                return self._any_of([*blocks, step.otherwise])
            case ty.WhereAble():
                return self._any_of([step.block, step.otherwise])
            case ty.ChooseWay():
                return self._any_of([way.block for way in step.ways])
            case ty.Optionally():
                return _joined([(NOTHING,), self.of_block(step.block)])
            case ty.RepeatTimes():
                return _again(self.of_block(step.block))
            case ty.OptionallyRepeat() | ty.RepeatUntil() | ty.ForEach() | ty.Secretly():
                return _joined([(NOTHING,), _again(self.of_block(step.block))])
            case ty.OfferMenu():
                lines = self._any_of([entry.block for entry in step.entries])
                return _joined([(NOTHING,), _again(lines)])
            case _:
                return (self._change(step),)

    def _any_of(self, blocks: Iterable[ty.Block]) -> Outcomes:
        return _joined([self.of_block(block) for block in blocks])

    def _of_field(self, step: ty.DoField) -> Outcomes:
        key = self.effects.key_name(step)
        fixed = step.subject.value if isinstance(step.subject, ty.Const) else None
        found: list[Outcomes] = []
        for proc in self.program.column(step.kind, step.field, key, fixed):
            span = self.program.procs[proc].span
            found.append(tuple(attrs.evolve(each, by=span) for each in self._of_proc(proc)))
        return _joined(found) or (NOTHING,)

    # ---------------------------------------------------------------- single changes
    def _change(self, step: ty.Step) -> Outcome:
        match step:
            case ty.MoveCounted():
                taken = () if step.up_to else (self.effects.cell(step.piece, step.source.place),)
                return _outcome(taken, [self.effects.cell(step.piece, step.target.place)])
            case ty.MovePrinted():
                target = self.effects.cell(step.piece, step.target.place)
                surely = not step.subject.type.maybe
                left = set(self.effects.everywhere(step.piece)) - {target} if surely else ()
                return _outcome(left, [target])
            case ty.MoveSome():
                return self._some(step)
            case ty.ChangeTrack():
                cell = ("t", step.track, "")
                return _outcome([], [cell]) if step.up else _outcome([cell], [])
            case ty.SetFlag():
                cell = ("f", step.flag, "")
                return _outcome([cell], []) if step.on else _outcome([], [cell])
            case _:
                return NOTHING

    def _some(self, step: ty.MoveSome) -> Outcome:
        base = step.domain.unfiltered
        if not isinstance(base, ty.Lying | ty.EndPieces):
            return NOTHING
        taken = () if step.up_to else (self.effects.cell(base.piece, base.cells.place),)
        return _outcome(taken, [self.effects.cell(base.piece, step.target.place)])


def _outcome(taken: Iterable[Cell], given: Iterable[Cell]) -> Outcome:
    return Outcome(frozenset(taken), frozenset(given))


def _then(first: Outcomes, second: Outcomes) -> Outcomes:
    """Return the ways of one thing after another."""
    if second == (NOTHING,):
        return first
    return _few(
        Outcome(one.taken | two.taken, one.given | two.given, one.by or two.by)
        for one in first
        for two in second
    )


def _again(ways: Outcomes) -> Outcomes:
    """Return the ways of something that is done at least once, each time as it may."""
    given = frozenset(cell for each in ways for cell in each.given)
    return _few(attrs.evolve(each, given=given) for each in ways)


def _joined(groups: Iterable[Outcomes]) -> Outcomes:
    return _few(each for group in groups for each in group)


def _few(ways: Iterable[Outcome]) -> Outcomes:
    found = tuple(dict.fromkeys(ways))
    if len(found) <= MOST_WAYS:
        return found
    taken = frozenset.intersection(*(each.taken for each in found))
    return (Outcome(taken, frozenset(cell for each in found for cell in each.given)),)
