"""From lark's trees to the nodes of noun phrases and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lark import Token, Tree

from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.node import Param, Word
from rulesdsl.syntax.size import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.source.span import Span
    from rulesdsl.syntax.places import Places

Child = Tree[Token] | Token | None


class ExpressionBuilder:
    """Builds expressions; one method for each rule of the grammar, named after it."""

    def __init__(self, places: Places) -> None:
        self._places = places

    # ---------------------------------------------------------------- positions and words
    def token_span(self, token: Token) -> Span:
        """Return the place of a token."""
        return self._places.span(
            token.line or 1,
            token.column or 1,
            (token.end_line or 1, token.end_column or 1),
        )

    def span(self, tree: Tree[Token]) -> Span:
        """Return the place of a tree, without the line ends and margins that close it."""
        meta = tree.meta
        if meta.empty:
            return self._places.span(1, 1, (1, 1))
        end = (meta.end_line, meta.end_column)
        last = _last_token(tree)
        if last is not None and (last.end_line or 1) < end[0]:
            end = (last.end_line or 1, last.end_column or 1)
        return self._places.span(meta.line, meta.column, end)

    def word(self, child: Child) -> Word:
        """Return a name token as a word."""
        token = cast("Token", child)
        return Word(str(token), span=self.token_span(token))

    def optional_word(self, child: Child) -> Word | None:
        """Return a word where there is one."""
        return None if child is None else self.word(child)

    def text(self, child: Child) -> str | None:
        """Return what stands between the quotes of a string, where there is one."""
        return None if child is None else str(child)[1:-1]

    def param(self, child: Child) -> Param:
        """Return a parameter of a header."""
        tree = cast("Tree[Token]", child)
        return Param(
            self.word(tree.children[0]), self.optional_word(tree.children[1]), span=self.span(tree)
        )

    def optional_param(self, child: Child) -> Param | None:
        """Return a parameter where there is one."""
        return None if child is None else self.param(child)

    def optional_number(self, child: Child) -> int | None:
        """Return a number where there is one."""
        return None if child is None else whole(str(child))

    # ---------------------------------------------------------------- entrance
    def expr(self, child: Child) -> ex.Expr:
        """Return the expression of a tree."""
        tree = cast("Tree[Token]", child)
        build: Callable[[Tree[Token]], ex.Expr] = getattr(self, f"_{tree.data}")
        return build(tree)

    def optional(self, child: Child) -> ex.Expr | None:
        """Return an expression where there is one."""
        return None if child is None else self.expr(child)

    # ---------------------------------------------------------------- atoms
    def _number(self, tree: Tree[Token]) -> ex.Expr:
        return ex.Number(whole(str(tree.children[0])), span=self.span(tree))

    def _switch(self, tree: Tree[Token]) -> ex.Expr:
        return ex.Switch(str(tree.children[0]) == "on", span=self.span(tree))

    def _name(self, tree: Tree[Token]) -> ex.Expr:
        return ex.Name(str(tree.children[0]), span=self.span(tree))

    def _my(self, tree: Tree[Token]) -> ex.Expr:
        return ex.My(str(tree.children[0]), span=self.span(tree))

    def _me(self, tree: Tree[Token]) -> ex.Expr:
        return ex.Me(span=self.span(tree))

    def _it(self, tree: Tree[Token]) -> ex.Expr:
        return ex.It(span=self.span(tree))

    def _of(self, tree: Tree[Token]) -> ex.Expr:
        name, owner = tree.children
        return ex.Of(self.word(name), self.expr(owner), span=self.span(tree))

    def _at(self, tree: Tree[Token]) -> ex.Expr:
        base, key = tree.children
        return ex.At(self.expr(base), self.expr(key), span=self.span(tree))

    def _end_pieces(self, tree: Tree[Token]) -> ex.Expr:
        end, count, stack = tree.children
        return ex.Ends(
            self._only(end), self.optional_number(count), self.expr(stack), span=self.span(tree)
        )

    def _only(self, child: Child) -> str:
        return str(cast("Tree[Token]", child).children[0])

    # ---------------------------------------------------------------- compounds
    def _amount(self, tree: Tree[Token]) -> ex.Expr:
        count, noun = tree.children
        return ex.Amount(self.expr(count), self.word(noun), span=self.span(tree))

    def _beside(self, tree: Tree[Token]) -> ex.Expr:
        steps, noun, side, origin = tree.children
        return ex.Beside(
            self.expr(steps),
            self.word(noun),
            self._only(side),
            self.expr(origin),
            span=self.span(tree),
        )

    def _contents(self, tree: Tree[Token]) -> ex.Expr:
        what, where = tree.children
        return ex.Contents(self.expr(what), self.expr(where), span=self.span(tree))

    def _not_(self, tree: Tree[Token]) -> ex.Expr:
        return ex.Not(self.expr(tree.children[0]), span=self.span(tree))

    def _or_(self, tree: Tree[Token]) -> ex.Expr:
        left, right = tree.children
        return ex.Logic("or", self.expr(left), self.expr(right), span=self.span(tree))

    def _and_(self, tree: Tree[Token]) -> ex.Expr:
        left, right = tree.children
        return ex.Logic("and", self.expr(left), self.expr(right), span=self.span(tree))

    def _compare(self, tree: Tree[Token]) -> ex.Expr:
        left, op, right = tree.children
        return ex.Compare(str(op), self.expr(left), self.expr(right), span=self.span(tree))

    def _sum(self, tree: Tree[Token]) -> ex.Expr:
        left, op, right = tree.children
        return ex.Arithmetic(str(op), self.expr(left), self.expr(right), span=self.span(tree))

    _product = _sum

    def _cap(self, tree: Tree[Token]) -> ex.Expr:
        value, op, bound = tree.children
        most = self._only(op).endswith("most")
        return ex.Cap(most, self.expr(value), self.expr(bound), span=self.span(tree))

    def _per(self, tree: Tree[Token]) -> ex.Expr:
        rate, things = tree.children
        return ex.Per(self.expr(rate), self.expr(things), span=self.span(tree))

    def _quantified(self, tree: Tree[Token]) -> ex.Expr:
        quantifier, what = tree.children
        positive = self._only(quantifier) == "any"
        return ex.Quantified(positive, self.expr(what), span=self.span(tree))

    def _quantified_where(self, tree: Tree[Token]) -> ex.Expr:
        inner, where = tree.children
        asked = cast("ex.Quantified", self.expr(inner))
        return ex.Quantified(asked.positive, asked.what, self.expr(where), span=self.span(tree))

    def _range(self, tree: Tree[Token]) -> ex.Expr:
        low, high = tree.children
        return ex.Range(self.expr(low), self.expr(high), span=self.span(tree))

    # ---------------------------------------------------------------- noun phrases
    def choice(self, child: Child) -> ex.Choice:
        """Return `a K x in D where C`."""
        tree = cast("Tree[Token]", child)
        kind, variable, domain, where = tree.children
        return ex.Choice(
            self.word(kind),
            self.optional_word(variable),
            self.optional(domain),
            self.optional(where),
            span=self.span(tree),
        )

    _a = choice

    def _random(self, tree: Tree[Token]) -> ex.Expr:
        kind, domain, where = tree.children
        return ex.RandomPick(
            self.word(kind), self.optional(domain), self.optional(where), span=self.span(tree)
        )

    def _the(self, tree: Tree[Token]) -> ex.Expr:
        kind, domain, where, ranking = tree.children
        return ex.The(
            self.word(kind),
            self.optional(domain),
            self.optional(where),
            self.ranking(ranking),
            span=self.span(tree),
        )

    def _only_one(self, tree: Tree[Token]) -> ex.Expr:
        _the_only, kind, domain, where = tree.children
        return ex.The(
            self.word(kind), self.optional(domain), self.optional(where), (), span=self.span(tree)
        )

    def ranking(self, child: Child) -> tuple[ex.Best, ...]:
        """Return the steps of a ranking."""
        tree = cast("Tree[Token]", child)
        return tuple(self._best(cast("Tree[Token]", each)) for each in tree.children)

    def _best(self, tree: Tree[Token]) -> ex.Best:
        most, value = tree.children
        return ex.Best(self._only(most) == "most", self.expr(value), span=self.span(tree))

    def _first(self, tree: Tree[Token]) -> ex.Expr:
        _the_first, kind, domain, after, where = tree.children
        return ex.First(
            self.word(kind),
            self.expr(domain),
            self.optional(after),
            self.optional(where),
            span=self.span(tree),
        )

    def _all(self, tree: Tree[Token]) -> ex.Expr:
        what, where = tree.children
        return ex.All(self.expr(what), self.optional(where), span=self.span(tree))


def _last_token(tree: Tree[Token]) -> Token | None:
    """Return the last word of a tree."""
    for child in reversed(tree.children):
        last = _last_token(child) if isinstance(child, Tree) else child
        if last is not None:
            return last
    return None
