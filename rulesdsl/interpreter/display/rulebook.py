"""Rulebook for a setting, and descriptions of a game's parts."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.words import in_words, text_of
from rulesdsl.interpreter.labels import printed_id, said_of
from rulesdsl.lower.layout import SEATS
from rulesdsl.lower.schema import MemoryInfo, title_of
from rulesdsl.source.english import and_list, opening, option_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.rulebook import Book, Filled, FilledLine, SlotValue
    from rulesdsl.check.symbols.symbol_table import (
        EntryInfo,
        KindInfo,
        PlaceInfo,
        SymbolTable,
        TrackInfo,
    )
    from rulesdsl.interpreter.labels import Labels


@attrs.frozen
class TextReader:
    """Evaluator of the values in text, in a state of a setting compiled with these values."""

    labels: Labels
    state: Any

    def text(self, filled: Filled) -> str:
        """Return text with its values interpolated."""
        return "".join(each if isinstance(each, str) else self._said(each) for each in filled)

    def holds(self, condition: SlotValue) -> bool:
        """Return true if a condition holds."""
        return bool(self._value(condition))

    def _said(self, fill: SlotValue) -> str:
        value, labels = self._value(fill), self.labels
        if fill.noun:
            return labels.counted(fill.noun, value)
        if fill.type.family != "bundle":
            return labels.shown(fill.type, value)
        priced = zip(labels.world.bundle_nouns, value, strict=True)
        said = [labels.counted(noun, count) for noun, count in priced if count]
        return and_list(said) or "nothing"

    def _value(self, fill: SlotValue) -> Any:  # noqa: ANN401 - of any type
        return self.labels.engine.value(fill.value, 0, self.state)


@attrs.frozen
class Printed:
    """The printed text of an entry, shared by all pieces that bear it.

    `id` is `kind:entry`, as in the ids of options; `kind` is the title of the kind. `rows` are the
    fields: a label and the value as text.
    """

    id: str
    kind: str
    title: str
    rows: tuple[tuple[str, str], ...]


def printed(world: SymbolTable) -> tuple[Printed, ...]:
    """Return the printed text of all entries whose kinds have fields, kind by kind."""
    return tuple(
        Printed(printed_id(kind, entry), kind.title, entry.title, tuple(_rows(kind, entry, world)))
        for kind in world.kinds.values()
        if kind.fields
        for entry in kind.entries
    )


def _rows(kind: KindInfo, entry: EntryInfo, world: SymbolTable) -> Iterator[tuple[str, str]]:
    for field in kind.fields.values():
        if field.quiet or (text_of(entry) and entry.values_of(field) is entry.effects):
            continue
        label = title_of(field.name)
        columns = world.kinds[field.per].entries if field.per in world.kinds else ()
        titles = {None: label} | {each.name: f"{label}, {each.title}" for each in columns}
        for column, title in titles.items():
            if said := said_of(field, column, entry, world):
                yield title, said


CHOICE = "choice"
"""Prefix of the ids of choices, whose descriptions are printed rules."""

Rows = tuple[tuple[str, str], ...]
_SEEN = {
    None: "",
    "owner": "only its owner",
    "others": "all players but its owner",
    "nobody": "nobody",
}


def named(labels: Labels, options: Mapping[str, bool | int | str]) -> tuple[Printed, ...]:
    """Return descriptions of pieces, places, tracks, options, scores, seats, choices and kinds.

    Those with the same kind and title appear only once.
    """
    found = [*_things(labels.world), *_values(labels.world), *_of_setting(labels, options)]
    return tuple({(each.kind, each.title): each for each in reversed(found)}.values())[::-1]


def _things(world: SymbolTable) -> Iterator[Printed]:
    """Yield pieces without printed text, places that are not kinds, and visible tracks."""
    for piece in world.pieces.values():
        if piece.name not in world.kinds or not world.kinds[piece.name].fields:
            count = world.count_of(piece.name)
            many = f"{count} for each {_title(piece.per, world)}" if piece.per else str(count)
            places = [each.title for each in world.places.values() if piece.name in each.holds]
            rows = _said(("How many", many), ("Can be in", ", ".join(dict.fromkeys(places))))
            yield Printed(f"piece:{piece.name}", "Piece", piece.title, rows)
    for place in world.places.values():
        if place.name not in world.kinds:
            holds = ", ".join(world.pieces[each].title for each in place.holds)
            order = "a stack, in a fixed order" if place.stack else ""
            per, seen = _per_and_seen(place, world)
            rows = _said(("Holds", holds), per, ("Is", order), seen)
            yield Printed(f"place:{place.name}", "Place", place.title, rows)
    on_panels = {each.name.text for panel in world.panels for each in panel.shown}
    for track in world.tracks.values():
        if not track.quiet or track.name in on_panels:
            kind = track.kind if isinstance(track, MemoryInfo) else ""
            rows = _said(("Holds", world.title_of(kind) or kind), *_per_and_seen(track, world))
            sort = "Memory" if kind else "Track"
            yield Printed(f"track:{track.name}", sort, track.title, rows)


def _per_and_seen(thing: PlaceInfo | TrackInfo, world: SymbolTable) -> Rows:
    dims = [_title(dim, world) for dim in thing.dims]
    return ("There is one for each", " and ".join(dims)), ("Seen by", _SEEN[thing.seen_by])


def _title(dim: str, world: SymbolTable) -> str:
    return "player" if dim in SEATS else world.kinds[dim].title


def _values(world: SymbolTable) -> Iterator[Printed]:
    """Yield the scoring lines, the values shown in panels, and the kinds with their entries."""
    for line in world.scores:
        yield Printed(f"score:{line.name}", "Scoring line", line.score_title or "", ())
    for shown in (each for panel in world.panels for each in panel.shown):
        name = shown.name.text
        if shown.title or name in world.values or name in world.flags:
            what = in_words(world, f"{name} in {shown.place.text}") if shown.place else ""
            rows = _said(("What is shown", what if shown.title else ""))
            named = world.values.get(name) or world.flags.get(name)
            title = shown.title or opening((named and named.title) or title_of(name))
            yield Printed(f"value:{name}", "Shown on the board", title, rows)
    for kind in (each for each in world.kinds.values() if each.role != "option"):
        titles = ", ".join(dict.fromkeys(each.title for each in kind.entries))
        yield Printed(f"kind:{kind.name}", "Kind", kind.title, _said(("There are", titles)))
        for entry in () if kind.fields else kind.entries:
            yield Printed(printed_id(kind, entry), kind.title, entry.title, ())


def _of_setting(labels: Labels, options: Mapping[str, bool | int | str]) -> Iterator[Printed]:
    """Yield options, seats, and the lines of menus and offers that the author has labelled."""
    for option in labels.world.options.values():
        value = option_word(options[option.name])
        rows = _said(("Name", option.name), ("In this game", value))
        yield Printed(f"option:{option.name}", "Game option", option.title, rows)
    for at, name in enumerate(labels.seats):
        role = "Player" if at < labels.layout.players else "Rival, who never decides"
        yield Printed(f"seat:player {at + 1}", role, name, (("Seat", str(at + 1)),))
    nodes = (node for proc in labels.program.procs.values() for node in ty.walk(proc.block))
    for line in (line for node in nodes if isinstance(node, ty.Decide) for line in node.lines):
        if line.label and line.text and not line.label.derived:
            said = labels.heading(line.label)
            rows = _said(("What it does", line.words))
            yield Printed(f"{CHOICE}:{said}", "Choice", said, rows)


def _said(*rows: tuple[str, str]) -> Rows:
    return tuple(each for each in rows if each[1])


_HEADING = re.compile(r"#+ +(.+)")
_POINT = re.compile(r"- +|[0-9]+\. +")
_FENCE = "```"
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


@attrs.frozen
class Topic:
    """A page of the rulebook: its name, title, and lines in Markdown.

    `tells` are the rules of the pack's checklist that the page covers.
    """

    name: str
    title: str
    lines: tuple[str, ...] = attrs.field(repr=False)
    tells: tuple[str, ...] = attrs.field(repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The terms that the page explains: its headings and bold words."""
        headings = (found[1] for line in self.lines if (found := _HEADING.fullmatch(line)))
        bold = (word for line in self.lines for word in _BOLD.findall(line))
        return tuple(dict.fromkeys((*headings, *bold)))

    def about(self, word: str) -> str:
        """Return the paragraph in which a word is bold; empty if there is none.

        If the paragraph ends with a colon, the list items after it follow on separate lines.
        """
        wanted = word.casefold()
        paragraphs = [*_paragraphs(self.lines)]
        for at, paragraph in enumerate(paragraphs):
            if wanted in (each.casefold() for each in _BOLD.findall(paragraph)):
                points = takewhile(_POINT.match, paragraphs[at + 1 :])
                return "\n".join([paragraph, *(points if paragraph.endswith(":") else ())])
        return ""


@attrs.frozen
class Rulebook:
    """The topics for a game with a player count and options; the first is the summary."""

    topics: tuple[Topic, ...]

    def find(self, word: str) -> tuple[Topic, ...]:
        """Return the topic with this name or title, or else the topics with the word, open at it.

        Topics in which it is a heading or bold exclude those that only mention it.
        """
        for topic in self.topics:
            if word.casefold() in (topic.name.casefold(), topic.title.casefold()):
                return (topic,)
        mentioning = (topic for topic in self.topics if _line_with(word, topic) is not None)
        return tuple(_opened_at(word, topic) for topic in self.explaining(word) or mentioning)

    def explaining(self, word: str) -> tuple[Topic, ...]:
        """Return the topics in which a word is a heading or bold; the summary comes last."""
        wanted = word.casefold()
        return tuple(
            each
            for each in (*self.topics[1:], *self.topics[:1])
            if wanted in (one.casefold() for one in each.words)
        )


def _line_with(word: str, topic: Topic) -> int | None:
    """Return the number of the line that has a word: in a heading, or bold, or anywhere."""
    exact = re.escape(word)
    for form in (rf"#+ +{exact}$", rf".*\*\*{exact}\*\*", rf".*(?<!\w){exact}"):
        begins = re.compile(form, re.IGNORECASE)
        for number, line in enumerate(topic.lines):
            if begins.match(line):
                return number
    return None


def _opened_at(word: str, topic: Topic) -> Topic:
    """Return a topic with its title, and its lines from the paragraph with a word on."""
    lines, number = topic.lines, _line_with(word, topic) or 0
    while number and lines[number - 1] and not _POINT.match(lines[number]):
        number -= 1
    fences = [at for at, line in enumerate(lines[:number]) if line.startswith(_FENCE)]
    number = fences[-1] if len(fences) % 2 else number
    if not any(lines[1:number]):
        return topic
    return attrs.evolve(topic, lines=(lines[0], "", *lines[number:]))


def unmarked(line: str) -> str:
    """Return a line without bold markup."""
    return _BOLD.sub(r"\1", line)


def filled(book: Book, reader: TextReader) -> Rulebook:
    """Return the pages of a book with their values filled in."""
    topics = []
    for each in book.pages:
        lines = _tidy(_shown(each.lines, reader))
        tells = tuple(name for name, _ in each.page.tells)
        topics.append(Topic(each.page.topic, each.page.title, lines, tells))
    return Rulebook(tuple(topics))


def _shown(lines: tuple[FilledLine, ...], reader: TextReader) -> Iterator[str]:
    for line in lines:
        if all(reader.holds(each) for each in line.when):
            yield reader.text(line.text)


def _tidy(lines: Iterator[str]) -> tuple[str, ...]:
    """Collapse runs of empty lines; strip those at both ends."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return tuple(kept[:-1] if kept and not kept[-1] else kept)


def _paragraphs(lines: tuple[str, ...]) -> Iterator[str]:
    """Yield paragraphs, each joined into one line; list items count as paragraphs."""
    found: list[str] = []
    for line in (*lines, ""):
        if found and (not line or line.startswith(("- ", "#", "```", "|"))):
            yield " ".join(each.strip() for each in found)
            found.clear()
        if line and not line.startswith(("#", "```", "|")):
            found.append(line)
