"""Call graph: topological order, cycles, call depth, and procedures with decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TypeVar

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.symbols.declare_procedures import header_text
from rulesdsl.check.typed.program import RANKING, Computed, Program, TypedProc
from rulesdsl.check.typed.steps import children
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.source.facts import RivalDecides
from rulesdsl.source.span import Span

K = TypeVar("K")


class Graph:
    """Call graph of a program, including the effects in fields."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings

    @cached_property
    def _found(self) -> dict[str, tuple[list[ty.Step], list[tuple[str, ty.Step]]]]:
        return {key: self._in(proc.nodes) for key, proc in self.program.procs.items()}

    def _in(self, nodes: Iterable[ty.Node]) -> tuple[list[ty.Step], list[tuple[str, ty.Step]]]:
        steps = [each for each in nodes if isinstance(each, ty.StepNode)]
        return steps, [(callee, step) for step in steps for callee in self.called(step)]

    @cached_property
    def steps(self) -> dict[str, list[ty.Step]]:
        """All steps of each procedure, including nested ones."""
        return {key: steps for key, (steps, _) in self._found.items()}

    @cached_property
    def calls(self) -> dict[str, list[tuple[str, ty.Step]]]:
        """The possible callees of each procedure, with the calling steps."""
        return {key: calls for key, (_, calls) in self._found.items()}

    def called(self, step: ty.Node) -> list[str]:
        """Return the possible callees of a node."""
        return list(TRAITS[type(step)].runs(step, self.program))

    # Topological order by iterative depth-first search: `path` holds the open procedures with
    # their unvisited callees, so deep call chains do not exhaust Python's stack. An edge to an
    # open procedure closes a cycle. Overloads and effects are separate nodes; a `do` of an unknown
    # entry may call every effect of its field, so effects that never call each other in a game can
    # be rejected as a cycle.
    def order(self) -> list[str] | None:
        """Return the procedures, callees first, or None after reporting cycles."""
        done: dict[str, bool] = {}
        order: list[str] = []
        clean = True
        for start in self.program.procs:
            path: dict[str, Iterator[str]] = {}  # open procedures with their remaining callees
            waiting = iter((start,))
            while True:
                key = next((each for each in waiting if each in self.program.procs), None)
                if key is None:
                    if not path:
                        break
                    last = next(reversed(path))
                    path.pop(last)
                    waiting = next(reversed(path.values()), iter(()))
                    done[last] = True
                    order.append(last)
                elif key not in done:
                    done[key] = False
                    path[key] = waiting = iter([callee for callee, _ in self.calls[key]])
                elif not done[key]:
                    clean = False
                    opened = list(path)
                    self._circle([*opened[opened.index(key) :], key])
        return order if clean else None

    def _circle(self, keys: list[str]) -> None:
        if not self.program.failed.isdisjoint(keys):
            return  # the intended verb is unknown
        effects = set(self.program.effects.values())
        first = next((key for key in keys if key in effects), keys[0])
        template = wording.CYCLE_OF_EFFECTS if first in effects else wording.CYCLE_OF_VERBS
        calls = [(key, dict(reversed(self.calls[key]))[callee]) for key, callee in pairwise(keys)]
        (caller, call), is_hooked = calls[-1], False
        for key, step in calls:
            infos = self.program.world.procs.get(self.program.procs[key].title, ())
            if any(hook.span.holds(step.span) for info in infos for hook in info.hooks):
                caller, call, is_hooked = key, step, True
        again = [Related(call.span, "this call closes the cycle")]
        around = [self.title(key) for key in keys]
        span, verb = self.program.procs[first].span, self.title(caller)
        advice = wording.CYCLE_OF_HOOK(around=around, verb=verb)[2] if is_hooked else ""
        template.report(self.findings, span, again, advice=advice, around=around, verb=verb)

    def unsure(self) -> frozenset[str]:
        """Return the failed procedures, and all their direct and indirect callers."""
        return self._with_callers(self.program.failed)

    def _with_callers(self, keys: Iterable[str]) -> frozenset[str]:
        callers: dict[str, list[str]] = {}
        for key, calls in self.calls.items():
            for callee, _ in calls:
                callers.setdefault(callee, []).append(key)
        return reached(keys, lambda key: callers.get(key, ()))

    def title(self, key: str) -> str:
        """Return a procedure's name for messages."""
        if key in set(self.program.effects.values()):
            return key
        return self.program.procs[key].title

    # ---------------------------------------------------------------- decisions
    @cached_property
    def deciding(self) -> frozenset[str]:
        """The procedures that contain a decision, or may call a procedure that does."""
        return self._with_callers(
            key
            for key, steps in self.steps.items()
            if any(TRAITS[type(step)].decides for step in steps)
        )

    def asks(self, step: ty.Node) -> bool:
        """Return whether a step may ask somebody: by itself, or in what it runs."""
        return any(
            TRAITS[type(node)].decides or not self.deciding.isdisjoint(self.called(node))
            for node in ty.walk(step)
        )

    def check_automatic(self) -> None:
        """Report automatic effects that reach a decision."""
        for proc in self.program.procs.values():
            if proc.automatic and proc.key in self.deciding - self.program.failed:
                culprit = next(
                    (step for callee, step in self.calls[proc.key] if callee in self.deciding),
                    None,
                )
                span = culprit.span if culprit is not None else proc.span
                wording.AUTOMATIC_CHOICE.report(self.findings, span)

    def check_deciders(self) -> None:
        """Report decisions that a rival, which never decides, might have to make."""
        if not self.program.world.rivals:
            return
        asking = self._asking_actors()
        for key, steps in self.steps.items():
            spans = list[Span]()
            for step in steps if key not in self.program.failed else ():
                actor = self._asked(step, asking)
                is_player = actor is None or ty.is_me(actor) or actor.type.family == "player"
                if not is_player and not any(span.holds(step.span) for span in spans):
                    spans.append(step.span)
                    wording.RIVAL_DECIDES.report(self.findings, step.span, facts=RivalDecides())

    def _asked(self, step: ty.Node, asking: frozenset[str]) -> ty.Value | None:
        facts = TRAITS[type(step)]
        if facts.decides or not asking.isdisjoint(facts.runs(step, self.program)):
            return facts.actor(step)
        return None

    def _asking_actors(self) -> frozenset[str]:
        callers: dict[str, list[str]] = {}  # callers that pass on their own `me`
        asking: list[str] = []
        for key, steps in self.steps.items():
            if any(_decides_itself(step) for step in steps):
                asking.append(key)
            for callee, step in self.calls[key]:
                if _is_for_itself(step):
                    callers.setdefault(callee, []).append(key)
        return reached(asking, lambda key: callers.get(key, ()))

    # ---------------------------------------------------------------- activations
    def check_activations(self) -> None:
        """Report changes to `during` flags and tracks outside their procedure."""
        world = self.program.world
        cells = [("flag", each.name, each.during) for each in world.flags.values()]
        cells += [("track", each.name, each.during) for each in world.tracks.values()]
        for _, name, during in cells:
            if during not in world.procs:  # no `during`, or reported as unknown
                continue
            self._check_overloads(name, during)
            outside = self._reached_from("game", past=during)
            for step in (each for key in outside for each in self.steps[key]):
                if isinstance(step, ty.SetFlag | ty.ChangeTrack) and step.counter == name:
                    self._report_outside(step.span, name, during)

    def _report_outside(self, span: Span, name: str, during: str) -> None:
        world = self.program.world
        flag = world.flags.get(name)
        if flag is None:
            wording.OUTSIDE_ACTIVATION.report(self.findings, span, name=name, during=during)
            return
        clear = f"clear {name}"
        if len(flag.dims) == 1:
            clear = f"for each {flag.dims[0]} x: {clear} of x"
        elif flag.dims:
            clear += " ..."
        begins = header_text(world.procs[during][0], world)
        said = wording.FLAG_OUTSIDE_ACTIVATION
        said.report(self.findings, span, name=name, during=during, begins=begins, clear=clear)

    def _check_overloads(self, name: str, during: str) -> None:
        same = [info.key for info in self.program.world.procs.get(during, ())]
        inside = {each for key in same if len(same) > 1 for each in self._reached_from(key)}
        for key in inside:
            for callee, step in self.calls[key]:
                if callee in same:
                    said = wording.ACTIVATION_WITHIN
                    said.report(self.findings, step.span, name=name, during=during)

    def _reached_from(self, start: str, past: str = "") -> frozenset[str]:
        procs = {key for key, proc in self.program.procs.items() if proc.title != past or not past}
        return reached(procs & {start}, lambda key: procs & {each for each, _ in self.calls[key]})

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The procedures reachable from `game`."""
        return self._reached_from("game")


def _decides_itself(step: ty.Step) -> bool:
    facts = TRAITS[type(step)]
    return facts.decides and _is_for_itself(step)


def _is_for_itself(step: ty.Step) -> bool:
    actor = TRAITS[type(step)].actor(step)
    return actor is not None and ty.is_me(actor)


def reached(starts: Iterable[K], onward: Callable[[K], Iterable[K]]) -> frozenset[K]:
    """Return the transitive closure of keys under a successor function."""
    seen: set[K] = set()
    todo = list(starts)
    while todo:
        key = todo.pop()
        if key not in seen:
            seen.add(key)
            todo.extend(onward(key))
    return frozenset(seen)


MAX_DEPTH = 100  # nested calls, filters and locals; or steps and branches
MANY_BRANCHES = 20  # tested one by one; more are found by binary search
MAX_NAMES = 3  # names shown at each end of a chain


# Nesting depth: calls, filters and bound locals along one chain must not exceed Python's and the
# simulator's stacks. The longest path is computed bottom-up over the call graph, together with the
# next callee on it, so that the chain can be reported. The depth is syntactic, so code that never
# runs counts as well.
class Depth:
    """Computation of nesting depths; it reports the first chain that is too deep."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self._known: dict[str | Computed, int] = {}
        self._below: dict[str | Computed, str | Computed | None] = {}

    def fits(self, procs: Iterable[str], values: Iterable[Computed]) -> bool:
        """Return whether no nesting is too deep; both arguments are in callees-first order."""
        every = self.program.procs
        return all(self._measured(each, self.program.bodies(each)) for each in values) and all(
            self._branches(every[key]) and self._measured(key, [every[key].block]) for key in procs
        )

    def _branches(self, proc: TypedProc) -> bool:
        levels = _levels(proc.block.steps)
        if levels > MAX_DEPTH:
            said = wording.TOO_MANY_LEVELS
            said.report(self.findings, proc.span, levels=levels, most=MAX_DEPTH)
        return levels <= MAX_DEPTH

    def _measured(self, key: str | Computed, bodies: Sequence[ty.Node]) -> bool:
        deepest = 0
        below: str | Computed | None = None
        left = [(body, 1) for body in bodies]
        while left:
            node, depth = left.pop()
            facts = TRAITS[type(node)]
            if depth > deepest:
                deepest, below = depth, None
            called: tuple[str | Computed, ...] = (
                *facts.runs(node, self.program),
                *facts.computes(node, self.program),
            )
            for each in called:
                further = depth + self._known.get(each, 0)
                if further > deepest:
                    deepest, below = further, each
            binds = any(facts.within(node)) or any(facts.binds(node))
            left.extend((part, depth + binds) for part in children(node))
        self._known[key], self._below[key] = deepest, below
        if deepest <= MAX_DEPTH:
            return True
        chain = self._chain(key)
        names = [*chain[:MAX_NAMES], "...", *chain[-MAX_NAMES:]]
        span = self.program.procs[key].span if isinstance(key, str) else bodies[0].span
        said = wording.TOO_DEEP_CALLS
        said.report(self.findings, span, depth=deepest, most=MAX_DEPTH, names=names)
        return False

    def _chain(self, key: str | Computed | None) -> list[str]:
        names: list[str] = []
        while key is not None:
            names.append(self.program.procs[key].title if isinstance(key, str) else str(key[0]))
            key = self._below.get(key)
        return names


def _levels(steps: Iterable[ty.Step]) -> int:
    """Return the nesting depth of steps; branches are nested in the branches before them."""
    levels = 0
    for step in steps:
        if flow := TRAITS[type(step)].flow(step):
            inner = _levels(each for block in flow.blocks for each in block.steps)
            levels = max(levels, inner + min(len(flow.blocks), MANY_BRANCHES))
    return levels


def order_of_values(program: Program, findings: Findings) -> list[Computed] | None:
    """Return the values in topological order, or None after reporting a cycle."""
    asked: dict[Computed, set[Computed]] = {}
    spans: dict[Computed, Span] = {}
    for (name, layer), value in program.values.items():
        spans[name, layer] = value.span
        asked[name, layer] = _asked_by(program, value.body)
    for (kind, field, _, _), body in program.formulas.items():
        spans.setdefault((kind, field), body.span)
        asked.setdefault((kind, field), set()).update(_asked_by(program, body))
    for _, ranked in program.ranking:
        spans.setdefault(RANKING, ranked.span)
        asked.setdefault(RANKING, set()).update(_asked_by(program, ranked))
    try:
        return list(TopologicalSorter(asked).static_order())
    except CycleError as error:
        circle: list[Computed] = error.args[1][::-1]
        first = min((node for node in circle if node in spans), key=spans.__getitem__)
        at = circle.index(first)
        names = [_title(node) for node in (*circle[at:-1], *circle[:at], first)]
        wording.CYCLE_OF_VALUES.report(findings, spans[first], names=names)
        return None


def _asked_by(program: Program, body: ty.Value) -> set[Computed]:
    walked = ty.walk(body)
    return {asked for each in walked for asked in TRAITS[type(each)].computes(each, program)}


def _title(node: Computed) -> str:
    return node[0] if isinstance(node[1], int) else node[1]
