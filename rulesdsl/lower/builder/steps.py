"""Builder of steps without decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import MANY_BRANCHES
from rulesdsl.check.analysis.intervals import MAX_REPEATS
from rulesdsl.check.typed.program import TypedProc
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import changes, domains, fields, values
from rulesdsl.lower.builder.writer import NONE, ZERO, Writer
from rulesdsl.lower.flat.walk import op, select, within
from rulesdsl.source.span import NOWHERE, Span


def steps(w: Writer, every: Sequence[ty.Step]) -> None:
    """Write steps in order."""
    for each in every:
        with w.at(each.span):
            step(w, each)


def body(w: Writer, block: ty.Block) -> None:
    """Write the steps of a block and its revelations."""
    steps(w, block.steps)
    reveal(w, block.reveals_at_end)


def reveal(w: Writer, conditions: Sequence[ty.Value], span: Span = NOWHERE) -> None:
    """Write code that records, for each condition that holds, that a player learns something."""
    for each in conditions:
        with w.at(span):
            w.when(w.value(each), lambda: w.add(fl.LEARN))


def resets(w: Writer, proc: TypedProc) -> bool:
    """Return whether a procedure clears tracks or flags at the start and end of an activation."""
    # a procedure below a hook is not listed by its title
    outermost = {each.key for each in w.world.procs.get(proc.title, [])}
    return proc.key in outermost and bool(w.world.activation(proc.title))


def reset(w: Writer, proc: TypedProc) -> None:
    """Write code that clears the tracks and flags that last for one activation of a procedure."""
    for each in (*w.world.counters, *w.world.shown.values()):
        if each.during == proc.title:
            w.add(fl.Fill(each.array, each.low))


def does(w: Writer, proc: TypedProc) -> None:
    """Write the body of a procedure without decisions."""
    clears = resets(w, proc)
    with w.at(proc.span):
        if clears:
            reset(w, proc)
    body(w, proc.body)
    with w.at(proc.span):
        if clears:
            reset(w, proc)


def step(w: Writer, node: ty.Step) -> None:
    """Write a step."""
    reveal(w, node.reveals)
    if isinstance(node, changes.Change):
        changes.change(w, node)
        return
    match node:
        case ty.Require():
            pass  # already checked by the guard
        case ty.Block():
            body(w, node)
        case ty.SetLocal(name=name, value=value):
            _bind(w, name, value)
            changes.hold(w, name, value)
        case ty.Run():
            me, *arguments = values.given(w, [node.me, *node.arguments])
            changes.hold_arguments(w, node, arguments)
            w.add(fl.RunFunction(f"do:{node.proc}", (me, *arguments)))
        case ty.DoField():
            _do_field(w, node)
        case ty.Tell() | ty.EndTell():
            if w.shared.logging:
                changes.tell(w, node)
        case ty.Finish():
            w.note(node, "end", "", NONE)
            w.add(fl.FinishGame())
        case ty.Branching(branches=branches) if len(branches) > MANY_BRANCHES:
            _many_branches(w, node)
        case ty.Branching(branches=branches, otherwise=otherwise):
            _branching(w, [*branches], otherwise)
        case ty.WhereAble(guard=guard, block=block, otherwise=otherwise):
            _branching(w, [(guard, block)], otherwise)
        case ty.RepeatTimes(times=times, until=until, block=block):
            _rounds(w, times, until, block)
        case ty.ForEach():
            _for_each(w, node)
        case ty.Decide() | ty.Secretly():
            raise AssertionError(node)  # procedures with decisions are machines
        case _:
            assert_never(node)


def _bind(w: Writer, name: str, value: ty.Value) -> None:
    if value.type.family != "bundle":
        w.add(fl.Set(name, w.value(value)))
        return
    parts = zip(w.layout.parts(name), values.parts(w, value), strict=True)
    w.add(*(fl.Set(part, each) for part, each in parts))


def _do_field(w: Writer, node: ty.DoField) -> None:
    # for a constant key, effects under other keys may be machines; they are unreachable here
    procs = w.program.procs
    names = fields.effects(
        w,
        node,
        "done",
        lambda key: values.NEVER if procs[key].decides else f"do:{key}",
        values.NEVER,
    )
    index, me = fields.index(w, node), w.value(node.me)
    name, at = fields.one_of(w, names, index)
    w.add(fl.RunFunction(name, (me,), at))


def _many_branches(w: Writer, node: ty.Branching) -> None:
    """Write grouped tests that compute the number of the branch, and a dispatch on that number."""
    none = fl.Literal(len(node.branches))
    which = w.set("which", none)
    numbered = [(condition, at) for at, (condition, _) in enumerate(node.branches)]
    for first in range(0, len(numbered), MANY_BRANCHES):
        some = numbered[first : first + MANY_BRANCHES]
        w.when(op("=", which, none), lambda some=some: _find(w, which, some))  # type: ignore[misc]
    blocks = node.blocks
    w.one_of(which, [partial(body, w, block) for block in blocks])


def _find(w: Writer, which: fl.LocalVar, numbered: list[tuple[ty.Value, int]]) -> None:
    if not numbered:
        return
    (condition, at), *left = numbered
    found = fl.Set(which.name, fl.Literal(at))
    w.when(w.value(condition), lambda: w.add(found), lambda: _find(w, which, left))


def _branching(w: Writer, branches: list[tuple[ty.Value, ty.Block]], otherwise: ty.Block) -> None:
    if not branches:
        body(w, otherwise)
        return
    (condition, block), *left = branches
    w.when(
        w.value(condition),
        lambda: body(w, block),
        lambda: _branching(w, left, otherwise),
    )


def _rounds(w: Writer, times: ty.Value, until: ty.Value | None, block: ty.Block) -> None:
    def each(_: fl.Expr) -> None:
        if until is not None:
            w.when(w.value(until), lambda: w.add(fl.Break()))
        body(w, block)

    often = op("min", w.value(times), fl.Literal(MAX_REPEATS))
    w.loop("round", fl.IntRange(ZERO, often), each)


def _for_each(w: Writer, node: ty.ForEach) -> None:

    def each(thing: fl.Expr) -> None:
        with w.given({node.variable: thing}):
            body(w, node.block)

    domain = node.domain
    fixed = isinstance(domain, ty.Entries | ty.NumberRange | ty.ListedEntries | ty.AllSeats)
    if fixed and node.start is None:
        domains.through(w, domain, node.variable, each)
        return
    buffer = w.buffer("things", domains.most(w, domain))
    snapshot(w, domain, node.start, buffer)
    w.loop(node.variable, buffer, each)


def snapshot(w: Writer, domain: ty.Domain, start: ty.Value | None, buffer: fl.Buffer) -> None:
    """Write code that lists the entities of a loop; a loop around the table begins at `start`."""
    if start is None:
        domains.through(w, domain, "each", lambda thing: w.add(fl.Push(buffer, thing)))
        return
    base = domain.unfiltered
    players = isinstance(base, ty.AllSeats) and base.players
    count = w.layout.players if players else w.layout.seats
    first = w.steady(start, "first")
    # if the start is a rival or nobody, a loop over players starts with the first player
    begin = w.kept(select(within(first, 0, count), first, ZERO), "first")

    def each(by: fl.Expr) -> None:
        seat = w.set("seat", op("%", op("+", begin, by), fl.Literal(count)))
        if not isinstance(domain, ty.Filtered):
            w.add(fl.Push(buffer, seat))
            return
        holds = w.about(domain.variable, seat, domain.condition)
        w.when(holds, lambda: w.add(fl.Push(buffer, seat)))

    w.loop("by", fl.IntRange(ZERO, fl.Literal(count)), each)
