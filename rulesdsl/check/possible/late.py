"""Conditions that can only be asked when it may be too late, reported where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import atoms
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.typed.walk import children
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.possible.guards import Guards


def is_added(g: Guards, span: Span, condition: ty.Value) -> bool:
    """Whether a hook does here what asks, further down and in no hook, for a condition."""
    return _in_hook(g, span) and not _in_hook(g, condition.span)


def _in_hook(g: Guards, span: Span) -> bool:
    return any(hook.holds(span) for hook in g.hooks.get(span.file, ()))


def _hook_before(g: Guards, condition: ty.Value, place: Span) -> Span | None:
    """Return the hook in front of the steps here that changes what they ask for."""
    proc = g.program.procs.get(g.key)
    if proc is None:
        return None
    every = g.program.world.procs.get(proc.title, ())
    for hook in (each for info in every if info.key == proc.key for each in info.hooks):
        if hook.time == "before" and not hook.span.holds(place):
            steps = (step for step in proc.block.steps if hook.span.holds(step.span))
            read = g.effects.reads(condition)
            if any(g.effects.writes(step) & read for step in steps):
                return hook.span
    return None


def asked_at(g: Guards, condition: ty.Value) -> Span:
    """Return where a condition stands that a call has brought along, NOWHERE if nowhere."""
    parts: tuple[ty.Value, ...]
    if isinstance(condition, ty.Can | ty.CanDo):
        keys = FACTS[type(condition)].asks(condition, g.program)
        parts = tuple(g.program.guards.get(key, ty.YES) for key in keys)
    elif isinstance(condition, ty.Cases):
        parts = (*(guard for _, guard in condition.cases), condition.otherwise)
    elif isinstance(condition, ty.And | ty.Or):
        parts = condition.parts
    elif isinstance(condition, ty.LetIn):
        parts = (condition.inner,)
    else:
        return condition.span
    places = (asked_at(g, part) for part in parts)
    return next((span for span in places if span != NOWHERE), NOWHERE)


def report_asked_late(g: Guards, place: Span, condition: ty.Value) -> None:
    """Report what is asked too late: in the hook before it that changes what it asks for."""
    hook = _hook_before(g, condition, place)
    if hook is None:
        report_late(g, place, condition)
    else:
        asked = (place, "it is asked here")
        _report(g, ty.YES, hook, asked, (_added_at(g, condition), "because of this"))


def report_late(g: Guards, span: Span, condition: ty.Value) -> None:
    """Report a condition that comes too late: in the hook that asks for it, if one does."""
    added = NOWHERE if _in_hook(g, span) else _added_at(g, condition)
    if added == NOWHERE:
        _report(g, condition, span, (asked_at(g, condition), "it is asked here"))
    else:
        _report(g, condition, added, (span, "this comes to it"))


def _added_at(g: Guards, condition: ty.Value) -> Span:
    """Return where a hook asks for a part of a condition, NOWHERE if none does."""
    places = _asking_places(g, condition, set())
    return next((place for place in places if _in_hook(g, place)), NOWHERE)


def _asking_places(g: Guards, condition: ty.Node, seen: set[str]) -> Iterator[Span]:
    """Yield where a condition and its parts are asked; of several ways, those before all."""
    parts: Iterable[ty.Node]
    if isinstance(condition, ty.Cases):
        parts = (*(guard for _, guard in condition.cases), condition.otherwise)
    elif isinstance(condition, ty.LetIn):
        parts = (condition.inner,)
    elif isinstance(condition, ty.Filtered):
        parts = (condition.condition, condition.base)
    else:
        yield condition.span
        found = set(FACTS[type(condition)].asks(condition, g.program))
        guards = [g.program.guards.get(key, ty.YES) for key in sorted(found - seen)]
        seen |= found
        parts = guards if found else children(condition)
    for part in parts:
        yield from _asking_places(g, part, seen)
    yield condition.span


def _report(g: Guards, asked: ty.Value, span: Span, *others: tuple[Span, str]) -> None:
    help_text = (
        "Put `if able:` or `may` before it, move `up to` so many, or ask for it before "
        "anything changes: with `needs`, or with an `if any ...:` that has no `where`."
    )
    if any(isinstance(each, ty.AnyOf) and _is_sort(each.domain) for each in atoms(asked)):
        help_text += "\nOf several from one place, choose each with `let` before one is moved."
    related = [Related(at, why) for at, why in others if at not in {NOWHERE, span}]
    message = "This may turn out to be impossible when it is too late to say so."
    g.findings.report("E401", span, message, help_text, related)


def _is_sort(domain: ty.Domain) -> bool:
    """Whether these are pieces in a place, and only some of those."""
    base = domain.base if isinstance(domain, ty.Filtered) else domain
    return isinstance(base, ty.Lying) and (base is not domain or base.entry is not None)
