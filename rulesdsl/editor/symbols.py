"""Outlines, workspace symbols, folding, call hierarchy, tokens, inlay hints and code lenses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import attrs

from rulesdsl.check.symbols.names import declared_word
from rulesdsl.check.symbols.symbol_table import ReferenceRole, Symbol, SymbolKind
from rulesdsl.editor.documents import phrases_of
from rulesdsl.editor.references import TextPosition, View
from rulesdsl.packs.folder import LESSONS, SCENARIOS
from rulesdsl.scenarios.reading import LIST
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file
from rulesdsl.syntax.statements import Header

_HEADER = re.compile(r"^\[+([^\]]+)\]+")
_NAME = re.compile(r'^name *= *"([^"]*)"')
_MOST_FOUND = 200  # symbols in one answer
KEPT = 200  # cached outlines, which are looked up for every call
HOOK = "hook"


@attrs.frozen
class OutlineSymbol:
    """Declaration: its name and kind, its whole span, and the span of the name."""

    name: str
    sort: str
    whole: Span
    span: Span
    below: tuple[OutlineSymbol, ...] = ()


@lru_cache(KEPT)
def outline(source: SourceFile) -> tuple[OutlineSymbol, ...]:
    """Return the declarations in a file, as far as it can be parsed."""
    if source.path.endswith(".rules"):
        parsed = parse_file(source.text, source.path, Findings(), source.language)
        found = (_symbol(each, source) for each in parsed.file.declarations)
        return tuple(each for each in found if each is not None)
    return tuple(_tables(source))


def _symbol(decl: de.Decl, source: SourceFile) -> OutlineSymbol | None:
    if isinstance(decl, de.PanelDecl):
        return OutlineSymbol(decl.title, "panel", decl.span, decl.span)
    word = declared_word(decl)
    if word is None or isinstance(decl, de.ConstantsDecl):
        return None
    title, sort = word.text, type(decl).__name__.removesuffix("Decl").lower()
    if isinstance(decl, de.ProcedureDecl):
        title = source.line(word.span.line)[word.span.column - 1 : _end(decl.header)]
        sort = "verb" if decl.verb else "step"
    elif isinstance(decl, de.HookDecl | de.TextHookDecl | de.ValueHookDecl):
        title, sort = source.line(decl.span.line)[: word.span.end_column - 1].strip(), HOOK
    elif isinstance(decl, de.ScoreDecl):
        sort = "value"
    below = tuple(
        OutlineSymbol(each.name.text, "field", each.span, each.name.span)
        for each in getattr(decl, "fields", ())
        if isinstance(each, de.FieldDecl)
    )
    return OutlineSymbol(title, sort, decl.span, word.span, below)


def _end(header: Header) -> int:
    last = header.more[-1].param if header.more else header.param
    word = header.name if last is None else last.second or last.first
    return word.span.end_column - 1


def _tables(source: SourceFile) -> Iterator[OutlineSymbol]:
    """Yield the tables of a TOML file, found by their headers even if the TOML is invalid."""
    starts = [at for at, line in enumerate(source.lines, 1) if _HEADER.match(line)]
    ends = [*starts[1:], len(source.lines) + 1]
    for start, after in zip(starts, ends, strict=False):
        header = _HEADER.match(source.line(start))
        assert header
        lines = range(start + 1, after)
        named = (_NAME.match(source.line(each)) for each in lines)
        title = next((each[1] for each in named if each), "")
        double = source.line(start).startswith("[[")
        name = title if double and title else header[1].strip()
        last = max((each for each in lines if source.line(each).strip()), default=start)
        whole = Span(source.path, start, 1, last, len(source.line(last)) + 1)
        span = Span(source.path, start, 1, start, len(source.line(start)) + 1)
        yield OutlineSymbol(name, "scenario" if double else "entry", whole, span)


def named(view: View, query: str) -> tuple[OutlineSymbol, ...]:
    """Return the declarations whose names contain the letters of a query in order."""
    letters = re.compile(".*".join(map(re.escape, query.lower())))
    found: list[OutlineSymbol] = []
    for thing in view.things:
        if not letters.search(thing.name.lower()):
            continue
        words = view.declared_as(thing)
        sort = words[0].sort if words else str(thing.sort)
        found.extend(
            OutlineSymbol(thing.name, sort, each.span, each.span)
            for each in view.of_rules(thing)
            if each.role is ReferenceRole.DECLARES and thing.sort != "local"
        )
    found.sort(key=lambda each: (query not in each.name, len(each.name), each.name))
    return tuple(found[:_MOST_FOUND])


# -------------------------------------------------------------------- folding
@attrs.frozen
class Fold:
    """Folding range: first and last line."""

    first: int
    last: int
    is_comment: bool = False


def folds(source: SourceFile) -> tuple[Fold, ...]:
    """Return the folding ranges in a file, whether or not it can be parsed."""
    found = [*_comments(source)]
    if source.path.endswith(".rules"):
        found += _indented(source)
    else:
        found += (Fold(each.whole.line, each.whole.end_line) for each in outline(source))
    return tuple(sorted((each for each in found if each.last > each.first), key=_first))


def _first(fold: Fold) -> int:
    return fold.first


def _indented(source: SourceFile) -> Iterator[Fold]:
    opened: list[tuple[int, int]] = []  # enclosing lines, and their indentation
    last = 0
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        margin = len(line) - len(line.lstrip(" "))
        while opened and margin <= opened[-1][1]:
            yield Fold(opened.pop()[0], last)
        opened.append((number, margin))
        last = number
    for first, _ in opened:
        yield Fold(first, last)


def _comments(source: SourceFile) -> Iterator[Fold]:
    first = 0
    for number, line in enumerate((*source.lines, ""), 1):
        if line.lstrip().startswith("#"):
            first = first or number
        elif first:
            yield Fold(first, number - 1, is_comment=True)
            first = 0


# -------------------------------------------------------------------- call hierarchy
@attrs.frozen
class CallEdge:
    """Caller or callee, with the places of the calls in the caller."""

    who: OutlineSymbol
    places: tuple[Span, ...]


def callables_at(view: View, spot: TextPosition) -> list[OutlineSymbol] | None:
    """Return the verb or step at a position, or else the enclosing declaration, if any."""
    thing = _verb_at(view, spot)
    found = around(view, spot.file, spot.line) if thing is None else _declared(view, thing)
    return None if found is None else [found]


def around(view: View, file: str, line: int) -> OutlineSymbol | None:
    """Return the declaration or entry that contains a line."""
    source = view.source(file)
    for each in outline(source) if source is not None else ():
        if each.whole.line <= line <= each.whole.end_line:
            return each
    return None


def callers(view: View, who: OutlineSymbol) -> tuple[CallEdge, ...]:
    """Return the callers of a verb or step, including hooks on it."""
    thing = _verb_at(view, who.span)
    if thing is None:
        return ()
    found: dict[Span, tuple[OutlineSymbol, list[Span]]] = {}
    for each in view.of(thing):
        if each.role is ReferenceRole.DECLARES:
            continue
        caller = around(view, each.span.file, each.span.line)
        if caller is not None:
            found.setdefault(caller.whole, (caller, []))[1].append(each.span)
    return tuple(CallEdge(caller, tuple(places)) for caller, places in found.values())


def called(view: View, who: OutlineSymbol) -> tuple[CallEdge, ...]:
    """Return the verbs and steps that a declaration or an entry calls."""
    found: dict[Symbol, list[Span]] = {}
    for each in view.in_file(who.whole.file):
        if (
            who.whole.holds(each.span)
            and each.role is ReferenceRole.USES
            and each.thing.sort is SymbolKind.VERB
        ):
            found.setdefault(each.thing, []).append(each.span)
    listed = ((_declared(view, thing), places) for thing, places in found.items())
    return tuple(
        CallEdge(symbol, tuple(places)) for symbol, places in listed if symbol is not None
    )


def _verb_at(view: View, spot: TextPosition | Span) -> Symbol | None:
    found = view.name_at(spot)
    return found.thing if found is not None and found.thing.sort is SymbolKind.VERB else None


def _declared(view: View, thing: Symbol) -> OutlineSymbol | None:
    span = view.declaration(thing)
    return around(view, span.file, span.line) if span.file else None


# Standard token types of the protocol, which every theme colours.
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


def tokens(view: View, source: SourceFile) -> Iterator[Token]:
    """Yield the names in a file in order, with their token types."""
    for each in view.in_file(source.path):
        noun = _OF_NOUNS.get(view.world.role(each.thing.name), "variable")
        kind = _OF_SORTS.get(each.thing.sort, noun)
        yield Token(each.span, kind, each.role is ReferenceRole.DECLARES)


# -------------------------------------------------------------------- inlay hints
_PLAIN = {"me"}  # the actor of a verb is evident
_SPOKEN = {"actor": "the seat named by `for`", "chooser": "each player"}


@attrs.frozen
class Hint:
    """Text displayed after a word."""

    span: Span
    text: str


def hints(view: View, source: SourceFile) -> Iterator[Hint]:
    """Yield the implicit candidates and actors in a file."""
    for each in view.in_file(source.path):
        name = each.thing.name.partition(".")[0]
        if each.thing.sort is SymbolKind.CANDIDATE and each.type is not None:
            yield Hint(each.span, each.type.of or each.type.family)
        elif each.thing.sort is SymbolKind.ACTOR and name not in _PLAIN:
            yield Hint(each.span, _SPOKEN.get(name, name))


# -------------------------------------------------------------------- code lenses
RUN, REFERENCES, PLAY = "coloma.runScenarios", "coloma.showReferences", "coloma.play"
_PATIENCE = 0.3  # seconds that a request may take for reading scenarios
_MOST_RULES = 6  # as many as fit on a line above a verb


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
    """Return the code lenses for a file of rules or scenarios."""
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
        found = view.name_at(symbol.span)
        if found is None or found.thing.sort is not SymbolKind.VERB:
            continue
        place = (source.path, symbol.span.line, symbol.span.column)
        if found.thing.name == "game":
            yield Lens(symbol.span, "play", PLAY, (source.path,))
        yield from _about(view, found.thing, symbol.span, place)


def _about(view: View, thing: Symbol, span: Span, place: tuple[object, ...]) -> Iterator[Lens]:
    """Yield the lenses for a verb: its scenarios, the rules they cover, and mods that hook it."""
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
    file = phrases_of(source, ()).file
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
