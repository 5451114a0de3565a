"""From the world to a checked program: every body resolved, hooks woven in."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.mentions import mentions
from rulesdsl.check.program import Home, Program, TypedProc, TypedValue
from rulesdsl.check.resolve_statements import StatementResolver
from rulesdsl.check.scope import Scope
from rulesdsl.check.types import NUMBER, SEAT, UNKNOWN, YES_NO, Type
from rulesdsl.check.world import HookInfo, ParamInfo, ProcInfo, ValueInfo, World
from rulesdsl.source.diagnostic import Findings, Related
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st


class ProgramResolver:
    """Resolves all bodies of a world into a program."""

    def __init__(self, world: World, findings: Findings) -> None:
        self.world = world
        self.findings = findings
        self.program = Program(world)
        self._open: list[str] = []
        self._types: dict[str, tuple[Type, bool]] = {}

    def resolve(self) -> Program:
        """Return the program; findings say what could not be resolved."""
        for name in self.world.values:
            self.value_type(name)
        for overloads in self.world.procs.values():
            for proc in overloads:
                self._proc(proc)
        self._effects()
        self._homes()
        self._rivals()
        self._ranking()
        self._spread_failures()
        return self.program

    def scope(self, me: ty.Value | None, *parts: object, may_choose: bool = True) -> Scope:
        """Return a scope for parts of the syntax tree; quiet where they speak of broken things."""
        scope = Scope(me, may_choose=may_choose)
        if self.world.broken:
            names = frozenset().union(*(mentions(part) for part in parts))
            scope.quiet = scope.failed = bool(names & self.world.broken)
        return scope

    def _spread_failures(self) -> None:
        """Take procedures that ask for a value that failed as failed themselves."""
        program = self.program
        if not program.failed_values:
            return
        failed = program.failed_values
        again = True
        while again:
            more = {
                name for (name, _), value in program.values.items() if _asks(value.body, failed)
            }
            again = not more <= failed
            failed.update(more)
        asking = {key for key, proc in program.procs.items() if _asks(proc.block, failed)}
        program.failed.update(asking)

    def resolver(self, scope: Scope) -> StatementResolver:
        """Return a resolver for a scope."""
        findings = Findings() if scope.quiet else self.findings
        return StatementResolver(self.world, findings, scope, self.value_type, self.value_body)

    def value_body(self, name: str) -> ty.Value | None:
        """Return what a named value is, where that is known by now."""
        found = self.program.values.get((name, len(self.world.values[name].hooks)))
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
        layers = [(body, params)]
        for at, hook in enumerate(value.hooks):
            scope.beneath_value = (value.name, at)
            self._types[value.name] = (body.type, False)
            with scope.block():
                self._bind(scope, hook.params, params)
                scope.me = me
                replaced = self.formula(scope, hook.formula)
                resolver = self.resolver(scope)
                when = None if hook.when is None else resolver.condition(hook.when)
            if when is not None:
                below = ty.CallValue(value.name, me, params, at, type=body.type)
                replaced = ty.Cases(((when, replaced),), below, type=body.type)
            layers.append((replaced, params))
        if scope.failed:
            self.program.failed_values.add(value.name)
        needs_me = not seat and any(me in set(ty.walk(each)) for each, _ in layers)
        for at, (each, parameters) in enumerate(layers):
            self.program.values[value.name, at] = TypedValue(
                value.name, parameters, me if needs_me else None, each, value.span
            )
        return body.type, needs_me

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
        joined = first.or_none() if any(kind.maybe for kind in known) else first
        return ty.Cases(tuple(cases), last, type=joined, span=formula.span)

    # ---------------------------------------------------------------- procedures
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

    def _proc(self, proc: ProcInfo) -> None:
        me = ty.Local("me", type=SEAT) if proc.verb else None
        hooked = [part for hook in proc.hooks for part in (hook.when, hook.body)]
        scope = self.scope(me, proc.body, *hooked)
        scope.inside = proc.name
        if proc.verb:
            scope.fresh("me", SEAT)
        params = self._params(scope, proc.params)
        resolver = self.resolver(scope)
        body = resolver.block(proc.body)
        self._conflicting(proc)
        replacing = (each for each in proc.hooks if each.time == "instead of")
        for layer, hook in enumerate(replacing):
            below = f"{proc.key}@{layer}"
            self.program.procs[below] = TypedProc(
                below, proc.name, proc.verb, params, body, proc.span
            )
            body = self._instead(proc, hook, scope, params, layer)
        before = self._hook_steps(proc, "before", scope, params)
        after = self._hook_steps(proc, "after", scope, params)
        block = attrs.evolve(body, steps=(*before, *body.steps, *after))
        if scope.failed or any(param.type == UNKNOWN for param in params):
            layers = sum(each.time == "instead of" for each in proc.hooks)
            self.program.failed.update([proc.key, *(f"{proc.key}@{at}" for at in range(layers))])
        self.program.procs[proc.key] = TypedProc(
            proc.key, proc.name, proc.verb, params, block, proc.span
        )

    def _conflicting(self, proc: ProcInfo) -> None:
        replacing = [
            hook
            for hook in proc.hooks
            if hook.time == "instead of" and hook.when is None and not _calls(hook.body, proc.name)
        ]
        if len(replacing) > 1:
            self.findings.report(
                "E409",
                replacing[1].span,
                f"Two hooks replace `{proc.name}` altogether.",
                "Leave one out, or let it call what lies beneath by its own name.",
                [Related(replacing[0].span, "replaced here first")],
            )

    def _instead(
        self,
        proc: ProcInfo,
        hook: HookInfo,
        scope: Scope,
        params: tuple[ty.Local, ...],
        layer: int,
    ) -> ty.Block:
        scope.beneath_proc = (proc.key, layer)
        when, block = self._hook(hook, scope, params)
        scope.beneath_proc = None
        if when is None:
            return block
        me = scope.me or ty.Const(-1, type=SEAT)
        below = ty.Run(f"{proc.key}@{layer}", me, params, span=hook.span)
        otherwise = ty.Block((below,), span=hook.span)
        branching = ty.Branching(((when, block),), otherwise, span=hook.span)
        return ty.Block((branching,), span=hook.span)

    def _hook(
        self, hook: HookInfo, scope: Scope, params: tuple[ty.Local, ...]
    ) -> tuple[ty.Value | None, ty.Block]:
        with scope.block():
            scope.locals = {}
            scope.some = set()
            self._bind(scope, hook.params, params)
            resolver = self.resolver(scope)
            when = None if hook.when is None else resolver.condition(hook.when)
            if when is not None:
                scope.assume(when)
            return when, resolver.block(hook.body)

    def _hook_steps(
        self, proc: ProcInfo, time: str, scope: Scope, params: tuple[ty.Local, ...]
    ) -> list[ty.Step]:
        steps: list[ty.Step] = []
        for hook in proc.hooks:
            if hook.time != time:
                continue
            when, block = self._hook(hook, scope, params)
            if when is None:
                steps.extend(block.steps)
            else:
                branches = ((when, block),)
                steps.append(ty.Branching(branches, ty.Block(()), span=hook.span))
        return steps

    # ---------------------------------------------------------------- fields
    def _effects(self) -> None:
        for kind in self.world.kinds.values():
            for at, found in enumerate(kind.entries):
                for (field, key), body in found.effects.items():
                    automatic = kind.fields[field].type == "automatic"
                    self._effect(kind.name, field, at, key, found.name, body, automatic=automatic)
                for (field, key), formula in found.formulas.items():
                    scope = self.scope(ty.Local("me", type=SEAT), formula, may_choose=False)
                    scope.fresh("me", SEAT)
                    value = self.resolver(scope).number(formula)
                    self.program.formulas[kind.name, field, at, key] = value

    def _effect(
        self,
        kind: str,
        field: str,
        at: int,
        key: str | None,
        name: str,
        body: st.Body,
        *,
        automatic: bool,
    ) -> None:
        scope = self.scope(ty.Local("me", type=SEAT), body, may_choose=not automatic)
        scope.fresh("me", SEAT)
        block = self.resolver(scope).block(body)
        parts = [kind, name, field] + ([key] if key else [])
        proc = ".".join(parts)
        self.program.procs[proc] = TypedProc(
            proc, name, verb=True, params=(), block=block, span=body.span, automatic=automatic
        )
        self.program.effects[kind, field, at, key] = proc
        if scope.failed:
            self.program.failed.add(proc)

    # ---------------------------------------------------------------- the rest
    def _homes(self) -> None:
        for info in self.world.pieces.values():
            if info.home is None:
                self.findings.report(
                    "E006",
                    info.span,
                    f"Where are the {info.plural} at the beginning?",
                    f"Say it: `piece {info.name} ... in box`.",
                )
                continue
            owner = ty.Local("owner", type=SEAT)
            scope = self.scope(owner if info.owned else None, info.home, may_choose=False)
            cells = self.resolver(scope).cells(info.home)
            if cells is None:
                continue
            place = self.world.places[cells.place]
            at = place.owner_dim
            if info.owned and at is not None and cells.dims[at] is None:
                dims = list(cells.dims)
                dims[at] = owner
                cells = attrs.evolve(cells, dims=tuple(dims))
            if not cells.one:
                self.findings.report(
                    "E301",
                    info.home.span,
                    f"The {info.plural} begin in one place each.",
                    "Name one: a place that is there once, or one per seat for pieces per seat.",
                )
                continue
            if info.name not in place.holds:
                self.resolver(scope).check_holds(place.name, info.name, info.home.span)
            self.program.homes[info.name] = Home(info.name, cells)

    def _rivals(self) -> None:
        for rival in self.world.rivals.values():
            if rival.when is not None:
                scope = self.scope(None, rival.when, may_choose=False)
                self.program.rival_conditions[rival.name] = self.resolver(scope).condition(
                    rival.when
                )

    def _ranking(self) -> None:
        ranked: list[tuple[bool, ty.Value]] = []
        seat = ty.Local("me", type=SEAT)
        for step in self.world.ranking:
            scope = self.scope(seat, step.value, may_choose=False)
            scope.fresh("me", SEAT)
            if isinstance(step.value, ex.Name) and step.value.name == "score":
                value: ty.Value = ty.ScoreOf(seat, type=NUMBER, span=step.span)
            else:
                value = self.resolver(scope).number(step.value)
            ranked.append((step.most, value))
        self.program.ranking = tuple(ranked)


def _asks(node: ty.Typed, values: set[str]) -> bool:
    return any(isinstance(each, ty.CallValue) and each.name in values for each in ty.walk(node))


def _calls(body: st.Body, name: str) -> bool:
    found = False

    def look(node: object) -> None:
        nonlocal found
        if isinstance(node, st.Call) and node.verb.text == name:
            found = True
        cls = type(node)
        if attrs.has(cls):
            for field in attrs.fields(cls):
                look(getattr(node, field.name))
        elif isinstance(node, tuple):
            for each in node:
                look(each)

    look(body)
    return found
