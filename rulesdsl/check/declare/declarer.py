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
        params = self._header_params(decl.header)
        shape = shape_of(params)
        for proc in overloads:
            if shape_of(proc.params) == shape:
                proc.hooks.append(HookInfo(decl.time, params, decl.when, decl.body, decl.span))
                return
        if self.world.doubtful(name):
            return
        if not overloads:
            similar = did_you_mean(name, self.world.procs)
            help_text = help_to_hook(name, self.world) or similar
            message = f"There is no verb or step called `{name}`."
        else:
            known = " and ".join(f"`{header_text(each)}`" for each in overloads)
            help_text = f"It is declared as {known}."
            message = f"`{name}` is not done to such things."
        self.findings.report("E204", decl.header.span, message, help_text)

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
