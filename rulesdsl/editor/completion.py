"""Ranked completion in rules and TOML files.

In rules, the parser consumes the declaration up to the cursor and reports the tokens that may come
next (`syntax.parser.expected_after`): words of the language, and perhaps a name. Names of the
expected type (`check.completion`) come from the last check, so completion works in a line with
errors. Matching names are listed first, then all others; within each group, the names that most
often follow the same word in the game come first.

An unfinished TOML file is not valid. So the table is parsed from its header up to the cursor,
followed by a placeholder and the first ending that makes the text valid: a quotation mark,
brackets, a value. The position of the placeholder, as a key or in a string, determines the
completions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

import attrs

from rulesdsl.check.completion import expected_after as names_after
from rulesdsl.check.symbols.declare_procedures import header_text
from rulesdsl.check.symbols.fields import RESERVED
from rulesdsl.check.symbols.symbol_table import ProcInfo, SymbolKind, SymbolTable
from rulesdsl.check.symbols.tables import SOURCES
from rulesdsl.check.symbols.types import SEAT_WORDS, Type
from rulesdsl.editor.documents import PICKS, TableNames
from rulesdsl.editor.references import TextPosition, View
from rulesdsl.packs.folder import LESSONS, MANIFEST, RULEBOOK, SCENARIOS
from rulesdsl.packs.manifest import DEFAULT_PLAYERS, manifest_fields
from rulesdsl.packs.shapes import Field
from rulesdsl.packs.toml_document import KeyPath, read_toml
from rulesdsl.scenarios.lessons import lesson_fields, step_fields
from rulesdsl.scenarios.scenario import scenario_fields
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.parser import ExpectedTokens, expected_after

_BEGINNING = re.compile(r"(?<!\\)[A-Za-z][\w'.-]*$")
_IS_KEY = re.compile(r"^\s*\[*[\w.'-]*$")
_SLOT = re.compile(r"\{([^{}]*)$")
_TOKEN = re.compile(r"[a-z][\w'.-]*|\d+|[^\w\s]")
_FITS, _COULD = 0, 1
_MOST = 200  # completions; typing more letters narrows the list
_KEPT = 400  # cached texts, as many as in the parser
_START_OF_LINE = "^"
_PAIR = 40  # weight of a frequency after the same word

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
    "set": "set ${1:track} to ${2:1}",
    "shuffle": "shuffle ${1:stack}",
    "look at": "look at ${1:top 1 of stack}",
    "show": "show ${1:c} to ${2:all}",
    "say": 'say "$0"',
    "verb": "verb ${1:name}:\n    $0",
    "step": "step ${1:name}:\n    $0",
    "kind": "kind ${1:name}: ${2:first}, ${3:second}",
    "piece": 'piece ${1:name} "${2:Name}" ${3:1} in ${4:place}',
    "place": 'place ${1:name} "${2:Name}" holds ${3:piece}',
    "stack": 'stack ${1:name} "${2:Name}" holds ${3:piece}',
    "track": 'track ${1:name} "${2:Name}" per player',
    "flag": "flag ${1:name} per ${2:player}",
    "memory": 'memory ${1:name} "${2:Name}": ${3:kind} per player seen by owner',
    "value": "value ${1:name}: $0",
    "option": 'option ${1:name} "${2:Question}": off',
    "score": 'score ${1:name} "${2:Title}": $0',
    "before": "before ${1:verb}: $0",
    "after": "after ${1:verb}: $0",
    "instead of": "instead of ${1:verb}: $0",
}


def complete(view: View, source: SourceFile, spot: TextPosition) -> tuple[Suggestion, ...]:
    """Return the completions at a position in a file, which may be newer than the last check."""
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
    """Return the partial word at the end of a line; empty after a space or symbol."""
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
    """Return the lines that enclose a line: each is indented less than all lines below it."""
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
    """Yield completions in a string; an effect may continue the preceding strings of a list."""
    text = said.lstrip()
    slot = _slot(text)
    if start == TEXT or (text.replace('\\"', "").count('"') % 2 and slot is not None):
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
    """Return the phrase after an open brace at the end of a string, or None."""
    found = _SLOT.search(said)
    return found[1].replace("\n", " ") if found else None


def _after(view: View, start: str, *texts: str) -> Iterator[Suggestion]:
    """Yield completions after the first of `texts` that can be parsed."""
    for text in texts:
        accepted = expected_after(text, start)
        if accepted is not None:
            yield from _items(view.world, accepted, text, start)
            return


def _items(
    world: SymbolTable, accepted: ExpectedTokens, text: str, start: str
) -> Iterator[Suggestion]:
    """Yield the keywords accepted here, then names, those of the expected type first."""
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
    """Return how often each word, and each pair of successive words, occurs in a string."""
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
    """Return the items that begin with a prefix, without duplicates, by rank and frequency."""
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


EFFECT, FORMULA, TEXT = "effect", "formula_text", "text"
_HEADER, _KEY, _STRING, _VALUE = "header", "key", "string", "value"
_HOLE = "-hole-"  # a valid bare key
_CLOSING = ("", "]", "}", "]}", "}]", "}}", "]}}")
_ENDINGS = (
    *((_HEADER, f"{_HOLE}{each}") for each in ("]", "]]")),
    *((_STRING, f'{_HOLE}"{each}') for each in (*_CLOSING, '""', '""]')),
    *((_KEY, f"{_HOLE} = 0{each}") for each in _CLOSING),
    *((_VALUE, f'"{_HOLE}"{each}') for each in _CLOSING),
)
_DEEP = 3  # length of the path to a column of a field, or to a noun of a price
_SORTS = {SymbolKind.ENTRY: "entry", SymbolKind.NOUN: "piece"}
_PHRASES = {"effect": EFFECT, "automatic": EFFECT, "formula": FORMULA}


@attrs.frozen
class Suggestion:
    """Completion with its kind. A `snippet`, if any, is inserted in its place, with tab stops."""

    word: str
    sort: str
    detail: str = ""
    snippet: str = ""
    rank: int = 0


@attrs.frozen
class TomlPosition:
    """Position in a TOML file by path. `said` is the part of a string before the cursor.

    `inside` is a header, a key, a string or a value; `above` are the preceding strings of a list.
    """

    path: KeyPath
    inside: str
    said: str = ""
    above: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of a string, or of the list that contains it."""
        return next((each for each in reversed(self.path) if isinstance(each, str)), "")


@attrs.frozen
class Offered:
    """Completions, or the fact that a string contains a phrase of the rules.

    `start` is the start symbol of the grammar for the phrase, or empty.
    """

    items: tuple[Suggestion, ...] = ()
    start: str = ""


def place_in(source: SourceFile, line: int, before: str) -> TomlPosition | None:
    """Return the TOML position at a cursor; `before` is its line up to the current word."""
    first = line
    while first > 1 and not source.line(first).startswith("["):
        first -= 1
    table = [source.line(each) for each in range(first, line)]
    for above in (table, table[:1]):
        for inside, ending in _ENDINGS:
            try:
                data = read_toml("\n".join([*above, before + ending]))
            except ValueError:
                continue
            return next(_holes(data, (), inside), None)
    return None


def _holes(value: object, path: KeyPath, inside: str) -> Iterator[TomlPosition]:
    if isinstance(value, dict):
        for key, each in value.items():
            if _HOLE in key:
                yield TomlPosition((*path, key), inside)
            yield from _holes(each, (*path, key), inside)
    elif isinstance(value, list):
        above = tuple(each for each in value[:-1] if isinstance(each, str))
        for at, each in enumerate(value):
            found = _holes(each, (*path, at), inside)
            yield from (attrs.evolve(one, above=above) for one in found)
    elif isinstance(value, str) and _HOLE in value:
        yield TomlPosition(path, inside, value.partition(_HOLE)[0])


def offered_in(view: View, file: str, place: TomlPosition) -> Offered:
    """Return the completions at a position in a TOML file."""
    folder, world = PurePosixPath(file).parent.name, view.world
    if PurePosixPath(file).name == MANIFEST:
        fields = manifest_fields(view.layers.game.manifest.kind)
        return Offered(_keys(fields) if place.inside == _KEY else ())
    if folder == SCENARIOS:
        fields = scenario_fields(DEFAULT_PLAYERS, DEFAULT_PLAYERS.most)
        return _scenario(world, place, fields, "scenario")
    if folder == LESSONS:
        most = DEFAULT_PLAYERS.most
        of_lesson, of_step = lesson_fields(DEFAULT_PLAYERS, most), step_fields(most)
        fields = of_step if "step" in place.path else of_lesson
        return _scenario(world, place, fields, "lesson", "lesson.step")
    relative = _relative(view, file)
    kinds = [each for each in world.kinds.values() if each.table == relative]
    if kinds or relative in world.constant_tables:
        return _table(TableNames(world, tuple(kinds)), place)
    return Offered()


def _relative(view: View, file: str) -> str:
    path = PurePosixPath(file)
    for pack in reversed(view.layers.packs):
        if path.is_relative_to(pack.folder.as_posix()):
            return path.relative_to(pack.folder.as_posix()).as_posix()
    return file


def _keys(fields: Iterable[Field]) -> tuple[Suggestion, ...]:
    return tuple(Suggestion(each.key, "field", each.about, f"{each.key} = $0") for each in fields)


def _plain(words: Iterable[str], sort: str) -> list[Suggestion]:
    return [Suggestion(each, sort) for each in words]


# -------------------------------------------------------------------- tables
def _table(names: TableNames, place: TomlPosition) -> Offered:
    path, field = place.path, names.field(place.path)
    if place.inside in {_HEADER, _KEY}:
        sections = (each.name for each in names.kinds if len(names.kinds) > 1 == len(path))
        found = [
            _key_of(names.world, each, sort, of)
            for words, sort, of in names.keys(path)
            for each in words
        ]
        reserved = _plain(sorted(RESERVED) if len(path) < _DEEP else (), "field")
        return Offered((*_plain(sections, "kind"), *found, *reserved))
    if "source" in path or "sources" in path:
        return Offered(tuple(_plain(SOURCES, "source")))
    if field is not None and field.type == "yes-no" and place.inside == _VALUE:
        return Offered(tuple(_plain(("true", "false"), "word")))
    if field is None or place.inside != _STRING:
        return Offered()
    if field.type in _PHRASES:
        return Offered(start=_PHRASES[field.type])
    kind = names.kind_of_value(path)
    return Offered(tuple(_plain(kind.index, "entry")) if kind else ())


def _key_of(world: SymbolTable, name: str, sort: SymbolKind, of: str) -> Suggestion:
    if sort is not SymbolKind.FIELD:
        return Suggestion(name, "number" if name in world.constants else _SORTS[sort])
    field = world.kinds[of].fields[name]
    return Suggestion(name, "field", field.type, "" if field.per else f"{name} = $0")


# -------------------------------------------------------------------- scenarios and lessons
def _scenario(
    world: SymbolTable, place: TomlPosition, fields: Iterable[Field], *headers: str
) -> Offered:
    key = place.key
    if place.inside == _HEADER:
        return Offered(tuple(_plain(headers, "word")))
    if place.inside == _KEY:
        is_option = "options" in place.path[:-1]
        return Offered(tuple(_plain(world.options, "option")) if is_option else _keys(fields))
    if place.inside != _STRING:
        return Offered()
    if key in {"given", "play"}:
        return Offered(start=EFFECT)
    if key in {"expect", "say"}:
        return Offered(start=FORMULA if key == "expect" else TEXT)
    if key == "after":
        return Offered(tuple(_plain(world.plain_steps, "step")))
    if key in world.options:
        return Offered(tuple(_plain(world.options[key].names, "entry")))
    return Offered(tuple(_answers(world)) if key in PICKS else ())


def _answers(world: SymbolTable) -> list[Suggestion]:
    """Return the words that occur in option ids: kinds, entries, verbs."""
    return [
        *_plain(world.owners, "entry"),
        *_plain(world.kinds, "kind"),
        *_plain(world.procs, "verb"),
        *_plain((name for kind in world.kinds.values() for name in kind.fields), "field"),
        *_plain(("done", "yes", "pass"), "word"),
    ]
