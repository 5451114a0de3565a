"""References: every name in the files of a game, with its symbol.

The checker records each definition and use while it declares and resolves the rules, so nothing is
looked up here: a view is queried by position or by symbol. `documents` adds the names in tables,
scenarios, lessons and pages of the rulebook.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import attrs

from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.symbols.declare import BUILT_IN
from rulesdsl.check.symbols.symbol_table import (
    Reference,
    ReferenceRole,
    Symbol,
    SymbolKind,
    SymbolTable,
)
from rulesdsl.check.symbols.types import Type
from rulesdsl.check.symbols.vocabulary import Word, collect_vocabulary
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.editor.documents import Documents, Words, table_mentions
from rulesdsl.packs.folder import LESSONS, RULEBOOK, SCENARIOS
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.toml_document import unescaped
from rulesdsl.source.span import NOWHERE, SourceFile, Span

_BESIDE = {SCENARIOS, LESSONS, RULEBOOK}
_SORTS: dict[str, SymbolKind | None] = {
    "verb": SymbolKind.VERB,
    "step": SymbolKind.VERB,
    "entry": SymbolKind.ENTRY,
    "field": SymbolKind.FIELD,
    "hook": None,
}
WITHOUT_A_PLACE = {SymbolKind.ACTOR, SymbolKind.CANDIDATE}
_ESCAPE = r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})"  # in a string of a table
_NAME = re.compile(rf"(?:[a-z]|{_ESCAPE})(?:[\w.'-]|{_ESCAPE})*")
_OF_THE_LANGUAGE = BUILT_IN | {"bundle", "yes-no"}
_MY = re.compile(r"my[ \t]+")
_WHOSE = {SymbolKind.ACTOR: ("my", "me"), SymbolKind.CANDIDATE: ("it",)}


@attrs.frozen
class TextPosition:
    """Position in a file: line and column, counted from 1, in code points."""

    file: str
    line: int
    column: int


@attrs.frozen
class Occurrence:
    """Name in a file. The span contains only the word, without the id of a mod before it.

    `type` is set for locals, actors and candidates.
    """

    span: Span
    thing: Symbol
    role: ReferenceRole = ReferenceRole.USES
    type: Type | None = None


# -------------------------------------------------------------------- names
def occurrence_of(
    mention: Reference, sources: Mapping[str, SourceFile], world: SymbolTable
) -> Occurrence | None:
    """Return the name at a reference; None if the text at its span does not name its symbol."""
    span, thing = mention.span, mention.thing
    source = sources.get(span.file)
    if mention.role is not None:
        return _exact(span, thing, mention.role, source)
    if source is None:
        return None
    line, at = source.line(span.line), span.column - 1
    if thing.sort in _WHOSE:
        found = _NAME.match(line, at)
        if found is None or found[0] not in _WHOSE[thing.sort]:
            return None
        return Occurrence(_within(span, found.start(), found.end()), thing, type=mention.type)
    my = _MY.match(line, at)
    found = _NAME.match(line, at if my is None else my.end())
    if found is None:
        return None
    start, end = _bare(found[0].partition("..")[0], found.start())
    written, place = unescaped(line[found.start() : end]), _within(span, start, end)
    if thing.name not in {written, world.singular(written)}:
        return None
    if thing.sort is SymbolKind.LOCAL:
        return _local(place, mention, world)
    return Occurrence(place, thing, ReferenceRole.USES, mention.type)


def _local(place: Span, mention: Reference, world: SymbolTable) -> Occurrence | None:
    """Return the occurrence of a local; an unnamed parameter refers to its kind."""
    thing, singular = mention.thing, world.singular(mention.thing.name)
    if thing.name in _OF_THE_LANGUAGE:
        return None  # `step pass seat`
    if singular in world.pieces or singular in world.kinds:
        return Occurrence(
            place, Symbol(SymbolKind.NOUN, singular), ReferenceRole.USES, mention.type
        )
    declares = thing.of == f"{place.file}:{place.line}:{place.column}"
    role = ReferenceRole.DECLARES if declares else ReferenceRole.USES
    return Occurrence(place, thing, role, mention.type)


def _exact(
    span: Span, thing: Symbol, role: ReferenceRole, source: SourceFile | None
) -> Occurrence:
    """Return the occurrence at a span, without quotation marks or the id of a mod."""
    start, end = span.column - 1, span.end_column - 1
    if source is not None:
        written = source.line(span.line)[start:end]
        if written[:1] in {'"', "'"}:
            start, end, written = start + 1, end - 1, written[1:-1]
        start, end = _bare(written, start)
    return Occurrence(_within(span, start, end), thing, role)


def _within(span: Span, start: int, end: int) -> Span:
    return Span(span.file, span.line, start + 1, span.line, end + 1)


def _bare(written: str, start: int) -> tuple[int, int]:
    return start + written.rfind(".") + 1, start + len(written)


def _start(name: Occurrence) -> tuple[int, int]:
    return name.span.line, name.span.column


# -------------------------------------------------------------------- views
@attrs.frozen(slots=False, eq=False)
class View:
    """Result of a check, with the source files as they were then, and queries about it."""

    layers: Layered
    checked: Checked
    _in_documents: dict[str, tuple[Occurrence, ...]] = attrs.Factory(dict)

    @property
    def program(self) -> Program:
        """The resolved program."""
        return self.checked.program

    @property
    def world(self) -> SymbolTable:
        """The symbol table."""
        return self.checked.program.world

    @cached_property
    def effects(self) -> Effects:
        """The effects of the verbs: the cells that they write."""
        return Effects(self.program)

    @cached_property
    def words(self) -> dict[str, list[Word]]:
        """The declarations of the game, by name."""
        found: dict[str, list[Word]] = {}
        for each in collect_vocabulary(self.layers, self.world).words:
            found.setdefault(each.name, []).append(each)
        return found

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The rules, tables and manifests, by path."""
        return {
            path: source
            for pack in self.layers.packs
            for path, source in pack.sources.items()
            if path.removeprefix(f"{pack.folder.as_posix()}/").partition("/")[0] not in _BESIDE
        }

    def source(self, file: str) -> SourceFile | None:
        """Return the text of a file, including documents."""
        return self.sources.get(file) or self.texts_beside.get(file)

    def declared_as(self, thing: Symbol) -> list[Word]:
        """Return the declarations of a symbol."""
        of = thing.of if thing.sort in {SymbolKind.ENTRY, SymbolKind.FIELD} else ""
        return [
            each
            for each in self.words.get(thing.name, ())
            if each.of == of and _SORTS.get(each.sort, SymbolKind.NOUN) is thing.sort
        ]

    def text_of(self, span: Span) -> str:
        """Return the text of a span, with its lines joined."""
        source = self.source(span.file)
        return "" if source is None else source.text_of(span)

    # ---------------------------------------------------------------- names
    def name_at(self, spot: TextPosition | Span) -> Occurrence | None:
        """Return the name at a position, or right before it."""
        names = self.in_file(spot.file)
        after = bisect_right(names, (spot.line, spot.column), key=_start)
        found = names[after - 1].span if after else NOWHERE
        here = found.line == spot.line and spot.column <= found.end_column
        return names[after - 1] if here else None

    def in_file(self, file: str) -> tuple[Occurrence, ...]:
        """Return the names in a file, in order."""
        return self.rules.get(file) or self._in_document(file)

    def of(self, thing: Symbol) -> tuple[Occurrence, ...]:
        """Return all references to a symbol, those in rules first."""
        words: Words = thing.name.rpartition(".")[2], self.world.plural(thing.name)
        if thing.sort is SymbolKind.LOCAL:
            words = ("",)  # it occurs in one file only
        found = (
            self._in_document(file, words)
            for file, source in self._documents.sources.items()
            if thing.sort is not SymbolKind.LOCAL or thing.of.startswith(f"{file}:")
            if "\\" in source.text or any(word in source.text for word in words)
        )
        return self.of_rules(thing) + tuple(
            each for names in found for each in names if each.thing == thing
        )

    def of_rules(self, thing: Symbol) -> tuple[Occurrence, ...]:
        """Return all references to a symbol in rules and tables."""
        return tuple(self._of_rules.get(thing, ()))

    @property
    def texts_beside(self) -> dict[str, SourceFile]:
        """All scenarios, lessons and pages, by path."""
        return self._documents.sources

    def declaration(self, thing: Symbol) -> Span:
        """Return the span of a symbol's definition, or NOWHERE."""
        found = self._of_rules.get(thing, ())
        return next((each.span for each in found if each.role is ReferenceRole.DECLARES), NOWHERE)

    @property
    def things(self) -> Iterable[Symbol]:
        """All named symbols, in order of their first occurrence."""
        return self._of_rules.keys()

    # ---------------------------------------------------------------- collection of names
    @cached_property
    def _documents(self) -> Documents:
        return Documents(self.layers, self.world)

    @cached_property
    def rules(self) -> dict[str, tuple[Occurrence, ...]]:
        """The names in all rules and tables, by file."""
        by_file: dict[str, list[Reference]] = {}
        for each in (*table_mentions(self.layers, self.world), *self.checked.mentions):
            by_file.setdefault(each.span.file, []).append(each)
        sources = self.layers.sources
        return {file: self._sorted(found, sources) for file, found in by_file.items()}

    @cached_property
    def _of_rules(self) -> dict[Symbol, list[Occurrence]]:
        found: dict[Symbol, list[Occurrence]] = {}
        for names in self.rules.values():
            for each in names:
                found.setdefault(each.thing, []).append(each)
        return found

    def _in_document(self, file: str, words: Words = ("",)) -> tuple[Occurrence, ...]:
        """Return a document's names; at least those in phrases containing one of `words`."""
        if file in self._in_documents:
            return self._in_documents[file]
        source = self._documents.sources.get(file)
        mentions = () if source is None else self._documents.mentions(source, words)
        found = self._sorted(mentions, self._documents.sources)
        if words == ("",):
            self._in_documents[file] = found
        return found

    def _sorted(
        self, mentions: Iterable[Reference], sources: Mapping[str, SourceFile]
    ) -> tuple[Occurrence, ...]:
        """Return the names in a file, in order; if several have the same span, only the first.

        The owner of `my X` is recorded at the same span, and is not the symbol of `X`.
        """
        kept: dict[Span, Occurrence] = {}
        for mention in mentions:
            each = occurrence_of(mention, sources, self.world)
            if each is None:
                continue
            known = kept.setdefault(each.span, each)
            if known.thing.sort is SymbolKind.LOCAL and each.thing.sort is SymbolKind.NOUN:
                kept[each.span] = each  # a parameter that is named after its kind
        return tuple(sorted(kept.values(), key=_start))

    def read_for(self, seconds: float) -> bool:
        """Read documents for at most `seconds`; return whether all have been read."""
        ends = time.monotonic() + seconds
        return self.texts_beside.keys() <= self._in_documents.keys() or all(
            time.monotonic() < ends for _ in self.read_texts()
        )

    def read_texts(self) -> Iterator[str]:
        """Read the documents, yielding after each file."""
        for file in self._documents.sources:
            self._in_document(file)
            yield file


# -------------------------------------------------------------------- queries
def thing_at(view: View, spot: TextPosition) -> Symbol | None:
    """Return the symbol at a position; None for `my`, `me` and `it`."""
    found = view.name_at(spot)
    return None if found is None or found.thing.sort in WITHOUT_A_PLACE else found.thing


def definitions(view: View, spot: TextPosition) -> tuple[Span, ...]:
    """Return the definitions of the symbol at a position; for a verb, those of all its forms."""
    thing = thing_at(view, spot)
    if thing is None:
        return ()
    return tuple(each.span for each in view.of_rules(thing) if each.role is ReferenceRole.DECLARES)


def references(view: View, spot: TextPosition, *, declaration: bool = True) -> tuple[Span, ...]:
    """Return all references to the symbol at a position."""
    thing = thing_at(view, spot)
    if thing is None:
        return ()
    return tuple(
        each.span
        for each in view.of(thing)
        if declaration or each.role is not ReferenceRole.DECLARES
    )


def highlights(view: View, spot: TextPosition) -> tuple[Span, ...]:
    """Return the references in the same file to the symbol at a position."""
    found = view.name_at(spot)
    if found is None:
        return ()
    return tuple(
        each.span
        for each in view.in_file(spot.file)
        if each.thing == found.thing and each.type == found.type
    )
