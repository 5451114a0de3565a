"""Machines: blocks of steps, and how each goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower import form as fm
from rulesdsl.lower.flatten import asks, fields, values
from rulesdsl.lower.flatten.frames import spread
from rulesdsl.lower.flatten.steps import steps
from rulesdsl.lower.flatten.writer import Writer
from rulesdsl.lower.fold import known

if TYPE_CHECKING:
    from rulesdsl.lower.flatten.writer import Shared


def machine(shared: Shared, made: fm.Machine) -> fl.Machine:
    """Return a machine in the flat form."""
    w = Writer(shared, made.key)
    blocks: list[fl.Body] = []
    for at, block in enumerate(made.blocks):
        with w.body() as body:
            steps(w, block.steps)
            _end(w, made, at, block.end)
        blocks.append(tuple(body))
    return fl.Machine(
        made.key,
        ("me", *spread(shared, made, made.params)),
        ("me", *spread(shared, made, made.slots)),
        tuple(blocks),
        tuple(w.buffers.items()),
        made.span,
    )


def wrapped(key: str, params: tuple[str, ...]) -> fl.Machine:
    """Return a machine that carries out a function: where some of a table decide, all are one."""
    do = fl.Do(f"do:{key}", tuple(fl.Local(each) for each in params))
    return fl.Machine(key, params, params, ((do, fl.Leave()),))


def _end(w: Writer, made: fm.Machine, at: int, end: fm.End) -> None:
    match end:
        case fm.Goto(target=target):
            w.add(fl.Goto(made.past(target)))
        case fm.Test(condition=condition, yes=yes, no=no):
            if not asks.test_and_ask(w, made, end):
                w.when(
                    w.value(condition),
                    lambda: w.add(fl.Goto(made.past(yes))),
                    lambda: w.add(fl.Goto(made.past(no))),
                )
        case fm.Call(proc=proc, me=me, arguments=arguments, then=then):
            w.add(fl.Enter(proc, values.given(w, [me, *arguments]), made.past(then)))
        case fm.CallField():
            _enter_field(w, made, end)
        case fm.Return():
            w.add(fl.Leave())
        case fm.Ask():
            asks.ask(w, made, at, end)
        case fm.AskSecret():
            asks.ask_all(w, made, at, end)
        case _:
            assert_never(end)


def _enter_field(w: Writer, made: fm.Machine, end: fm.CallField) -> None:
    """Write the entering of the effect in a field: one that asks nobody is a machine as well."""
    flat, form = w.shared.flat, w.shared.form

    def entered(key: str) -> str:
        if key not in form.machines and key not in flat.machines:
            flat.machines[key] = wrapped(key, ("me",))
        return key

    node = ty.DoField(end.kind, end.field, end.subject, end.key, end.me)
    names = fields.effects(w, node, entered, values.NEVER)
    if values.NEVER in names:
        nothing = fl.Machine(values.NEVER, ("me",), ("me",), ((fl.Leave(),),))
        flat.machines.setdefault(values.NEVER, nothing)
    index, me = fields.effect_index(w, node), w.value(end.me)
    then = made.past(end.then)
    number = known(index)
    if number is not None or len({*names}) == 1:
        w.add(fl.Enter(names[number or 0], (me,), then))
        return
    w.add(fl.Enter(w.shared.choices(names), (me,), then, index))
