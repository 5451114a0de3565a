"""Annotations: semantic tokens, inlay hints and code lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.symbols.symbol_table import ReferenceRole, SymbolKind
from rulesdsl.editor.documents import phrases_of
from rulesdsl.editor.symbols import outline
from rulesdsl.packs.folder import LESSONS, SCENARIOS
from rulesdsl.scenarios.reading import LIST
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.symbols.symbol_table import Symbol
    from rulesdsl.editor.references import View
    from rulesdsl.source.span import SourceFile

# Token types of the protocol, which every theme colours.
_OF_NOUNS = {"kind": "type", "piece": "class", "place": "namespace", "value": "macro"}
_OF_SORTS = {
    SymbolKind.ENTRY: "enumMember",
    SymbolKind.FIELD: "property",
    SymbolKind.LOCAL: "parameter",
    SymbolKind.VERB: "function",
    SymbolKind.ACTOR: "keyword",
    SymbolKind.CANDIDATE: "keyword",
}
TYPES = tuple(dict.fromkeys((*_OF_NOUNS.values(), "variable", *_OF_SORTS.values())))
MODIFIERS = ("declaration",)


@attrs.frozen
class Token:
    """Name with its token type."""

    span: Span
    type: str
    declares: bool


def tokens(view: View, file: str) -> Iterator[Token]:
    """Yield the names of a file in order."""
    for each in view.in_file(file):
        noun = _OF_NOUNS.get(view.world.role(each.thing.name), "variable")
        kind = _OF_SORTS.get(each.thing.sort, noun)
        yield Token(each.span, kind, each.role is ReferenceRole.DECLARES)


# -------------------------------------------------------------------- inlay hints
_PLAIN = {"me"}  # the actor of a verb is evident
_SPOKEN = {"actor": "the one named by `for`", "chooser": "each player"}


@attrs.frozen
class Hint:
    """Text displayed after a word."""

    span: Span
    text: str


def hints(view: View, file: str, first: int, last: int) -> tuple[Hint, ...]:
    """Return the implicit candidates and actors in some lines of a file."""
    found: list[Hint] = []
    for each in view.in_file(file):
        if not first <= each.span.line <= last:
            continue
        name = each.thing.name.partition(".")[0]
        if each.thing.sort is SymbolKind.CANDIDATE and each.type is not None:
            found.append(Hint(each.span, each.type.of or each.type.family))
        elif each.thing.sort is SymbolKind.ACTOR and name not in _PLAIN:
            found.append(Hint(each.span, _SPOKEN.get(name, name)))
    return tuple(found)


# -------------------------------------------------------------------- code lenses
RUN, REFERENCES, PLAY = "coloma.runScenarios", "coloma.showReferences", "coloma.play"
_PATIENCE = 0.3  # house: seconds that a client should wait for them
_MOST_RULES = 6  # house: as many as fit on a line above a verb


@attrs.frozen
class Lens:
    """Text above a line, and the command that a click runs."""

    span: Span
    title: str
    command: str
    arguments: tuple[object, ...] = ()


@attrs.frozen
class _Scenario:
    """Scenario with its name, the rules that it covers, and its lines."""

    name: str
    covers: tuple[str, ...]
    first: int
    last: int


def lenses(view: View, source: SourceFile) -> tuple[Lens, ...]:
    """Return the code lenses of a file of rules or scenarios."""
    if source.path.endswith(".rules"):
        view.read_for(_PATIENCE)  # larger games are read in the background
        return tuple(_of_rules(view, source))
    return tuple(_of_scenarios(source))


def _of_scenarios(source: SourceFile) -> Iterator[Lens]:
    for each in _scenarios(source):
        span = _line(source, each.first)
        yield Lens(span, "run", RUN, (source.path, each.name))
        if each.covers:
            yield Lens(span, f"covers {', '.join(each.covers)}", REFERENCES, ())


def _line(source: SourceFile, line: int) -> Span:
    return Span(source.path, line, 1, line, len(source.line(line)) + 1)


def _of_rules(view: View, source: SourceFile) -> Iterator[Lens]:
    for symbol in outline(source):
        if symbol.sort not in {"verb", "step"}:
            continue
        found = view.at(symbol.span.file, symbol.span.line, symbol.span.column)
        if found is None or found.thing.sort is not SymbolKind.VERB:
            continue
        place = (source.path, symbol.span.line, symbol.span.column)
        if found.thing.name == "game":
            yield Lens(symbol.span, "play", PLAY, (source.path,))
        yield from _about(view, found.thing, symbol.span, place)


def _about(view: View, thing: Symbol, span: Span, place: tuple[object, ...]) -> Iterator[Lens]:
    """Yield the lenses of a verb: its scenarios, the rules that they cover, mods that hook it."""
    scenarios: dict[tuple[str, str], _Scenario] = {}
    hooking: set[str] = set()
    whole = view.read_for(0)
    for each in view.of(thing) if whole else view.of_rules(thing):
        if each.role is ReferenceRole.HOOKS:
            hooking.add(view.world.pack_of(each.span))
        text = view.texts_beside.get(each.span.file)
        for found in _scenarios(text) if text is not None else ():
            if found.first <= each.span.line <= found.last:
                scenarios[each.span.file, found.name] = found
    if scenarios:
        said = "1 scenario" if len(scenarios) == 1 else f"{len(scenarios)} scenarios"
        yield Lens(span, said, RUN, (place[0], thing.name))
        covers = sorted({rule for each in scenarios.values() for rule in each.covers})
        if covers:
            more = f" and {len(covers) - _MOST_RULES} more" if len(covers) > _MOST_RULES else ""
            title = f"covers {', '.join(covers[:_MOST_RULES])}{more}"
            yield Lens(span, title, REFERENCES, place)
    mods = hooking & view.world.mods
    if mods:
        said = "1 mod" if len(mods) == 1 else f"{len(mods)} mods"
        yield Lens(span, f"hooked by {said}", REFERENCES, place)


def _scenarios(source: SourceFile) -> list[_Scenario]:
    if f"/{SCENARIOS}/" not in source.path or f"/{LESSONS}/" in source.path:
        return []
    file = phrases_of(source).file
    tables = file.data.get(LIST) if file is not None else None
    if file is None or not isinstance(tables, list):
        return []
    starts = [file.index.key_span((LIST, at)).line for at in range(len(tables))]
    ends = [*(start - 1 for start in starts[1:]), len(source.lines)]
    return [
        _Scenario(str(table.get("name", "")), _covers(table), first, last)
        for table, first, last in zip(tables, starts, ends, strict=True)
        if isinstance(table, dict)
    ]


def _covers(table: dict[str, object]) -> tuple[str, ...]:
    said = table.get("covers")
    return tuple(map(str, said)) if isinstance(said, list) else ()
