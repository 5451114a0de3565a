"""Words of options without a text: the imperative of a verb, or their effects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.calls import words_of
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.symbols.words import (
    body_in_words,
    followed,
    imperative_of,
    in_words,
    without_texts,
)
from rulesdsl.source import tree
from rulesdsl.source.english import opening
from rulesdsl.source.span import NOWHERE
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.printer import print_statement

QUIET = (st.Let, st.Needs, st.Mark, st.LookAt, st.BadLine)


def imperative(r: Resolver, body: st.Body, effect: str) -> ty.MessageText | None:
    """Return the words of a body that only calls a verb with an imperative, otherwise None.

    The calls in the body are resolved. `effect` is what programs call the option.
    """
    effects = [stmt for stmt in without_texts(body).statements if not isinstance(stmt, QUIET)]
    text = imperative_of(r.world, effects[0]) if len(effects) == 1 else None
    if text is None:
        return None
    parts, values = [opening(text.words[0])], list[ex.Expr]()
    for value, after in zip(text.values, text.words[1:], strict=True):
        if isinstance(value, ex.Name) and value.name in r.scope.locals:
            values.append(value)
            parts.append(after)
        else:
            parts[-1] = followed(r.world, parts[-1], _named(r, value) or value) + after
    words = words_of(r, ex.Text(tuple(parts), tuple(values)))
    return attrs.evolve(words, named=effect, span=NOWHERE)


def offer_text(r: Resolver, body: st.Body) -> tuple[str, str]:
    """Return the effect of an option as written, and as players read it.

    The calls in the body are resolved.
    """
    lets = {stmt.name.text for stmt in body.statements if isinstance(stmt, st.Let)}
    effects = [stmt for stmt in body.statements if not isinstance(stmt, QUIET)]
    text = ", ".join(print_statement(stmt) for stmt in effects)
    verb = r.scope.inside or text.split("\n")[0] or "nothing"
    if "\n" in text or not text:
        return verb, in_words(r.world, verb)
    label = [stmt for stmt in body.statements if stmt in effects or isinstance(stmt, st.Let)]
    labelled = _named(r, without_texts(st.Body(tuple(label), body.inline)))
    words = in_words(r.world, verb) if labelled is None else body_in_words(r.world, labelled)
    if lets & set(text.replace(",", " ").split()):
        return verb, words
    return _without_locals(r, text), words


def _without_locals(r: Resolver, text: str) -> str:
    for name, local in r.scope.locals.items():
        word = re.compile(rf"(?<![\w'-]){re.escape(name)}(?![\w'-])")
        kind = local.type.of
        if kind == name or not word.search(text):
            continue
        if not kind:
            return r.scope.inside or text
        known = r.world.pieces.get(kind) or r.world.kinds.get(kind)
        text = word.sub(f"the {kind if known is None else known.title.lower()}", text)
    return text


def _named(r: Resolver, node: Any) -> Any:  # noqa: ANN401 - a node of the same kind
    """Return a node with `the` and a kind for locals; None if a local, a number, has no kind."""
    kinds = {name: local.type.of for name, local in r.scope.locals.items()}
    used = {each.name for each in tree.walk(node) if isinstance(each, ex.Name)} & kinds.keys()
    if not all(kinds[name] for name in used):
        return None
    names = {name: f"the {kinds[name]}" for name in used if kinds[name] != name}
    return tree.rewrite(node, partial(_renamed, names))


def _renamed(names: Mapping[str, str], node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    is_local = isinstance(node, ex.Name) and node.name in names
    return ex.Name(names[node.name], span=node.span) if is_local else node
