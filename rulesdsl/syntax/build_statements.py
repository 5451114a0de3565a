"""From lark's trees to the nodes of statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lark import Token, Tree

from rulesdsl.syntax import statements as st
from rulesdsl.syntax.build_expressions import Child, ExpressionBuilder, Shape, says

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.syntax.expressions import Expr

_E = ExpressionBuilder


class StatementBuilder(ExpressionBuilder):
    """Builds statements."""

    def stmt(self, child: Child) -> st.Stmt:
        """Return the statement of a tree."""
        return cast("st.Stmt", self.node(child))

    def body(self, child: Child) -> st.Body:
        """Return the statements behind a colon."""
        tree = cast("Tree[Token]", child)
        statements = tuple(self.stmt(each) for each in tree.children)
        inline = tree.meta.empty or not tree.children or self._starts_inline(tree)
        return st.Body(statements, inline=inline, span=self.span(tree))

    _body = body

    def _starts_inline(self, tree: Tree[Token]) -> bool:
        first = cast("Tree[Token]", tree.children[0])
        return not first.meta.empty and first.meta.line == tree.meta.line

    def effect(self, tree: Tree[Token]) -> st.Body:
        """Return the statements of a string in a TOML file."""
        return st.Body(tuple(self.stmt(each) for each in tree.children), span=self.span(tree))

    def formula(self, child: Child) -> st.Formula:
        """Return the body of a value."""
        tree = cast("Tree[Token]", child)
        lets: list[st.Let | st.BadLine] = []
        cases: list[st.Case] = []
        for each in self.nodes(tree.children[:-1]):
            if isinstance(each, st.Case):
                cases.append(each)
            else:
                lets.append(cast("st.Let | st.BadLine", each))
        inline = not lets and not cases and self._starts_inline(tree)
        return st.Formula(
            tuple(lets),
            tuple(cases),
            self.expr(tree.children[-1]),
            inline=inline,
            span=self.span(tree),
        )

    _formula = formula

    # ---------------------------------------------------------------- one-line statements
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
            arguments.append(self._argument(self.only(prep), value))
        return st.Call(self.word(verb), tuple(arguments), span=self.span(tree))

    def _argument(self, preposition: str | None, value: Child) -> st.Argument:
        expr = self.expr(value)
        return st.Argument(preposition, expr, span=expr.span)

    # ---------------------------------------------------------------- flow
    def _may(self, tree: Tree[Token]) -> st.Stmt:
        if len(tree.children) > 1:
            label, body = tree.children
            return st.May(self.text(label), self.body(body), span=self.span(tree))
        line = self.stmt(cast("Tree[Token]", tree.children[0]))
        return st.May(None, st.Body((line,), inline=True, span=line.span), span=self.span(tree))

    def _if(self, tree: Tree[Token]) -> st.Stmt:
        *pairs, otherwise = tree.children
        branches = []
        for condition, body in zip(pairs[::2], pairs[1::2], strict=True):
            built = self.body(body)
            asked = self.expr(condition)
            branches.append(st.Branch(asked, built, span=asked.span.to(built.span)))
        return st.If(
            tuple(branches), cast("st.Body | None", self.optional(otherwise)), span=self.span(tree)
        )

    def _choose(self, tree: Tree[Token]) -> st.Stmt:
        return self.choose_one(tree, tree.children)

    def choose_one(self, tree: Tree[Token], parts: Sequence[Child]) -> st.ChooseOne:
        """Return the choice of a tree that has these lines."""
        lines = tuple(self._line(cast("Tree[Token]", each)) for each in parts)
        return st.ChooseOne(lines, span=self.span(tree))

    def _line(self, tree: Tree[Token]) -> st.Line:
        if tree.data == "option_line":
            return cast("st.Line", self.node(tree))
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
            domain = self.expr(parts[2])
            where = cast("Expr | None", self.optional(parts[3]))
        return st.MenuLine(
            self.only(often) == "once",
            self.text(label),
            kind,
            variable,
            domain,
            where,
            self.body(body),
            span=self.span(tree),
        )

    shapes = ExpressionBuilder.shapes | {
        "bad": Shape(st.BadLine, (None,)),
        "header": Shape(st.Header, (_E.word, _E.optional), more=True),
        "prep_param": Shape(st.PrepParam, (_E.only, _E.node)),
        "case": Shape(st.Case, (_E.expr, _E.expr)),
        "move": Shape(st.Move, (_E.there, _E.expr, _E.optional, _E.expr)),
        "change": Shape(st.Change, (says("raise"), _E.expr, _E.expr)),
        "mark": Shape(st.Mark, (says("mark"), _E.expr)),
        "do": Shape(st.Do, (_E.expr,)),
        "let": Shape(st.Let, (_E.word, _E.expr, _E.text)),
        "needs": Shape(st.Needs, (_E.expr,)),
        "shuffle": Shape(st.Shuffle, (_E.expr,)),
        "look": Shape(st.LookAt, (None, _E.expr)),
        "end": Shape(st.EndGame),
        "nothing": Shape(st.Nothing),
        "may_any": Shape(st.MayRepeat, (_E.text, _E.nothing, body)),
        "may_times": Shape(st.MayRepeat, (_E.text, None, _E.expr, body)),
        "repeat": Shape(st.Repeat, (_E.expr, body)),
        "until": Shape(st.Until, (None, _E.expr, _E.expr, body)),
        "each": Shape(
            st.Each,
            (_E.word, _E.optional_word, _E.optional, _E.optional, _E.optional, body),
        ),
        "act_as": Shape(st.ActAs, (_E.expr, body)),
        "secret": Shape(st.Secret, (_E.node, body)),
        "if_able": Shape(st.IfAble, (None, body, _E.optional)),
        "option_line": Shape(st.Line, (_E.text, body)),
    }
