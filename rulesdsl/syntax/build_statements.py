"""From lark's trees to the nodes of statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lark import Token, Tree

from rulesdsl.syntax import statements as st
from rulesdsl.syntax.build_expressions import Child, ExpressionBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class StatementBuilder(ExpressionBuilder):
    """Builds statements; one method for each rule of the grammar, named after it."""

    def stmt(self, child: Child) -> st.Stmt:
        """Return the statement of a tree."""
        tree = cast("Tree[Token]", child)
        build: Callable[[Tree[Token]], st.Stmt] = getattr(self, f"_{tree.data}")
        return build(tree)

    def body(self, child: Child) -> st.Body:
        """Return the statements behind a colon."""
        tree = cast("Tree[Token]", child)
        statements = tuple(self.stmt(each) for each in tree.children)
        inline = tree.meta.empty or not tree.children or self._starts_inline(tree)
        return st.Body(statements, inline=inline, span=self.span(tree))

    def _starts_inline(self, tree: Tree[Token]) -> bool:
        first = cast("Tree[Token]", tree.children[0])
        return not first.meta.empty and first.meta.line == tree.meta.line

    def optional_body(self, child: Child) -> st.Body | None:
        """Return a body where there is one."""
        return None if child is None else self.body(child)

    def effect(self, tree: Tree[Token]) -> st.Body:
        """Return the statements of a string in a TOML file."""
        return st.Body(tuple(self.stmt(each) for each in tree.children), span=self.span(tree))

    def header(self, child: Child) -> st.Header:
        """Return the head of a procedure or hook."""
        tree = cast("Tree[Token]", child)
        name, param, *more = tree.children
        return st.Header(
            self.word(name),
            self.optional_param(param),
            tuple(self._prep_param(cast("Tree[Token]", each)) for each in more),
            span=self.span(tree),
        )

    def _prep_param(self, tree: Tree[Token]) -> st.PrepParam:
        prep, param = tree.children
        return st.PrepParam(self._only(prep), self.param(param), span=self.span(tree))

    def formula(self, child: Child) -> st.Formula:
        """Return the body of a value."""
        tree = cast("Tree[Token]", child)
        lets: list[st.Let | st.BadLine] = []
        cases: list[st.Case] = []
        for each in tree.children[:-1]:
            part = cast("Tree[Token]", each)
            if part.data == "case":
                value, condition = part.children
                cases.append(st.Case(self.expr(value), self.expr(condition), span=self.span(part)))
            else:
                lets.append(cast("st.Let | st.BadLine", self.stmt(part)))
        inline = not lets and not cases and self._starts_inline(tree)
        return st.Formula(
            tuple(lets),
            tuple(cases),
            self.expr(tree.children[-1]),
            inline=inline,
            span=self.span(tree),
        )

    # ---------------------------------------------------------------- one-line statements
    def _bad(self, tree: Tree[Token]) -> st.Stmt:
        return st.BadLine(span=self.span(tree))

    def _sequence(self, tree: Tree[Token]) -> st.Stmt:
        *steps, last = tree.children
        gains: Child = last
        done = tuple(self.stmt(each) for each in steps)
        if gains is None:
            if len(done) == 1:
                return done[0]
            return st.Sequence(done, span=self.span(tree))
        bought = tuple(self.stmt(each) for each in cast("Tree[Token]", gains).children)
        return st.Sequence(done, bought, span=self.span(tree))

    def _either(self, tree: Tree[Token]) -> st.Stmt:
        ways = [self.stmt(each) for each in tree.children if isinstance(each, Tree)]
        wrapped = tuple(
            way if isinstance(way, st.Sequence) else st.Sequence((way,), span=way.span)
            for way in ways
        )
        return st.Either(wrapped, span=self.span(tree))

    def _call(self, tree: Tree[Token]) -> st.Stmt:
        verb, first, *more = tree.children
        direct: Child = first
        arguments = [] if direct is None else [self._argument(None, direct)]
        for each in more:
            prep, value = cast("Tree[Token]", each).children
            arguments.append(self._argument(self._only(prep), value))
        return st.Call(self.word(verb), tuple(arguments), span=self.span(tree))

    def _argument(self, preposition: str | None, value: Child) -> st.Argument:
        expr = self.expr(value)
        return st.Argument(preposition, expr, span=expr.span)

    def _move(self, tree: Tree[Token]) -> st.Stmt:
        up_to, what, source, into = tree.children
        return st.Move(
            up_to is not None,
            self.expr(what),
            self.optional(source),
            self.expr(into),
            span=self.span(tree),
        )

    def _change(self, tree: Tree[Token]) -> st.Stmt:
        way, target, amount = tree.children
        up = self._only(way) == "raise"
        return st.Change(up, self.expr(target), self.expr(amount), span=self.span(tree))

    def _mark(self, tree: Tree[Token]) -> st.Stmt:
        way, target = tree.children
        return st.Mark(self._only(way) == "mark", self.expr(target), span=self.span(tree))

    def _do(self, tree: Tree[Token]) -> st.Stmt:
        return st.Do(self.expr(tree.children[0]), span=self.span(tree))

    def _let(self, tree: Tree[Token]) -> st.Stmt:
        name, value, prompt = tree.children
        return st.Let(self.word(name), self.expr(value), self.text(prompt), span=self.span(tree))

    def _needs(self, tree: Tree[Token]) -> st.Stmt:
        return st.Needs(self.expr(tree.children[0]), span=self.span(tree))

    def _shuffle(self, tree: Tree[Token]) -> st.Stmt:
        return st.Shuffle(self.expr(tree.children[0]), span=self.span(tree))

    def _look(self, tree: Tree[Token]) -> st.Stmt:
        return st.LookAt(self.expr(tree.children[-1]), span=self.span(tree))

    def _end(self, tree: Tree[Token]) -> st.Stmt:
        return st.EndGame(span=self.span(tree))

    def _nothing(self, tree: Tree[Token]) -> st.Stmt:
        return st.Nothing(span=self.span(tree))

    # ---------------------------------------------------------------- flow
    def _may(self, tree: Tree[Token]) -> st.Stmt:
        if len(tree.children) > 1:
            label, body = tree.children
            return st.May(self.text(label), self.body(body), span=self.span(tree))
        line = self.stmt(cast("Tree[Token]", tree.children[0]))
        return st.May(None, st.Body((line,), inline=True, span=line.span), span=self.span(tree))

    def _may_any(self, tree: Tree[Token]) -> st.Stmt:
        label, _often, body = tree.children
        return st.MayRepeat(self.text(label), None, self.body(body), span=self.span(tree))

    def _may_times(self, tree: Tree[Token]) -> st.Stmt:
        label, _up_to, limit, body = tree.children
        most = self.expr(limit)
        return st.MayRepeat(self.text(label), most, self.body(body), span=self.span(tree))

    def _repeat(self, tree: Tree[Token]) -> st.Stmt:
        times, body = tree.children
        return st.Repeat(self.expr(times), self.body(body), span=self.span(tree))

    def _until(self, tree: Tree[Token]) -> st.Stmt:
        _at_most, limit, condition, body = tree.children
        return st.Until(
            self.expr(limit), self.expr(condition), self.body(body), span=self.span(tree)
        )

    def _each(self, tree: Tree[Token]) -> st.Stmt:
        kind, variable, domain, start, where, body = tree.children
        return st.Each(
            self.word(kind),
            self.optional_word(variable),
            self.optional(domain),
            self.optional(start),
            self.optional(where),
            self.body(body),
            span=self.span(tree),
        )

    def _act_as(self, tree: Tree[Token]) -> st.Stmt:
        seat, body = tree.children
        return st.ActAs(self.expr(seat), self.body(body), span=self.span(tree))

    def _secret(self, tree: Tree[Token]) -> st.Stmt:
        choice, body = tree.children
        return st.Secret(self.choice(choice), self.body(body), span=self.span(tree))

    def _if(self, tree: Tree[Token]) -> st.Stmt:
        *pairs, otherwise = tree.children
        branches = []
        for condition, body in zip(pairs[::2], pairs[1::2], strict=True):
            built = self.body(body)
            asked = self.expr(condition)
            branches.append(st.Branch(asked, built, span=asked.span.to(built.span)))
        return st.If(tuple(branches), self.optional_body(otherwise), span=self.span(tree))

    def _if_able(self, tree: Tree[Token]) -> st.Stmt:
        _if_able, body, otherwise = tree.children
        return st.IfAble(self.body(body), self.optional_body(otherwise), span=self.span(tree))

    def _choose(self, tree: Tree[Token]) -> st.Stmt:
        return self.choose_one(tree, tree.children)

    def choose_one(self, tree: Tree[Token], parts: Sequence[Child]) -> st.ChooseOne:
        """Return the choice of a tree that has these lines."""
        lines = tuple(self._line(cast("Tree[Token]", each)) for each in parts)
        return st.ChooseOne(lines, span=self.span(tree))

    def _line(self, tree: Tree[Token]) -> st.Line:
        if tree.data == "option_line":
            label, body = tree.children
            return st.Line(self.text(label), self.body(body), span=self.span(tree))
        only = self.stmt(tree)
        return st.Line(None, st.Body((only,), inline=True, span=only.span), span=self.span(tree))

    def _menu(self, tree: Tree[Token]) -> st.Stmt:
        return self.menu(tree, tree.children)

    def menu(self, tree: Tree[Token], parts: Sequence[Child]) -> st.Menu:
        """Return the menu of a tree that has these lines."""
        lines = tuple(
            self._menu_line(part)
            for each in parts
            if (part := cast("Tree[Token]", each)).data == "menu_line"
        )
        return st.Menu(lines, span=self.span(tree))

    def _menu_line(self, tree: Tree[Token]) -> st.MenuLine:
        often, label, line_for, body = tree.children
        kind = variable = domain = where = None
        if line_for is not None:
            parts = cast("Tree[Token]", line_for).children
            kind, variable = self.word(parts[0]), self.word(parts[1])
            domain, where = self.expr(parts[2]), self.optional(parts[3])
        return st.MenuLine(
            self._only(often) == "once",
            self.text(label),
            kind,
            variable,
            domain,
            where,
            self.body(body),
            span=self.span(tree),
        )
