"""Resolution of a whole program: verbs and steps with their hooks, effects, ranking, verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.attributes import cells_of, check_holds
from rulesdsl.check.resolve.calls import heading, optional, plain
from rulesdsl.check.resolve.expressions import value_of
from rulesdsl.check.resolve.operators import price_of
from rulesdsl.check.resolve.resolver import AddedLines, Dispatch, ResolveContext, Resolver
from rulesdsl.check.resolve.statements import resolve_value, steps_of
from rulesdsl.check.symbols.names import mentions
from rulesdsl.check.symbols.symbol_table import (
    EntryInfo,
    HookInfo,
    KindInfo,
    PieceInfo,
    ProcInfo,
    ReferenceRecorder,
    RivalInfo,
    SymbolTable,
    ValueInfo,
)
from rulesdsl.check.symbols.types import NUMBER, SEAT, UNKNOWN
from rulesdsl.check.typed.conditions import fixed
from rulesdsl.check.typed.program import VERDICT, EffectKey, Home, Program, TypedProc, TypedValue
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

_DISPATCH = Dispatch(value_of, price_of, steps_of, resolve_value)


def new_context(
    world: SymbolTable, findings: Findings, noted: ReferenceRecorder | None = None
) -> ResolveContext:
    """Return a context in which a program's bodies can be resolved."""
    return ResolveContext(world, findings, _DISPATCH, noted or ReferenceRecorder())


def resolve_proc(bodies: ResolveContext, proc: ProcInfo) -> None:
    """Resolve a verb or step with its hooks."""
    program = bodies.program
    hooked = [part for hook in proc.hooks for part in (hook.when, hook.body)]
    opened = bodies.of_seat if proc.verb else bodies.of_nobody
    r = opened(proc.body, proc.text, proc.imperative, *hooked, may_choose=True)
    scope = r.scope
    scope.inside = proc.name
    params = bodies.params(r, proc.params)
    scope.heading = heading(r, proc, params)

    def is_done_by(key: str, block: ty.Block) -> None:
        program.procs[key] = TypedProc(key, proc.name, proc.verb, params, block, proc.span)

    scope.added = _added(bodies.findings, proc, params)
    tell = _tell(r, proc)
    body = r.block(proc.body)
    scope.added = ()
    replacing = [each for each in proc.hooks if each.time == "instead of"]
    for layer, hook in enumerate(replacing):
        is_done_by(f"{proc.key}@{layer}", body)
        body = _instead(r, proc, hook, params, layer)
    before = _hook_steps(r, proc, "before", params)
    after = _hook_steps(r, proc, "after", params)
    if scope.failed or any(param.type == UNKNOWN for param in params):
        program.failed.update([proc.key, *(f"{proc.key}@{at}" for at in range(len(replacing)))])
    steps = (*before, *body.steps, *after)
    if tell is not None:
        steps = (tell, *steps, ty.EndTell(span=proc.span))
    is_done_by(proc.key, attrs.evolve(body, steps=steps))


def _tell(r: Resolver, proc: ProcInfo) -> ty.Tell | None:
    if proc.text is None and not proc.quiet:
        return None
    words, me = optional(r, proc.text), r.actor()
    return ty.Tell(words, me, "act" if proc.verb else "part", proc.quiet, span=proc.span)


def _added(
    findings: Findings, proc: ProcInfo, params: tuple[ty.Local, ...]
) -> tuple[AddedLines, ...]:
    found: list[AddedLines] = []
    for hook in proc.hooks:
        lines = hook.body.statements[0] if hook.time.startswith("add to") else None
        if isinstance(lines, st.Menu | st.ChooseOne):
            there = sum(isinstance(node, type(lines)) for node in walk(proc.body))
            if there == 1:
                found.append(AddedLines(lines, hook.when, hook.params, params))
            else:
                _nothing_to_add_to(findings, proc, hook, there)
    return tuple(found)


def _nothing_to_add_to(findings: Findings, proc: ProcInfo, hook: HookInfo, there: int) -> None:
    word = "menu" if "menu" in hook.time else "choose one"
    found = f"{there} of them" if there else "none"
    place = [Related(proc.span, "declared here")]
    wording.NOTHING_TO_ADD_TO.report(
        findings, hook.span, place, word=word, verb=proc.name, there=found
    )


def _instead(
    r: Resolver, proc: ProcInfo, hook: HookInfo, params: tuple[ty.Local, ...], layer: int
) -> ty.Block:
    r.scope.beneath_proc = (proc.key, layer)
    when, block = _hook(r, hook, params)
    r.scope.beneath_proc = None
    if when is None:
        return block
    below = ty.Run(f"{proc.key}@{layer}", r.actor(), params, span=hook.span)
    otherwise = ty.Block((below,), span=hook.span)
    branching = ty.Branching(((when, block),), otherwise, span=hook.span)
    return ty.Block((branching,), span=hook.span)


def _hook(
    r: Resolver, hook: HookInfo, params: tuple[ty.Local, ...]
) -> tuple[ty.Value | None, ty.Block]:
    with r.scope.block():
        r.scope.locals, r.scope.some = {}, set()
        r.bind(hook.params, params)
        when = None if hook.when is None else r.condition(hook.when)
        if when is not None:
            r.scope.assume(when)
        return when, r.block(hook.body)


def _hook_steps(
    r: Resolver, proc: ProcInfo, time: str, params: tuple[ty.Local, ...]
) -> list[ty.Step]:
    steps: list[ty.Step] = []
    for hook in filter(lambda hook: hook.time == time, proc.hooks):
        when, block = _hook(r, hook, params)
        if proc.verb:  # the log tells it apart from what the verb itself does
            tell = ty.Tell(None, r.actor(), "act", span=hook.span)
            block = attrs.evolve(block, steps=(tell, *block.steps, ty.EndTell(span=hook.span)))
        if when is None:
            steps.extend(block.steps)
        else:
            steps.append(ty.Branching(((when, block),), ty.Block(()), span=hook.span))
    return steps


def resolve_program(bodies: ResolveContext) -> Program:
    """Resolve all bodies in a symbol table."""
    world, program = bodies.world, bodies.program
    for name in _callees_first(world.values):
        bodies.value_type(name)
    for overloads in world.procs.values():
        for proc in overloads:
            resolve_proc(bodies, proc)
    for kind in world.kinds.values():
        for at, found in enumerate(kind.entries):
            _fields(bodies, kind, at, found)
    for info in world.pieces.values():
        _home(bodies, info)
    for rival in world.rivals.values():
        _rival(bodies, rival)
    program.ranking = _ranking(bodies)
    program.values[VERDICT] = _verdict(bodies)
    _propagate_failures(program)
    return program


def _callees_first(values: Mapping[str, ValueInfo]) -> list[str]:
    spoken: dict[str, list[str]] = {}
    for name, value in values.items():
        hooked = (part for each in value.hooks for part in (each.when, each.formula))
        words = frozenset[str]().union(*map(mentions, (value.formula, *hooked)))
        spoken[name] = sorted(each for each in words if each in values and each != name)
    try:
        return list(TopologicalSorter(spoken).static_order())
    except CycleError:
        return list(values)  # resolution reports the cycle


def _fields(bodies: ResolveContext, kind: KindInfo, at: int, found: EntryInfo) -> None:
    for (field, column), body in found.effects.items():
        key = kind.name, field, at, column
        _effect(bodies, key, found.name, found.title, body, kind.fields[field].type)
    for (field, column), formula in found.formulas.items():
        bodies.program.formulas[kind.name, field, at, column] = bodies.of_seat(formula).number(
            formula
        )


def _effect(
    bodies: ResolveContext, key: EffectKey, name: str, title: str, body: st.Body, sort: str
) -> None:
    kind, field, _, column = key
    program, automatic = bodies.program, sort == "automatic"
    r = bodies.of_seat(body, may_choose=not automatic)
    r.scope.heading = plain(title)
    block = r.block(body)
    proc = ".".join([kind, name, field] + ([column] if column else []))
    program.procs[proc] = TypedProc(
        proc, name, verb=True, params=(), block=block, span=body.span, automatic=automatic
    )
    program.effects[key] = proc
    if r.scope.failed:
        program.failed.add(proc)


def _home(bodies: ResolveContext, info: PieceInfo) -> None:
    if info.home is None:
        wording.NO_HOME.report(bodies.findings, info.span, info=info)
        return
    owner = ty.Local("owner", type=SEAT)
    r = bodies.of_nobody(info.home)
    r.scope.me = owner if info.owned else None
    cells = cells_of(r, info.home)
    if cells is None:
        return
    place = bodies.world.places[cells.place]
    at = place.owner_dim
    if info.owned and at is not None and cells.dims[at] is None:
        dims = list(cells.dims)
        dims[at] = owner
        cells = attrs.evolve(cells, dims=tuple(dims))
    world = bodies.world
    known = {*world.kinds, *world.pieces, "seat", "player"}
    if not cells.one and not known.issuperset(place.dims):
        return  # reported at the place's declaration
    if not cells.one:
        wording.SEVERAL_HOMES.report(bodies.findings, info.home.span, info=info)
        return
    check_holds(r, place.name, info.name, info.home.span)
    bodies.program.homes[info.name] = Home(info.name, cells)


def _rival(bodies: ResolveContext, rival: RivalInfo) -> None:
    options = {name: info.default for name, info in bodies.world.options.items()}
    if rival.when is None:
        return
    r = bodies.of_nobody(rival.when)
    condition = r.condition(rival.when)
    if not r.scope.failed and fixed(condition, 1, options) is None:
        wording.RIVAL_DURING_GAME.report(bodies.findings, rival.when.span)
    bodies.program.rival_conditions[rival.name] = condition


def _ranking(bodies: ResolveContext) -> tuple[tuple[bool, ty.Value], ...]:
    world, seat = bodies.world, ty.Local("me", type=SEAT)
    ranked: list[tuple[bool, ty.Value]] = []
    for step in world.ranking:
        if isinstance(step.value, ex.Name) and step.value.name == "score":
            value: ty.Value = ty.ScoreOf(seat, type=NUMBER, span=step.span)
        else:
            value = bodies.of_seat(step.value).number(step.value)
        ranked.append((step.most, value))
    return tuple(ranked) or ((True, ty.ScoreOf(seat, type=NUMBER)),)


def _verdict(bodies: ResolveContext) -> TypedValue:
    """Return the number of the first verdict that holds for a player, or -1 if none does."""
    cases: list[tuple[ty.Value, ty.Value]] = []
    for at, decl in enumerate(bodies.world.endings(de.VerdictDecl)):
        holds = ty.YES if decl.when is None else bodies.of_seat(decl.when).condition(decl.when)
        cases.append((holds, ty.Const(at, type=NUMBER)))
    body = ty.Cases(tuple(cases), ty.Const(-1, type=NUMBER), type=NUMBER)
    return TypedValue(VERDICT[0], (), ty.Local("me", type=SEAT), body)


def _propagate_failures(program: Program) -> None:
    failed = program.failed_values
    for (name, _), value in program.values.items() if failed else ():
        if _asks(value.body, failed):
            failed.add(name)
    for key, proc in program.procs.items() if failed else ():
        if _asks(proc.block, failed):
            program.failed.add(key)


def _asks(node: ty.Node, values: set[str]) -> bool:
    return any(isinstance(each, ty.CallValue) and each.name in values for each in ty.walk(node))
