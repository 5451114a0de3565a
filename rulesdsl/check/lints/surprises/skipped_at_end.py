"""W624: hooks after the game, which do not run if the game ends by `end game`."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Related

MESSAGE = "This does not run if the game ends by `end game`: scoring follows at once."
HELP = (
    "For points, declare a `score`. Otherwise put the steps into a verb or step of their own, and "
    "run it before `end game` as well."
)


def skipped_at_end(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report the hooks `after game` of a game that `end game` may end."""
    for hook in (hook for info in checked.program.world.procs["game"] for hook in info.hooks):
        if hook.time != "after":
            continue
        calls = [step for step in checked.steps["game"] if isinstance(step, ty.Run)]
        called = {call.proc for call in calls if hook.span.holds(call.span)}
        related: list[Related] = []
        for steps in checked.steps.values():
            ends = (step.span for step in steps if isinstance(step, ty.Finish))
            if not any(isinstance(step, ty.Run) and step.proc in called for step in steps):
                related += [Related(end, "it ends here") for end in ends]
        related = [note for note in related if not hook.span.holds(note.span)]
        if related:
            findings.report("W624", hook.span, MESSAGE, HELP, related[:1])
