"""W632: options and effects that players would read as rule source, for lack of words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rulesdsl.check import typed as ty
from rulesdsl.check.quoting import bodies
from rulesdsl.check.symbols.symbol_table import EntryInfo, KindInfo, SymbolTable
from rulesdsl.check.symbols.words import effect_in_words, has_formula, text_of, without_texts
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import Node

MOST = 60  # characters: longer lines of rules are hard to read in a list of options


def missing_words(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report options and effects whose derived words are long or contain a formula."""
    world = checked.program.world
    steps = chain.from_iterable(checked.steps.values())
    nodes = {node.span: node for root in bodies(world) for node in walk(root) if _offers(node)}
    derived = chain(
        chain.from_iterable(_options(step) for step in steps if isinstance(step, ty.Decide)),
        *(_effects(world, kind, entry) for kind in world.kinds.values() for entry in kind.entries),
    )
    for words, span, advice in dict.fromkeys(derived):
        node = nodes.get(span)
        body = node if isinstance(node, st.Body | None) else node.body
        is_formula = body is not None and has_formula(world, without_texts(body))
        if is_formula or len(words) > MOST:
            why = "it has a formula" if is_formula else f"it has {len(words)} characters"
            findings.report("W632", span, f"Players read `{words}` here, and {why}.", advice)


def _offers(node: Node) -> bool:
    return isinstance(node, st.Body | st.MenuLine | st.May | st.MayRepeat)


def _options(step: ty.Decide) -> Iterator[tuple[str, Span, str]]:
    """Yield the derived words of options, unless they name an entry or its effect."""
    advice = {
        ty.DECLINE: 'Put a question after `may`: `may "...": ...`.',
        ty.DONE: 'Say what players read before the colon: `once "...": ...`.',
    }.get(step.stop or "", 'Say what players read, and a colon, before it: `"...": ...`.')
    for line in step.lines:
        if line.label is None and line.domain is None and line.effect is None:
            yield line.words, line.span, advice


def _effects(
    world: SymbolTable, kind: KindInfo, entry: EntryInfo
) -> Iterator[tuple[str, Span, str]]:
    """Yield the derived words of an entry's effects, unless their field is quiet."""
    for (field, column), body in entry.effects.items():
        is_worded = body.title or (text_of(entry) and len(entry.effects) == 1)
        if is_worded or kind.fields[field].quiet:
            continue
        key = ".".join(filter(None, (field, column)))
        advice = f'Give it a title: `{field} "...":`.'
        if body.span.file.endswith(".toml"):
            advice = f'Give it a title: `{key} = {{ title = "...", does = ... }}`.'
        yield effect_in_words(world, entry, field, column), body.span, advice
