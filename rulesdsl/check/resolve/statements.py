"""From statements to steps: one case for each, and the small ones themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import added, calls, changes, flow, moves, selections, texts
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver


def steps_of(r: Resolver, stmt: st.Stmt) -> list[ty.Step]:  # noqa: C901, PLR0912
    """Return the steps of one statement."""
    span = stmt.span
    if isinstance(stmt, st.Compound):
        return _compound(r, stmt)
    match stmt:
        case st.Call():
            return calls.call(r, stmt)
        case st.Move():
            return moves.move(r, stmt)
        case st.Change():
            return changes.change(r, stmt)
        case st.Mark():
            return changes.mark(r, stmt)
        case st.Do():
            return changes.do(r, stmt)
        case st.Let():
            return changes.let(r, stmt)
        case st.Needs():
            condition = r.condition(stmt.condition)
            why = texts.optional(r, stmt.text)
            r.scope.assume(condition)
            return [ty.Require(texts.failing_with(why, condition), span=span)]
        case st.Shuffle():
            return changes.shuffle(r, stmt)
        case st.LookAt():
            domain = selections.looked_at(r, stmt.what)
            me = r.me(span)
            return [] if domain is None else [ty.Peek(domain, me, span=span)]
        case st.Say():
            return [ty.Tell(texts.words_of(r, stmt.text), r.actor(), "say", span=span)]
        case st.EndGame():
            return [ty.Finish(span=span)]
        case st.BadLine():
            r.scope.failed = r.scope.lost_line = True
            return []
        case st.Nothing():
            return []
        case _:
            assert_never(stmt)


def _compound(r: Resolver, stmt: st.Compound) -> list[ty.Step]:  # noqa: C901, PLR0912
    """Return the steps of a statement that has bodies."""
    span = stmt.span
    match stmt:
        case st.Sequence():
            block = r.open_block((*stmt.steps, *stmt.gains), span)
            return list(block.steps)
        case st.Either():
            ways = tuple(flow.way(r, st.unlabelled(way)) for way in stmt.ways)
            prompt = texts.question(r, "choose one.")
            return [ty.Decide(ways, calls.decider(r, span), prompt, span=span)]
        case st.ChooseOne():
            prompt, ways = texts.asked(r, stmt.prompt, "choose one."), added.lines_of(r, stmt)
            return [ty.Decide(ways, calls.decider(r, span), prompt, span=span)]
        case st.May() | st.MayRepeat():
            return flow.offer(r, stmt)
        case st.Repeat():
            times = r.number(stmt.times)
            return [ty.RepeatTimes(times, r.loop(stmt.body), span=span)]
        case st.Until():
            return flow.until(r, stmt)
        case st.Each():
            return flow.each(r, stmt)
        case st.ActAs():
            return flow.act_as(r, stmt)
        case st.Secret():
            return flow.secret(r, stmt)
        case st.If():
            return flow.branching(r, stmt)
        case st.IfAble():
            block = r.block(stmt.body)
            otherwise = r.optional_block(stmt.otherwise)
            return [ty.WhereAble(block, otherwise, span=span)]
        case st.Menu():
            prompt, lines = texts.asked(r, stmt.prompt, "what next?"), added.lines_of(r, stmt)
            me = calls.decider(r, span)
            return [ty.Decide(lines, me, prompt, ty.DONE, again=True, span=span)]
        case _:
            assert_never(stmt)
