"""W604: steps that have no effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import ParamInfo
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import EmptyRange
from rulesdsl.source.span import Span
from rulesdsl.syntax import statements as st

HELP = "Fix it, or remove it."
NO_EFFECT = "This effect does nothing."
EMPTIED = "All of these have just been moved away: this is always 0."
COUNT_FIRST = "Count them before that, with `let n = ...`."
UPWARDS = "Write the smaller number first. To count down from 3, use `4 - n` for each n in `1..3`."


def no_effect(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report moves, changes and calls that do nothing, and superfluous `nothing`."""
    program = checked.program
    params = {key: proc.params for key, proc in program.world.procedures.items()}
    for proc in program.procs.values():
        if "@" not in proc.key:
            for step in checked.steps[proc.key]:
                for span, message in _idle(step, params):
                    findings.report("W604", span, message, HELP)
                if isinstance(step, ty.Block):
                    _check_emptied(step, findings)
                if isinstance(step, ty.ForEach):
                    _check_range(step.domain.unfiltered, findings)
    _nothings(program, findings)


def _check_range(numbers: ty.Domain, findings: Findings) -> None:
    """Report a loop over numbers that has no rounds."""
    if isinstance(numbers, ty.NumberRange) and numbers.most == 0:
        message = "The first number is always above the last: this loop never runs."
        if isinstance(numbers.low, ty.Const) and isinstance(numbers.high, ty.Const):
            low, high = numbers.low.value, numbers.high.value
            message = f"There are no numbers from {low} up to {high}: this loop never runs."
        findings.report("W604", numbers.span, message, UPWARDS, facts=EmptyRange())


def _check_emptied(block: ty.Block, findings: Findings) -> None:
    """Report counts of what the step before has just moved away."""
    for step, then in pairwise(block.steps):
        if isinstance(step, ty.MoveCounted) and step.amount is None and not _stays(step):
            counts = (part for part in ty.walk(then) if isinstance(part, ty.CountOf))
            for count in counts:
                place = count.domain
                if isinstance(place, ty.Lying) and place.cells == step.source:
                    findings.report("W604", count.span, EMPTIED, COUNT_FIRST)


def _idle(step: ty.Node, params: dict[str, tuple[ParamInfo, ...]]) -> Iterator[tuple[Span, str]]:
    if isinstance(step, ty.MoveCounted | ty.MoveSome):
        if _is_zero(step.amount):
            yield step.span, "This moves 0 pieces: it does nothing."
        elif _stays(step):
            yield step.span, "This moves pieces from a place to the same place: it does nothing."
    elif isinstance(step, ty.ChangeTrack | ty.ShiftPiece) and _is_zero(step.amount):
        how = "raises" if step.up else "lowers"
        yield step.span, f"This {how} something by 0: it does nothing."
    elif isinstance(step, ty.RepeatTimes) and step.most is not None and step.most <= 0:
        often = "0" if _is_zero(step.times) else f"at most {step.most}"
        yield step.times.span, f"This is repeated {often} times: it does nothing."
    elif isinstance(step, ty.Decide) and step.limit and _is_zero(step.limit):
        yield step.limit.span, "This is offered 0 times: it does nothing."
    elif isinstance(step, ty.Run):
        first = params.get(step.proc, ())[:1]
        if first and first[0].noun and not first[0].preposition and _is_zero(step.arguments[0]):
            yield step.span, "This amount is 0: it does nothing."


def _stays(step: ty.MoveCounted | ty.MoveSome) -> bool:
    if isinstance(step, ty.MoveCounted):
        return step.source == step.target
    domain = step.domain
    return isinstance(domain, ty.Lying) and domain.cells == step.target and step.amount is None


def _is_zero(value: ty.Value | None) -> bool:
    return isinstance(value, ty.Const) and value.value == 0


def _nothings(program: Program, findings: Findings) -> None:
    """Report `nothing` next to other steps, and in fields that may be left out."""
    often = Counter((kind, field) for kind, field, _, _ in program.effects)
    for (kind, field, at, key), proc in program.effects.items():
        info = program.world.kinds[kind]
        body = info.entries[at].effects[field, key]
        columns = (
            1 if key is None else len(program.world.kinds[info.fields[field].per or ""].entries)
        )
        may_be_absent = often[kind, field] < len(info.entries) * columns
        idle = [each for each in body.statements if isinstance(each, st.Nothing)]
        if idle and (may_be_absent or len(body.statements) > 1):
            help_text = "Remove the field, or say what happens."
            findings.report("W604", idle[0].span, NO_EFFECT, help_text)
        elif not program.procs[proc].block.steps and not idle:
            findings.report("W604", body.span, NO_EFFECT, HELP)
