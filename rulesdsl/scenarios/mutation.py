"""Mutants of a pack: small changes of its text, mostly still meaningful."""

from __future__ import annotations

import operator
import random
import re
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.source.diagnostics import Findings, did_you_mean
from rulesdsl.source.files import read_inside
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import LexemeKind, lexemes
from rulesdsl.syntax.node import FIELDS, Node
from rulesdsl.syntax.parser import parse_effect, parse_file, parse_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rulesdsl.check.symbols.symbol_table import (
        KindInfo,
        PieceInfo,
        PlaceInfo,
        SymbolTable,
        TrackInfo,
    )
    from rulesdsl.packs.overlay import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.packs.toml_document import KeyPath, TomlFile
    from rulesdsl.syntax.declarations import Decl


@attrs.frozen
class Mutant:
    """A range of one file and its replacement.

    `path` is relative to its pack; `line` and `column` count from 1. `about` are words of the
    content that identify its subject.
    """

    path: str
    shown: str
    line: int
    column: int
    start: int
    end: int
    old: str
    new: str
    way: str
    about: tuple[str, ...] = ()

    def apply(self, text: str) -> str:
        """Return the text with the change applied."""
        return text[: self.start] + self.new + text[self.end :]

    def __str__(self) -> str:
        """Format place and change on one line."""
        old, new = (" ".join(each.split()) or "nothing" for each in (self.old, self.new))
        return (
            f"{self.shown}:{self.line}:{self.column}: {self.way}: {_short(old)} -> {_short(new)}"
        )


class TextFile:
    """A mutable text of a pack."""

    def __init__(self, path: str, shown: str, text: str) -> None:
        self.path = path
        self.shown = shown
        self.text = text
        self._lines = [0]
        for at, sign in enumerate(text):
            if sign == "\n":
                self._lines.append(at + 1)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column."""
        return self._lines[line - 1] + column - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1


@attrs.frozen
class Mutation:
    """A range of a file, with alternative replacements of one sort."""

    file: TextFile
    start: int
    end: int
    news: Sequence[str]
    way: str
    about: tuple[str, ...] = ()

    def mutants(self) -> Iterator[Mutant]:
        """Yield the mutants, one for each replacement."""
        return map(self.mutant, self.news)

    def mutant(self, new: str) -> Mutant:
        """Return the mutant with a given replacement."""
        file = self.file
        line, column = file.place(self.start)
        old = file.text[self.start : self.end]
        at = self.start, self.end
        return Mutant(file.path, file.shown, line, column, *at, old, new, self.way, self.about)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


FLIPS = {
    "any": "no",
    "no": "any",
    "most": "least",
    "least": "most",
    "raise": "lower",
    "lower": "raise",
    "top": "bottom",
    "bottom": "top",
    "and": "or",
    "or": "and",
    "mark": "clear",
    "clear": "mark",
    "before": "after",
    "after": "before",
    "on": "off",
    "off": "on",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "seat": "player",
    "player": "seat",
}
"""Interchangeable words of the language."""


@attrs.frozen
class MutableName:
    """A name of a pack, its family, and its shape.

    A name may replace another of the same family and shape, and the rules often still make sense.
    A name without a shape can only be confused with others of its family.
    """

    text: str
    family: str
    shape: object = None


def alike(world: SymbolTable) -> dict[str, tuple[str, ...]]:
    """Return the interchangeable names for each name; plurals map to plurals."""
    found: dict[str, tuple[str, ...]] = {}
    for group in _grouped(each for each in names(world) if each.shape is not None):
        for name in group:
            others = (each for each in group if each != name)
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *others)))
    return {name: others for name, others in found.items() if others}


def families(world: SymbolTable) -> list[list[str]]:
    """Return the families of names with several members."""
    every = _grouped(attrs.evolve(each, shape=None) for each in names(world))
    return [group for group in every if len(group) > 1]


def _grouped(every: Iterable[MutableName]) -> list[list[str]]:
    found: dict[tuple[str, object], dict[str, None]] = {}
    for name in every:
        found.setdefault((name.family, name.shape), {})[name.text] = None
    return [[*group] for group in found.values()]


def names(world: SymbolTable) -> Iterator[MutableName]:
    """Yield all names of a pack."""
    for place in world.places.values():
        yield from _both("place", place, place.dims)
    for piece in world.pieces.values():
        yield from _both("piece", piece, (piece.style, piece.owned))
    for track in world.tracks.values():
        yield from _both("track", track, track.dims)
    for kind in world.kinds.values():
        yield from _both("kind", kind, None)
        shape = None if kind.role == "piece" else ()
        yield from (
            MutableName(each.name, f"entry of {kind.name}", shape) for each in kind.entries
        )
        yield from (MutableName(each, "field") for each in kind.fields)
    for flag in world.flags.values():
        yield MutableName(flag.name, "flag", flag.dims)
    for value in world.values.values():
        given = tuple(param.type for param in value.params)
        yield MutableName(value.name, "value", given if value.score_title is None else None)
    for name, number in world.constants.items():
        yield MutableName(name, "constant", () if isinstance(number.value, int) else None)
    yield from (MutableName(each, "option") for each in world.options)
    yield from (MutableName(each, "procedure") for each in world.procs)


def _both(
    family: str, named: PlaceInfo | PieceInfo | TrackInfo | KindInfo, shape: object
) -> Iterator[MutableName]:
    yield MutableName(named.name, family, shape)
    yield MutableName(named.plural, f"{family}s", shape)


ANOTHER_NOUN = "another noun"
LAST_GAP = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n[ \t]*)+\Z|[ \t]+\Z")
COMPARED = {
    "=": ("<>",),
    "<>": ("=",),
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
}
NAMED_BY_ITSELF = {
    "kind",
    "piece",
    "place",
    "stack",
    "track",
    "flag",
    "option",
    "rival",
    "value",
    "verb",
    "step",
    "score",
}


class RuleBreaker:
    """Generator of mutations of rule text; all of them share the words `about`."""

    def __init__(
        self, file: TextFile, swaps: Mapping[str, tuple[str, ...]], about: tuple[str, ...] = ()
    ) -> None:
        self.file = file
        self.swaps = swaps
        self.about = about

    # ---------------------------------------------------------------- words
    def words(
        self, text: str, offset: Callable[[int], int], *, header: bool
    ) -> Iterator[Mutation]:
        """Yield mutations of single words and numbers. `header`: the text begins a declaration."""
        code = [
            each for each in lexemes(text) if each.is_code and each.sort is not LexemeKind.TEXT
        ]
        for at, lexeme in enumerate(code):
            word = lexeme.text
            if header and at == 1 and code[0].text in NAMED_BY_ITSELF:
                continue
            start, end = offset(lexeme.start), offset(lexeme.end - 1) + 1
            if word.isdigit():
                yield self.number(start, end, int(word))
            elif word == "up" and at + 1 < len(code) and code[at + 1].text == "to":
                last = offset(code[at + 1].end - 1) + 2
                yield self._mutation(start, last, "up to left out", "")
            elif word in self.swaps:
                yield self._mutation(start, end, ANOTHER_NOUN, *self.swaps[word])
            elif word in FLIPS and not (header and at == 0):
                yield self._mutation(start, end, "another word", FLIPS[word])

    def number(self, start: int, end: int, value: int) -> Mutation:
        """Return the mutation of a number by one up or down."""
        less = [str(value - 1)] if value > 0 else []
        return self._mutation(start, end, "number", str(value + 1), *less)

    # ---------------------------------------------------------------- trees
    def tree(self, node: object) -> Iterator[Mutation]:
        """Yield mutations of conditions and statements anywhere in a tree."""
        if isinstance(node, tuple):
            for each in node:
                yield from self.tree(each)
        elif isinstance(node, Node) and not isinstance(node, de.PanelDecl):
            yield from self._node(node)
            for field in FIELDS[type(node)]:
                yield from self.tree(getattr(node, field))

    def _node(self, node: Node) -> Iterator[Mutation]:
        if isinstance(node, ex.Compare):
            yield from self._compare(node.op, node.left.span, node.right.span)
        elif isinstance(node, ex.Logic):
            yield from self._operands(node)
        elif isinstance(node, st.Needs | st.Branch | st.Case):
            yield from self._negated(node.condition.span)
        elif isinstance(node, de.HookDecl | de.ValueHookDecl) and node.when is not None:
            yield from self._negated(node.when.span)
        elif isinstance(node, st.Body | st.Sequence):
            inside = node.statements if isinstance(node, st.Body) else (*node.steps, *node.gains)
            for each in inside:
                yield from self._dropped(each)
        elif isinstance(node, st.Move) and isinstance(node.what, ex.NounAmount | ex.Contents):
            start, _ = self._stretch(node.span)
            here = start + len("move ")
            if not node.up_to:
                yield self._mutation(here, here, "up to added", "up to ")
        where = getattr(node, "where", None)
        if isinstance(where, Node):
            yield from self._negated(where.span)
            yield from self._without_where(where.span)

    def _compare(self, op: str, left: Span, right: Span) -> Iterator[Mutation]:
        start, end = self._stretch(left)[1], self._stretch(right)[0]
        at = self.file.text.find(op, start, end)
        if at >= 0 and op in COMPARED:
            yield self._mutation(at, at + len(op), "comparison", *COMPARED[op])

    def _operands(self, node: Node) -> Iterator[Mutation]:
        start, end = self._stretch(node.span)
        parts = [
            each
            for field in FIELDS[type(node)]
            for value in [getattr(node, field)]
            for each in (value if isinstance(value, tuple) else (value,))
            if isinstance(each, Node)
        ]
        for part in parts:
            kept = self.file.text[slice(*self._stretch(part.span))]
            if kept.count("(") == kept.count(")"):
                yield self._mutation(start, end, "condition left out", kept)

    def _negated(self, span: Span) -> Iterator[Mutation]:
        start, end = self._stretch(span)
        if start < end:
            text = self.file.text[start:end]
            yield self._mutation(start, end, "condition negated", f"not ({text})")

    def _without_where(self, span: Span) -> Iterator[Mutation]:
        start, end = self._stretch(span)
        word = re.compile(r"\s+where\s+\(*\Z").search(self.file.text, 0, start)
        if word and "(" not in word[0]:
            yield self._mutation(word.start(), end, "where left out", "")

    def _dropped(self, statement: Node) -> Iterator[Mutation]:
        if isinstance(statement, st.Let | st.Nothing | st.BadLine | st.Sequence | st.Either):
            return
        start, end = self._stretch(statement.span)
        if start < end:
            yield self._mutation(start, end, "statement left out", "nothing")

    # ---------------------------------------------------------------- places
    def _stretch(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a span, without trailing blanks and comments."""
        if span == NOWHERE:
            return (0, 0)
        start = self.file.offset(span.line, span.column)
        end = self.file.offset(span.end_line, span.end_column)
        gap = LAST_GAP.search(self.file.text[start:end])
        return (start, start + gap.start()) if gap else (start, end)

    def _mutation(self, start: int, end: int, way: str, *news: str) -> Mutation:
        return Mutation(self.file, start, end, news, way, self.about)


ABOUT_ITSELF = {"source", "sources", "name", "id"}


class TableBreaker:
    """Generator of mutations of a table."""

    def __init__(
        self,
        file: TextFile,
        table: TomlFile,
        world: SymbolTable,
        swaps: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.file = file
        self.table = table
        self.world = world
        self.swaps = swaps
        self._types = {
            field.name: field.type
            for kind in world.kinds.values()
            if kind.table == table.path
            for field in kind.fields.values()
        }

    def mutations(self) -> Iterator[Mutation]:
        """Yield all mutations."""
        yield from self._value(self.table.data, ())

    def _value(self, value: object, path: KeyPath) -> Iterator[Mutation]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key not in ABOUT_ITSELF:
                    yield from self._value(inner, (*path, key))
        elif isinstance(value, list):
            for at, inner in enumerate(value):
                yield from self._value(inner, (*path, at))
        elif isinstance(value, bool):
            yield self._leaf(path, "yes or no", "false" if value else "true")
        elif isinstance(value, int):
            yield self._breaker(path).number(*self._stretch(path), value)
        elif isinstance(value, str):
            yield from self._text(value, path)

    def _text(self, text: str, path: KeyPath) -> Iterator[Mutation]:
        kinds = {self._types.get(each, "") for each in path if isinstance(each, str)}
        if kinds & {"effect", "automatic", "formula"}:
            places = self.table.index.string_map(path)
            breaker = self._breaker(path)
            offsets = [self.file.offset(*place) for place in places]
            yield from breaker.words(text, offsets.__getitem__, header=False)
            parse = parse_formula if "formula" in kinds else parse_effect
            yield from breaker.tree(parse(text, self.table.path, Findings(), places))
        elif kinds & set(self.world.kinds) and text in self.swaps:
            yield self._leaf(path, ANOTHER_NOUN, *(f'"{each}"' for each in self.swaps[text]))

    def _leaf(self, path: KeyPath, way: str, *news: str) -> Mutation:
        return Mutation(self.file, *self._stretch(path), news, way, self._about(path))

    def _breaker(self, path: KeyPath) -> RuleBreaker:
        return RuleBreaker(self.file, self.swaps, self._about(path))

    def _about(self, path: KeyPath) -> tuple[str, ...]:
        return tuple(each for each in path if isinstance(each, str))

    def _stretch(self, path: KeyPath) -> tuple[int, int]:
        span = self.table.index.span(path)
        return (
            self.file.offset(span.line, span.column),
            self.file.offset(span.end_line, span.end_column),
        )


MAX_SWAPS = 3
"""Maximum number of swaps for one word."""


def choose_mutants(
    layers: Layered,
    pack: PackSource,
    world: SymbolTable,
    number: int,
    seed: int,
    files: Sequence[str] = (),
) -> list[Mutant]:
    """Return `number` mutants of one of the packs, reproducibly for a seed.

    `files`, paths within the pack, restricts the choice. Raises ValueError for a file without
    mutations.
    """
    chance = random.Random(seed)  # noqa: S311 - it chooses tests
    every = list(all_mutations(layers, pack, world))
    known = {each.file.path for each in every}
    for file in files:
        if file not in known:
            advice = did_you_mean(file, known) or f"there are {', '.join(sorted(known))}"
            message = f"there is nothing to break in {file} ({advice})"
            raise ValueError(message)
    wanted = [each for each in every if not files or each.file.path in files]
    found = list(dict.fromkeys(_fewer_swaps(wanted, chance)))
    chance.shuffle(found)
    return sorted(found[:number], key=lambda each: (each.shown, each.start, each.new))


def all_mutations(layers: Layered, pack: PackSource, world: SymbolTable) -> Iterator[Mutation]:
    """Yield every mutation of the pack, except in texts that the engine never reads."""
    swaps = alike(world)
    unread = {(each.id, path) for each, path in layers.unread()}
    for path in sorted(pack.files):
        if path.endswith(".rules"):
            yield from _in_rules(_text_file(pack, path), swaps)
    for path in pack.toml_paths():
        table = None if (pack.id, path) in unread else pack.toml(path)
        if table is not None:
            yield from TableBreaker(_text_file(pack, path), table, world, swaps).mutations()


def _text_file(pack: PackSource, path: str) -> TextFile:
    text = read_inside(pack.folder, pack.folder / path, MAX_BYTES).decode("utf-8-sig")
    return TextFile(path, (pack.folder / path).as_posix(), text)


def _in_rules(file: TextFile, swaps: dict[str, tuple[str, ...]]) -> Iterator[Mutation]:
    breaker = RuleBreaker(file, swaps)
    declarations = parse_file(file.text, file.shown, Findings()).file.declarations
    yield from breaker.tree(declarations)
    for declaration in declarations:
        if not isinstance(declaration, de.PanelDecl | de.SourceDecl | de.ConstantsDecl):
            yield from _words(file, breaker, declaration)


def _words(file: TextFile, breaker: RuleBreaker, declaration: Decl) -> Iterator[Mutation]:
    span = declaration.span
    start = file.offset(span.line, 1)
    end = file.offset(span.end_line, span.end_column)
    at = start
    for line in file.text[start:end].splitlines(keepends=True):
        offset = partial(operator.add, at)
        yield from breaker.words(line, offset, header=at == start)
        at += len(line)


def _fewer_swaps(mutations: Sequence[Mutation], chance: random.Random) -> Iterator[Mutant]:
    """Yield the mutants, with a random sample of the swaps of each noun."""
    for each in mutations:
        if each.way != ANOTHER_NOUN:
            yield from each.mutants()
    for each in mutations:
        if each.way == ANOTHER_NOUN:
            few = chance.sample(each.news, min(MAX_SWAPS, len(each.news)))
            yield from map(each.mutant, few)
