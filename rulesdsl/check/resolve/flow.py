"""From loops, branches, offers and menus to steps with blocks in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.calls import decider
from rulesdsl.check.resolve.domains import domain_of
from rulesdsl.check.resolve.filtering import filtered, one_of
from rulesdsl.check.resolve.texts import about, asked, optional, question, title_of_kind
from rulesdsl.check.types import PLAYER, SEAT, YES_NO, a_or_an
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.printer import print_statement

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver


QUIET = (st.Let, st.Needs, st.Mark, st.LookAt, st.BadLine)


def way(r: Resolver, line: st.Line) -> ty.Line:
    """Return one line of a choice."""
    label, body = optional(r, line.label), line.body
    return ty.Line(
        _offer_text(r, body), r.block(body), label, confirm=line.confirm, span=body.span
    )


def offer(r: Resolver, stmt: st.May | st.MayRepeat) -> list[ty.Step]:
    """Return an offer, once or again and again."""
    limit, again = None, isinstance(stmt, st.MayRepeat)
    if isinstance(stmt, st.MayRepeat) and stmt.limit is not None:
        limit = r.number(stmt.limit)
    text, label = _offer_text(r, stmt.body), optional(r, stmt.label)
    block = r.loop(stmt.body) if again else r.block(stmt.body)
    confirm = isinstance(stmt, st.May) and stmt.confirm
    lines = (ty.Line(text, block, label, confirm=confirm, span=stmt.span),)
    me = decider(r, stmt.span)
    prompt = question(r, f"{text.replace('-', ' ')}?") if label is None else label
    return [ty.Decide(lines, me, prompt, ty.DECLINE, again, limit, span=stmt.span)]


def _offer_text(r: Resolver, body: st.Body) -> str:
    """Return the words under which a body is offered.

    What only prepares it is left out.  A player knows nothing of local names: what is given to
    a verb is called what it is; with names of its own, a body is called by its verb.
    """
    own = {each.name.text for each in body.statements if isinstance(each, st.Let)}
    told = [each for each in body.statements if not isinstance(each, QUIET)]
    text = ", ".join(print_statement(each) for each in told)
    if (own & set(text.replace(",", " ").split())) or "\n" in text or not text:
        return r.scope.inside or text.split("\n")[0] or "nothing"
    return _without_locals(r, text)


def _without_locals(r: Resolver, text: str) -> str:
    """Return words that call the things in local names what they are."""
    for name, local in r.scope.locals.items():
        word = re.compile(rf"(?<![\w'-]){re.escape(name)}(?![\w'-])")
        kind = local.type.of
        if kind == name or not word.search(text):
            continue
        if not kind:
            return r.scope.inside or text
        known = r.world.pieces.get(kind) or r.world.kinds.get(kind)
        title = known.title.lower() if known is not None else kind
        text = word.sub(f"the {title}", text)
    return text


def until(r: Resolver, stmt: st.Until) -> list[ty.Step]:
    """Return a loop of the game's flow."""
    if r.scope.me is not None:
        message = "Only a step can loop until a condition holds."
        r.report("E402", stmt.span, message, "Give the number of times: `repeat 3 times`.")
    limit, condition = r.number(stmt.limit), r.condition(stmt.condition)
    return [ty.RepeatUntil(limit, condition, r.loop(stmt.body), span=stmt.span)]


def each(r: Resolver, stmt: st.Each) -> list[ty.Step]:
    """Return a loop over things; over seats, each acts in turn."""
    base = domain_of(r, stmt.kind, stmt.domain)
    if base is None:
        return []
    seats = base.element.family in {"seat", "player"}
    start = None
    if stmt.start is not None:
        start = r.value(stmt.start)
        if not seats or start.type.family not in {"seat", "player", "unknown"}:
            message = "Only a loop over players or seats can start with one of them."
            help_text = "Write `for each player starting with p: ...`, where `p` is a player."
            r.report("E301", stmt.start.span, message, help_text)
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
    """Return what a seat does."""
    seat = r.value(stmt.seat, SEAT)
    if seat.type.family not in {"seat", "player"}:
        r.report("E301", stmt.seat.span, f"This is {seat.type}, but a seat is needed.", "", seat)
        return []
    maybe = r.scope.narrowed(seat).type.maybe
    with r.scope.block():
        local = r.scope.me = r.scope.fresh("actor", seat.type.total())
        block = r.open_block(stmt.body.statements, stmt.body.span)
    bound = ty.SetLocal(local.name, seat, span=stmt.seat.span)
    if not maybe:
        return [bound, *block.steps]
    there = ty.IsSome(attrs.evolve(local, type=seat.type), type=YES_NO)
    return [bound, ty.Branching(((there, block),), ty.Block(()), span=stmt.span)]


def secret(r: Resolver, stmt: st.Secret) -> list[ty.Step]:
    """Return a choice that all players make at once."""
    if r.scope.me is not None:
        message = "Only in a step can all choose at once: here somebody acts already."
        r.report("E305", stmt.span, message, "Declare this as a step, and call it from a step.")
    base = domain_of(r, stmt.choice.kind, stmt.choice.domain)
    if base is None:
        return []
    variable = stmt.choice.variable
    word = variable or stmt.choice.kind
    with r.scope.block():
        r.scope.forget_state()
        me = r.scope.me = r.scope.fresh("chooser", PLAYER)
        domain = filtered(r, base, stmt.choice.where, variable)
        which = f"choose {a_or_an(title_of_kind(r, base.element))} in secret."
        prompt = asked(r, stmt.choice.prompt, which)
        local = r.scope.fresh(word.text, base.element)
        label = about(r, stmt.choice, local)
        if variable is not None:
            r.scope.locals[variable.text] = local
            r.binds(variable, local)
        block = r.open_block(stmt.body.statements, stmt.body.span)
    return [ty.Secretly(local.name, me.name, domain, prompt, block, label, span=stmt.span)]


def branching(r: Resolver, stmt: st.If) -> list[ty.Step]:
    """Return an if."""
    branches: list[tuple[ty.Value, ty.Block]] = []
    with r.scope.block():
        for branch in stmt.branches:
            condition = r.condition(branch.condition)
            with r.scope.block():
                r.scope.assume(condition)
                branches.append((condition, r.block(branch.body)))
            r.scope.assume_not(condition)
        otherwise = r.optional_block(stmt.otherwise)
    return [ty.Branching(tuple(branches), otherwise, span=stmt.span)]


def menu_line(r: Resolver, line: st.MenuLine) -> ty.Line:
    """Return one line of a menu."""
    text = _offer_text(r, line.body)
    if line.kind is None or line.domain is None:
        block = r.loop(line.body)  # other lines may have come before it
        return ty.Line(
            text,
            block,
            optional(r, line.label),
            once=line.once,
            confirm=line.confirm,
            span=line.span,
        )
    word = line.variable or line.kind
    base = domain_of(r, line.kind, line.domain)
    if base is None:
        return ty.Line(text, ty.Block(()), once=line.once, span=line.span)
    domain = filtered(r, base, line.where, word)
    with r.scope.block():
        r.scope.forget_state()
        local = r.scope.locals[word.text] = one_of(r, word.text, domain)
        r.binds(word, local)
        label = optional(r, line.label)
        block = r.open_block(line.body.statements, line.body.span)
    return ty.Line(text, block, label, local.name, domain, line.once, line.confirm, span=line.span)
