"""W605: text of an entry or effect whose amounts differ from those in the effect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.names import mentions
from rulesdsl.check.symbols.symbol_table import (
    EntryInfo,
    KindInfo,
    PieceInfo,
    ReferenceRole,
    Symbol,
    SymbolKind,
    SymbolTable,
    TrackInfo,
)
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.language import Language
from rulesdsl.source.span import Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.statements import Body

UNKNOWN = -1
WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
AMOUNT = re.compile(rf"\b(\d+|{'|'.join(WORDS[1:])})\s+([a-z][\w'-]*)", re.IGNORECASE)


def text_differs(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report amounts in an entry's text that contradict its effects, unless rules name it.

    Rules that name an entry may add to its effects, unless they only run them.
    """
    world = checked.program.world
    nouns = _nouns(world)
    steps = chain.from_iterable(checked.steps.values())
    run = {step.subject.span for step in steps if isinstance(step, ty.DoField)}
    ruled = {
        ref.thing
        for ref in checked.mentions
        if ref.role is not ReferenceRole.DECLARES and ref.span not in run
    }
    for kind in world.kinds.values():
        help_text = f"Fix the text or the effect, so that the {kind.name} does what it says."
        for entry in kind.entries:
            if Symbol(SymbolKind.ENTRY, entry.name, kind.name) in ruled:
                continue
            prices = [value for value in entry.values.values() if isinstance(value, dict)]
            for text, span, effects, is_whole in _texts_of(kind, entry):
                paid = prices if is_whole else ()
                for message in _contradictions(text, effects, paid, world, nouns):
                    findings.report("W605", span, message, help_text)


def _texts_of(
    kind: KindInfo, entry: EntryInfo
) -> Iterator[tuple[str, Span, tuple[Body, ...], bool]]:
    """Yield the texts of an entry and the titles of its effects, with the effects they tell.

    The flag is true for a text about the whole entry, which may tell its prices as well.
    """
    effects = tuple(entry.effects.values())
    for field in kind.fields.values():
        text = entry.values.get((field.name, None))
        if effects and field.type == "text" and field.name in entry.spans:
            yield str(text), entry.spans[field.name], effects, True
    for (name, column), body in entry.effects.items():
        if body.title:
            key = "/".join(filter(None, (name, column)))
            yield body.title, entry.spans[key], (body,), False


def _contradictions(
    text: str,
    effects: tuple[Body, ...],
    prices: Sequence[Mapping[str, int]],
    world: SymbolTable,
    nouns: dict[str, str],
) -> Iterator[str]:
    written = {each.value for each in walk(effects) if isinstance(each, ex.Number)}
    written |= {number for price in prices for number in price.values()}
    named = {world.singular(name) for name in _mentioned(effects, world)}
    named |= {world.singular(name) for price in prices for name in price}
    amounts = _amounts(effects)
    if effects and world.language(effects[0].span) >= Language.V0_2:
        amounts += _changes(effects)
    for number, noun, word in _said(text, nouns):
        counts = {count for name, count in amounts if world.singular(name) == noun}
        if counts and UNKNOWN not in counts and number not in written:
            found = " or ".join(str(each) for each in sorted(counts))
            yield f"The text says {number} {word}, but the effect says {found}."
        elif noun not in named and not _hides(effects):
            yield f"The text says {number} {word}, but the effect has none."


def _nouns(world: SymbolTable) -> dict[str, str]:
    every: list[PieceInfo | TrackInfo] = [*world.pieces.values(), *world.tracks.values()]
    words: dict[str, str] = {}
    for info in every:
        title = info.title.lower()
        for word in (info.name, info.plural, title, f"{title}s"):
            words[word] = info.name
    return words


def _said(text: str, nouns: dict[str, str]) -> Iterator[tuple[int, str, str]]:
    """Yield the amounts in text: number, noun, and the word used for the noun."""
    for count, word in AMOUNT.findall(text):
        noun = nouns.get(word.lower())
        if noun is not None:
            yield int(count) if count.isdigit() else WORDS.index(count.lower()), noun, word


def _mentioned(effects: tuple[Body, ...], world: SymbolTable) -> set[str]:
    """Return the names in effects, and in the formulas of the values that they use."""
    names, left = set[str](), [*mentions(effects)]
    while left:
        name = left.pop()
        if name not in names and name in world.values:
            left += mentions(world.values[name].formula)
        names.add(name)
    return names


def _hides(effects: tuple[Body, ...]) -> bool:
    """Return whether effects may have amounts that are defined elsewhere."""
    return any(
        isinstance(each, st.Do) or (isinstance(each, st.Call) and not _amounts(each))
        for each in walk(effects)
    )


def _amounts(node: object) -> list[tuple[str, int]]:
    """Return the nouns in amounts, each with its number."""
    amounts = (part for part in walk(node) if isinstance(part, ex.NounAmount))
    return [(amount.noun.text, _count(amount.count)) for amount in amounts]


def _changes(node: object) -> Iterator[tuple[str, int]]:
    """Yield the tracks that change, each with its number."""
    for part in walk(node):
        if isinstance(part, st.Change):
            yield from ((name, _count(part.amount)) for name in mentions(part.target))


def _count(number: ex.Expr) -> int:
    return number.value if isinstance(number, ex.Number) else UNKNOWN
