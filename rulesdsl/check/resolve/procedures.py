"""Verbs and steps: their bodies resolved, hooks woven in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.program import TypedProc
from rulesdsl.check.resolve.texts import heading, optional
from rulesdsl.check.scope import Added
from rulesdsl.check.types import UNKNOWN
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.tree import walk
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.resolve.bodies import Bodies
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import HookInfo, ProcInfo
    from rulesdsl.source.diagnostic import Findings


def resolve_proc(bodies: Bodies, proc: ProcInfo) -> None:
    """Resolve a verb or step, with what hooks lay over it, into the program."""
    program = bodies.program
    hooked = [part for hook in proc.hooks for part in (hook.when, hook.body)]
    opened = bodies.of_seat if proc.verb else bodies.of_nobody
    r = opened(proc.body, proc.text, *hooked, may_choose=True)
    scope = r.scope
    scope.inside = proc.name
    params = bodies.params(r, proc.params)
    scope.heading = heading(proc, params)

    def is_done_by(key: str, block: ty.Block) -> None:
        program.procs[key] = TypedProc(key, proc.name, proc.verb, params, block, proc.span)

    scope.added = _added(bodies.findings, proc, params)
    told = _told(r, proc)
    body = r.block(proc.body)
    scope.added = ()
    replacing = [each for each in proc.hooks if each.time == "instead of"]
    for layer, hook in enumerate(replacing):
        is_done_by(f"{proc.key}@{layer}", body)
        body = _instead(r, proc, hook, params, layer)
    before = _hook_steps(r, proc, "before", params)
    after = _hook_steps(r, proc, "after", params)
    if scope.failed or any(param.type == UNKNOWN for param in params):
        program.failed.update([proc.key, *(f"{proc.key}@{at}" for at in range(len(replacing)))])
    steps = (*before, *body.steps, *after)
    if told is not None:
        steps = (told, *steps, ty.Told(span=proc.span))
    is_done_by(proc.key, attrs.evolve(body, steps=steps))


def _told(r: Resolver, proc: ProcInfo) -> ty.Tell | None:
    """Return what the log says of a verb or step, hooks included, where it has words for it."""
    if proc.text is None and not proc.quiet:
        return None
    words, me = optional(r, proc.text), r.actor()
    return ty.Tell(words, me, "act" if proc.verb else "part", proc.quiet, span=proc.span)


def _added(findings: Findings, proc: ProcInfo, params: tuple[ty.Local, ...]) -> tuple[Added, ...]:
    """Return what hooks add to the menu or choice of a procedure, where it has just one."""
    found: list[Added] = []
    for hook in proc.hooks:
        lines = hook.body.statements[0] if hook.time.startswith("add to") else None
        if isinstance(lines, st.Menu | st.ChooseOne):
            there = sum(isinstance(node, type(lines)) for node in walk(proc.body))
            if there == 1:
                found.append(Added(lines, hook.when, hook.params, params))
            else:
                _nothing_to_add_to(findings, proc, hook, there)
    return tuple(found)


def _nothing_to_add_to(findings: Findings, proc: ProcInfo, hook: HookInfo, there: int) -> None:
    word = "menu" if hook.time == "add to menu of" else "choose one"
    known = f"has {there} of them" if there else "has none"
    message = f"Lines can only be added to a single `{word}`, and `{proc.name}` {known}."
    help_text = "Add them to a verb that it calls, or use `before` or `after`."
    findings.report("E410", hook.span, message, help_text, [Related(proc.span, "declared here")])


def _instead(
    r: Resolver, proc: ProcInfo, hook: HookInfo, params: tuple[ty.Local, ...], layer: int
) -> ty.Block:
    """Return what is done instead; where its hook does not apply, the original."""
    r.scope.beneath_proc = (proc.key, layer)
    when, block = _hook(r, hook, params)
    r.scope.beneath_proc = None
    if when is None:
        return block
    below = ty.Run(f"{proc.key}@{layer}", r.actor(), params, span=hook.span)
    otherwise = ty.Block((below,), span=hook.span)
    branching = ty.Branching(((when, block),), otherwise, span=hook.span)
    return ty.Block((branching,), span=hook.span)


def _hook(
    r: Resolver, hook: HookInfo, params: tuple[ty.Local, ...]
) -> tuple[ty.Value | None, ty.Block]:
    with r.scope.block():
        r.scope.locals, r.scope.some = {}, set()
        r.bind(hook.params, params)
        when = None if hook.when is None else r.condition(hook.when)
        if when is not None:
            r.scope.assume(when)
        return when, r.block(hook.body)


def _hook_steps(
    r: Resolver, proc: ProcInfo, time: str, params: tuple[ty.Local, ...]
) -> list[ty.Step]:
    steps: list[ty.Step] = []
    for hook in (each for each in proc.hooks if each.time == time):
        when, block = _hook(r, hook, params)
        if when is None:
            steps.extend(block.steps)
        else:
            steps.append(ty.Branching(((when, block),), ty.Block(()), span=hook.span))
    return steps
