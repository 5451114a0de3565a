"""W614: an `if able:` that may fail after a cost was paid, or leave an offer empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.payments import is_paid
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Wording
from rulesdsl.source.span import Span

PAID_FOR_NOTHING = Wording(
    "W614",
    "If this is not possible, what was paid for it is lost.",
    "Without `if able:`, join it to the cost on one line: `A to B` is only offered if all of it "
    "is possible. Or say under `otherwise:` what happens instead.",
)
OFFERED_FOR_NOTHING = attrs.evolve(
    PAID_FOR_NOTHING,
    message="This is offered even if it is not possible, and then it does nothing.",
    advice="Remove `if able:`: what is not possible is not offered. Or say under `otherwise:` "
    "what happens instead.",
)
HOOKED_FOR_NOTHING = attrs.evolve(
    PAID_FOR_NOTHING,
    message="`{verb}` is now offered even if it is not possible, and then it does nothing.",
    advice="Without `if able:`, join it with `to` to what comes before it, on one line, or call "
    "`{verb}` first. Or say under `otherwise:` what happens instead.",
)

_Silent = ty.SetLocal | ty.Require | ty.SetFlag | ty.Tell | ty.EndTell


# A body is hollow if nothing in it but an `if able:` does anything; payments, marks, choices and
# conditions do nothing by themselves, and `otherwise:` says what happens instead. A hollow body
# is reported if it takes a payment, or if it is an option or an effect in a field. So is an
# `if able:` around a hook's call to the verb that it replaces, which is then always offered.
def hollow(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report an `if able:` whose failing leaves a cost paid or an offer empty."""
    program = checked.program
    effects = {*program.effects.values()}
    reported: set[Span] = set()

    def report(said: Wording, steps: Iterable[ty.WhereAble], verb: str = "") -> None:
        for step in steps:
            if step.span not in reported:
                reported.add(step.span)
                said.report(findings, step.span, verb=verb)

    trying = _trying(checked)
    for key, body in checked.bodies.items():
        if not any(
            isinstance(step, ty.WhereAble) or (isinstance(step, ty.Run) and step.proc in trying)
            for step in checked.steps[key]
        ):
            continue
        nodes = [*ty.walk(body)]
        report(HOOKED_FOR_NOTHING, filter(_loses_guard, nodes), program.procs[key].title)
        offered = [node.block for node in nodes if isinstance(node, ty.OptionLine)]
        for block in (node for node in nodes if isinstance(node, ty.Block)):
            failing = _hollow(block, checked) if _tries(block, trying) else []
            if failing and is_paid(block.steps, program):
                report(PAID_FOR_NOTHING, failing)
            elif block in offered or (block is body and key in effects):
                report(OFFERED_FOR_NOTHING, failing)


def _trying(checked: Checked) -> set[str]:
    """Return the procedures in whose outermost block a step may fail, in them or in a callee."""
    trying: set[str] = set()
    while True:
        more = {key for key, body in checked.bodies.items() if _tries(body, trying)}
        if more == trying:
            return trying
        trying = more


def _tries(block: ty.Block, trying: set[str]) -> bool:
    return any(
        _may_fail(step)
        or (isinstance(step, ty.Run) and step.proc in trying)
        or (isinstance(step, ty.Block) and _tries(step, trying))
        for step in block.steps
    )


def _may_fail(step: ty.Node) -> bool:
    return isinstance(step, ty.WhereAble) and not step.otherwise.steps and step.guard != ty.YES


def _loses_guard(step: ty.Node) -> TypeGuard[ty.WhereAble]:
    calls = (node for node in ty.walk(step) if isinstance(node, ty.Run))
    return _may_fail(step) and any("@" in call.proc for call in calls)


def _hollow(block: ty.Block, checked: Checked) -> list[ty.WhereAble]:
    """Return the steps that may fail if nothing else in a block does anything, or else []."""
    failing: list[ty.WhereAble] = []
    chosen: list[ty.Step] = []
    for step in block.steps:
        if isinstance(step, ty.WhereAble) and _may_fail(step):
            failing.append(step)
        elif isinstance(step, ty.Decide) and step.onward:
            chosen.append(step)
        elif not isinstance(step, _Silent):
            inner = step if isinstance(step, ty.Block) else ty.Block(())
            if isinstance(step, ty.Run):
                inner = checked.bodies.get(step.proc, inner)
            within = _hollow(inner, checked)
            if not within and not is_paid((*chosen, step), checked.program):
                return []
            failing += within
    return failing
