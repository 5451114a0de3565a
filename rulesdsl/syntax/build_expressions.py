"""From lark's trees to the nodes of noun phrases and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from lark import Token, Tree

from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.node import Node, Param, Word
from rulesdsl.syntax.size import whole

if TYPE_CHECKING:
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.places import Places

Child = Tree[Token] | Token | None


class Shape(NamedTuple):
    """How the parts of a node are made of the children of a rule; None passes one over.

    Where there are `more` children than makers, they are nodes, and together the last part.
    """

    kind: Callable[..., Node]
    makers: tuple[Callable[..., object] | None, ...] = ()
    more: bool = False


def says(word: str) -> Callable[[ExpressionBuilder, Child], bool]:
    """Return what tells whether a child is this one of several words."""
    return lambda builder, child: builder.only(child) == word


class ExpressionBuilder:
    """Builds expressions: a rule of the grammar has a shape, or a method named after it."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def node(self, child: Child) -> Node:
        """Return the node of a tree."""
        tree = cast("Tree[Token]", child)
        shape = self.shapes.get(tree.data)
        if shape is None:
            build: Callable[[Tree[Token]], Node] = getattr(self, f"_{tree.data}")
            return build(tree)
        count = len(shape.makers)
        found = [
            make(self, part)
            for make, part in zip(shape.makers, tree.children[:count], strict=True)
            if make is not None
        ]
        if shape.more:
            found.append(self.nodes(tree.children[count:]))
        return shape.kind(*found, span=self.span(tree))

    def nodes(self, children: Sequence[Child]) -> tuple[Node, ...]:
        """Return the nodes of those trees that are there."""
        return tuple(self.node(each) for each in children if each is not None)

    def optional(self, child: Child) -> Node | None:
        """Return a node where there is one."""
        return None if child is None else self.node(child)

    def expr(self, child: Child) -> ex.Expr:
        """Return the expression of a tree."""
        return cast("ex.Expr", self.node(child))

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

    def written(self, child: Child) -> str:
        """Return a word that has no place of its own."""
        return str(child)

    def number(self, child: Child) -> int | None:
        """Return a number where there is one."""
        return None if child is None else whole(str(child))

    def there(self, child: Child) -> bool:
        """Return whether something is said at all."""
        return child is not None

    def nothing(self, child: Child) -> None:
        """Return that something is not said."""

    def only(self, child: Child) -> str:
        """Return which one it is of several words."""
        return str(cast("Tree[Token]", child).children[0])

    # ---------------------------------------------------------------- compounds
    def _switch(self, tree: Tree[Token]) -> ex.Expr:
        return ex.Switch(self.only(tree) == "on", span=self.span(tree))

    def _or_(self, tree: Tree[Token]) -> ex.Expr:
        left, right = tree.children
        joined = str(tree.data).strip("_")
        return ex.Logic(joined, self.expr(left), self.expr(right), span=self.span(tree))

    _and_ = _or_

    def _compare(self, tree: Tree[Token]) -> ex.Expr:
        left, op, right = tree.children
        return ex.Compare(str(op), self.expr(left), self.expr(right), span=self.span(tree))

    def _sum(self, tree: Tree[Token]) -> ex.Expr:
        left, op, right = tree.children
        return ex.Arithmetic(str(op), self.expr(left), self.expr(right), span=self.span(tree))

    _product = _sum

    def _cap(self, tree: Tree[Token]) -> ex.Expr:
        value, op, bound = tree.children
        most = self.only(op).endswith("most")
        return ex.Cap(most, self.expr(value), self.expr(bound), span=self.span(tree))

    def _quantified_where(self, tree: Tree[Token]) -> ex.Expr:
        inner, where = tree.children
        asked = cast("ex.Quantified", self.expr(inner))
        return ex.Quantified(asked.positive, asked.what, self.expr(where), span=self.span(tree))

    def ranking(self, child: Child) -> tuple[ex.Best, ...]:
        """Return the steps of a ranking."""
        return cast("tuple[ex.Best, ...]", self.nodes(cast("Tree[Token]", child).children))

    shapes: ClassVar[dict[str, Shape]] = {
        "number": Shape(ex.Number, (number,)),
        "name": Shape(ex.Name, (written,)),
        "my": Shape(ex.My, (written,)),
        "me": Shape(ex.Me),
        "it": Shape(ex.It),
        "of": Shape(ex.Of, (word, expr)),
        "at": Shape(ex.At, (expr, expr)),
        "end_pieces": Shape(ex.Ends, (only, number, expr)),
        "amount": Shape(ex.Amount, (expr, word)),
        "beside": Shape(ex.Beside, (expr, word, only, expr)),
        "contents": Shape(ex.Contents, (expr, expr)),
        "not_": Shape(ex.Not, (expr,)),
        "per": Shape(ex.Per, (expr, expr)),
        "quantified": Shape(ex.Quantified, (says("any"), expr)),
        "range": Shape(ex.Range, (expr, expr)),
        "a": Shape(ex.Choice, (word, optional_word, optional, optional)),
        "random": Shape(ex.RandomPick, (word, optional, optional)),
        "the": Shape(ex.The, (word, optional, optional, ranking)),
        "only_one": Shape(ex.The, (None, word, optional, optional)),
        "best": Shape(ex.Best, (says("most"), expr)),
        "first": Shape(ex.First, (None, word, expr, optional, optional)),
        "all": Shape(ex.All, (expr, optional)),
        "param": Shape(Param, (word, optional_word)),
    }


def _last_token(tree: Tree[Token]) -> Token | None:
    """Return the last word of a tree."""
    for child in reversed(tree.children):
        last = _last_token(child) if isinstance(child, Tree) else child
        if last is not None:
            return last
    return None
