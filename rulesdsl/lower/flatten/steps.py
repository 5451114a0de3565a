"""Steps in which nobody is asked: what is done in which order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.depth import MANY_BRANCHES
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten import changes, domains, fields, told, values
from rulesdsl.lower.flatten.writer import NONE, ZERO
from rulesdsl.lower.fold import op, select, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.lower.flatten.writer import Writer

MAX_SPENT = 1024


def steps(w: Writer, every: Sequence[ty.Step]) -> None:
    """Write steps in order."""
    for each in every:
        with w.at(each.span):
            step(w, each)


def step(w: Writer, node: ty.Step) -> None:  # noqa: C901, PLR0912 - one case a kind
    """Write a step."""
    if isinstance(node, changes.Change):
        changes.change(w, node)
        return
    match node:
        case ty.Require():
            pass  # it has been asked for before
        case ty.Block(steps=inner):
            steps(w, inner)
        case ty.SetLocal(name=name, value=value):
            _bind(w, name, value)
        case ty.EmptyList(name=name):
            w.add(fl.Clear(w.list(name, MAX_SPENT)))
        case ty.Snapshot(name=name, domain=domain, start=start):
            buffer = w.list(name, domains.most(w, domain))
            w.add(fl.Clear(buffer))
            snapshot(w, domain, start, buffer)
        case ty.Run():
            w.add(fl.Do(f"do:{node.proc}", values.given(w, [node.me, *node.arguments])))
        case ty.DoField():
            _do_field(w, node)
        case ty.Tell() | ty.Told():
            if w.shared.logging:
                told.tell(w, node)
        case ty.Finish():
            w.note(node, "end", "", NONE)
            w.add(fl.Finish())
        case ty.Branching(branches=branches) if len(branches) > MANY_BRANCHES:
            _many_branches(w, node)
        case ty.Branching(branches=branches, otherwise=otherwise):
            _branching(w, [*branches], otherwise)
        case ty.RepeatTimes(times=times, block=block):
            _rounds(w, times, None, block)
        case ty.RepeatUntil(limit=limit, condition=condition, block=block):
            _rounds(w, limit, condition, block)
        case ty.ForEach():
            _for_each(w, node)
        case ty.WhereAble() | ty.Decide() | ty.Secretly():
            raise AssertionError(node)  # cut out before
        case _:
            assert_never(node)


def _bind(w: Writer, name: str, value: ty.Value) -> None:
    if value.type.family != "bundle":
        w.add(fl.Set(name, w.value(value)))
        return
    parts = zip(w.layout.parts(name), values.parts(w, value), strict=True)
    w.add(*(fl.Set(part, each) for part, each in parts))


def _do_field(w: Writer, node: ty.DoField) -> None:
    # where the key is fixed, effects under other keys may be machines: they are never met here
    functions = w.shared.form.functions
    names = fields.effects(
        w,
        node,
        "done",
        lambda key: f"do:{key}" if key in functions else values.NEVER,
        values.NEVER,
    )
    index, me = fields.index(w, node), w.value(node.me)
    name, at = fields.one_of(w, names, index)
    w.add(fl.Do(name, (me,), at))


def _many_branches(w: Writer, node: ty.Branching) -> None:
    """Write tests that find the number of a branch, some at a time, and then what it does."""
    none = fl.Const(len(node.branches))
    which = w.set("which", none)
    numbered = [(condition, at) for at, (condition, _) in enumerate(node.branches)]
    for first in range(0, len(numbered), MANY_BRANCHES):
        some = numbered[first : first + MANY_BRANCHES]
        w.when(op("=", which, none), lambda some=some: _find(w, which, some))  # type: ignore[misc]
    blocks = node.blocks
    w.one_of(which, [partial(steps, w, block.steps) for block in blocks])


def _find(w: Writer, which: fl.Local, numbered: list[tuple[ty.Value, int]]) -> None:
    if not numbered:
        return
    (condition, at), *left = numbered
    found = fl.Set(which.name, fl.Const(at))
    w.when(w.value(condition), lambda: w.add(found), lambda: _find(w, which, left))


def _branching(w: Writer, branches: list[tuple[ty.Value, ty.Block]], otherwise: ty.Block) -> None:
    if not branches:
        steps(w, otherwise.steps)
        return
    (condition, block), *left = branches
    w.when(
        w.value(condition),
        lambda: steps(w, block.steps),
        lambda: _branching(w, left, otherwise),
    )


def _rounds(w: Writer, times: ty.Value, until: ty.Value | None, block: ty.Block) -> None:
    """Write a bounded loop."""

    def body(_: fl.Expr) -> None:
        if until is not None:
            w.when(w.value(until), lambda: w.add(fl.Break()))
        steps(w, block.steps)

    often = op("min", w.value(times), fl.Const(MAX_REPEATS))
    w.loop("round", fl.Range(ZERO, often), body)


def _for_each(w: Writer, node: ty.ForEach) -> None:
    """Write a loop over things as they were before it."""

    def body(thing: fl.Expr) -> None:
        with w.given({node.variable: thing}):
            steps(w, node.block.steps)

    domain = node.domain
    fixed = isinstance(domain, ty.Entries | ty.Numbers | ty.Listed | ty.AllSeats)
    if fixed and node.start is None:
        domains.through(w, domain, node.variable, body)
        return
    buffer = w.buffer("things", domains.most(w, domain))
    snapshot(w, domain, node.start, buffer)
    w.loop(node.variable, buffer, body)


def snapshot(w: Writer, domain: ty.Domain, start: ty.Value | None, buffer: fl.Buffer) -> None:
    """Write the things of a loop into a list; a circle of seats from its start."""
    if start is None:
        domains.through(w, domain, "each", lambda thing: w.add(fl.Push(buffer, thing)))
        return
    base = domain.unfiltered
    players = isinstance(base, ty.AllSeats) and base.players
    count = w.layout.players if players else w.layout.seats
    first = w.steady(start, "first")
    # a rival who starts among players, or nobody, is the first player
    begin = w.kept(select(within(first, 0, count), first, ZERO), "first")

    def each(by: fl.Expr) -> None:
        seat = w.set("seat", op("%", op("+", begin, by), fl.Const(count)))
        if not isinstance(domain, ty.Filtered):
            w.add(fl.Push(buffer, seat))
            return
        holds = w.about(domain.variable, seat, domain.condition)
        w.when(holds, lambda: w.add(fl.Push(buffer, seat)))

    w.loop("by", fl.Range(ZERO, fl.Const(count)), each)
