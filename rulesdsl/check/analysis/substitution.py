"""Backward substitution: conditions after changes, in terms of the state before them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.prover import Cells, Effects
from rulesdsl.check.symbols.types import NUMBER, YES_NO, entry
from rulesdsl.check.typed.conditions import both, negate, some_of, uses
from rulesdsl.check.typed.traits import TRAITS, inline, is_random

MOST = 3_000  # nodes that inlining may add to a condition, at most
ONE = ty.Const(1, type=NUMBER)
ZERO = ty.Const(0, type=NUMBER)


_Expressible = ty.MoveCounted | ty.MovePrinted | ty.ChangeTrack | ty.SetFlag


class _Inexpressible(Exception):  # noqa: N818 - not an error
    pass


# Backward substitution is the rule for assignments of weakest preconditions: a condition holds
# after `move 1 coin from my purse into heap` exactly if it held before with one coin less in the
# purse and one more in the heap. Reads of what a change writes are replaced by values that give
# the new state: a number of counted pieces, a track, a flag, or the place of a printed piece.
# Calls that read it are inlined first. Loops, choices, draws and other moves have no such values.
class Substitution:
    """Substitution of changes into a condition; it inlines the calls that read what changes."""

    def __init__(self, effects: Effects, bodies: Mapping[str, ty.Block]) -> None:
        self.program = effects.program
        self.effects = effects
        self.bodies = bodies
        self._room = MOST

    def before(self, condition: ty.Value, steps: Iterable[ty.Step]) -> ty.Value | None:
        """Return the condition for another to hold after steps, given last first.

        Return None if it cannot be expressed.
        """
        self._room = MOST
        try:
            return self._before(condition, steps)
        except _Inexpressible:
            return None

    def _before(self, condition: ty.Value, steps: Iterable[ty.Step]) -> ty.Value:
        for step in steps:
            condition = self._through(condition, step)
        return condition

    def _through(self, condition: ty.Value, step: ty.Step) -> ty.Value:
        if isinstance(step, ty.SetLocal) and uses(condition, step.name):
            if is_random(step.value):
                raise _Inexpressible
            return ty.LetIn(step.name, step.value, condition, type=YES_NO, span=condition.span)
        if isinstance(step, ty.Decide) and step.choice is not None:
            variable, domain = step.choice
            if uses(condition, variable):  # it must hold whatever is chosen
                return negate(some_of(domain, variable, negate(condition)))
        changing = self.effects.writes(step)
        if not changing & self.effects.reads(condition):
            return condition
        if isinstance(step, ty.Block):
            return self._before(condition, reversed(step.steps))
        if isinstance(step, ty.Run):
            return self._through(condition, self._inlined(step, condition))
        if isinstance(step, ty.Branching):
            cases = tuple((test, self._through(condition, way)) for test, way in step.branches)
            last = self._through(condition, step.otherwise)
            return ty.Cases(cases, last, type=YES_NO, span=condition.span)
        if isinstance(step, _Expressible):
            return self._changed(self._expanded(condition, changing), step, changing)
        raise _Inexpressible

    def _inlined(self, step: ty.Run, condition: ty.Value) -> ty.Block:
        proc = self.program.procs[step.proc]
        begun = self.program.world.activation(proc.title)
        if "@" not in step.proc and begun & self.effects.reads(condition):
            raise _Inexpressible  # an activation clears them
        body = self.bodies[step.proc]
        return inline(self.program, body, proc.params, step.me, step.arguments)

    # ---------------------------------------------------------------- calls
    def _expanded(self, condition: ty.Value, changing: Cells) -> ty.Value:
        """Inline the calls in a condition that read what is changing."""

        def put(node: ty.Node) -> ty.Node:
            if not isinstance(node, ty.Can | ty.CanDo | ty.CallValue):
                return node
            if not changing & self.effects.reads(node):
                return node
            body = self._body(node)
            self._room -= sum(1 for _ in ty.walk(body))
            if self._room < 0:
                raise _Inexpressible
            return ty.rewrite(body, put)

        return ty.rewrite(condition, put)

    def _body(self, node: ty.Can | ty.CanDo | ty.CallValue) -> ty.Value:
        program = self.program
        if isinstance(node, ty.Can):
            proc = program.procs[node.proc]
            return inline(program, program.guards[node.proc], proc.params, node.me, node.arguments)
        if isinstance(node, ty.CallValue):
            value = program.values[node.name, node.layer]
            return inline(program, value.body, value.params, node.me, node.arguments)
        subject = node.subject
        if subject.type.family == "piece":
            subject = ty.EntryOf(node.kind, subject, type=entry(node.kind))
        per = program.world.kinds[node.kind].fields[node.field].per
        cases: list[tuple[ty.Value, ty.Value]] = []
        for (kind, field, at, column), effect in program.effects.items():
            if (kind, field) == (node.kind, node.field) and effect in program.meant(node):
                test = _equal(subject, ty.Const(at, type=subject.type.total()))
                if column is not None and per is not None and node.key is not None:
                    key = ty.Const(program.world.kinds[per].index[column], type=entry(per))
                    test = both(test, _equal(node.key, key))
                guard = program.guards.get(effect, ty.YES)
                cases.append((test, inline(program, guard, (), node.me, ())))
        return ty.Cases(tuple(cases), ty.NO, type=YES_NO, span=node.span)

    # ---------------------------------------------------------------- changes
    def _changed(
        self,
        condition: ty.Value,
        step: _Expressible,
        changing: Cells,
    ) -> ty.Value:
        """Replace the reads of what a single change writes."""
        expressible = 0

        def put(node: ty.Node) -> ty.Node:
            nonlocal expressible
            match node:
                case ty.Comparison(left=ty.Arith(left=ty.CountOf() as count)):
                    return _tidied(node, count)
                case (
                    ty.CountOf(domain=ty.Lying() as domain) | ty.AnyOf(domain=ty.Lying() as domain)
                ) if isinstance(step, ty.MoveCounted) and self._reads(domain) & changing:
                    expressible += 1
                    number = _number(domain, step)
                    if isinstance(node, ty.CountOf) or number == ty.CountOf(domain, type=NUMBER):
                        return number if isinstance(node, ty.CountOf) else node
                    test = ty.Comparison(">=", number, ONE, type=YES_NO, span=node.span)
                    return put(attrs.evolve(test, why=node.why))
                case ty.MemberOf(subject=subject, domain=ty.Lying() as domain) if (
                    isinstance(step, ty.MovePrinted) and self._reads(domain) & changing
                ):
                    expressible += 1
                    inside = both(_within(domain, step.target, None), _of_entry(domain, step))
                    return _chosen(_equal(subject, step.subject), inside, node)
                case ty.TrackCell(track=track, dims=dims) if (
                    isinstance(step, ty.ChangeTrack) and track == step.track
                ):
                    expressible += 1
                    return _chosen(_alike(dims, step.dims), self._moved(node, step), node)
                case ty.FlagCell(flag=flag, dims=dims) if (
                    isinstance(step, ty.SetFlag) and flag == step.flag
                ):
                    expressible += 1
                    return _chosen(_alike(dims, step.dims), ty.YES if step.on else ty.NO, node)
            return node

        reading = sum(1 for node in ty.walk(condition) if self._reads(node) & changing)
        new = ty.rewrite(condition, put)
        if reading != expressible:
            raise _Inexpressible
        return new

    def _reads(self, node: ty.Node) -> Cells:
        """Return the cells that a node reads by itself, or in calls that are not inlined."""
        traits = TRAITS[type(node)]
        cells = {*traits.reads(node, self.program)}
        for value in traits.computes(node, self.program):
            cells |= self.effects.called_reads(value)
        for proc in traits.asks(node, self.program):
            cells |= self.effects.called_reads(proc)
        return frozenset(cells)

    def _moved(self, cell: ty.TrackCell, step: ty.ChangeTrack) -> ty.Value:
        info = self.program.world.tracks[step.track]
        changed = ty.Arith("+" if step.up else "-", cell, step.amount, type=NUMBER)
        new = step.result or changed
        for op, bound in (("max", info.low), ("min", info.high)):
            new = ty.Arith(op, new, ty.Const(bound, type=NUMBER), type=NUMBER)
        return new


def _tidied(node: ty.Comparison, count: ty.CountOf) -> ty.Comparison:
    """Return a comparison of a count and two constants with one constant."""
    left, right = node.left, node.right
    if (
        isinstance(left, ty.Arith)
        and left.op in {"+", "-"}
        and isinstance(left.right, ty.Const)
        and isinstance(right, ty.Const)
    ):
        by = left.right.value if left.op == "-" else -left.right.value
        return attrs.evolve(node, left=count, right=attrs.evolve(right, value=right.value + by))
    return node


def _number(domain: ty.Lying, step: ty.MoveCounted) -> ty.Value:
    """Return the number of counted pieces in cells after a move."""
    now: ty.Value = ty.CountOf(domain, type=NUMBER, span=domain.span)
    if not step.source.one or not step.target.one:
        raise _Inexpressible
    before = ty.CountOf(attrs.evolve(domain, cells=step.source, owner=step.owner), type=NUMBER)
    moved = before if step.amount is None else step.amount
    if not isinstance(moved, ty.Const):
        moved = ty.Arith("max", moved, ZERO, type=NUMBER)
    if step.up_to and step.amount is not None:
        moved = ty.Arith("min", moved, before, type=NUMBER)
    for op, cells in (("-", step.source), ("+", step.target)):
        inside = _within(domain, cells, step.owner)
        if inside != ty.NO:
            part = _chosen(inside, moved, ZERO)
            now = ty.Arith(op, now, part, type=NUMBER, span=domain.span)
    return now


def _within(domain: ty.Lying, cells: ty.Cells, owner: ty.Value | None) -> ty.Value:
    """Return the condition for pieces in a cell to be in a domain, but for their entry."""
    if domain.cells.place != cells.place:
        return ty.NO
    if domain.owner is not None and owner is None:
        raise _Inexpressible
    tests = [] if domain.owner is None or owner is None else [_equal(domain.owner, owner)]
    for wide, narrow in zip(domain.cells.dims, cells.dims, strict=True):
        if wide is not None and narrow is not None:
            if wide.type.family == "list":
                raise _Inexpressible
            tests.append(_equal(wide, narrow))
    return both(*tests)


def _of_entry(domain: ty.Lying, step: ty.MovePrinted) -> ty.Value:
    if domain.owner is not None or step.subject.type.maybe:
        raise _Inexpressible
    if domain.entry is None:
        return ty.YES
    kind = entry(domain.piece)
    return _equal(ty.EntryOf(domain.piece, step.subject, type=kind), domain.entry)


def _alike(dims: tuple[ty.Value, ...], others: tuple[ty.Value, ...]) -> ty.Value:
    return both(*map(_equal, dims, others))


def _equal(one: ty.Value, other: ty.Value) -> ty.Value:
    if one == other:
        return ty.YES
    if isinstance(one, ty.Const) and isinstance(other, ty.Const):
        return ty.NO
    return ty.Comparison("=", one, other, type=YES_NO)


def _chosen(condition: ty.Value, then: ty.Value, otherwise: ty.Value) -> ty.Value:
    if condition == ty.YES:
        return then
    if condition == ty.NO:
        return otherwise
    kind, span = otherwise.type, otherwise.span
    return ty.Cases(((condition, then),), otherwise, type=kind, span=span)
