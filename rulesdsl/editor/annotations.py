"""Annotations beside a text: semantic tokens, inlay hints and code lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.naming import Role, Sort
from rulesdsl.editor.documents import phrases_of
from rulesdsl.editor.references import sort_of
from rulesdsl.editor.symbols import outline
from rulesdsl.packs.folder import LESSONS, SCENARIOS
from rulesdsl.scenarios.reading import LIST
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.naming import Thing
    from rulesdsl.editor.references import View
    from rulesdsl.source.span import SourceFile

# What editors call them, for which every theme has a colour.
_OF_NOUNS = {"kind": "type", "piece": "class", "place": "namespace", "value": "macro"}
_OF_SORTS = {
    Sort.ENTRY: "enumMember",
    Sort.FIELD: "property",
    Sort.LOCAL: "parameter",
    Sort.VERB: "function",
    Sort.ACTOR: "keyword",
    Sort.CANDIDATE: "keyword",
}
TYPES = tuple(dict.fromkeys((*_OF_NOUNS.values(), "variable", *_OF_SORTS.values())))
MODIFIERS = ("declaration",)


@attrs.frozen
class Token:
    """A name with what it is, in the words of editors."""

    span: Span
    type: str
    declares: bool


def tokens(view: View, file: str) -> Iterator[Token]:
    """Yield the names of a file in their order."""
    for each in view.in_file(file):
        noun = _OF_NOUNS.get(sort_of(each.thing.name, view.world), "variable")
        kind = _OF_SORTS.get(each.thing.sort, noun)
        yield Token(each.span, kind, each.role is Role.DECLARES)


# -------------------------------------------------------------------- inlay hints
_PLAIN = {"me"}  # a verb's own actor: everybody knows
_SPOKEN = {"actor": "the one named by `for`", "chooser": "each player"}


@attrs.frozen
class Hint:
    """Something said right after a word."""

    span: Span
    text: str


def hints(view: View, file: str, first: int, last: int) -> tuple[Hint, ...]:
    """Return what is left unsaid in some lines of a file."""
    found: list[Hint] = []
    for each in view.in_file(file):
        if not first <= each.span.line <= last:
            continue
        name = each.thing.name.partition(".")[0]
        if each.thing.sort is Sort.CANDIDATE and each.type is not None:
            found.append(Hint(each.span, each.type.of or each.type.family))
        elif each.thing.sort is Sort.ACTOR and name not in _PLAIN:
            found.append(Hint(each.span, _SPOKEN.get(name, name)))
    return tuple(found)


# -------------------------------------------------------------------- code lenses
RUN, REFERENCES, PLAY = "coloma.runScenarios", "coloma.showReferences", "coloma.play"
_PATIENCE = 0.3  # house: seconds that a client should wait for them
_MOST_RULES = 6  # house: a line of rules that still fits above a verb


@attrs.frozen
class Lens:
    """A line above a place, and the command that a click on it gives."""

    span: Span
    title: str
    command: str
    arguments: tuple[object, ...] = ()


@attrs.frozen
class _Scenario:
    """A scenario as its file names it, the rules that it covers, and its lines."""

    name: str
    covers: tuple[str, ...]
    first: int
    last: int


def lenses(view: View, source: SourceFile) -> tuple[Lens, ...]:
    """Return what is said in a file of rules or of scenarios."""
    if source.path.endswith(".rules"):
        view.read_for(_PATIENCE)  # a larger game is read while nobody asks
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
        if found is None or found.thing.sort is not Sort.VERB:
            continue
        place = (source.path, symbol.span.line, symbol.span.column)
        if found.thing.name == "game":
            yield Lens(symbol.span, "play", PLAY, (source.path,))
        yield from _about(view, found.thing, symbol.span, place)


def _about(view: View, thing: Thing, span: Span, place: tuple[object, ...]) -> Iterator[Lens]:
    """Yield what is said of a verb: its scenarios, the rules that they cover, who hooks it."""
    scenarios: dict[tuple[str, str], _Scenario] = {}
    hooking: set[str] = set()
    whole = view.read_for(0)
    for each in view.of(thing) if whole else view.of_rules(thing):
        if each.role is Role.HOOKS:
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
