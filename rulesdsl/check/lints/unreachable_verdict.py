"""W610: verdicts that are never reached, because an earlier one applies."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.prover import Effects, FactSet, proved
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import Checked, TypedVerdict
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Related


def unreachable_verdict(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report each verdict whose condition implies that of an earlier one."""
    world = checked.program.world
    earlier: list[TypedVerdict] = []
    for verdict in checked.program.verdicts:
        facts = FactSet(Effects(checked.program).reads) | atoms(verdict.condition)
        first = next((each for each in earlier if proved(each.condition, facts)), None)
        earlier.append(verdict)
        if first is None:
            continue
        when = "always holds" if first.condition == ty.YES else "holds whenever the later one does"
        advice = "Put it before that one, or give that one another `when`."
        if world.pack_of(first.span) != world.pack_of(verdict.span):
            said = f'verdict {first.word} "{first.text}" when ...'
            advice = (
                f"The verdicts of a mod come last. To change that one, repeat its title: `{said}`."
            )
        findings.report(
            "W610",
            verdict.span,
            "This verdict is never reached: an earlier one takes precedence.",
            advice,
            [Related(first.span, f"this one {when}")],
        )
