"""W631: choices that everybody reads although they only change hidden tracks."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings


def announced_choice(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report public choices whose result is used only for changes of hidden tracks and flags."""
    world = checked.program.world
    if all(counter.seen_by is None for counter in world.counters):
        return
    for key in checked.program.procs:
        steps = checked.steps[key]
        for choice in (step for step in steps if isinstance(step, ty.Decide) and not step.kept):
            if choice.choice is None:
                continue
            users = [step for step in steps if _uses(step, choice.choice[0])]
            names = [name for step in users for name in _hidden(step, world)]
            if names and all(_hidden(step, world) for step in users):
                message = f"Everybody reads this choice, and `{names[0]}` is hidden."
                is_number = choice.choice[1].element.family == "number"
                value = "a number in ..." if is_number else "position of (a ...)"
                if names[0] not in world.numbers:
                    value = "a ..." if names[0] in world.tracks else "(a ...) = ..."
                help_text = (
                    f"Choose in the new value: `set my {names[0]} to {value}`. Then only the "
                    "player who chooses learns it."
                )
                findings.report("W631", choice.span, message, help_text)


def _uses(step: ty.Node, name: str) -> bool:
    """Return whether a step, other than the choice that binds it, uses a local itself."""
    if not isinstance(step, ty.StepNode):
        return False
    if isinstance(step, ty.Decide) and step.choice is not None and step.choice[0] == name:
        return False
    lines = step.lines if isinstance(step, ty.Decide) else ()
    parts = (*ty.children(step), *(part for line in lines for part in ty.children(line)))
    return any(uses(e, name) for e in parts if not isinstance(e, ty.StepNode | ty.OptionLine))


def _hidden(step: ty.Node, world: SymbolTable) -> list[str]:
    """Return the hidden tracks and flags that a step changes, or nothing if it does more."""
    if isinstance(step, ty.Branching):
        inside = [_hidden(each, world) for block in step.blocks for each in block.steps]
        return [name for names in inside for name in names] if all(inside) else []
    if isinstance(step, ty.ChangeTrack):
        return [step.track] if world.tracks[step.track].seen_by is not None else []
    if isinstance(step, ty.SetFlag):
        return [step.flag] if world.flags[step.flag].seen_by is not None else []
    return []
