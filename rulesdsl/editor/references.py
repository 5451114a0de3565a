"""References: every name in the files of a game, with the symbol that it stands for.

The checker records what each name declares or uses while it declares and resolves the rules
(`check.naming`), so nothing here looks a word up: a view of a check is asked by place or by
symbol. `documents` adds the names in tables, scenarios, lessons and pages of the rulebook.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.names import BUILT_IN
from rulesdsl.check.effects import Effects
from rulesdsl.check.naming import Role, Sort, Thing
from rulesdsl.check.vocabulary import collect_vocabulary
from rulesdsl.editor.documents import Documents, table_mentions
from rulesdsl.packs.folder import LESSONS, RULEBOOK, SCENARIOS
from rulesdsl.source.span import NOWHERE, SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulesdsl.check.naming import Mention
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import Program
    from rulesdsl.check.types import Type
    from rulesdsl.check.words import Word
    from rulesdsl.check.world import World
    from rulesdsl.editor.project import Session
    from rulesdsl.packs.layers import Layered

_BESIDE = {SCENARIOS, LESSONS, RULEBOOK}
_NO_NOUNS = {"verb", "step", "entry", "field", "hook"}
_WITHOUT_A_PLACE = {Sort.ACTOR, Sort.CANDIDATE}
_NAME = re.compile(r"[a-z][\w.'-]*")
_OF_THE_LANGUAGE = BUILT_IN | {"bundle", "yes-no"}
_MY = re.compile(r"my[ \t]+")
_WHOSE = {Sort.ACTOR: ("my", "me"), Sort.CANDIDATE: ("it",)}


@attrs.frozen
class Spot:
    """A place of a file: line and column from 1, in code points."""

    file: str
    line: int
    column: int


@attrs.frozen
class Occurrence:
    """A name at a place. The span is the word alone, without the id of a mod before it.

    `type` is that of a local, of who acts, or of a candidate.
    """

    span: Span
    thing: Thing
    role: Role = Role.USES
    type: Type | None = None


# -------------------------------------------------------------------- names
def occurrence_of(
    mention: Mention, sources: Mapping[str, SourceFile], world: World
) -> Occurrence | None:
    """Return the word that a mention is about; None where its words are not those of its thing."""
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
    written, place = line[found.start() : end], _within(span, start, end)
    if thing.name not in {written, world.singular(written)}:
        return None
    if thing.sort is Sort.LOCAL:
        return _local(place, mention, world)
    return Occurrence(place, thing, Role.USES, mention.type)


def _local(place: Span, mention: Mention, world: World) -> Occurrence | None:
    """Return the occurrence of a local; a parameter without a name of its own means its kind."""
    thing, singular = mention.thing, world.singular(mention.thing.name)
    if thing.name in _OF_THE_LANGUAGE:
        return None  # `step pass seat`
    if singular in world.pieces or singular in world.kinds:
        return Occurrence(place, Thing(Sort.NOUN, singular), Role.USES, mention.type)
    declares = thing.of == f"{place.file}:{place.line}:{place.column}"
    role = Role.DECLARES if declares else Role.USES
    return Occurrence(place, thing, role, mention.type)


def _exact(span: Span, thing: Thing, role: Role, source: SourceFile | None) -> Occurrence:
    """Return the occurrence of a word that fills a span, quotation marks and mod ids apart."""
    start, end = span.column - 1, span.end_column - 1
    if source is not None:
        written = source.line(span.line)[start:end]
        if written[:1] in {'"', "'"}:
            start, end, written = start + 1, end - 1, written[1:-1]
        start, end = _bare(written, start)
    return Occurrence(_within(span, start, end), thing, role)


def _within(span: Span, start: int, end: int) -> Span:
    """Return a stretch of the first line of a span, by offsets in the line."""
    return Span(span.file, span.line, start + 1, span.line, end + 1)


def _bare(written: str, start: int) -> tuple[int, int]:
    """Return where a name begins after the id of its mod, and where it ends."""
    return start + written.rfind(".") + 1, start + len(written)


def _start(name: Occurrence) -> tuple[int, int]:
    return name.span.line, name.span.column


# -------------------------------------------------------------------- a check that can be asked
@attrs.frozen(slots=False, eq=False)
class View:
    """Result of a check as features look at it, with the texts as they were then.

    `session` made the check, and has not changed since: one like it can try a change.
    """

    layers: Layered
    checked: Checked
    session: Session | None = None
    _in_documents: dict[str, tuple[Occurrence, ...]] = attrs.Factory(dict)

    @property
    def program(self) -> Program:
        """The resolved program."""
        return self.checked.program

    @property
    def world(self) -> World:
        """The symbol table."""
        return self.checked.program.world

    @cached_property
    def effects(self) -> Effects:
        """Effects of the verbs: the cells that they write."""
        return Effects(self.program)

    @cached_property
    def words(self) -> dict[str, list[Word]]:
        """The declarations of the game as people look them up, by their names."""
        found: dict[str, list[Word]] = {}
        for each in collect_vocabulary(self.layers, self.world).words:
            found.setdefault(each.name, []).append(each)
        return found

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The rules, tables and manifests by their paths: what the game is made of."""
        return {
            path: source
            for pack in self.layers.packs
            for path, source in pack.sources.items()
            if path.removeprefix(f"{pack.folder.as_posix()}/").partition("/")[0] not in _BESIDE
        }

    def source(self, file: str) -> SourceFile | None:
        """Return the text of a file, also of one beside the rules."""
        return self.sources.get(file) or self.texts_beside.get(file)

    def declared_as(self, thing: Thing) -> list[Word]:
        """Return how a thing is declared, in the words of its rules or table."""
        sorts = {Sort.VERB: {"verb", "step"}, Sort.ENTRY: {"entry"}, Sort.FIELD: {"field"}}
        wanted = sorts.get(thing.sort)
        of = thing.of if thing.sort in {Sort.ENTRY, Sort.FIELD} else ""
        return [
            each
            for each in self.words.get(thing.name, ())
            if each.of == of
            and (each.sort not in _NO_NOUNS if wanted is None else each.sort in wanted)
        ]

    def text_of(self, span: Span) -> str:
        """Return what a file says in a stretch, its lines joined."""
        source = self.source(span.file)
        if source is None:
            return ""
        if span.line == span.end_line:
            return source.line(span.line)[span.column - 1 : span.end_column - 1]
        first = source.line(span.line)[span.column - 1 :]
        rest = (source.line(each).strip() for each in range(span.line + 1, span.end_line))
        last = source.line(span.end_line)[: span.end_column - 1].strip()
        return " ".join([first.strip(), *rest, last])

    # ---------------------------------------------------------------- names
    def at(self, file: str, line: int, column: int) -> Occurrence | None:
        """Return the name at a place, or right before it."""
        names = self.in_file(file)
        after = bisect_right(names, (line, column), key=_start)
        if not after:
            return None
        found = names[after - 1]
        here = found.span.line == line and column <= found.span.end_column
        return found if here else None

    def name_at(self, spot: Spot) -> Occurrence | None:
        """Return the name at a place."""
        return self.at(spot.file, spot.line, spot.column)

    def in_file(self, file: str) -> tuple[Occurrence, ...]:
        """Return the names of a file, in their order."""
        return self.rules.get(file) or self._in_document(file)

    def of(self, thing: Thing) -> tuple[Occurrence, ...]:
        """Return every place at which a thing is named, the rules first."""
        found = (self._in_document_of(thing, file) for file in self._documents_of(thing))
        return self.of_rules(thing) + tuple(
            each for names in found for each in names if each.thing == thing
        )

    def of_rules(self, thing: Thing) -> tuple[Occurrence, ...]:
        """Return every place in rules and tables at which a thing is named."""
        return tuple(self._of_rules.get(thing, ()))

    @property
    def texts_beside(self) -> dict[str, SourceFile]:
        """All scenarios, lessons and pages, by their paths."""
        return self._documents.sources

    def declaration(self, thing: Thing) -> Span:
        """Return the word that gives a thing its name, NOWHERE where no file does."""
        found = self._of_rules.get(thing, ())
        return next((each.span for each in found if each.role is Role.DECLARES), NOWHERE)

    @property
    def things(self) -> Iterable[Thing]:
        """All things that have a name, in the order in which the files name them."""
        return self._of_rules.keys()

    # ---------------------------------------------------------------- names as they are collected
    @cached_property
    def _documents(self) -> Documents:
        return Documents(self.layers, self.world)

    @cached_property
    def rules(self) -> dict[str, tuple[Occurrence, ...]]:
        """The names of all rules and tables by file."""
        by_file: dict[str, list[Mention]] = {}
        for each in (*table_mentions(self.layers, self.world), *self.checked.mentions):
            by_file.setdefault(each.span.file, []).append(each)
        sources = self.layers.sources
        return {file: self._sorted(found, sources) for file, found in by_file.items()}

    @cached_property
    def _of_rules(self) -> dict[Thing, list[Occurrence]]:
        found: dict[Thing, list[Occurrence]] = {}
        for names in self.rules.values():
            for each in names:
                found.setdefault(each.thing, []).append(each)
        return found

    def _in_document(self, file: str) -> tuple[Occurrence, ...]:
        if file not in self._in_documents:
            source = self._documents.sources.get(file)
            found = () if source is None else self._documents.mentions(source)
            self._in_documents[file] = self._sorted(found, self._documents.sources)
        return self._in_documents[file]

    def _sorted(
        self, mentions: Iterable[Mention], sources: Mapping[str, SourceFile]
    ) -> tuple[Occurrence, ...]:
        """Return the names of a file in order; of several that are noted at a place, the first.

        A thing that belongs to somebody is noted beside `my`, and is not meant by it.
        """
        kept: dict[Span, Occurrence] = {}
        for mention in mentions:
            each = occurrence_of(mention, sources, self.world)
            if each is None:
                continue
            known = kept.setdefault(each.span, each)
            if known.thing.sort is Sort.LOCAL and each.thing.sort is Sort.NOUN:
                kept[each.span] = each  # a parameter that is called by its kind
        return tuple(sorted(kept.values(), key=_start))

    def read_for(self, seconds: float) -> bool:
        """Read what lies beside the rules for so long; return whether all of it is read."""
        if len(self._in_documents.keys() & self.texts_beside.keys()) == len(self.texts_beside):
            return True
        ends = time.monotonic() + seconds
        return all(time.monotonic() < ends for _ in self.read_texts())

    def read_texts(self) -> Iterator[str]:
        """Go through what lies beside the rules, a file at a time."""
        for file in self._documents.sources:
            self._in_document(file)
            yield file

    def _documents_of(self, thing: Thing) -> list[str]:
        """Return the texts beside the rules that hold a word for a thing: no other names it."""
        texts = self._documents.sources.items()
        if thing.sort is Sort.LOCAL:  # its own file has it, and no other
            return [file for file, _ in texts if thing.of.startswith(f"{file}:")]
        words = self._words_for(thing)
        return [file for file, source in texts if any(each in source.text for each in words)]

    def _in_document_of(self, thing: Thing, file: str) -> tuple[Occurrence, ...]:
        """Return the names of a text, at least all those of a thing."""
        if file in self._in_documents or thing.sort is Sort.LOCAL:
            return self._in_document(file)
        source = self._documents.sources[file]
        return self._sorted(
            self._documents.mentions(source, self._words_for(thing)), self._documents.sources
        )

    def _words_for(self, thing: Thing) -> tuple[str, ...]:
        return thing.name.rpartition(".")[2], self.world.plural(thing.name)


def sort_of(name: str, world: World) -> str:
    """Return what a name that means one thing in the whole game is called in the rules."""
    tables: dict[str, Mapping[str, object]] = {
        "piece": world.pieces,
        "place": world.places,
        "kind": world.kinds,
        "track": world.tracks,
        "flag": world.flags,
        "value": world.values,
        "number": world.constants,
        "option": world.options,
        "rival": world.rivals,
    }
    singular = world.singular(name)
    return next((sort for sort, table in tables.items() if singular in table), "")


# -------------------------------------------------------------------- questions about a place
def thing_at(view: View, spot: Spot) -> Thing | None:
    """Return what the name at a place refers to; nothing for `my`, `me` and `it`."""
    found = view.name_at(spot)
    return None if found is None or found.thing.sort in _WITHOUT_A_PLACE else found.thing


def definitions(view: View, spot: Spot) -> tuple[Span, ...]:
    """Return where the thing at a place is declared; a verb with several forms, each of them."""
    thing = thing_at(view, spot)
    if thing is None:
        return ()
    return tuple(each.span for each in view.of_rules(thing) if each.role is Role.DECLARES)


def references(view: View, spot: Spot, *, declaration: bool = True) -> tuple[Span, ...]:
    """Return every place at which the thing at a place is named."""
    thing = thing_at(view, spot)
    if thing is None:
        return ()
    return tuple(
        each.span for each in view.of(thing) if declaration or each.role is not Role.DECLARES
    )


def highlights(view: View, spot: Spot) -> tuple[Span, ...]:
    """Return the places of the same file at which the thing at a place is named."""
    found = view.name_at(spot)
    if found is None:
        return ()
    return tuple(
        each.span
        for each in view.in_file(spot.file)
        if each.thing == found.thing and each.type == found.type
    )
