"""Conditions in words where the author wrote none: the rule itself, with titles for names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.source.english import sentence, spoken
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax.expressions import Choice, Expr
from rulesdsl.syntax.printer import in_line, phrase
from rulesdsl.syntax.statements import Either, Needs, Sequence, Simple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import World
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Node

_QUOTED = Expr | Simple | Sequence | Either


def condition_text(world: World, rule: Span) -> str:
    """Return a sentence that quotes the rule at a place, as labels of options print rules.

    The innermost expression or line that holds the place is quoted, questions left out.
    """
    found = [
        node
        for root in _bodies(world)
        for node in walk(root)
        if isinstance(node, _QUOTED) and node.span.line and node.span.holds(rule)
    ]
    if not found:
        return "The rules do not allow it now."
    node = found[-1]  # `walk` goes from the outside inwards
    if isinstance(node, Needs):
        node = node.condition
    titles = _titles(world)
    words = [titles.get(word, word) for word in phrase(rewrite(node, _without_texts))]
    return sentence(f"It needs: {spoken(in_line(words))}")


def _without_texts(node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    if type(node) is Choice:
        return Choice(node.kind, node.variable, node.domain, node.where, None, None)
    return node


def _bodies(world: World) -> Iterator[Node]:
    """Yield all rules of a game: of verbs, values, hooks and entries."""
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


def _titles(world: World) -> dict[str, str]:
    """Return what is written for names: their titles, and who is spoken to."""
    named = (world.kinds, world.pieces, world.places, world.tracks)
    found = {each.name: each.title for things in named for each in things.values()}
    for kind in world.kinds.values():
        found |= {each.name: each.title for each in kind.entries}
    return found | {"my": "your", "me": "you"}
