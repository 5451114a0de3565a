"""Statements: bindings, changes, loops, branches, options, and named values by cases."""

from __future__ import annotations

from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import calls, wording
from rulesdsl.check.resolve.attributes import SEATS, cells_of, in_order, word_of
from rulesdsl.check.resolve.calls import (
    about,
    asked,
    decider,
    optional,
    pick,
    question,
    title_of_kind,
)
from rulesdsl.check.resolve.expressions import domain_of
from rulesdsl.check.resolve.holes import COUNTER, EFFECT, FLAG, STACK, TRACK
from rulesdsl.check.resolve.looks import look
from rulesdsl.check.resolve.operators import surely_positive
from rulesdsl.check.resolve.options import lines_of, offer, resolve_way, told_apart
from rulesdsl.check.resolve.positions import ByPosition, previewing, unseen
from rulesdsl.check.resolve.resolver import ResolveContext, Resolver
from rulesdsl.check.resolve.selections import filtered, one_of
from rulesdsl.check.symbols.declare import NOTHING
from rulesdsl.check.symbols.symbol_table import ValueInfo
from rulesdsl.check.symbols.types import NUMBER, PLAYER, SEAT, UNKNOWN, YES_NO, Type, fits
from rulesdsl.check.typed.program import TypedValue
from rulesdsl.check.typed.traits import is_random
from rulesdsl.source import tree
from rulesdsl.source.diagnostics import similar
from rulesdsl.source.english import a_or_an
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st


def let(r: Resolver, stmt: st.Let) -> list[ty.Step]:
    """Resolve `let`: the binding of a value, or a choice."""
    name = stmt.name.text
    if name in r.scope.locals:
        r.report(wording.NAME_HERE_ALREADY(name=name), stmt.name.span)
    if _hides(r, name):
        r.report(wording.NAME_OF_THE_GAME(name=name), stmt.name.span)
    if isinstance(stmt.value, ex.Choice):
        steps: list[ty.Step] = []
        local = pick(r, stmt.value, name, steps)
        r.scope.locals[name] = local or r.unknown(stmt.span)
        r.binds(stmt.name, r.scope.locals[name])
        return steps
    value = r.value(stmt.value)
    bound = r.scope.fresh(name, value.type)
    r.scope.locals[name] = bound
    r.binds(stmt.name, bound)
    if value.type.family == "number" and surely_positive(r, value):
        r.positive.add(bound)
    return [ty.SetLocal(bound.name, value, span=stmt.span)]


def _hides(r: Resolver, name: str) -> bool:
    world = r.world
    singular = world.singular(name)
    known = (world.pieces, world.places, world.tracks, world.constants, world.options)
    return any(singular in each for each in known) or name in world.values


# -------------------------------------------------------------------- changes
def _change(r: Resolver, stmt: st.Change) -> list[ty.Step]:
    """Resolve `raise` and `lower` of a track, or of a piece in its stack."""
    target, me = r.value(stmt.target, TRACK), r.actor()
    amount = r.number(stmt.amount)
    if target.type.family == "piece":
        return _shift(r, stmt, target, amount)
    if not isinstance(target, ty.TrackCell):
        near = similar(word_of(stmt.target), r.world.tracks)
        r.report(wording.NO_TRACK(near), stmt.target.span, target)
        return []
    if target.type.family != "number":
        return _no_number(r, target)
    return [ty.ChangeTrack(target.track, target.dims, stmt.up, amount, me, span=stmt.span)]


def _shift(r: Resolver, stmt: st.Change, target: ty.Value, amount: ty.Value) -> list[ty.Step]:
    info = r.world.pieces[target.type.of]
    stacks = [each for each in r.world.places.values() if each.stack and info.name in each.holds]
    if not stacks or info.style != "printed":
        r.report(wording.NEVER_IN_STACK(plural=info.plural), stmt.target.span)
        return []
    piece = r.total(target, stmt.target.span)
    return [ty.ShiftPiece(info.name, piece, stmt.up, amount, r.actor(), span=stmt.span)]


def _no_number(r: Resolver, memory: ty.TrackCell) -> list[ty.Step]:
    r.report(wording.NO_NUMBER_THERE(name=memory.track), memory.span)
    return []


def _set(r: Resolver, stmt: st.Assign) -> list[ty.Step]:
    """Resolve `set`: of a track as a change by the difference, of a flag as two branches."""
    target, me, span = r.value(stmt.target, COUNTER), r.actor(), stmt.span
    if not isinstance(target, ty.TrackCell | ty.FlagCell):
        near = similar(word_of(stmt.target), [*r.world.tracks, *r.world.flags])
        r.report(wording.NOT_SET(near), stmt.target.span, target)
        return []
    steps: list[ty.Step] = []
    dims = list(target.dims)
    for at, dim in enumerate(dims):
        if is_random(dim):  # it is read twice
            dims[at] = local = r.scope.fresh("drawn", dim.type)
            steps.append(ty.SetLocal(local.name, dim, span=dim.span))
    target = attrs.evolve(target, dims=tuple(dims))
    value = _new_value(r, stmt.value, steps, target)
    if isinstance(target, ty.FlagCell):
        on, off = (
            ty.Block((ty.SetFlag(target.flag, target.dims, on, me, span=span),), span=span)
            for on in (True, False)
        )
        return [*steps, ty.Branching(((value, on),), off, span=span)]
    return [*steps, _set_to(r, target, value, span)]


def _set_to(r: Resolver, target: ty.TrackCell, value: ty.Value, span: Span) -> ty.Step:
    old, new = attrs.evolve(target, type=NUMBER), attrs.evolve(value, type=NUMBER)
    by = ty.Arith("-", new, old, type=NUMBER, span=value.span)
    return ty.ChangeTrack(target.track, target.dims, up=True, amount=by, me=r.actor(), span=span)


CHOSEN = "the choice"  # no name of a local: it has a blank
THINGS_CHOSEN = frozenset({"entry", "piece", "seat", "player"})


def _new_value(
    r: Resolver, expr: ex.Expr, steps: list[ty.Step], target: ty.TrackCell | ty.FlagCell
) -> ty.Value:
    """Resolve the new value of a track, flag or memory; a choice in it becomes a step."""
    is_number, want = target.type.family == "number", target.type.total()
    info = r.world.counter(target.counter)
    choice = next((node for node in tree.walk(expr) if isinstance(node, ex.Choice)), None)
    with r.scope.block():
        if choice is not None:
            hidden = info is not None and info.seen_by is not None
            chosen = pick(r, choice, None, steps, secret=hidden)
            is_thing = chosen is not None and chosen.type.family in THINGS_CHOSEN
            if chosen is not None and is_number and is_thing and expr == choice:
                return r.report(wording.THING_ON_TRACK(have=chosen.type), expr.span)
            r.scope.locals[CHOSEN] = chosen or r.unknown(choice.span)
            name = ex.Name(CHOSEN, span=choice.span)
            expr = tree.rewrite(expr, lambda node: name if node == choice else node)
        return r.condition(expr) if want == YES_NO else r.of_type(expr, want)


def _mark(r: Resolver, stmt: st.Mark) -> list[ty.Step]:
    target = r.value(stmt.target, FLAG)
    if isinstance(target, ty.TrackCell) and target.type.family != "number":
        if stmt.on:
            return _no_number(r, target)
        nothing = ty.Const(NOTHING, type=NUMBER, span=stmt.span)
        return [_set_to(r, target, nothing, stmt.span)]
    if not isinstance(target, ty.FlagCell):
        near = similar(word_of(stmt.target), r.world.flags)
        words = wording.TRACK_MARKED if isinstance(target, ty.TrackCell) else wording.NO_FLAG
        r.report(words(near), stmt.target.span, target)
        return []
    return [ty.SetFlag(target.flag, target.dims, stmt.on, r.actor(), span=stmt.span)]


def _do(r: Resolver, stmt: st.Do) -> list[ty.Step]:
    target = r.value(stmt.target, EFFECT)
    if not isinstance(target, ty.HasEffect):
        r.report(wording.NO_EFFECT(), stmt.target.span, target)
        return []
    me = r.me(stmt.span)
    return [ty.DoField(target.kind, target.field, target.subject, target.key, me, span=stmt.span)]


def _shuffle(r: Resolver, stmt: st.Shuffle) -> list[ty.Step]:
    cells = cells_of(r, stmt.target, STACK)
    if cells is None or not in_order(r, cells, stmt.target.span):
        return []
    return [ty.ShuffleCells(cells, r.actor(), span=stmt.span)]


def until(r: Resolver, stmt: st.Until) -> list[ty.Step]:
    """Resolve `repeat ... until`, which is allowed only in steps."""
    if r.scope.me is not None:
        r.report(wording.UNTIL_IN_VERB(), stmt.span)
    limit, condition = r.number(stmt.limit), r.condition(stmt.condition)
    return [ty.RepeatTimes(limit, r.loop(stmt.body), condition, span=stmt.span)]


def each(r: Resolver, stmt: st.Each) -> list[ty.Step]:
    """Resolve a loop over a domain; in a loop over seats, each seat acts in turn."""
    base = domain_of(r, stmt.kind, stmt.domain)
    if base is None:
        return []
    seats = base.element.family in SEATS
    start = None
    if stmt.start is not None:
        start = r.value(stmt.start)
        if not seats or start.type.family not in {"seat", "player", "unknown"}:
            r.report(wording.STARTING_WITH_THING(), stmt.start.span)
            start = None
    name = stmt.variable.text if stmt.variable else None
    domain = filtered(r, base, stmt.where, stmt.variable, acting=seats)
    with r.scope.block():
        r.scope.forget_state()
        local = one_of(r, name or stmt.kind.text, domain)
        if stmt.variable is not None:
            r.scope.locals[stmt.variable.text] = local
            r.binds(stmt.variable, local)
        if seats:
            r.scope.me = local
        r.scope.candidates.append(local)
        block = r.open_block(stmt.body.statements, stmt.body.span)
    return [ty.ForEach(local.name, domain, start, block, span=stmt.span)]


def act_as(r: Resolver, stmt: st.ActAs) -> list[ty.Step]:
    """Resolve a block in which a given seat acts."""
    seat = r.value(stmt.seat, SEAT)
    if seat.type.family not in SEATS:
        r.report(wording.WRONG_TYPE(have=seat.type, want="a seat"), stmt.seat.span, seat)
        return []
    maybe, steps = r.scope.narrowed(seat).type.maybe, list[ty.Step]()
    with r.scope.block():
        if isinstance(seat, ty.Local) and not maybe:
            local = seat
        else:
            local = r.scope.fresh("actor", seat.type.total())
            steps.append(ty.SetLocal(local.name, seat, span=stmt.seat.span))
        r.scope.me = local
        block = r.open_block(stmt.body.statements, stmt.body.span)
    if not maybe:
        return [*steps, *block.steps]
    there = ty.IsSome(attrs.evolve(local, type=seat.type), type=YES_NO)
    return [*steps, ty.Branching(((there, block),), ty.Block(()), span=stmt.span)]


def secret(r: Resolver, stmt: st.Secret) -> list[ty.Step]:
    """Resolve a simultaneous choice by all players."""
    if not r.scope.may_choose:
        r.report(wording.CHOICE_IN_EFFECT(), stmt.span)
    elif r.scope.me is not None and not ty.is_me(r.scope.me):
        r.report(wording.ALL_CHOOSE_IN_TURN(), stmt.span)
    variable = stmt.choice.variable
    word = variable or stmt.choice.kind
    with r.scope.block():
        r.scope.forget_state()
        me = r.scope.me = r.scope.fresh("chooser", PLAYER)
        r.scope.candidates.append(me)
        where = ty.YES if stmt.where is None else r.condition(stmt.where)
        r.scope.candidates.pop()
        base = domain_of(r, stmt.choice.kind, stmt.choice.domain)
        if base is None:
            return []
        domain = filtered(r, base, stmt.choice.where, variable)
        which = f"choose {a_or_an(title_of_kind(r, base.element))} in secret."
        prompt = asked(r, stmt.choice.prompt, which)
        local = r.scope.fresh(word.text, base.element)
        label = about(r, stmt.choice, local)
        if variable is not None:
            r.scope.locals[variable.text] = local
            r.binds(variable, local)
        block, answer = r.open_block(stmt.body.statements, stmt.body.span), local
        hidden = unseen(r, domain, me, local, label)
        if hidden is not None:
            choice = ByPosition.of(r, domain, hidden, local, label)
            answer, domain, label = choice.number, choice.domain, choice.label
            block = choice.before(block, local, stmt.span)
    parts = answer.name, me.name, domain, prompt, block, label
    preview = previewing(r, stmt.choice, local, hidden=hidden is not None)
    return [ty.Secretly(*parts, where=where, preview=preview, span=stmt.span)]


def branching(r: Resolver, stmt: st.If) -> list[ty.Step]:
    """Resolve `if` and its branches."""
    branches: list[tuple[ty.Value, ty.Block]] = []
    with r.scope.block():
        for branch in stmt.branches:
            condition = r.condition(branch.condition)
            with r.scope.block():
                r.scope.assume(condition)
                branches.append((condition, r.block(branch.body)))
            r.scope.assume_not(condition)
        otherwise = r.block(stmt.otherwise)
    return [ty.Branching(tuple(branches), otherwise, span=stmt.span)]


def steps_of(r: Resolver, stmt: st.Stmt) -> list[ty.Step]:
    """Resolve one statement into steps."""
    span = stmt.span
    if isinstance(stmt, st.Compound):
        return _compound(r, stmt)
    match stmt:
        case st.Call():
            return calls.call(r, stmt)
        case st.Move():
            return calls.move(r, stmt)
        case st.Change():
            return _change(r, stmt)
        case st.Assign():
            return _set(r, stmt)
        case st.Mark():
            return _mark(r, stmt)
        case st.Do():
            return _do(r, stmt)
        case st.Let():
            return let(r, stmt)
        case st.Needs():
            condition = r.condition(stmt.condition)
            why = optional(r, stmt.text)
            r.scope.assume(condition)
            return [ty.Require(calls.failing_with(why, condition), span=span)]
        case st.Shuffle():
            return _shuffle(r, stmt)
        case st.LookAt() | st.Show():
            return look(r, stmt)
        case st.Say():
            return [ty.Tell(calls.words_of(r, stmt.text), r.actor(), "say", span=span)]
        case st.Openly():
            r.bodies.program.openly.add(stmt.what.span)
            return steps_of(r, stmt.what)
        case st.EndGame():
            return [ty.Finish(span=span)]
        case st.BadLine():
            r.scope.failed = r.scope.lost_line = True
            return []
        case st.Nothing():
            return []
        case _:
            assert_never(stmt)


def _compound(r: Resolver, stmt: st.Compound) -> list[ty.Step]:
    span = stmt.span
    match stmt:
        case st.Sequence():
            parts = (*stmt.steps, *stmt.gains)
            if len(parts) > 1:
                r.bodies.program.joined.append(span)
            if stmt.gains:
                r.bodies.program.costs.append(stmt.steps[0].span.to(stmt.steps[-1].span))
            return list(r.open_block(parts, span).steps)
        case st.Either():
            ways = tuple(told_apart(r, [resolve_way(r, st.unlabelled(way)) for way in stmt.ways]))
            prompt = question(r, "choose one.")
            return [ty.Decide(ways, decider(r, span), prompt, span=span)]
        case st.ChooseOne():
            prompt, ways = asked(r, stmt.prompt, "choose one."), lines_of(r, stmt)
            return [ty.Decide(ways, decider(r, span), prompt, span=span)]
        case st.May() | st.MayRepeat():
            return offer(r, stmt)
        case st.Repeat():
            times = r.number(stmt.times)
            return [ty.RepeatTimes(times, r.loop(stmt.body), span=span)]
        case st.Until():
            return until(r, stmt)
        case st.Each():
            return each(r, stmt)
        case st.ActAs():
            return act_as(r, stmt)
        case st.Secret():
            return secret(r, stmt)
        case st.If():
            return branching(r, stmt)
        case st.IfAble():
            block = r.block(stmt.body)
            otherwise = r.block(stmt.otherwise)
            return [ty.WhereAble(block, otherwise, span=span)]
        case st.Menu():
            prompt, lines = asked(r, stmt.prompt, "what next?"), lines_of(r, stmt)
            me = decider(r, span)
            return [ty.Decide(lines, me, prompt, ty.DONE, again=True, span=span)]
        case _:
            assert_never(stmt)


def resolve_value(bodies: ResolveContext, value: ValueInfo) -> tuple[Type, bool]:
    """Resolve a named value; return its type, and whether it needs an acting seat."""
    hooked = [part for hook in value.hooks for part in (hook.when, hook.formula)]
    r = bodies.of_nobody(value.formula, *hooked)
    scope = r.scope
    params = bodies.params(r, value.params)
    seat = bool(params) and params[0].type.family in SEATS
    me = scope.me = params[0] if seat else scope.fresh("me", SEAT)
    body = _formula(r, value.formula)
    kind = body.type if value.score_title is None else NUMBER
    _check_type(r, value.name, kind, body.type, value.formula)
    layers = [body]
    for at, hook in enumerate(value.hooks):
        scope.beneath_value = (value.name, at)
        asks = not seat and any(_mentions(me, each) for each in layers)
        bodies.expect_value(value.name, body.type, needs_me=asks)
        with scope.block():
            r.bind(hook.params, params)
            scope.me = me
            replaced = _formula(r, hook.formula)
            _check_type(r, value.name, kind, replaced.type, hook.formula)
            when = None if hook.when is None else r.condition(hook.when)
        if when is not None:
            whose = me if seat or asks else ty.Const(-1, type=SEAT)
            below = ty.CallValue(value.name, whose, params, at, type=body.type)
            replaced = ty.Cases(((when, replaced),), below, type=body.type)
        layers.append(replaced)
    if scope.failed:
        bodies.program.failed_values.add(value.name)
    needs_me = not seat and any(_mentions(me, each) for each in layers)
    for at, each in enumerate(layers):
        asked = me if needs_me else None
        found = TypedValue(value.name, params, asked, each, value.span)
        bodies.program.values[value.name, at] = found
    return body.type, needs_me


def _mentions(me: ty.Local, value: ty.Value) -> bool:
    return any(isinstance(each, ty.Local) and each.name == me.name for each in ty.walk(value))


def _check_type(r: Resolver, name: str, kind: Type, found: Type, formula: st.Formula) -> None:
    findings = r.bodies.findings
    if not fits(found, kind):
        words = wording.VALUE_WITHOUT_NUMBER if kind == NUMBER else wording.VALUE_OF_OTHER_TYPE
        have = found.total()
        words.report(findings, formula.span, name=name, kind=kind.total(), found=have)
    elif found.maybe and not kind.maybe:
        wording.VALUE_MAY_BE_NONE.report(findings, formula.span, name=name, found=found)


def _formula(r: Resolver, formula: st.Formula) -> ty.Value:
    with r.scope.block():
        lets = [each for each in formula.lets if isinstance(each, st.Let)]
        bound = [step for each in lets for step in let(r, each) if isinstance(step, ty.SetLocal)]
        cases: list[tuple[ty.Value, ty.Value]] = []
        want: Type | None = None
        for case in formula.cases:
            condition = r.condition(case.condition)
            with r.scope.block():
                r.scope.assume(condition)
                found = r.value(case.value, want)
            want = want or found.type
            cases.append((condition, found))
            r.scope.assume_not(condition)
        last = r.value(formula.otherwise, want)
        body = _joined(r, cases, last, formula)
    for step in reversed(bound):
        body = ty.LetIn(step.name, step.value, body, type=body.type, span=formula.span)
    return body


def _joined(
    r: Resolver, cases: list[tuple[ty.Value, ty.Value]], last: ty.Value, formula: st.Formula
) -> ty.Value:
    kinds = [found.type for _, found in cases] + [last.type]
    known = [kind for kind in kinds if kind != UNKNOWN]
    if not cases or not known:
        return last
    first = known[0].total()
    for kind in known:
        if kind.total() != first and {kind.family, first.family} != SEATS:
            findings, other = r.bodies.findings, kind.total()
            wording.UNLIKE_CASES.report(findings, formula.span, first=first, other=other)
            break
    joined = SEAT if any(kind.family == "seat" for kind in known) else first
    joined = joined.or_none() if any(kind.maybe for kind in known) else joined
    return ty.Cases(tuple(cases), last, type=joined, span=formula.span)
