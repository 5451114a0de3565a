"""W611: negative amounts, which have no effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings


def negative_amount(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report amounts that are always negative."""
    intervals = Intervals(checked.program, checked.values)
    infos = checked.program.world.procedures.items()
    nouns = {key: [each.noun for each in info.params] for key, info in infos}
    steps = (step for key in checked.program.procs for step in checked.steps[key])
    for amount in (each for step in steps for each in _amounts(step, nouns)):
        most = intervals.of(amount)[1]
        if most < 0:
            findings.report(
                "W611",
                amount.span,
                f"This is at most {most}; an amount below 0 does nothing.",
                "Use a number of at least 0, or reverse the action.",
            )


def _amounts(step: ty.Node, nouns: Mapping[str, list[str | None]]) -> Iterator[ty.Value]:
    if isinstance(step, ty.MoveCounted | ty.ChangeTrack) and step.amount is not None:
        if not isinstance(step, ty.ChangeTrack) or step.result is None:
            yield step.amount
    elif isinstance(step, ty.Run):
        given = zip(step.arguments, nouns.get(step.proc, ()), strict=False)
        yield from (each for each, noun in given if noun)
