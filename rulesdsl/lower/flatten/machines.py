"""Machines: blocks of steps, and how each goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower import form as fm
from rulesdsl.lower.flatten import asks, fields, values
from rulesdsl.lower.flatten.frames import spread
from rulesdsl.lower.flatten.steps import steps
from rulesdsl.lower.flatten.writer import Writer

if TYPE_CHECKING:
    from rulesdsl.lower.flatten.writer import Shared


def frame(shared: Shared, made: fm.Machine) -> fl.Machine:
    """Return a machine in the flat form whose blocks are not written yet."""
    params, slots = (spread(shared, made, names) for names in (made.params, made.slots))
    return fl.Machine(made.key, ("me", *params), ("me", *slots), (), (), made.span)


def enterable(shared: Shared, made: fm.Machine) -> None:
    """Add the effects in fields that a machine enters: what asks nobody is a machine as well."""
    machines = shared.flat.machines
    for end in (block.end for block in made.blocks):
        names = _entered(Writer(shared), end) if isinstance(end, fm.CallField) else ()
        for key in sorted(names, key=lambda each: each == values.NEVER):
            if key not in machines:
                does = () if key == values.NEVER else (fl.Do(f"do:{key}", (fl.Local("me"),)),)
                machines[key] = fl.Machine(key, ("me",), ("me",), ((*does, fl.Leave()),))


def machine(shared: Shared, made: fm.Machine) -> fl.Machine:
    """Return a machine in the flat form."""
    w = Writer(shared, made.key)
    blocks: list[fl.Body] = []
    for at, block in enumerate(made.blocks):
        with w.body() as body:
            steps(w, block.steps)
            _end(w, made, at, block.end)
        blocks.append(tuple(body))
    known = shared.flat.machines[made.key]
    return attrs.evolve(known, blocks=tuple(blocks), buffers=tuple(w.buffers.items()))


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
        case fm.CallField(then=then):
            _enter_field(w, end, made.past(then))
        case fm.Return():
            w.add(fl.Leave())
        case fm.Ask():
            asks.ask(w, made, at, end)
        case fm.AskSecret():
            asks.ask_all(w, made, at, end)
        case _:
            assert_never(end)


def _enter_field(w: Writer, end: fm.CallField, then: int) -> None:
    index, me = fields.index(w, _field(end)), w.value(end.me)
    name, at = fields.one_of(w, _entered(w, end), index)
    w.add(fl.Enter(name, (me,), then, at))


def _entered(w: Writer, end: fm.CallField) -> tuple[str, ...]:
    """Return the machine of the effect in a field, for all that it may be asked of."""
    return fields.effects(w, _field(end), "entered", lambda key: key, values.NEVER)


def _field(end: fm.CallField) -> ty.DoField:
    return ty.DoField(end.kind, end.field, end.subject, end.key, end.me)
