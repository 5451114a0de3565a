"""From the declarations of all files to the world; hooks come last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.procedures import ProcedureDeclarer, header_text, shape_of
from rulesdsl.check.field_names import help_to_hook
from rulesdsl.check.world import HookInfo, ValueHookInfo, ValueInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.statements import Formula

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.world import ProcInfo
    from rulesdsl.syntax.statements import Header


class Declarer(ProcedureDeclarer):
    """Fills a world from the declarations of all files, in order."""

    def declare(self, declarations: Iterable[de.Decl]) -> None:
        """Take in things first, then what is made of them, then hooks."""
        every = list(declarations)
        for each in every:
            self._thing(each)
        for each in every:
            self._procedure_or_value(each)
        for each in every:
            self._hook(each)

    def _hook(self, decl: de.Decl) -> None:
        if isinstance(decl, de.HookDecl):
            self._procedure_hook(decl)
        elif isinstance(decl, de.ValueHookDecl):
            self._value_hook(decl)

    def _procedure_hook(self, decl: de.HookDecl) -> None:
        name = decl.header.name.text
        overloads = self.world.procs.get(name, [])
        if not overloads:
            self._hooks_on_nothing(decl.header)
            return
        if self._leaves_out_a_number(decl.header, overloads):
            return
        params = self._header_params(decl.header)
        shape = shape_of(params)
        for proc in overloads:
            if shape_of(proc.params) == shape:
                proc.hooks.append(HookInfo(decl.time, params, decl.when, decl.body, decl.span))
                return
        if not self.world.doubtful(name):
            known = " and ".join(f"`{header_text(each, self.world)}`" for each in overloads)
            message = f"`{name}` is not done to such things."
            self.findings.report("E204", decl.header.span, message, f"It is declared as {known}.")

    def _hooks_on_nothing(self, header: Header) -> None:
        name = header.name.text
        if not self.world.doubtful(name):
            similar = did_you_mean(name, self.world.procs)
            help_text = help_to_hook(name, self.world) or similar
            message = f"There is no verb or step called `{name}`."
            self.findings.report("E204", header.span, message, help_text)

    def _leaves_out_a_number(self, header: Header, overloads: list[ProcInfo]) -> bool:
        """Report a number without a name: `after gain coins`, where `gain n coins` is declared."""
        taken = [(each, proc) for proc in overloads for each in proc.params]
        kinds = {each.type.of for each, _ in taken if each.noun is None}
        for each in (header.param, *(more.param for more in header.more)):
            if each is None or each.second is not None:
                continue
            noun = self.world.singular(each.first.text)
            known = [header_text(proc, self.world) for param, proc in taken if param.noun == noun]
            if known and noun not in kinds:
                message = f"`{each.first.text}` needs a name for how many."
                help_text = f"Write it as it is declared: `{known[0]}`."
                self.findings.report("E204", each.first.span, message, help_text)
                return True
        return False

    def _value_hook(self, decl: de.ValueHookDecl) -> None:
        value = self.world.values.get(decl.name.text) or self._number_as_value(decl.name.text)
        if value is None:
            if not self.world.doubtful(decl.name.text):
                name, known = decl.name.text, [*self.world.values, *self.world.constants]
                self.findings.report(
                    "E201",
                    decl.name.span,
                    f"There is no value called `{name}`.",
                    help_to_hook(name, self.world) or did_you_mean(name, known),
                )
            return
        params = [self.param(each) for each in (decl.param, decl.second) if each is not None]
        if [each.type for each in params] != [each.type for each in value.params]:
            self.findings.report(
                "E205",
                decl.name.span,
                f"`{decl.name.text}` is not a value of such things.",
                "Write the same kinds as in its declaration.",
                [Related(value.span, "declared here")],
            )
            return
        value.hooks.append(ValueHookInfo(tuple(params), decl.when, decl.formula, decl.span))

    def _number_as_value(self, name: str) -> ValueInfo | None:
        """Return a named number that is hooked as the value that it becomes.

        Where a number has to be fixed, as that of pieces in the box, it stays what the table says.
        """
        number = self.world.constants.get(name)
        if not isinstance(number, int):
            return None
        span = self.world.constant_spans[name]
        self.world.constants_used.add(name)
        value = ValueInfo(name, span, (), Formula((), (), ex.Number(number, span=span), span=span))
        self.world.values[name] = value
        return value
