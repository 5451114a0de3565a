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
    steps = (step for steps in checked.steps.values() for step in steps)
    ends = dict.fromkeys(step.span for step in steps if isinstance(step, ty.Finish))
    for hook in (hook for info in checked.program.world.procs["game"] for hook in info.hooks):
        related = [Related(end, "it ends here") for end in ends if not hook.span.holds(end)]
        if hook.time == "after" and related:
            findings.report("W624", hook.span, MESSAGE, HELP, related[:1])
