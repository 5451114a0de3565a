"""From the declarations of all files to the world; hooks come last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import Names
from rulesdsl.check.declare.procedures import (
    declare_procedure,
    header_params,
    header_text,
    shape_of,
    value_params,
)
from rulesdsl.check.declare.retold import Retold
from rulesdsl.check.declare.things import declare_thing
from rulesdsl.check.field_names import help_to_hook
from rulesdsl.check.naming import Role, Sort
from rulesdsl.check.world import HookInfo, ValueHookInfo, ValueInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.facts import AmountWithoutName, UnknownName
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.statements import Formula

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.naming import Noted
    from rulesdsl.check.world import ParamInfo, ProcInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.syntax.statements import Header


def declare(
    world: World, findings: Findings, declarations: Iterable[de.Decl], noted: Noted
) -> None:
    """Fill a world from the declarations of all files: things, what is made of them, hooks."""
    names, every = Names(world, findings, noted), list(declarations)
    for each in every:
        declare_thing(names, each)
    for each in every:
        declare_procedure(names, each)
    retold = Retold(names)
    for each in every:
        if isinstance(each, de.HookDecl):
            _procedure_hook(names, each)
        elif isinstance(each, de.TextHookDecl):
            found = hooked(names, each.header)
            if found is not None:
                retold.take(*found, each)
        elif isinstance(each, de.ValueHookDecl):
            _value_hook(names, each)
    retold.put_in()


def _procedure_hook(names: Names, decl: de.HookDecl) -> None:
    found = hooked(names, decl.header)
    if found is not None:
        proc, params = found
        proc.hooks.append(HookInfo(decl.time, params, decl.when, decl.body, decl.span))


def hooked(names: Names, header: Header) -> tuple[ProcInfo, tuple[ParamInfo, ...]] | None:
    """Return the verb or step that a header means, and its parameters there; report none."""
    name = header.name.text
    names.noted.word(header.name, Sort.VERB, name, role=Role.HOOKS)
    names.noted.expect(name, names.world.procs)
    overloads = names.world.procs.get(name, [])
    if not overloads:
        _hooks_on_nothing(names, header)
        return None
    if _leaves_out_a_number(names, header, overloads):
        return None
    params = header_params(names, header)
    shape = shape_of(params)
    for proc in overloads:
        if shape_of(proc.params) == shape:
            return proc, params
    if not names.world.doubtful(name):
        known = " and ".join(f"`{header_text(each, names.world)}`" for each in overloads)
        message = f"`{name}` is not declared for what this hook names."
        help_text, facts = f"It is declared as {known}.", UnknownName(name)
        names.findings.report("E204", header.span, message, help_text, facts=facts)
    return None


def _hooks_on_nothing(names: Names, header: Header) -> None:
    name = header.name.text
    if not names.world.doubtful(name):
        help_text = help_to_hook(name, names.world) or similar(name, names.world.procs)
        message = f"There is no verb or step called `{name}`."
        names.findings.report("E204", header.span, message, help_text)


def _leaves_out_a_number(names: Names, header: Header, overloads: list[ProcInfo]) -> bool:
    """Report a number without a name: `after gain coins`, where `gain n coins` is declared."""
    taken = [(each, proc) for proc in overloads for each in proc.params]
    kinds = {each.type.of for each, _ in taken if each.noun is None}
    for each in (header.param, *(more.param for more in header.more)):
        if each is None or each.second is not None:
            continue
        noun = names.world.singular(each.first.text)
        known = [header_text(proc, names.world) for param, proc in taken if param.noun == noun]
        if known and noun not in kinds:
            message = f"`{each.first.text}` needs a name for how many."
            help_text = f"Write it as it is declared: `{known[0]}`."
            facts = AmountWithoutName()
            names.findings.report("E204", each.first.span, message, help_text, facts=facts)
            return True
    return False


def _value_hook(names: Names, decl: de.ValueHookDecl) -> None:
    names.noted.word(decl.name, Sort.NOUN, decl.name.text, role=Role.HOOKS)
    value = names.world.values.get(decl.name.text) or _number_as_value(names, decl.name.text)
    if value is None:
        if not names.world.doubtful(decl.name.text):
            name, known = decl.name.text, [*names.world.values, *names.world.constants]
            message = f"There is no value called `{name}`."
            help_text = help_to_hook(name, names.world) or similar(name, known)
            names.findings.report("E201", decl.name.span, message, help_text)
        return
    params = value_params(names, decl)
    if [each.type for each in params] != [each.type for each in value.params]:
        names.findings.report(
            "E205",
            decl.name.span,
            f"`{decl.name.text}` is not a value of such things.",
            "Write the same kinds as in its declaration.",
            [Related(value.span, "declared here")],
        )
        return
    value.hooks.append(ValueHookInfo(params, decl.when, decl.formula, decl.span))


def _number_as_value(names: Names, name: str) -> ValueInfo | None:
    """Return a named number that is hooked as the value that it becomes.

    Where a number has to be fixed, as that of pieces in the box, it stays what the table says.
    """
    number = names.world.constants.get(name)
    if not isinstance(number, int):
        return None
    span = names.world.constant_spans[name]
    names.world.constants_used.add(name)
    value = ValueInfo(name, span, (), Formula((), (), ex.Number(number, span=span), span=span))
    names.world.values[name] = value
    return value
