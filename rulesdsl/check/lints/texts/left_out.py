"""W613: log text that omits an argument, and options with identical text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Checked, Program, TypedProc
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import MissingSubject
from rulesdsl.source.span import NOWHERE

_NAMED = {"entry", "piece", "number", "seat", "player"}


def left_out(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report arguments missing from a verb's text, and choices whose options share one text."""
    program = checked.program
    declared = program.world.procedures
    calls: dict[str, list[ty.Run]] = {}
    for call in (each for proc in program.procs.values() for each in _calls_in(proc)):
        calls.setdefault(call.proc, []).append(call)
    for proc in program.procs.values():
        sentence = _sentence(proc)
        for at, param in enumerate(proc.params if sentence else ()):
            given = [(each.me, each.arguments[at]) for each in calls.get(proc.key, ())]
            is_amount = proc.key in declared and declared[proc.key].params[at].noun
            if sentence and not is_amount and _is_missing(program, proc, param, given):
                name = param.name.partition("%")[0]
                message = f"The text of `{proc.title}` does not mention `{name}`."
                help_text = f"Mention it: put {{{name}}} into the text."
                facts = MissingSubject(f"{{{name}}}")
                findings.report("W613", sentence.span, message, help_text, facts=facts)
        for label in _same_for_all(checked.steps[proc.key]):
            message = "This text is the same for every option: nobody could tell them apart."
            help_text, facts = (
                "Name the option in it, for example with {it}.",
                MissingSubject("{it}"),
            )
            findings.report("W613", label.span, message, help_text, facts=facts)


def _sentence(proc: TypedProc) -> ty.MessageText | None:
    """Return the declared text of a verb; layers below an `instead of` hook have none."""
    told = proc.block.steps[:1]
    if not told or not isinstance(told[0], ty.Tell) or told[0].what != "act":
        return None
    return told[0].words


def _calls_in(proc: TypedProc) -> list[ty.Run]:
    """Return the calls in a procedure, except those from one layer of hooks to the next."""
    every = (each for each in proc.nodes if isinstance(each, ty.Run))
    return [each for each in every if "@" not in each.proc]


def _is_missing(
    program: Program, proc: TypedProc, param: ty.Local, given: list[tuple[ty.Value, ty.Value]]
) -> bool:
    """Return whether no text mentions a parameter that differs between calls."""
    if param.type.family not in _NAMED or _is_mentioned(program, proc.block, param):
        return False
    if any(_is_limit(step, param.name) for step in proc.nodes):
        return False  # the log has the amount itself, which may be smaller
    if all(argument == me for me, argument in given):
        return False  # always the actor, or never called
    return not all(isinstance(each, ty.Const) and each == given[0][1] for _, each in given)


def _is_mentioned(program: Program, block: ty.Block, param: ty.Local) -> bool:
    """Return whether text mentions a parameter, directly or in a callee."""
    for step in ty.walk(block):
        if isinstance(step, ty.Tell) and step.words is not None and uses(step.words, param.name):
            return True
        if isinstance(step, ty.Run) and param in step.arguments:
            called = program.procs.get(step.proc)
            if called is not None and _sentence(called) is not None:
                return True
    return False


def _is_limit(step: ty.Node, number: str) -> bool:
    """Return whether a step moves at most a number, or lowers a track by it as far as it goes."""
    if isinstance(step, ty.MoveCounted | ty.MoveSome):
        return step.up_to and step.amount is not None and uses(step.amount, number)
    return isinstance(step, ty.ChangeTrack) and not step.up and uses(step.amount, number)


def _same_for_all(steps: Iterable[ty.Step]) -> Iterator[ty.MessageText]:
    """Yield option text that does not mention the element to choose."""
    for step in steps:
        if isinstance(step, ty.Decide) and step.choice is not None:
            variable, label = step.choice[0], step.lines[0].label
        elif isinstance(step, ty.Secretly):
            variable, label = step.variable, step.label
        else:
            continue
        if label is not None and label.span != NOWHERE and not uses(label, variable):
            yield label
