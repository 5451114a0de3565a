"""From loops, branches, offers and menus to steps with blocks in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.moves import MoveResolver
from rulesdsl.check.types import PLAYER, UNKNOWN, YES_NO, a_or_an
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.printer import print_statement

if TYPE_CHECKING:
    from rulesdsl.source.span import Span

QUIET = (st.Let, st.Needs, st.Mark, st.LookAt, st.BadLine)


class FlowResolver(MoveResolver):
    """Resolves statements that have bodies."""

    def statement(self, stmt: st.Stmt) -> list[ty.Step]:
        """Return the steps of one statement."""
        raise NotImplementedError

    def block(self, body: st.Body) -> ty.Block:
        """Return the steps of a body, in a scope of its own."""
        with self.scope.block():
            return self.open_block(body.statements, body.span)

    def open_block(self, statements: tuple[st.Stmt, ...], span: Span) -> ty.Block:
        """Return the steps of statements whose names stay known."""
        steps: list[ty.Step] = []
        for each in statements:
            steps.extend(self.statement(each))
            if not isinstance(each, st.Let | st.Needs | st.Nothing | st.LookAt):
                self.scope.forget_state()
        return ty.Block(tuple(steps), span=span)

    def optional_block(self, body: st.Body | None) -> ty.Block:
        """Return a body's steps, none where there is none."""
        return ty.Block(()) if body is None else self.block(body)

    def loop(self, body: st.Body) -> ty.Block:
        """Return the steps of a loop: what was learned before it may have changed within."""
        with self.scope.block():
            self.scope.forget_state()
            return self.open_block(body.statements, body.span)

    def way(self, label: str | None, body: st.Body) -> ty.Line:
        """Return one line of a choice."""
        return ty.Line(self.offer_text(body), self.block(body), label, span=body.span)

    def offer(self, stmt: st.May | st.MayRepeat) -> list[ty.Step]:
        """Return an offer, once or again and again."""
        limit, again = None, isinstance(stmt, st.MayRepeat)
        if isinstance(stmt, st.MayRepeat) and stmt.limit is not None:
            limit = self.number(stmt.limit)
        text = stmt.label or self.offer_text(stmt.body)
        block = self.loop(stmt.body) if again else self.block(stmt.body)
        lines, me = (ty.Line(text, block, span=stmt.span),), self.decider(stmt.span)
        return [ty.Decide(lines, me, None, ty.DECLINE, again, limit, span=stmt.span)]

    def offer_text(self, body: st.Body) -> str:
        """Return the words under which a body is offered.

        What only prepares it is left out.  A player knows nothing of local names: what is given to
        a verb is called what it is; with names of its own, a body is called by its verb.
        """
        own = {each.name.text for each in body.statements if isinstance(each, st.Let)}
        told = [each for each in body.statements if not isinstance(each, QUIET)]
        text = ", ".join(print_statement(each) for each in told)
        if (own & set(text.replace(",", " ").split())) or "\n" in text or not text:
            return self.scope.inside or text.split("\n")[0] or "nothing"
        return self._without_locals(text)

    def _without_locals(self, text: str) -> str:
        """Return words that call the things in local names what they are."""
        for name, local in self.scope.locals.items():
            word = re.compile(rf"(?<![\w'-]){re.escape(name)}(?![\w'-])")
            kind = local.type.of
            if kind == name or not word.search(text):
                continue
            if not kind:
                return self.scope.inside or text
            known = self.world.pieces.get(kind) or self.world.kinds.get(kind)
            title = known.title.lower() if known is not None else kind
            text = word.sub(f"the {title}", text)
        return text

    def until(self, stmt: st.Until) -> list[ty.Step]:
        """Return a loop of the game's flow."""
        if self.scope.me is not None:
            self.report(
                "E402",
                stmt.span,
                "Only the flow of a game, in steps, goes round until something holds.",
                "Say how many times: `repeat 3 times`.",
            )
        limit, condition = self.number(stmt.limit), self.condition(stmt.condition)
        return [ty.RepeatUntil(limit, condition, self.loop(stmt.body), span=stmt.span)]

    def each(self, stmt: st.Each) -> list[ty.Step]:
        """Return a loop over things; over seats, each acts in turn."""
        base = self.domain(stmt.kind, stmt.domain)
        if base is None:
            return []
        seats = base.element.family in {"seat", "player"}
        start = None
        if stmt.start is not None:
            start = self.value(stmt.start)
            if not seats or start.type.family not in {"seat", "player", "unknown"}:
                self.report("E301", stmt.start.span, "Only a round of seats starts with one.", "")
                start = None
        name = stmt.variable.text if stmt.variable else None
        domain = self.each_domain(base, stmt.where, name, seats=seats)
        with self.scope.block():
            self.scope.forget_state()
            local = self.scope.fresh(name or stmt.kind.text, base.element)
            if name is not None:
                self.scope.locals[name] = local
            if seats:
                self.scope.me = local
            self.assume_member(local, base)
            if isinstance(domain, ty.Filtered):
                self.assume_about(domain, local)
            self.scope.candidates.append(local)
            block = self.open_block(stmt.body.statements, stmt.body.span)
            self.scope.candidates.pop()
        return [ty.ForEach(local.name, domain, start, block, span=stmt.span)]

    def each_domain(
        self, base: ty.Domain, where: ex.Expr | None, name: str | None, *, seats: bool
    ) -> ty.Domain:
        """Return the things of a loop; in the condition on a seat, `my` is that seat's."""
        if where is None:
            return base
        with self.scope.block(), self.scope.candidate(base.element, name) as local:
            if seats:
                self.scope.me = local
            self.assume_member(local, base)
            condition = self.condition(where)
        return ty.Filtered(base, local.name, condition, element=base.element, span=where.span)

    def act_as(self, stmt: st.ActAs) -> list[ty.Step]:
        """Return what a seat does."""
        seat = self.value(stmt.seat)
        if seat.type == UNKNOWN:
            return []
        if seat.type.family not in {"seat", "player"}:
            self.report("E301", stmt.seat.span, f"This is {seat.type}, where a seat acts.", "")
            return []
        maybe = seat.type.maybe and seat not in self.scope.some
        with self.scope.block():
            local = self.scope.fresh("actor", seat.type.total())
            self.scope.me = local
            block = self.open_block(stmt.body.statements, stmt.body.span)
        bound = ty.SetLocal(local.name, seat, span=stmt.seat.span)
        if not maybe:
            return [bound, *block.steps]
        there = ty.IsSome(attrs.evolve(local, type=seat.type), type=YES_NO)
        branches = ((there, block),)
        return [bound, ty.Branching(branches, ty.Block(()), span=stmt.span)]

    def secret(self, stmt: st.Secret) -> list[ty.Step]:
        """Return a choice that all players make at once."""
        if self.scope.me is not None:
            self.report(
                "E305", stmt.span, "All choose at once only in a step.", "Declare it as a step."
            )
        base = self.domain(stmt.choice.kind, stmt.choice.domain)
        if base is None:
            return []
        variable = stmt.choice.variable.text if stmt.choice.variable else None
        with self.scope.block():
            self.scope.forget_state()
            me = self.scope.fresh("chooser", PLAYER)
            self.scope.me = me
            domain = self.filtered(base, stmt.choice.where, variable)
            local = self.scope.fresh(variable or stmt.choice.kind.text, base.element)
            if variable is not None:
                self.scope.locals[variable] = local
            block = self.open_block(stmt.body.statements, stmt.body.span)
        prompt = f"Choose {a_or_an(stmt.choice.kind.text)} secretly."
        return [ty.Secretly(local.name, me.name, domain, prompt, block, span=stmt.span)]

    def branching(self, stmt: st.If) -> list[ty.Step]:
        """Return an if."""
        branches: list[tuple[ty.Value, ty.Block]] = []
        with self.scope.block():
            for branch in stmt.branches:
                condition = self.condition(branch.condition)
                with self.scope.block():
                    self.scope.assume(condition)
                    branches.append((condition, self.block(branch.body)))
                self.scope.assume(ty.Negation(condition, type=YES_NO))
                if isinstance(condition, ty.Negation):
                    self.scope.assume(condition.value)
            otherwise = self.optional_block(stmt.otherwise)
        return [ty.Branching(tuple(branches), otherwise, span=stmt.span)]

    def menu_line(self, line: st.MenuLine) -> ty.Line:
        """Return one line of a menu."""
        text = self.offer_text(line.body)
        if line.kind is None or line.domain is None:
            block = self.loop(line.body)  # other lines may have come before it
            return ty.Line(text, block, line.label, once=line.once, span=line.span)
        name = line.variable.text if line.variable else line.kind.text
        base = self.domain(line.kind, line.domain)
        if base is None:
            return ty.Line(text, ty.Block(()), line.label, once=line.once, span=line.span)
        domain = self.filtered(base, line.where, name)
        with self.scope.block():
            self.scope.forget_state()
            local = self.scope.fresh(name, base.element)
            self.scope.locals[name] = local
            self.assume_member(local, base)
            if isinstance(domain, ty.Filtered):
                self.assume_about(domain, local)
            block = self.open_block(line.body.statements, line.body.span)
        return ty.Line(text, block, line.label, local.name, domain, line.once, span=line.span)
