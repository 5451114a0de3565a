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
    has_formula,
    has_words,
    imperative_of,
    in_words,
    without_texts,
)
from rulesdsl.source import tree
from rulesdsl.source.english import opening
from rulesdsl.source.span import NOWHERE
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.printer import print_label, print_statement

ASIDE = (st.Let, st.Needs, st.Mark, st.LookAt, st.BadLine)


def imperative(r: Resolver, body: st.Body) -> ty.MessageText | None:
    """Return the words of a body that only calls a verb with an imperative, otherwise None.

    The calls in the body are resolved.
    """
    effects = [stmt for stmt in without_texts(body).statements if not isinstance(stmt, ASIDE)]
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
    return attrs.evolve(words, span=NOWHERE)


def offer_text(r: Resolver, body: st.Body, *, labelled: bool) -> tuple[str, str, str]:
    """Return where the effect of an option begins, all of it as players read it, and as written.

    The beginning, by which programs refer to the option, is the whole effect unless a part of it
    is below a line. What is written is what they referred to in language 0.1. The calls in the
    body are resolved. Beside a label, which says more, only plain words are read: without locals
    or formulas.
    """
    body = tree.rewrite(body, _plain)
    lets = [stmt for stmt in body.statements if isinstance(stmt, st.Let)]
    effects: list[st.Stmt] = [stmt for stmt in body.statements if not isinstance(stmt, ASIDE)]
    text = ", ".join(print_statement(stmt) for stmt in effects)
    verb = r.scope.inside or text.split("\n")[0] or "nothing"
    in_lines, names = "\n" in text or not text, set(text.replace(",", " ").split())
    does = effects or [stmt for stmt in body.statements if not isinstance(stmt, st.Needs | st.Let)]
    first = tree.rewrite(st.Body((*lets, *(does[:1] if in_lines else does))), _unfiltered)
    begins = print_label(_named(r, without_texts(first), keep=True))
    begins = begins.split(", ")[0] if in_lines else begins
    if in_lines:
        return begins or "nothing", "" if labelled else in_words(r.world, verb), verb
    bare = without_texts(st.Body((*lets, *effects), body.inline))
    spoken = _named(r, bare)
    words = in_words(r.world, verb) if spoken is None else body_in_words(r.world, spoken)
    is_source = has_formula(r.world, bare) or not has_words(r.world, bare)
    if labelled and (lets or spoken is not bare or is_source):
        words = ""
    is_written = names.isdisjoint(let.name.text for let in lets)
    return begins, words, _without_locals(r, text) if is_written else verb


def _unfiltered(node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    if isinstance(node, ex.Contents | ex.OtherThan):  # there it is a place
        return node
    return attrs.evolve(node, where=None) if getattr(node, "where", None) else node


def _plain(node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    return node.what if isinstance(node, st.Openly) else node


def _without_locals(r: Resolver, text: str) -> str:
    for name, local in r.scope.locals.items():
        word = re.compile(rf"(?<![\w'-]){re.escape(name)}(?![\w'-])")
        kind = local.type.of
        if kind == name or not word.search(text):
            continue
        if not kind:
            return r.scope.inside or text
        info = r.world.pieces.get(kind) or r.world.kinds.get(kind)
        text = word.sub(f"the {kind if info is None else info.title.lower()}", text)
    return text


def _named(r: Resolver, node: Any, *, keep: bool = False) -> Any:  # noqa: ANN401 - of its kind
    """Return a node with `the` and a kind for locals.

    If a local, a number, has no kind, it stays if `keep` is true; otherwise, return None.
    """
    kinds = {name: local.type.of for name, local in r.scope.locals.items()}
    used = {each.name for each in tree.walk(node) if isinstance(each, ex.Name)} & kinds.keys()
    if not keep and not all(kinds[name] for name in used):
        return None
    names = {name: f"the {kinds[name]}" for name in used if kinds[name] not in {name, ""}}
    return tree.rewrite(node, partial(_renamed, names))


def _renamed(names: Mapping[str, str], node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    is_local = isinstance(node, ex.Name) and node.name in names
    return ex.Name(names[node.name], span=node.span) if is_local else node
