"""Verbs and steps: their bodies resolved, hooks woven in."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.mentions import within
from rulesdsl.check.program import TypedProc
from rulesdsl.check.resolve.named_values import NamedValues
from rulesdsl.check.scope import Added, Scope
from rulesdsl.check.types import SEAT, UNKNOWN
from rulesdsl.check.world import HookInfo, ProcInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.syntax import statements as st


class Procedures(NamedValues):
    """Resolves the verbs and steps of a world."""

    def _proc(self, proc: ProcInfo) -> None:
        me = ty.Local("me", type=SEAT) if proc.verb else None
        hooked = [part for hook in proc.hooks for part in (hook.when, hook.body)]
        scope = self.scope(me, proc.body, *hooked)
        scope.inside = proc.name
        if proc.verb:
            scope.fresh("me", SEAT)
        params = self._params(scope, proc.params)
        resolver = self.resolver(scope)
        scope.added = self._added(proc, params)
        body = resolver.block(proc.body)
        scope.added = ()
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

    def _added(self, proc: ProcInfo, params: tuple[ty.Local, ...]) -> tuple[Added, ...]:
        """Return what hooks add to the menu or choice of a procedure, where it has just one."""
        found: list[Added] = []
        for hook in proc.hooks:
            lines = hook.body.statements[0] if hook.time.startswith("add to") else None
            if isinstance(lines, st.Menu | st.ChooseOne):
                there = _count(proc.body, type(lines))
                if there == 1:
                    names = (param.name for param in hook.params)
                    bound = dict(zip(names, params, strict=True))
                    found.append(Added(lines, hook.when, bound))
                else:
                    self._nothing_to_add_to(proc, hook, there)
        return tuple(found)

    def _nothing_to_add_to(self, proc: ProcInfo, hook: HookInfo, there: int) -> None:
        menu = hook.time == "add to menu of"
        word = "menu" if menu else "choose one"
        known = f"has {there} of them" if there else "has none"
        self.findings.report(
            "E410",
            hook.span,
            f"Lines are added where a verb has one `{word}`; `{proc.name}` {known}.",
            "Add them to a verb that it does, or use `before` or `after`.",
            [Related(proc.span, "declared here")],
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


def _count(body: st.Body, kind: type) -> int:
    return sum(isinstance(node, kind) for node in within(body))
