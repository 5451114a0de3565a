"""Named values: their formulas resolved, hooks laid over them."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.mentions import mentions
from rulesdsl.check.program import Program, TypedValue
from rulesdsl.check.resolve.statements import StatementResolver
from rulesdsl.check.scope import Scope
from rulesdsl.check.types import NUMBER, SEAT, UNKNOWN, YES_NO, Type, fits
from rulesdsl.check.world import ParamInfo, ValueInfo, World
from rulesdsl.source.diagnostic import Findings
from rulesdsl.syntax import statements as st


class NamedValues:
    """Resolves the named values of a world."""

    def __init__(self, world: World, findings: Findings) -> None:
        self.world = world
        self.findings = findings
        self.program = Program(world)
        self._open: list[str] = []
        self._types: dict[str, tuple[Type, bool]] = {}

    def scope(self, me: ty.Value | None, *parts: object, may_choose: bool = True) -> Scope:
        """Return a scope for parts of the syntax tree; quiet where they speak of broken things."""
        scope = Scope(me, may_choose=may_choose)
        if self.world.broken:
            names = frozenset().union(*(mentions(part) for part in parts))
            scope.quiet = scope.failed = bool(names & self.world.broken)
        return scope

    def resolver(self, scope: Scope) -> StatementResolver:
        """Return a resolver for a scope."""
        findings = Findings() if scope.quiet else self.findings
        return StatementResolver(self.world, findings, scope, self.value_type, self.value_body)

    def value_body(self, name: str, layer: int) -> ty.Value | None:
        """Return what a named value is with so many of its hooks, where that is known by now."""
        found = self.program.values.get((name, layer))
        return None if found is None else found.body

    # ---------------------------------------------------------------- values
    def value_type(self, name: str) -> tuple[Type, bool]:
        """Return the type of a named value, and whether it needs somebody who acts."""
        if name in self._types:
            return self._types[name]
        value = self.world.values[name]
        if name in self._open:
            around = " -> ".join([*self._open[self._open.index(name) :], name])
            self.findings.report(
                "E404",
                value.span,
                f"`{name}` is defined by itself: {around}.",
                "Break the circle: a value is computed from others.",
            )
            self._types[name] = (UNKNOWN, False)
            return self._types[name]
        self._open.append(name)
        self._types[name] = self._resolve_value(value)
        self._open.pop()
        return self._types[name]

    def _resolve_value(self, value: ValueInfo) -> tuple[Type, bool]:
        hooked = [part for hook in value.hooks for part in (hook.when, hook.formula)]
        scope = self.scope(None, value.formula, *hooked, may_choose=False)
        params = self._params(scope, value.params)
        seat = bool(params) and params[0].type.family in {"seat", "player"}
        me: ty.Value = params[0] if seat else scope.fresh("me", SEAT)
        scope.me = me
        body = self.formula(scope, value.formula)
        kind = body.type if value.score_title is None else NUMBER
        self._fits_value(value.name, kind, body.type, value.formula)
        layers = [(body, params)]
        for at, hook in enumerate(value.hooks):
            scope.beneath_value = (value.name, at)
            asks = not seat and any(_speaks_of(me, each) for each, _ in layers)
            self._types[value.name] = (body.type, asks)
            with scope.block():
                self._bind(scope, hook.params, params)
                scope.me = me
                replaced = self.formula(scope, hook.formula)
                self._fits_value(value.name, kind, replaced.type, hook.formula)
                resolver = self.resolver(scope)
                when = None if hook.when is None else resolver.condition(hook.when)
            if when is not None:
                whose = me if seat or asks else ty.Const(-1, type=SEAT)
                below = ty.CallValue(value.name, whose, params, at, type=body.type)
                replaced = ty.Cases(((when, replaced),), below, type=body.type)
            layers.append((replaced, params))
        if scope.failed:
            self.program.failed_values.add(value.name)
        needs_me = not seat and any(_speaks_of(me, each) for each, _ in layers)
        for at, (each, parameters) in enumerate(layers):
            self.program.values[value.name, at] = TypedValue(
                value.name, parameters, me if needs_me else None, each, value.span
            )
        return body.type, needs_me

    def _fits_value(self, name: str, kind: Type, found: Type, formula: st.Formula) -> None:
        """Report a formula that gives something else than its value is asked for."""
        if not fits(found, kind):
            self.findings.report(
                "E301",
                formula.span,
                f"`{name}` is {kind.total()}, this is {found.total()}.",
                "It has to be a number: ask how many, or go by cases."
                if kind == NUMBER
                else "What replaces a value is of the same kind.",
            )
        elif found.maybe and not kind.maybe:
            self.findings.report(
                "E302",
                formula.span,
                f"`{name}` is always there, this is {found}.",
                "Give something else where it is not there: `... if any x`, `otherwise ...`.",
            )

    def formula(self, scope: Scope, formula: st.Formula) -> ty.Value:
        """Return the value of a formula by cases."""
        resolver = self.resolver(scope)
        with scope.block():
            bound: list[tuple[str, ty.Value]] = []
            for let in formula.lets:
                if isinstance(let, st.Let):
                    bound.extend(self._let(resolver, let))
            cases: list[tuple[ty.Value, ty.Value]] = []
            want: Type | None = None
            for case in formula.cases:
                condition = resolver.condition(case.condition)
                with scope.block():
                    scope.assume(condition)
                    found = resolver.value(case.value, want)
                want = want or found.type
                cases.append((condition, found))
                scope.assume(ty.Negation(condition, type=YES_NO))
                if isinstance(condition, ty.Negation):
                    scope.assume(condition.value)
            last = resolver.value(formula.otherwise, want)
            body = self._join(cases, last, formula)
        for name, value in reversed(bound):
            body = ty.LetIn(name, value, body, type=body.type, span=formula.span)
        return body

    def _let(self, resolver: StatementResolver, let: st.Let) -> list[tuple[str, ty.Value]]:
        steps = resolver.let(let)
        return [(step.name, step.value) for step in steps if isinstance(step, ty.SetLocal)]

    def _join(
        self, cases: list[tuple[ty.Value, ty.Value]], last: ty.Value, formula: st.Formula
    ) -> ty.Value:
        if not cases:
            return last
        kinds = [found.type for _, found in cases] + [last.type]
        known = [kind for kind in kinds if kind != UNKNOWN]
        if not known:
            return last
        first = known[0].total()
        for kind in known:
            if kind.total() != first and {kind.family, first.family} != {"seat", "player"}:
                self.findings.report(
                    "E301",
                    formula.span,
                    f"One case is {first}, another is {kind.total()}.",
                    "All cases of a value are of one kind.",
                )
                break
        joined = SEAT if any(kind.family == "seat" for kind in known) else first
        joined = joined.or_none() if any(kind.maybe for kind in known) else joined
        return ty.Cases(tuple(cases), last, type=joined, span=formula.span)

    def _params(self, scope: Scope, params: tuple[ParamInfo, ...]) -> tuple[ty.Local, ...]:
        locals_: list[ty.Local] = []
        for param in params:
            local = scope.fresh(param.name, param.type)
            scope.locals[param.name] = local
            locals_.append(local)
            self._check_param(param)
        return tuple(locals_)

    def _check_param(self, param: ParamInfo) -> None:
        name = param.name
        if param.type == UNKNOWN:
            return  # reported already
        if name in self.world.pieces or name in self.world.plurals:
            self.findings.report(
                "E202",
                param.span,
                f"`{name}` is a noun of this game: it cannot name a parameter.",
                "Take another name, such as a single letter.",
            )

    def _bind(
        self, scope: Scope, params: tuple[ParamInfo, ...], locals_: tuple[ty.Local, ...]
    ) -> None:
        for param, local in zip(params, locals_, strict=True):
            scope.locals[param.name] = local


def _speaks_of(me: ty.Value, value: ty.Value) -> bool:
    """Whether a value looks at who acts, be it as a seat or, as `position of me`, as a number."""
    assert isinstance(me, ty.Local)
    return any(isinstance(each, ty.Local) and each.name == me.name for each in ty.walk(value))
