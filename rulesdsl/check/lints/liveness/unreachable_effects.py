"""W602, W603: effects and options that no game reaches or that are always impossible."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import reached
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.typed.program import Checked, EffectKey, Program, TypedProc
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import NeverReached
from rulesdsl.source.span import Span
from rulesdsl.syntax import statements as st

HELP = "Fix the condition or the amounts, or remove it."


def unreachable_effects(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report effects that no rule reaches, and effects and options that are never possible."""
    program = checked.program
    reach = Intervals(program, checked.values)
    reachable = _reached(program)
    _report_unreached(program, reachable, findings)
    hopeless = {
        proc for proc in program.effects.values() if reach.never(program.guards.get(proc, ty.YES))
    }
    for key, proc in program.effects.items():
        if proc in hopeless and proc in reachable:
            _cannot_hold(program, key, findings)
    tried = sorted(reachable - hopeless)
    steps = (step for proc in tried for step in ty.walk(checked.bodies[proc]))
    for guard, span, what in (offer for step in steps for offer in _offers(step)):
        if reach.never(guard):
            findings.report("W602", span, f"{what} can never be carried out.", HELP)


def _offers(step: ty.Node) -> Iterator[tuple[ty.Value, Span, str]]:
    if isinstance(step, ty.WhereAble):
        yield step.guard, step.span, "This"
    elif isinstance(step, ty.ForEach) and isinstance(step.domain, ty.Filtered):
        yield step.domain.condition, step.domain.span, "This loop"
    elif isinstance(step, ty.Decide) and step.stop == ty.DECLINE:
        yield from ((line.guard, step.span, "This offer") for line in step.lines)
    elif isinstance(step, ty.Decide):
        for line in step.lines:
            span = _steps(line.block) if step.stop is None else line.span
            yield line.guard, span, "This line"


def _steps(block: ty.Block) -> Span:
    return block.steps[0].span.to(block.steps[-1].span) if block.steps else block.span


# -------------------------------------------------------------------- unreachable effects
def _report_unreached(program: Program, reachable: frozenset[str], findings: Findings) -> None:
    done = {
        (step.kind, step.field)
        for proc in program.procs.values()
        for step in _calls_in(proc)
        if isinstance(step, ty.DoField)
    }
    for (kind, field, _, key), proc in program.effects.items():
        if proc not in reachable and (kind, field) in done:
            where = f"`do {field} of ... at {key}`" if key else f"`do {field} of ...` for this"
            findings.report(
                "W602",
                program.procs[proc].span,
                f"This is never carried out: no rule that can run says {where}.",
                "Use it somewhere, move it to another field, or remove it.",
                facts=NeverReached(where),
            )


def _calls_in(proc: TypedProc) -> list[ty.Run | ty.DoField]:
    return [step for step in proc.nodes if isinstance(step, ty.Run | ty.DoField)]


def _reached(program: Program) -> frozenset[str]:
    """Return the procedures that `game` reaches; `do` reaches the effects of possible entries."""

    def called(name: str) -> Iterator[str]:
        for step in _calls_in(program.procs[name]):
            if isinstance(step, ty.Run) and step.proc in program.procs:
                yield step.proc
            elif isinstance(step, ty.DoField):
                yield from (e for key, e in program.effects.items() if _does(program, step, key))

    return reached({"game"} & program.procs.keys(), called)


def _does(program: Program, step: ty.DoField, effect: EffectKey) -> bool:
    kind, field, entry, key = effect
    if (step.kind, step.field) != (kind, field):
        return False
    subjects = _possible(program, step.subject)
    if subjects is not None and entry not in subjects:
        return False
    per = program.world.kinds[kind].fields[field].per
    if key is None or step.key is None or per is None:
        return True
    keys = _possible(program, step.key)
    return keys is None or program.world.kinds[per].index[key] in keys


def _possible(program: Program, value: ty.Value, depth: int = 8) -> set[int] | None:
    """Return the entries that a value may be; None if they are unknown."""
    if isinstance(value, ty.Const):
        return {value.value}
    if isinstance(value, ty.Cases):
        found = [_possible(program, each, depth) for each in value.values]
        return None if None in found else {one for some in found if some for one in some}
    if isinstance(value, ty.LetIn):
        return _possible(program, value.inner, depth)
    if isinstance(value, ty.CallValue) and depth:
        body = program.values.get((value.name, value.layer))
        return None if body is None else _possible(program, body.body, depth - 1)
    if isinstance(value, ty.FieldOf):
        entries = program.world.kinds[value.kind].entries
        values = [v for e in entries for (name, _), v in e.values.items() if name == value.field]
        return {each for each in values if isinstance(each, int)}
    return None


# -------------------------------------------------------------------- impossible effects
def _cannot_hold(program: Program, effect: EffectKey, findings: Findings) -> None:
    kind, field, at, key = effect
    body = program.world.kinds[kind].entries[at].effects[field, key]
    costs = [each for each in body.statements if isinstance(each, st.Sequence) and each.gains]
    if costs:
        span = costs[0].steps[0].span.to(costs[0].steps[-1].span)
        findings.report(
            "W603",
            span,
            "Nobody can ever pay this: it is more than anybody can have.",
            "Lower the price, or add more to the game.",
        )
    else:
        findings.report("W602", body.span, "This can never be carried out.", HELP)
