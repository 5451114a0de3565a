"""Builder of nodes from lark's trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, get_origin, get_type_hints

from lark import Token, Tree

from rulesdsl.source.span import Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import text_content, words_of
from rulesdsl.syntax.node import FIELDS, SHAPES, GrammarRule, Identifier, Places, whole

_Child = Any  # a tree, a token or None, depending on the grammar
_Tree = Tree[_Child]
_Made = Any  # the type of the field
_Maker = Callable[["Builder", _Child], _Made]


class Builder:
    """Builder of the nodes for one source text.

    Most nodes are built as the `GrammarRule` of their production describes: each slot takes a
    child, and the type of the field selects the conversion (`_MAKERS`). `_BY_HAND` builds the
    others.
    """

    def __init__(self, places: Places) -> None:
        self._places = places

    def node(self, tree: _Tree) -> _Made:
        """Return the node of a tree."""
        build = _BY_HAND.get(tree.data)
        if build is not None:
            return build(self, tree)
        shape, makers, nothing = _plan(tree.data)
        said = {**nothing}
        at = 0
        for slot in shape.slots:
            child = tree.children[at] if at < len(tree.children) else None
            if not isinstance(slot, dict):
                fields = slot
            elif child is None or child.data in slot:
                fields = None if child is None else slot[child.data]
            else:
                continue
            at += 1
            if isinstance(fields, str):
                said[fields] = makers[fields](self, child)
            elif fields is not None and child is not None:
                for field, part in zip(fields, child.children, strict=True):
                    said[field] = makers[field](self, part)
        if shape.more:
            said[shape.more] = self.nodes(tree.children[at:])
        return shape.kind(**said, span=self.span(tree))

    def nodes(self, children: Iterable[_Child]) -> tuple[_Made, ...]:
        """Return the nodes of trees; None is skipped."""
        return tuple([self.node(each) for each in children if each is not None])

    def effect(self, tree: _Tree) -> st.Body:
        """Return the body of an effect in a TOML string."""
        return st.Body(self.nodes(tree.children), span=self.span(tree))

    # ---------------------------------------------------------------- kinds of fields
    def optional(self, child: _Child) -> _Made:
        """Return the node of a tree, or None for None."""
        return None if child is None else self.node(child)

    def word(self, child: _Child) -> _Made:
        """Return a name with its span; the child is a token, or a tree with that token."""
        if child is None:
            return None
        token: _Child = child.children[0] if isinstance(child, Tree) else child
        end = (token.end_line or 1, token.end_column or 1)
        place = self._places.span(token.line or 1, token.column or 1, end)
        return Identifier(str(token), span=place)

    def text(self, child: _Child) -> str | None:
        """Return the text of a name, sign or keyword, or the content of a string."""
        if child is None:
            return None
        if isinstance(child, Tree):
            return " ".join(str(child.children[0]).split())
        return text_content(child) if child.type == "STRING" else str(child)

    def truth(self, child: _Child) -> bool:
        """Return true if an optional word is present, or if the first of two words is used."""
        if isinstance(child, Tree):
            return self.text(child) == words_of(child.data)[0]
        return child is not None

    def number(self, child: _Child) -> int | None:
        """Return a number, or None for None."""
        return None if child is None else whole(str(child))

    def words(self, child: _Child) -> tuple[_Made, ...]:
        """Return the names in a list."""
        return () if child is None else tuple([self.word(each) for each in child.children])

    def parts(self, child: _Child) -> tuple[_Made, ...]:
        """Return the nodes in a list."""
        return () if child is None else self.nodes(child.children)

    # ---------------------------------------------------------------- places
    def span(self, tree: _Tree) -> Span:
        """Return the span of a tree, without the line endings and dedents that close it."""
        meta = tree.meta
        if meta.empty:
            return self._places.span(1, 1, (1, 1))
        end = (meta.end_line, meta.end_column)
        last = _last_token(tree)
        if last is not None and (last.end_line or 1) < end[0]:
            end = (last.end_line or 1, last.end_column or 1)
        return self._places.span(meta.line, meta.column, end)


def _last_token(tree: _Tree) -> Token | None:
    for child in reversed(tree.children):
        last = _last_token(child) if isinstance(child, Tree) else child
        if last is not None:
            return last
    return None


_MAKERS: dict[object, _Maker] = {
    each: make
    for kind, make in (
        (bool, Builder.truth),
        (int, Builder.number),
        (str, Builder.text),
        (Identifier, Builder.word),
        (tuple[Identifier, ...], Builder.words),
        (tuple[ex.Best, ...], Builder.parts),
        (tuple[de.Shown, ...], Builder.parts),
    )
    for each in (kind, kind | None)
}
"""The conversion of a child for each type of field; fields of any other type are nodes."""


@cache
def _plan(name: str) -> tuple[GrammarRule, dict[str, _Maker], dict[str, object]]:
    """Return the shape of a rule, the conversions of its fields, and their defaults."""
    shape = SHAPES[name]
    types = get_type_hints(shape.kind)
    fields = FIELDS[shape.kind]
    makers = {each: _MAKERS.get(types[each], Builder.optional) for each in fields}
    nothing = {each: () if get_origin(types[each]) is tuple else None for each in fields}
    return shape, makers, {**nothing, **shape.fixed}


# -------------------------------------------------------------------- special cases
def _switch(make: Builder, tree: _Tree) -> ex.Switch:
    return ex.Switch(make.truth(tree), span=make.span(tree))


def _body(make: Builder, tree: _Tree) -> st.Body:
    inline = tree.meta.empty or not tree.children or _starts_inline(tree)
    return st.Body(make.nodes(tree.children), inline=inline, span=make.span(tree))


def _starts_inline(tree: _Tree) -> bool:
    first = tree.children[0]
    return not first.meta.empty and first.meta.line == tree.meta.line


def _formula(make: Builder, tree: _Tree) -> st.Formula:
    *before, otherwise = make.nodes(tree.children)
    cases = tuple(each for each in before if isinstance(each, st.Case))
    lets = tuple(each for each in before if not isinstance(each, st.Case))
    inline = not before and _starts_inline(tree)
    return st.Formula(lets, cases, otherwise, inline=inline, span=make.span(tree))


def _sequence(make: Builder, tree: _Tree) -> st.Stmt:
    *steps, gains = tree.children
    done: tuple[st.Stmt, ...] = make.nodes(steps)
    if gains is None and len(done) == 1:
        return done[0]
    return st.Sequence(done, make.parts(gains), span=make.span(tree))


def _either(make: Builder, tree: _Tree) -> st.Either:
    ways = make.nodes(each for each in tree.children if isinstance(each, Tree))
    wrapped = tuple(
        way if isinstance(way, st.Sequence) else st.Sequence((way,), span=way.span) for way in ways
    )
    return st.Either(wrapped, span=make.span(tree))


def _call(make: Builder, tree: _Tree) -> st.Call:
    verb, first, *more = tree.children
    written = [(None, first)] if first is not None else []
    arguments = []
    for preposition, value in [*written, *(each.children for each in more)]:
        expr = make.node(value)
        arguments.append(st.Argument(make.text(preposition), expr, span=expr.span))
    return st.Call(make.word(verb), tuple(arguments), span=make.span(tree))


def _may(make: Builder, tree: _Tree) -> st.May:
    *head, what = tree.children
    body = make.node(what)
    if not head:
        return st.May(None, confirm=False, body=st.alone(body), span=make.span(tree))
    confirm = head[1] is not None
    return st.May(make.optional(head[0]), confirm=confirm, body=body, span=make.span(tree))


def _if(make: Builder, tree: _Tree) -> st.If:
    *pairs, otherwise = [make.optional(each) for each in tree.children]
    branches = tuple(
        st.Branch(condition, body, span=condition.span.to(body.span))
        for condition, body in zip(pairs[::2], pairs[1::2], strict=True)
    )
    return st.If(branches, otherwise, span=make.span(tree))


def _text(make: Builder, tree: _Tree) -> ex.Text:
    words = tuple(text_content(each) for each in tree.children if isinstance(each, Token))
    values = make.nodes(each for each in tree.children if isinstance(each, Tree))
    return ex.Text(words, values, span=make.span(tree))


def _choose(make: Builder, tree: _Tree) -> st.ChooseOne:
    prompt, *ways = [make.optional(each) for each in tree.children]
    lines = (each if isinstance(each, st.Line) else st.unlabelled(each) for each in ways)
    return st.ChooseOne(prompt, tuple(lines), span=make.span(tree))


def _added(make: Builder, tree: _Tree) -> de.HookDecl:
    time, *head = tree.children[:3]
    header, when = map(make.optional, head)
    rest = Tree(_ADDED[tree.data], [None, *tree.children[3:]], tree.meta)
    added = make.node(rest)
    body = st.Body((added,), span=added.span)
    words = " ".join(str(time).split())
    return de.HookDecl(words, header, when, body, span=make.span(tree))


_ADDED = {"more_lines": "menu", "more_ways": "choose"}
_BY_HAND: dict[str, Callable[[Builder, _Tree], object]] = {
    "switch": _switch,
    "body": _body,
    "formula": _formula,
    "sequence": _sequence,
    "either": _either,
    "call": _call,
    "may": _may,
    "text": _text,
    "if": _if,
    "choose": _choose,
    "more_lines": _added,
    "more_ways": _added,
}
