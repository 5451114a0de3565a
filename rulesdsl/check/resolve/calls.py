"""From calls to steps: verbs chosen by what they are done to, choices in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.procedures import header_text
from rulesdsl.check.field_names import help_to_use
from rulesdsl.check.resolve.values import ValueResolver
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import BUNDLE, NUMBER, PLAYER, SEAT, UNKNOWN, Type, entry, fits, piece
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.world import ParamInfo, ProcInfo
    from rulesdsl.source.span import Span


class CallResolver(ValueResolver):
    """Resolves calls of verbs and steps, and choices."""

    def decider(self, span: Span) -> ty.Value:
        """Return who decides."""
        if not self.scope.may_choose:
            self.report(
                "E405", span, "Nobody can be asked here.", "An automatic effect makes no choice."
            )
        return self.me(span)

    def call(self, stmt: st.Call) -> list[ty.Step]:
        """Return a call of a verb or step, choices among its arguments first."""
        name = stmt.verb.text
        overloads = self.world.procs.get(name)
        if not overloads:
            if not self.doubtful(name):
                self.report(
                    "E204",
                    stmt.verb.span,
                    f"There is no verb or step called `{name}`.",
                    help_to_use(name, self.world) or did_you_mean(name, self.world.procs),
                )
            return []
        proc = self.overload(stmt, overloads)
        if proc is None:
            return []
        return self.call_of(stmt, proc)

    def call_of(self, stmt: st.Call, proc: ProcInfo) -> list[ty.Step]:
        """Return a call of one overload."""
        proc.used = True
        steps: list[ty.Step] = []
        values: list[ty.Value] = []
        for param, argument in zip(proc.params, stmt.arguments, strict=True):
            value = self.argument(param, argument, steps)
            values.append(value)
        if any(value.type == UNKNOWN for value in values):
            return steps
        me: ty.Value = ty.Const(-1, type=SEAT)
        if proc.verb:
            me = self.me(stmt.span)
        elif self.scope.me is not None:
            self.report(
                "E304",
                stmt.span,
                f"`{proc.name}` is a step: the game does it, not a player.",
                "Call it from another step, or declare it as a verb.",
            )
        key = proc.key
        if self.scope.beneath_proc is not None and self.scope.beneath_proc[0] == key:
            key = f"{key}@{self.scope.beneath_proc[1]}"
        steps.append(ty.Run(key, me, tuple(values), span=stmt.span))
        return steps

    def overload(self, stmt: st.Call, overloads: list[ProcInfo]) -> ProcInfo | None:
        """Return the verb that these arguments mean."""
        shape = [argument.preposition for argument in stmt.arguments]
        fitting = [
            proc
            for proc in overloads
            if [param.preposition for param in proc.params] == shape
            and all(
                self.may_be(param, argument)
                for param, argument in zip(proc.params, stmt.arguments, strict=True)
            )
        ]
        named = [
            proc
            for proc in fitting
            if all(
                (param.noun is None) == (self.noun_of(argument.value) is None)
                for param, argument in zip(proc.params, stmt.arguments, strict=True)
            )
        ]
        if len(fitting) > 1 and named:
            fitting = named
        if len(fitting) == 1:
            open_kinds = (param.type == UNKNOWN for each in overloads for param in each.params)
            self.scope.failed = self.scope.failed or any(open_kinds)
            return fitting[0]
        same = [p for p in overloads if [param.preposition for param in p.params] == shape]
        if not fitting and len(same) == 1 and len(overloads) == 1:
            return same[0]
        if any(param.type == UNKNOWN for each in overloads for param in each.params):
            self.scope.failed = True
            return None  # what the verb is done to was reported where it is declared
        if self.unknown_noun(stmt):
            return None
        known = " or ".join(f"`{header_text(proc, self.world)}`" for proc in overloads)
        message = f"`{stmt.verb.text}` is not done {self.told(stmt)}."
        if not stmt.arguments:
            message = f"`{stmt.verb.text}` has to know what it is done to."
        self.report("E205", stmt.span, message, f"Say {known}.")
        return None

    def unknown_noun(self, stmt: st.Call) -> bool:
        """Report an amount of something that is not there."""
        nouns = self.world.pieces.keys() | self.world.tracks.keys()
        for argument in stmt.arguments:
            noun = self.noun_of(argument.value)
            if noun is not None and noun not in nouns:
                self.amount(argument.value)
                return True
        return False

    def told(self, stmt: st.Call) -> str:
        """Return what a call is about, for a message."""
        if len(stmt.arguments) != 1 or stmt.arguments[0].preposition:
            return "to such things"
        first = stmt.arguments[0]
        noun, kind = self.noun_of(first.value), self.kind_of(first.value)
        if noun is not None:
            return f"to an amount of `{noun}`"
        return f"to {kind}" if kind is not None else "to such a thing"

    def may_be(self, param: ParamInfo, argument: st.Argument) -> bool:
        """Whether an argument can be meant for a parameter, judged by its words."""
        value = argument.value
        noun = self.noun_of(value)
        if param.noun is not None or noun is not None:
            if param.type == BUNDLE:
                return True
            return param.noun is not None and noun == param.noun
        kind = self.kind_of(value)
        return kind is None or fits(kind, param.type) or param.type == UNKNOWN

    def noun_of(self, value: ex.Expr) -> str | None:
        """Return the noun of an amount."""
        if isinstance(value, ex.Amount):
            return self.world.singular(value.noun.text)
        if isinstance(value, ex.Per) and isinstance(value.rate, ex.Amount):
            return self.world.singular(value.rate.noun.text)
        return None

    def kind_of(self, value: ex.Expr) -> Type | None:
        """Return the type of an argument where its words alone tell it."""
        if isinstance(value, ex.Choice | ex.The | ex.RandomPick | ex.First):
            name = self.world.singular(value.kind.text)
            if name in self.world.owners:
                name = self.world.owners[name][0]
            if name == "number":
                return NUMBER
            if name in {"player", "seat"}:
                return PLAYER if name == "player" else SEAT
            return piece(name) if name in self.world.pieces else entry(name)
        if isinstance(value, ex.Name) and value.name in self.scope.locals:
            return self.scope.locals[value.name].type
        if isinstance(value, ex.Name):
            owners = self.world.owners.get(value.name, [])
            return entry(owners[0]) if len(owners) == 1 else None
        if isinstance(value, ex.Number | ex.Arithmetic | ex.Cap):
            return NUMBER
        if isinstance(value, ex.It) and self.scope.candidates:
            return self.scope.candidates[-1].type
        return None

    def argument(self, param: ParamInfo, argument: st.Argument, steps: list[ty.Step]) -> ty.Value:
        """Return an argument's value; a choice is made before the call."""
        expr = argument.value
        if param.type == UNKNOWN:
            self.scope.failed = True
            return self.unknown(expr.span)
        if isinstance(expr, ex.Choice):
            local = self.pick(expr, None, None, steps)
            if local is None:
                return self.unknown(expr.span)
            if not fits(local.type, param.type):
                self._wrong_argument(expr.span, param, str(local.type))
                return self.unknown(expr.span)
            return local
        if param.noun is not None:
            amount = self.amount(expr)
            if amount is None or amount[1] != param.noun:
                have = "no amount" if amount is None else f"an amount of `{amount[1]}`"
                joined = isinstance(expr, ex.Logic)
                one = "This takes one amount: put each on a line of its own." if joined else ""
                self._wrong_argument(expr.span, param, have, one)
                return self.unknown(expr.span)
            return amount[0]
        return self.of_type(expr, param.type)

    def _wrong_argument(
        self, span: Span, param: ParamInfo, have: str, help_text: str = ""
    ) -> None:
        wanted = f"one of `{param.noun}`" if param.noun else str(param.type)
        self.report("E205", span, f"This is {have}, where {wanted} is needed.", help_text)

    def pick(
        self, expr: ex.Choice, name: str | None, prompt: str | None, steps: list[ty.Step]
    ) -> ty.Local | None:
        """Add a choice to the steps and return the local that holds what was chosen."""
        me = self.decider(expr.span)
        base = self.domain(expr.kind, expr.domain)
        if base is None:
            return None
        variable = expr.variable.text if expr.variable else None
        domain = self.filtered(base, expr.where, variable)
        local = self.scope.fresh(name or variable or expr.kind.text, base.element)
        line = ty.Line("", ty.Block(()), None, local.name, domain, span=expr.span)
        steps.append(ty.Decide((line,), me, prompt, onward=True, span=expr.span))
        self.assume_member(local, base)
        if isinstance(domain, ty.Filtered):
            self.assume_about(domain, local)
        return local

    def assume_about(self, domain: ty.Filtered, local: ty.Local) -> None:
        """Note that what a `where` asks of a candidate holds for the one that is chosen."""
        self.scope.assume(substitute(domain.condition, domain.variable, local))
