"""W610: verdicts that are never reached, because an earlier one applies."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.prover import Effects, FactSet, proved
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import VERDICT, Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.syntax.declarations import VerdictDecl
from rulesdsl.syntax.printer import print_text


def unreachable_verdict(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report each verdict whose condition implies that of an earlier one."""
    world, value = checked.program.world, checked.program.values[VERDICT].body
    assert isinstance(value, ty.Cases)
    conditions = [condition for condition, _ in value.cases]
    verdicts = world.endings(VerdictDecl)
    for at, verdict in enumerate(verdicts):
        facts = FactSet(Effects(checked.program).reads) | atoms(conditions[at])
        covering = next((i for i in range(at) if proved(conditions[i], facts)), None)
        if covering is None:
            continue
        first, always = verdicts[covering], conditions[covering] == ty.YES
        when = "always holds" if always else "holds whenever the later one does"
        advice = "Put it before the earlier one, or give the earlier one another `when`."
        if world.pack_of(first.span) != world.pack_of(verdict.span):
            said = f"verdict {first.word.text} {print_text(first.text)} when ..."
            advice = "A mod's verdicts come last. To change the earlier one, repeat its title:"
            advice = f"{advice} `{said}`."
        findings.report(
            "W610",
            verdict.span,
            "This verdict is never reached: an earlier one takes precedence.",
            advice,
            [Related(first.span, f"this one {when}")],
        )
