"""Completion in TOML files.

An unfinished file is not valid TOML. So the table is parsed from its header down to the cursor,
with a hole there and the first ending that makes it valid: a quotation mark, brackets, a value.
The position of the hole, as a key or in a string, determines the completions.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.symbols.fields import RESERVED
from rulesdsl.check.symbols.symbol_table import SymbolKind
from rulesdsl.check.symbols.tables import SOURCES
from rulesdsl.editor.documents import PICKS, TableNames
from rulesdsl.packs.folder import LESSONS, MANIFEST, SCENARIOS
from rulesdsl.packs.manifest import DEFAULT_PLAYERS, manifest_fields
from rulesdsl.packs.toml_document import read_toml
from rulesdsl.scenarios.lessons import lesson_fields, step_fields
from rulesdsl.scenarios.scenario import scenario_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.editor.references import View
    from rulesdsl.packs.shapes import Field
    from rulesdsl.packs.toml_document import KeyPath
    from rulesdsl.source.span import SourceFile

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
_DEEP = 3  # keys; from here on columns and prices
_SORTS = {SymbolKind.ENTRY: "entry", SymbolKind.NOUN: "piece"}
_PHRASES = {"effect": EFFECT, "automatic": EFFECT, "formula": FORMULA}


@attrs.frozen
class Suggestion:
    """Completion with its kind; `snippet` is inserted instead, with stops for the rest."""

    word: str
    sort: str
    detail: str = ""
    snippet: str = ""
    rank: int = 0


@attrs.frozen
class TomlPosition:
    """Position in a TOML file by path. `said` is the string's text before the cursor.

    `inside` is a header, a key, a string or a value; `above` are the preceding strings of a list.
    """

    path: KeyPath
    inside: str
    said: str = ""
    above: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of a string, also in a list."""
        return next((each for each in reversed(self.path) if isinstance(each, str)), "")


@attrs.frozen
class Offered:
    """Completions, or a phrase of the rules.

    `start` is the start symbol of the grammar for a string, empty for other strings.
    """

    items: tuple[Suggestion, ...] = ()
    start: str = ""


def place_in(source: SourceFile, line: int, before: str) -> TomlPosition | None:
    """Return the TOML position of a cursor; `before` is its line up to the current word."""
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
    """Return the completions at a position of a TOML file."""
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
    """Return parts of the ids of options: kinds, entries, verbs."""
    return [
        *_plain(world.owners, "entry"),
        *_plain(world.kinds, "kind"),
        *_plain(world.procs, "verb"),
        *_plain((name for kind in world.kinds.values() for name in kind.fields), "field"),
        *_plain(("done", "yes", "pass"), "word"),
    ]
