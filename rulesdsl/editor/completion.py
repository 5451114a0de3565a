"""Completion in rules, ranked.

The parser consumes the declaration down to the cursor and reports the tokens accepted next
(`syntax.parser.expected_after`): words of the language, and perhaps a name. The checker gives the
names of the expected type (`check.completion`) from the last check, so completion works in a line
with errors. Matching names come first, then all others, each by its frequency in the game after
the same word.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.completion import expected_after as names_after
from rulesdsl.check.symbols.declare_procedures import header_text
from rulesdsl.check.symbols.types import SEAT_WORDS
from rulesdsl.editor.toml_completion import EFFECT, FORMULA, TEXT, Suggestion, offered_in, place_in
from rulesdsl.packs.folder import RULEBOOK
from rulesdsl.syntax.parser import expected_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.symbols.symbol_table import ProcInfo, SymbolTable
    from rulesdsl.check.symbols.types import Type
    from rulesdsl.editor.references import TextPosition, View
    from rulesdsl.source.span import SourceFile
    from rulesdsl.syntax.parser import ExpectedTokens

_BEGINNING = re.compile(r"(?<!\\)[A-Za-z][\w'.-]*$")
_IS_KEY = re.compile(r"^\s*\[*[\w.'-]*$")
_SLOT = re.compile(r"\{([^{}]*)$")
_TOKEN = re.compile(r"[a-z][\w'.-]*|\d+|[^\w\s]")
_FITS, _COULD = 0, 1
_MOST = 200  # house: more letters narrow the list
_KEPT = 400  # texts; as many as the parser caches
_START_OF_LINE = "^"
_PAIR = 40  # house: weight of a frequency after the same word

SNIPPETS = {
    "move": "move ${1:1 piece} from ${2:place} into ${3:place}",
    "for": "for each ${1:thing} ${2:x} in ${3:place}:\n    $0",
    "if": "if ${1:condition}:\n    $0",
    "if able": "if able: $0",
    "repeat": "repeat ${1:3} times:\n    $0",
    "choose": "choose one:\n    $0",
    "menu": "menu:\n    once: $0",
    "let": "let ${1:x} = $0",
    "may": "may $0",
    "needs": "needs $0",
    "raise": "raise ${1:track} by ${2:1}",
    "lower": "lower ${1:track} by ${2:1}",
    "shuffle": "shuffle ${1:stack}",
    "look at": "look at ${1:top 1 of stack}",
    "say": 'say "$0"',
    "verb": "verb ${1:name}:\n    $0",
    "step": "step ${1:name}:\n    $0",
    "kind": "kind ${1:name}: ${2:first}, ${3:second}",
    "piece": 'piece ${1:name} "${2:Name}" ${3:1} in ${4:place}',
    "place": 'place ${1:name} "${2:Name}" holds ${3:piece}',
    "stack": 'stack ${1:name} "${2:Name}" holds ${3:piece}',
    "track": 'track ${1:name} "${2:Name}" per player',
    "flag": "flag ${1:name} per ${2:player}",
    "value": "value ${1:name}: $0",
    "option": 'option ${1:name} "${2:Question}": off',
    "score": 'score ${1:name} "${2:Title}": $0',
    "before": "before ${1:verb}: $0",
    "after": "after ${1:verb}: $0",
    "instead of": "instead of ${1:verb}: $0",
}


def complete(view: View, source: SourceFile, spot: TextPosition) -> tuple[Suggestion, ...]:
    """Return the completions at a position of a text, which may be newer than the check."""
    line = source.line(spot.line)[: spot.column - 1]
    beginning = beginning_of(line)
    before = line[: len(line) - len(beginning)]
    if source.path.endswith(".rules"):
        items = [*_in_rules(view, source, spot.line, before)]
    elif source.path.endswith(".toml"):
        if _IS_KEY.match(line):  # `price.red`: each part of a dotted key is a word
            beginning = line.rpartition(".")[2].strip(" [")
            before = line[: len(line) - len(beginning)]
        place = place_in(source, spot.line, before)
        offered = offered_in(view, source.path, place) if place else None
        items = list(offered.items) if offered else []
        if place and offered and offered.start:
            items += _in_string(view, place.said, offered.start, place.above)
    else:
        items = [*_in_page(view, source, before)]
    return _ranked(view, source, before, beginning, items)


def beginning_of(line: str) -> str:
    """Return the word that ends a line, empty after a blank or sign."""
    found = _BEGINNING.search(line)
    return found[0] if found else ""


# -------------------------------------------------------------------- the language
def _in_rules(view: View, source: SourceFile, number: int, before: str) -> Iterator[Suggestion]:
    """Yield completions in rules, outside comments and plain text."""
    in_text = before.count('"') % 2 == 1
    if ("#" in before and not in_text) or (in_text and _slot(before) is None):
        return
    if not before[:1].isspace():
        yield from _after(view, "file", before)
        return
    first = number - 1
    while first > 1 and not re.match(r"[^\s#]", source.line(first)):
        first -= 1
    above = [source.line(each) for each in range(first, number)]
    narrow = _leading(above, len(before) - len(before.lstrip(" ")))
    yield from _after(view, "file", "\n".join([*above, before]), "\n".join([*narrow, before]))


def _leading(above: list[str], margin: int) -> list[str]:
    """Return the enclosing lines of a line: each is indented less than all below it."""
    kept: list[str] = []
    for each in reversed(above):
        own = len(each) - len(each.lstrip(" "))
        if each.strip() and not each.lstrip().startswith("#") and own < margin:
            kept.insert(0, each)
            margin = own
    return kept


def _in_string(
    view: View, said: str, start: str, above: tuple[str, ...] = ()
) -> Iterator[Suggestion]:
    """Yield completions in a string; an effect may continue the strings above it."""
    text = said.lstrip()
    slot = _slot(text)
    if start == TEXT or (text.count('"') % 2 and slot is not None):
        if slot is not None:
            yield from _after(view, FORMULA, slot)
        return
    whole = "\n".join([*above, said]) if start == EFFECT else text
    yield from _after(view, start, whole, text, text.rpartition("\n")[2].lstrip())


def _in_page(view: View, source: SourceFile, before: str) -> Iterator[Suggestion]:
    slot = _slot(before)
    if f"/{RULEBOOK}/" in source.path and slot is not None:
        yield from _in_string(view, slot.removeprefix("if "), FORMULA)


def _slot(said: str) -> str | None:
    """Return the phrase in an open brace at the end of a text, None if there is none."""
    found = _SLOT.search(said)
    return found[1].replace("\n", " ") if found else None


def _after(view: View, start: str, *texts: str) -> Iterator[Suggestion]:
    """Yield completions after the first of some texts that can be parsed."""
    for text in texts:
        accepted = expected_after(text, start)
        if accepted is not None:
            yield from _items(view.world, accepted, text, start)
            return


def _items(
    world: SymbolTable, accepted: ExpectedTokens, text: str, start: str
) -> Iterator[Suggestion]:
    """Yield the accepted words of the language, and names, those of the expected type first."""
    at_start = "MOVE" in accepted.terminals or not accepted.tokens
    for word in accepted.words:
        snippet = SNIPPETS.get(word, "") if at_start else ""
        yield Suggestion(word, "word", "a word of the language", snippet)
    if not accepted.name:
        return
    expected = names_after(text, start, world)
    for name in sorted(expected.names):
        yield attrs.evolve(named(world, name, expected.locals), rank=_FITS)
    if "MOVE" not in accepted.terminals:
        for name in sorted(_every_name(world, expected.locals) - expected.names):
            yield attrs.evolve(named(world, name, expected.locals), rank=_COULD)


def _every_name(world: SymbolTable, known: Mapping[str, Type]) -> set[str]:
    tables = (
        world.constants, world.options, world.rivals, world.values, world.owners, world.tracks,
        world.flags, world.kinds, world.pieces, world.places, world.plurals, world.procs, known,
    )  # fmt: skip
    fields = {name for kind in world.kinds.values() for name in kind.fields}
    return fields.union(SEAT_WORDS, *tables)


def named(world: SymbolTable, name: str, known: Mapping[str, Type]) -> Suggestion:
    """Return the completion of a name, with its kind."""
    if name in known:
        return Suggestion(name, "local", known[name].of or known[name].family)
    if name in world.procs:
        return _verb(world, world.procs[name])
    sort, singular = world.role(name), world.singular(name)
    if sort:
        tables = (world.pieces, world.places, world.kinds, world.tracks)
        titles = (table[singular].title for table in tables if singular in table)
        return Suggestion(name, sort, next(titles, ""))
    if name in world.owners:
        return Suggestion(name, "entry", " or ".join(world.owners[name]))
    fields = [kind for kind in world.kinds.values() if name in kind.fields]
    if fields:
        return Suggestion(name, "field", f"{fields[0].fields[name].type} of {fields[0].name}")
    return Suggestion(name, "word")


def _verb(world: SymbolTable, forms: list[ProcInfo]) -> Suggestion:
    first = forms[0]
    detail = " or ".join(header_text(each, world) for each in forms)
    sort = "verb" if first.verb else "step"
    if len(forms) > 1 or not first.params:
        return Suggestion(first.name, sort, detail)
    stops = [first.name]
    for at, param in enumerate(first.params, 1):
        words = f"${{{at}:{param.name}}}"
        if param.noun:
            words += f" {world.plural(param.noun)}"
        stops.append(f"{param.preposition} {words}" if param.preposition else words)
    return Suggestion(first.name, sort, detail, " ".join(stops))


# -------------------------------------------------------------------- ranking
@lru_cache(_KEPT)
def _counted(source: SourceFile) -> Counter[str | tuple[str, str]]:
    """Return the frequencies of words in a text, alone and after another word."""
    counts: Counter[str | tuple[str, str]] = Counter()
    for line in source.lines:
        before = _START_OF_LINE
        for token in _TOKEN.findall(line.partition("#")[0]):
            word = _number_as_zero(token)
            counts.update((word, (before, word)))
            before = word
    return counts


def _number_as_zero(token: str) -> str:
    return "0" if token.isdigit() else token


def _ranked(
    view: View, source: SourceFile, before: str, beginning: str, items: list[Suggestion]
) -> tuple[Suggestion, ...]:
    """Return the items with the prefix, without duplicates, by rank and frequency."""
    others = (each for path, each in view.sources.items() if path != source.path)
    said = [_counted(each) for each in (source, *others)]
    behind = _number_as_zero([_START_OF_LINE, *_TOKEN.findall(before)][-1])
    unique: dict[str, Suggestion] = {}
    for each in items:
        if each.word.startswith(beginning) and (
            each.word not in unique or each.rank < unique[each.word].rank
        ):
            unique[each.word] = each

    def order(item: Suggestion) -> tuple[int, int, str]:
        first = item.word.partition(" ")[0]
        weights = (_PAIR * each[behind, first] + each[first] for each in said)
        return item.rank, -sum(weights), item.word

    return tuple(sorted(unique.values(), key=order)[:_MOST])
