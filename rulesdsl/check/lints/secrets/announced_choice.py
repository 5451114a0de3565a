"""W631: choices that everybody reads although they only change hidden tracks."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

_Change = ty.ChangeTrack | ty.SetFlag


def announced_choice(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report public choices whose result is used only for changes of hidden tracks and flags."""
    world = checked.program.world
    if all(counter.seen_by is None for counter in world.counters):
        return
    for key in checked.program.procs:
        steps = checked.steps[key]
        for choice in steps:
            chosen = _chosen(choice)
            if chosen is None:
                continue
            name, domain = chosen
            changes = [_changes(step, world) for step in steps if _uses(step, name)]
            if changes and all(changes):
                first = changes[0][0]
                message = f"Everybody reads this choice, and `{first.counter}` is hidden."
                value = _new_value(first, domain.element.family, world)
                help_text = (
                    f"Choose in the new value: `set my {first.counter} to {value}`. Then only the "
                    "player who chooses learns it."
                )
                findings.report("W631", choice.span, message, help_text)


def _chosen(step: ty.Step) -> tuple[str, ty.Domain] | None:
    """Return the local and the domain of a choice that everybody reads, in the end."""
    if isinstance(step, ty.Secretly):
        return step.variable, step.domain
    return step.choice if isinstance(step, ty.Decide) and not step.kept else None


def _new_value(change: _Change, family: str, world: SymbolTable) -> str:
    """Return the beginning of a new value that a player chooses."""
    if isinstance(change, ty.SetFlag):
        return "(a ...) = ..."
    if change.track not in world.numbers:
        return "a ..."
    value = "a number in ..." if family == "number" else "position of (a ...)"
    if change.result is not None:
        return value
    sign = "+" if change.up else "-"
    amount = f"({value})" if family == "number" else value
    return f"my {change.track} {sign} {amount}"


def _uses(step: ty.Node, name: str) -> bool:
    """Return whether a step, other than the choice that binds it, uses a local itself."""
    if not isinstance(step, ty.StepNode):
        return False
    if isinstance(step, ty.Decide) and step.choice is not None and step.choice[0] == name:
        return False
    lines = step.lines if isinstance(step, ty.Decide) else ()
    parts = (*ty.children(step), *(part for line in lines for part in ty.children(line)))
    return any(uses(e, name) for e in parts if not isinstance(e, ty.StepNode | ty.OptionLine))


def _changes(step: ty.Node, world: SymbolTable) -> list[_Change]:
    """Return the changes of hidden tracks and flags by a step, or nothing if it does more."""
    if isinstance(step, ty.Branching):
        inside = [_changes(inner, world) for block in step.blocks for inner in block.steps]
        return [change for changes in inside for change in changes] if all(inside) else []
    if isinstance(step, _Change):
        info = world.counter(step.counter)
        return [step] if info is not None and info.seen_by is not None else []
    return []
