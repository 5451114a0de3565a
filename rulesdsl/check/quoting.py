"""Sentences that quote the condition of a rule that has no text."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.declare import BUILT_IN
from rulesdsl.check.symbols.words import in_words, without_texts
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.source.english import definite, sentence
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import Identifier
from rulesdsl.syntax.printer import in_line, phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Node

NOT_IN = "It is not in"
NOT_NOW = "The rules do not allow it now."
_MUST = re.compile(r"^It needs: it is( not)?\b")
_QUOTED = ex.Expr | st.Simple | st.Sequence | st.Either


def condition_text(
    world: SymbolTable,
    rule: Span,
    begin: str,
    names: Mapping[str, str],
    amount: int | None = None,
) -> str:
    """Return a sentence that quotes the rule at a span, printed as in labels.

    It quotes the innermost expression or statement that contains the span, without prompts. Locals
    in `names` have the given words. If an amount is given, it replaces the name of the amount.
    Arithmetic, a local without words and a value without a title are not quoted.
    """
    node = _quoted(world, rule)
    match node:
        case None:
            return NOT_NOW
        case st.Do():
            return "Its effect is not possible now."
        case st.Needs(condition=condition):
            node = condition
        case ex.Choice(domain=domain) if domain is not None and begin == NOT_IN:
            node = domain
        case st.Move(what=ex.NounAmount(noun=noun), source=source) if source is not None:
            piece = world.singular(noun.text)
            singular, plural = world.nouns_in_words.get(piece, ("", noun.text))
            begin = "There is too little" if singular == plural else "There are too few"
            node = ex.Contents(ex.Name(world.plural(piece)), source)
    spoken = {_name(part) for part in walk(node)} - {""}
    others = {words for name, words in names.items() if name not in {*spoken, "me"}}
    if len(others) == 1:  # the candidate, which may have another name in the rule
        lacking = [name for name in spoken - {*names} if name != "it" and not world.find(name)]
        if len(lacking) <= 1:
            names = {**names, "it": "", "".join(lacking) or "it": others.pop()}
    quoted = rewrite(without_texts(node), partial(_named, world, names, amount))
    unknown = {_name(part) for part in walk(quoted)} - {"", "it", *BUILT_IN}
    is_code = any(
        isinstance(part, ex.Arithmetic) or _is_untitled(world, part) for part in walk(quoted)
    )
    if is_code or not all(map(world.find, unknown)):
        return NOT_NOW
    is_not = isinstance(quoted, ex.Not)
    if flag := _flag(world, quoted.value if is_not else quoted):
        subject, title = flag
        return sentence(f"{subject} must {'not ' * is_not}be {title}")
    words = in_words(world, in_line(phrase(quoted)))
    words = definite(words) if begin == NOT_IN and _is_place_kind(world, quoted) else words
    return sentence(_MUST.sub(r"It must\1 be", f"{begin} {words}"))


def _flag(world: SymbolTable, node: Node) -> tuple[str, str] | None:
    """Return what a node reads a flag of, in words, and the title of the flag."""
    if isinstance(node, ex.Of) and node.name.text in world.flags:
        return in_words(world, in_line(phrase(node.owner))), world.flags[node.name.text].title
    if isinstance(node, ex.Name | ex.My) and node.name in world.flags:
        return "you" if isinstance(node, ex.My) else "it", world.flags[node.name].title
    return None


def _is_untitled(world: SymbolTable, node: Node) -> bool:
    """Return whether a node refers to a value that has no words."""
    name = node.name if isinstance(node, ex.Name | ex.Of | ex.My) else ""
    text = name if isinstance(name, str) else name.text
    return text in world.values and not world.values[text].title


def _named(world: SymbolTable, names: Mapping[str, str], amount: int | None, node: Any) -> Any:  # noqa: ANN401 - any node
    if isinstance(node, ex.NounAmount) and amount is not None:
        if isinstance(node.count, ex.Number):
            return node
        singular = world.singular(node.noun.text)
        noun = singular if amount == 1 else world.plural(singular)
        return ex.NounAmount(ex.Number(amount), Identifier(noun))
    if isinstance(node, ex.Of) and names.get(_name(node.owner)):  # `it` alone stays as it is
        owner: Any = ex.Text((names[_name(node.owner)],))
        return ex.Of(node.name, owner)
    if isinstance(node, ex.At) and names.get(_name(node.key)):
        key: Any = ex.Text((names[_name(node.key)],))
        return ex.At(node.base, key)
    if isinstance(node, ex.Name) and names.get(node.name):
        return ex.Text((names[node.name],))
    return node


def _name(node: Node) -> str:
    return node.name if isinstance(node, ex.Name) else "it" * isinstance(node, ex.It)


def _is_place_kind(world: SymbolTable, node: Node) -> bool:
    return isinstance(node, ex.Name) and world.singular(node.name) in world.places


def _quoted(world: SymbolTable, rule: Span) -> Node | None:
    """Return the innermost expression or statement that contains a span."""
    around = [
        node
        for root in bodies(world)
        if root.span.file == rule.file
        for node in walk(root)
        if isinstance(node, _QUOTED) and node.span.line and node.span.holds(rule)
    ]
    return around[-1] if around else None  # `walk` is pre-order


def bodies(world: SymbolTable) -> Iterator[Node]:
    """Yield the syntax trees of all rules: verbs, values, hooks and entries."""
    for proc in world.procedures.values():
        yield proc.body
        for hook in proc.hooks:
            yield from filter(None, (hook.when, hook.body))
    for value in world.values.values():
        yield value.formula
        for change in value.hooks:
            yield from filter(None, (change.when, change.formula))
    for kind in world.kinds.values():
        for entry in kind.entries:
            yield from entry.effects.values()
            yield from entry.formulas.values()


def unbound(value: ty.Value) -> set[str]:
    """Return the free variables of a value."""
    used = {node.name for node in ty.walk(value) if isinstance(node, ty.Local)}
    return used - {name for node in ty.walk(value) for name in TRAITS[type(node)].within(node)}
