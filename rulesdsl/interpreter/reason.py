"""Reasons why an option is not offered, and conditions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.source.english import sentence, spoken
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax.expressions import Choice, Expr
from rulesdsl.syntax.printer import in_line, phrase
from rulesdsl.syntax.statements import Either, Needs, Sequence, Simple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Node


@attrs.frozen
class Action:
    """One option that a game may ever offer.

    `id` and `label` are the position-independent parts of the option's; options with equal ids are
    one action. `question` is the prompt, `decision` its id (`Decision.id`), `rule` the place in
    the rules that offers it, `about` the id in `Game.printed` of the entry that it names, if any.
    """

    number: int
    id: str
    label: str
    question: str = attrs.field(repr=False)
    rule: Span = attrs.field(repr=False)
    about: str = attrs.field(default="", repr=False)
    decision: str = ""
    asked_in: int = attrs.field(default=0, repr=False)
    """The number of the block that asks."""
    raw: tuple[int, ...] = attrs.field(default=(), repr=False)
    """The raw choices that it covers, as numbers of the flat form."""


@attrs.frozen
class Reason:
    """The reason why an option is not offered, as text, with the rule that forbids it.

    `condition` is the index of the failing condition; None if the question is not open, the reason
    is secret, or the option is offered (`offered`). `choice` is the raw choice of the action that
    satisfies the most conditions before one fails.
    """

    text: str
    rule: Span
    offered: bool = False
    declared: bool = False
    """True if the author wrote the text."""
    condition: int | None = attrs.field(default=None, repr=False)
    choice: int | None = attrs.field(default=None, repr=False)


_QUOTED = Expr | Simple | Sequence | Either


def condition_text(world: SymbolTable, rule: Span) -> str:
    """Return a sentence that quotes the rule at a place, printed as labels print rules.

    It quotes the innermost expression or statement that holds the place, without its prompts.
    """
    found = [
        node
        for root in _bodies(world)
        if root.span.file == rule.file
        for node in walk(root)
        if isinstance(node, _QUOTED) and node.span.line and node.span.holds(rule)
    ]
    if not found:
        return "The rules do not allow it now."
    node = found[-1]  # `walk` is pre-order, so the last match is the innermost
    if isinstance(node, Needs):
        node = node.condition
    titles = _titles(world)
    words = [titles.get(word, word) for word in phrase(rewrite(node, _without_texts))]
    return sentence(f"It needs: {spoken(in_line(words))}")


def _without_texts(node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    if type(node) is Choice:
        return Choice(node.kind, node.variable, node.domain, node.where, None, None)
    return node


def _bodies(world: SymbolTable) -> Iterator[Node]:
    """Yield the syntax trees of all rules: verbs, values, hooks and entries."""
    for proc in (each for same in world.procs.values() for each in same):
        yield proc.body
        for hook in proc.hooks:
            yield from filter(None, (hook.when, hook.body))
    for value in world.values.values():
        yield value.formula
        for change in value.hooks:
            yield from filter(None, (change.when, change.formula))
    for entry in (each for kind in world.kinds.values() for each in kind.entries):
        yield from entry.effects.values()
        yield from entry.formulas.values()


def _titles(world: SymbolTable) -> dict[str, str]:
    """Return the titles of names, with `my` and `me` in the second person."""
    named = (world.kinds, world.pieces, world.places, world.tracks)
    found = {each.name: each.title for things in named for each in things.values()}
    for kind in world.kinds.values():
        found |= {each.name: each.title for each in kind.entries}
    return found | {"my": "your", "me": "you"}
