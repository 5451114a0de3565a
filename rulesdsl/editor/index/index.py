"""All names of a game with its mods, by place and by thing."""

from __future__ import annotations

import time
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from rulesdsl.check.naming import Role, Sort, Thing
from rulesdsl.editor.index.beside import Beside, phrases_of
from rulesdsl.editor.index.occurrence import Occurrence, occurrence_of, word_occurrence
from rulesdsl.editor.index.tables import table_words
from rulesdsl.source.span import NOWHERE, SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.packs.layers import Layered

_ByFile = dict[str, tuple[Occurrence, ...]]


class Index:
    """The names of a game with its mods as they were at its last check."""

    def __init__(self, layers: Layered, checked: Checked) -> None:
        self.layers = layers
        self.world = checked.program.world
        self._mentions = checked.mentions
        self._beside = Beside(layers, self.world)
        self._texts: _ByFile = {}
        self._in_texts: dict[str, dict[Thing, list[Occurrence]]] = {}  # those, by thing
        self._files: _ByFile = {}  # of rules and tables, where only some were asked for

    def at(self, file: str, line: int, column: int) -> Occurrence | None:
        """Return the name at a place, or right before it."""
        names = self.in_file(file)
        after = bisect_right(names, (line, column), key=lambda each: _start(each.span))
        if not after:
            return None
        found = names[after - 1]
        here = found.span.line == line and column <= found.span.end_column
        return found if here else None

    def in_file(self, file: str) -> tuple[Occurrence, ...]:
        """Return the names of a file, in their order."""
        if "rules" in self.__dict__:  # it is there already
            return self.rules.get(file) or self._text(file)
        if file not in self._files:
            self._files[file] = _sorted(self._in_rules(file)).get(file, ())
        return self._files[file] or self._text(file)

    def of(self, thing: Thing) -> tuple[Occurrence, ...]:
        """Return every place at which a thing is named, the rules first."""
        found = (self._of_text(thing, file) for file in self._texts_saying(thing))
        return self.of_rules(thing) + tuple(each for places in found for each in places)

    def of_rules(self, thing: Thing) -> tuple[Occurrence, ...]:
        """Return every place in rules and tables at which a thing is named."""
        return tuple(self._of_rules.get(thing, ()))

    def text_beside(self, file: str) -> SourceFile | None:
        """Return a scenario, lesson or page of the rulebook."""
        return self._beside.sources.get(file)

    @property
    def texts_beside(self) -> dict[str, SourceFile]:
        """All scenarios, lessons and pages, by their paths."""
        return self._beside.sources

    def declaration(self, thing: Thing) -> Span:
        """Return the word that gives a thing its name, NOWHERE where no file does."""
        found = self._of_rules.get(thing, ())
        return next((each.span for each in found if each.role is Role.DECLARES), NOWHERE)

    @property
    def things(self) -> Iterable[Thing]:
        """All things that have a name, in the order in which the files name them."""
        return self._of_rules.keys()

    # ---------------------------------------------------------------- what is collected
    @cached_property
    def rules(self) -> _ByFile:
        """The names of all rules and tables by file; one after the other takes several times."""
        return _sorted(self._in_rules())

    def _text(self, file: str) -> tuple[Occurrence, ...]:
        if file not in self._texts:
            source = self._beside.sources.get(file)
            found = () if source is None else self._in_text(source)
            self._texts[file] = _sorted(found).get(file, ())
        return self._texts[file]

    def read_for(self, seconds: float) -> bool:
        """Read what lies beside the rules for so long; return whether all of it is read."""
        if len(self._texts.keys() & self.texts_beside.keys()) == len(self.texts_beside):
            return True
        ends = time.monotonic() + seconds
        return all(time.monotonic() < ends for _ in self.read_texts())

    def read_texts(self) -> Iterator[str]:
        """Go through what lies beside the rules, a file at a time; `of` does the rest."""
        for file in self._beside.sources:
            self._text(file)
            yield file

    @cached_property
    def _of_rules(self) -> dict[Thing, list[Occurrence]]:
        return _by_thing(each for names in self.rules.values() for each in names)

    def _words_for(self, thing: Thing) -> frozenset[str]:
        """Return the words for a thing."""
        many = (many for many, one in self.world.plurals.items() if one == thing.name)
        return frozenset((*many, thing.name.rpartition(".")[2]))

    def _texts_saying(self, thing: Thing) -> list[str]:
        """Return the texts beside the rules that hold a word for a thing: no other names it."""
        if thing.sort is Sort.LOCAL:  # its own file has it, and no other
            return [file for file in self._beside.sources if thing.of.startswith(f"{file}:")]
        words, texts = self._words_for(thing), self._beside.sources.items()
        return [file for file, source in texts if any(each in source.text for each in words)]

    def _of_text(self, thing: Thing, file: str) -> Sequence[Occurrence]:
        """Return the places of a text that name a thing; no more is read than that needs."""
        named = thing.sort not in {Sort.ACTOR, Sort.CANDIDATE}  # these may be meant without a word
        if named and file not in self._in_texts and file not in self._texts:
            some = self._in_text(self._beside.sources[file], self._words_for(thing))
            return [each for each in _sorted(some).get(file, ()) if each.thing == thing]
        if file not in self._in_texts:
            self._in_texts[file] = _by_thing(self._text(file))
        return self._in_texts[file].get(thing, [])

    def _in_rules(self, file: str | None = None) -> Iterator[Occurrence]:
        sources, world = self.layers.sources, self.world
        for span, thing, role in table_words(self.layers, world, file):
            yield word_occurrence(span, thing, role, sources.get(span.file))
        for mention in self._mentions:
            here = file in {None, mention.span.file}
            found = occurrence_of(mention, sources, world) if here else None
            if found is not None:
                yield found

    def _in_text(
        self, source: SourceFile, words: frozenset[str] | None = None
    ) -> Iterator[Occurrence]:
        """Yield the names in a text, or those in its phrases that say one of some words."""
        phrases = phrases_of(source)
        for span, thing, role in self._beside.words(phrases):
            yield word_occurrence(span, thing, role, source)
        for mention in self._beside.mentions(phrases, words):
            found = occurrence_of(mention, {source.path: source}, self.world)
            if found is not None:
                yield found


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _sorted(found: Iterable[Occurrence]) -> _ByFile:
    """Return names by file and in order; of several that are noted at a place, the first.

    A thing that belongs to somebody is noted beside `my`, and is not meant by it.
    """
    by_file: dict[str, dict[Span, Occurrence]] = {}
    for each in found:
        known = by_file.setdefault(each.span.file, {}).setdefault(each.span, each)
        if known.thing.sort is Sort.LOCAL and each.thing.sort is Sort.NOUN:
            by_file[each.span.file][each.span] = each  # a parameter that is called by its kind
    return {
        file: tuple(sorted(names.values(), key=lambda each: _start(each.span)))
        for file, names in by_file.items()
    }


def _by_thing(names: Iterable[Occurrence]) -> dict[Thing, list[Occurrence]]:
    found: dict[Thing, list[Occurrence]] = {}
    for each in names:
        found.setdefault(each.thing, []).append(each)
    return found
