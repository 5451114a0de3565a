"""Mutants of a pack: small changes to its text, most of which still make sense."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

import attrs

from rulesdsl.check.symbols.fields import EFFECT_TITLE
from rulesdsl.check.symbols.symbol_table import PieceInfo, PlaceInfo, SymbolTable, TrackInfo
from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.packs.toml_document import KeyPath, TomlFile
from rulesdsl.scenarios.suite import Suite
from rulesdsl.source.diagnostics import Findings, did_you_mean
from rulesdsl.source.files import read_inside
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import LexemeKind, lexemes
from rulesdsl.syntax.node import Node
from rulesdsl.syntax.parser import parse_effect, parse_file, parse_formula

SHORT = 60  # maximum length of a text in a report
SWAPS = 3  # maximum number of replacements for a name
ABOUT_ITSELF = {"source", "sources", "name", "id"}
LAST_GAP = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n[ \t]*)+\Z|[ \t]+\Z")
STATEMENT, WORDING = "statement removed", "line of the log removed"
NEEDS, HOOK = "needs removed", "hook removed"
VERDICT, SCORE = "verdict removed", "score line removed"
RULE_WAYS = frozenset({STATEMENT, NEEDS, HOOK, VERDICT, SCORE})
"""The ways that remove a rule."""
NAMED = "kind piece place stack track flag option rival value verb step score"
PAIRS = "any no most least raise lower top bottom and or mark clear before after on off + - * /"
FLIPS = dict(zip(PAIRS.split()[::2], PAIRS.split()[1::2], strict=True))
FLIPS |= {second: first for first, second in FLIPS.items()}
COMPARED = {"=": ("<>",), "<>": ("=",), "<": ("<=", ">"), "<=": ("<", ">=")}
COMPARED |= {">": (">=", "<"), ">=": (">", "<=")}


@attrs.frozen
class Mutant:
    """A range of one file and its replacement."""

    # `path` is relative to the pack; `line` and `column` count from 1. `about` are words of the
    # content that identify the subject of the mutant.

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
        """Format the place and the change on one line."""
        words = (" ".join(each.split()) or "nothing" for each in (self.old, self.new))
        old, new = (e if len(e) <= SHORT else f"{e[: SHORT - 3]}..." for e in words)
        return f"{self.shown}:{self.line}:{self.column}: {self.way}: {old} -> {new}"


def choose_mutants(
    suite: Suite, number: int, seed: int, files: Sequence[str] = ()
) -> list[Mutant]:
    """Return `number` mutants of a suite's pack, chosen reproducibly with a seed.

    `files` are paths within the pack that restrict the choice. Raises ValueError for a file
    without mutants.
    """
    found = _mutants_in(suite, files)
    chance = random.Random(seed)  # noqa: S311 - not cryptographic
    chance.shuffle(found)
    return sorted(found[:number], key=lambda each: (each.shown, each.start, each.new))


def rule_mutants(suite: Suite, files: Sequence[str] = ()) -> list[Mutant]:
    """Return the mutants of a suite's pack that remove one rule each; `files` as before."""
    every = _mutants_in(suite, files)
    return [each for each in every if each.way in RULE_WAYS and each.path.endswith(".rules")]


def _mutants_in(suite: Suite, files: Sequence[str]) -> list[Mutant]:
    every = all_mutants(suite.layers, suite.pack, suite.checked.program.world)
    known = {each.path for each in every}
    for file in files:
        if file not in known:
            advice = did_you_mean(file, known) or f"files: {', '.join(sorted(known))}"
            raise ValueError(f"there is nothing to mutate in {file} ({advice})")
    return [each for each in every if not files or each.path in files]


def all_mutants(layers: Layered, pack: PackSource, world: SymbolTable) -> list[Mutant]:
    """Return every mutant of the pack, except in text that the engine never reads."""
    swaps, found = _swaps(world), list[Mutant]()
    unread = {(each.id, path) for each, path in layers.unread()}
    for path in sorted(pack.files):
        if path.endswith(".rules"):
            _Breaker(pack, path, swaps, found).rules()
    for path in pack.toml_paths():
        table = None if (pack.id, path) in unread else pack.toml(path)
        if table is not None:
            kinds = (kind for kind in world.kinds.values() if kind.table == table.path)
            types = {field.name: field.type for kind in kinds for field in kind.fields.values()}
            _Breaker(pack, path, swaps, found).table(table, types, {*world.kinds})
    return list(dict.fromkeys(found))


def _swaps(world: SymbolTable) -> dict[str, list[str]]:
    """Return replacements for each name: others of the same family and shape.

    After such a replacement, the rules often still make sense. Plurals replace plurals.
    """
    groups = defaultdict[object, list[str]](list)
    named: list[PlaceInfo | PieceInfo | TrackInfo] = [*world.places.values()]
    for info in (*named, *world.pieces.values(), *world.tracks.values()):
        shape = (info.style, info.owned) if isinstance(info, PieceInfo) else info.dims
        groups[type(info), shape, "one"].append(info.name)
        groups[type(info), shape, "many"].append(info.plural)
    for flag in world.flags.values():
        groups[type(flag), flag.dims].append(flag.name)
    for value in world.values.values():
        if value.score_title is None:
            groups[type(value), tuple(param.type for param in value.params)].append(value.name)
    for kind in world.kinds.values():
        if kind.role != "piece":
            groups[type(kind), kind.name] += (entry.name for entry in kind.entries)
    constants = world.constants.items()
    groups["constant"] += (name for name, info in constants if isinstance(info.value, int))
    swaps = defaultdict[str, list[str]](list)
    for group in map(list, map(dict.fromkeys, groups.values())):
        for at, name in enumerate(group):
            swaps[name] += (*group[at + 1 :], *group[:at])[:SWAPS]
    if world.rivals:  # otherwise every seat is a player's
        swaps |= {"seat": ["player"], "player": ["seat"]}
    return swaps


class _Breaker:
    """Generator of the mutants for one file."""

    def __init__(
        self, pack: PackSource, path: str, swaps: dict[str, list[str]], found: list[Mutant]
    ) -> None:
        self.language = pack.manifest.language
        self.path, self.shown = path, (pack.folder / path).as_posix()
        source = read_inside(pack.folder, pack.folder / path, MAX_BYTES)
        self.text = source.decode("utf-8-sig")
        self.lines = [*accumulate((len(each) + 1 for each in self.text.split("\n")), initial=0)]
        self.swaps, self.found = swaps, found
        self.about: tuple[str, ...] = ()

    def add(self, at: tuple[int, int], way: str, *news: str) -> None:
        """Add a mutant for each replacement of a range."""
        start, end = at
        line = bisect_right(self.lines, start)
        place = line, start - self.lines[line - 1] + 1, start, end
        self.found += (
            Mutant(self.path, self.shown, *place, self.text[start:end], new, way, self.about)
            for new in news
        )

    def range(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a span, excluding trailing blanks and comments."""
        if span == NOWHERE:
            return (0, 0)
        start = self.lines[span.line - 1] + span.column - 1
        end = self.lines[span.end_line - 1] + span.end_column - 1
        gap = LAST_GAP.search(self.text[start:end])
        return (start, start + gap.start()) if gap else (start, end)

    # ---------------------------------------------------------------- rules
    def rules(self) -> None:
        """Add the mutants of a rules file."""
        parsed = parse_file(self.text, self.shown, Findings(), self.language)
        for each in parsed.file.declarations:
            start = self.lines[each.span.line - 1]
            end = self.lines[each.span.end_line - 1] + each.span.end_column - 1
            lines = self.text[start:end].splitlines(keepends=True)
            self.about = tuple(re.findall(r"[\w-]+", "".join(lines[:1])))
            if not isinstance(each, de.PanelDecl | de.SourceDecl | de.ConstantsDecl):
                self._declaration(each)
                self.tree(each)
                for at, line in enumerate(lines):
                    self.words(line, start.__add__, header=not at)
                    start += len(line)

    def _declaration(self, declaration: de.Decl) -> None:
        """Add the mutant without a hook or a verdict, or with a score line of 0."""
        if isinstance(declaration, de.HookDecl | de.ValueHookDecl):
            self.add(self.range(declaration.span), HOOK, "")
        elif isinstance(declaration, de.VerdictDecl):
            self.add(self.range(declaration.span), VERDICT, "")
        elif isinstance(declaration, de.ScoreDecl):
            start, end = self.range(declaration.formula.span)
            end += len(self.text[end:]) - len(self.text[end:].lstrip(")"))
            head = self.text[:start].rstrip().removesuffix(":")
            self.add((len(head), end), SCORE, ": 0")

    def words(self, text: str, offset: Callable[[int], int], *, header: bool) -> None:
        """Add the mutants of single words and numbers; a `header` begins a declaration."""
        code = [e for e in lexemes(text) if e.is_code and e.sort is not LexemeKind.TEXT]
        ranges = [(offset(each.start), offset(each.end - 1) + 1) for each in code]
        for at, (word, place) in enumerate(zip((e.text for e in code), ranges, strict=True)):
            if header and at == 1 and code[0].text in NAMED.split():
                continue
            if word.isdigit():
                self.number(place, int(word))
            elif word == "up" and [e.text for e in code[at + 1 : at + 2]] == ["to"]:
                self.add((place[0], ranges[at + 1][1] + 1), "up to removed", "")
            elif word in self.swaps:
                self.add(place, "another noun", *self.swaps[word])
            elif word in FLIPS and not (header and at == 0):
                self.add(place, "another word", FLIPS[word])

    def number(self, place: tuple[int, int], value: int) -> None:
        """Add the mutants of a number: one more and one less."""
        self.add(place, "number", str(value + 1), *([str(value - 1)] if value > 0 else []))

    def tree(self, tree: Node | None) -> None:
        """Add the mutants of conditions and statements anywhere in a tree."""
        for each in walk(tree):
            self._node(each)
            self._where(each)

    def _node(self, node: object) -> None:
        if isinstance(node, ex.Compare) and node.op in COMPARED:
            start, end = self.range(node.left.span)[1], self.range(node.right.span)[0]
            at = self.text.index(node.op, start, end)
            self.add((at, at + len(node.op)), "comparison", *COMPARED[node.op])
        elif isinstance(node, ex.Logic):
            kept = [self.text[slice(*self.range(each.span))] for each in (node.left, node.right)]
            whole = (each for each in kept if each.count("(") == each.count(")"))
            self.add(self.range(node.span), "condition removed", *whole)
        elif isinstance(node, st.Needs | st.Branch | st.Case):
            self._negate(node.condition)
        elif isinstance(node, de.HookDecl | de.ValueHookDecl) and node.when is not None:
            self._negate(node.when)
        elif isinstance(node, st.Body | st.Sequence):
            inside = node.statements if isinstance(node, st.Body) else (*node.steps, *node.gains)
            self._leave_out(inside)
        elif isinstance(node, st.Move) and isinstance(node.what, ex.NounAmount | ex.Contents):
            here = self.range(node.span)[0] + len("move ")
            self.add((here, here), "up to added", *([] if node.up_to else ["up to "]))

    def _where(self, node: object) -> None:
        if isinstance(where := getattr(node, "where", None), Node):
            start, end = self._negate(where)
            word = re.compile(r"\s+where\s+\(*\Z").search(self.text, 0, start)
            if word and "(" not in word[0]:
                self.add((word.start(), end), "where removed", "")

    def _negate(self, condition: Node) -> tuple[int, int]:
        start, end = self.range(condition.span)
        if start < end:
            self.add((start, end), "condition negated", f"not ({self.text[start:end]})")
        return start, end

    def _leave_out(self, statements: Sequence[Node]) -> None:
        for each in statements:
            place = self.range(each.span)
            kept = isinstance(each, st.Let | st.Nothing | st.BadLine | st.Sequence | st.Either)
            if not kept and place[0] < place[1]:
                way = {st.Say: WORDING, st.Needs: NEEDS}.get(type(each), STATEMENT)
                self.add(place, way, "nothing")

    # ---------------------------------------------------------------- tables
    def table(self, file: TomlFile, types: Mapping[str, str], kinds: set[str]) -> None:
        """Add the mutants of a table; `types` are the types of its fields."""
        for path, value in _leaves(file.data):
            if path[-1] == EFFECT_TITLE.key:
                continue
            self.about = tuple(each for each in path if isinstance(each, str))
            place, sorts = self.range(file.index.span(path)), {types.get(e) for e in self.about}
            if isinstance(value, bool):
                self.add(place, "yes or no", "false" if value else "true")
            elif isinstance(value, int):
                self.number(place, value)
            elif isinstance(value, str) and sorts & {"effect", "automatic", "formula"}:
                places = file.index.string_map(path)
                offsets = [self.lines[line - 1] + column - 1 for line, column in places]
                self.words(value, offsets.__getitem__, header=False)
                parse = parse_formula if "formula" in sorts else parse_effect
                self.tree(parse(value, file.path, Findings(), places, self.language))
            elif isinstance(value, str) and sorts & kinds and value in self.swaps:
                self.add(place, "another noun", *(f'"{each}"' for each in self.swaps[value]))


def _leaves(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    """Yield the values of a table that are neither tables nor lists."""
    match value:
        case dict():
            for key in (each for each in value if each not in ABOUT_ITSELF):
                yield from _leaves(value[key], (*path, key))
        case list():
            for at, each in enumerate(value):
                yield from _leaves(each, (*path, at))
        case _:
            yield path, value
