"""From calls to steps: verbs chosen by what they are done to, choices in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import help_to_use
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.amounts import amount_of
from rulesdsl.check.resolve.domains import domain_of
from rulesdsl.check.resolve.filtering import filtered, one_of
from rulesdsl.check.resolve.holes import VERB, argument_hole
from rulesdsl.check.resolve.overloads import overload
from rulesdsl.check.resolve.texts import about, asked, plain, title_of_kind
from rulesdsl.check.types import SEAT, UNKNOWN, fits
from rulesdsl.source.english import opening, spoken
from rulesdsl.source.facts import WrongArgument
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import ParamInfo, ProcInfo
    from rulesdsl.source.span import Span


def decider(r: Resolver, span: Span) -> ty.Value:
    """Return who decides."""
    if not r.scope.may_choose:
        r.report(
            "E405",
            span,
            "An automatic effect cannot offer a choice.",
            "Name the thing, or use `the ... with most ...`, `random ...` or `all ...` instead.",
        )
    return r.me(span)


def call(r: Resolver, stmt: st.Call) -> list[ty.Step]:
    """Return a call of a verb or step, choices among its arguments first."""
    name = stmt.verb.text
    r.expect(stmt.verb, VERB)
    overloads = r.world.procs.get(name)
    if overloads and argument_hole(r, stmt, overloads):
        return []
    if not overloads:
        r.evaluate(each.value for each in stmt.arguments)
        message = f"There is no verb or step called `{name}`."
        alike = [
            each
            for each, known in r.world.procs.items()
            if any(len(proc.params) == len(stmt.arguments) for proc in known)
        ]
        help_text = help_to_use(name, r.world) or similar(name, alike)
        r.not_known(name, stmt.verb.span, message, help_text, "E204")
        return []
    proc = overload(r, stmt, overloads)
    if proc is None:
        r.evaluate(each.value for each in stmt.arguments)
        return []
    return _call_of(r, stmt, proc)


def _call_of(r: Resolver, stmt: st.Call, proc: ProcInfo) -> list[ty.Step]:
    """Return a call of one overload."""
    r.note(stmt.verb.span, Sort.VERB, proc.name)
    steps: list[ty.Step] = []
    given = zip(proc.params, stmt.arguments, strict=True)
    values = [_argument(r, proc.name, param, argument, steps) for param, argument in given]
    if any(value.type == UNKNOWN for value in values):
        return steps
    me: ty.Value = ty.Const(-1, type=SEAT)
    if proc.verb:
        me = r.me(stmt.span)
    elif r.scope.me is not None:
        message = f"`{proc.name}` is a step: the game carries it out, not a player."
        help_text = "Call it from another step, or declare it as a verb."
        r.report("E304", stmt.span, message, help_text)
    key = proc.key
    if r.scope.beneath_proc is not None and r.scope.beneath_proc[0] == key:
        key = f"{key}@{r.scope.beneath_proc[1]}"
    steps.append(ty.Run(key, me, tuple(values), span=stmt.span))
    return steps


def _argument(
    r: Resolver, verb: str, param: ParamInfo, argument: st.Argument, steps: list[ty.Step]
) -> ty.Value:
    """Return an argument's value; a choice is made before the call."""
    expr = argument.value
    if param.type == UNKNOWN:
        r.scope.failed = True
        return r.unknown(expr.span)
    if isinstance(expr, ex.Choice):
        local = pick(r, expr, None, steps, opening(spoken(verb))) or r.unknown(expr.span)
        if fits(local.type, param.type):
            return local
        return _wrong_argument(r, expr.span, param, str(local.type))
    if param.noun is not None:
        amount = amount_of(r, expr)
        if amount is None or amount[1] != param.noun:
            have = "not an amount" if amount is None else f"an amount of `{amount[1]}`"
            joined = isinstance(expr, ex.Logic)
            one = "This takes one amount: put each on a line of its own." if joined else ""
            return _wrong_argument(r, expr.span, param, have, one)
        return amount[0]
    return r.of_type(expr, param.type)


def _wrong_argument(
    r: Resolver, span: Span, param: ParamInfo, have: str, help_text: str = ""
) -> ty.Value:
    wanted = f"an amount of `{param.noun}`" if param.noun else str(param.type)
    message = f"This is {have}, but {wanted} is needed."
    return r.report("E205", span, message, help_text, facts=WrongArgument())


def pick(
    r: Resolver, expr: ex.Choice, name: str | None, steps: list[ty.Step], verb: str = ""
) -> ty.Local | None:
    """Add a choice to the steps and return the local that holds what was chosen.

    It is made for a `verb`, or for what goes on.
    """
    me = decider(r, expr.span)
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return None
    variable = expr.variable.text if expr.variable else None
    domain = filtered(r, base, expr.where, expr.variable)
    what = f"which {title_of_kind(r, base.element)}?"
    prompt = (
        plain(f"{verb}: {what}") if verb and expr.prompt is None else asked(r, expr.prompt, what)
    )
    local = one_of(r, name or variable or expr.kind.text, domain)
    if expr.variable is not None:
        r.binds(expr.variable, local)
    label = about(r, expr, local, name)
    line = ty.Line("", ty.Block(()), label, local.name, domain, span=expr.span)
    steps.append(ty.Decide((line,), me, prompt, onward=True, span=expr.span))
    return local
