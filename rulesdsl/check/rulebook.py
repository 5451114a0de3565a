"""Rulebook of a pack: pages of Markdown with expressions in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import PurePosixPath
from typing import TypeAlias

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.operators import amount_of
from rulesdsl.check.resolve.program import new_context
from rulesdsl.check.resolve.resolver import Scope
from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.symbols.types import PLAYER, Type, entry
from rulesdsl.check.symbols.words import effect_in_words
from rulesdsl.check.typed.program import TypedValue
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.source.diagnostics import Findings, among
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.syntax.expressions import Expr
from rulesdsl.syntax.lexer import without_escapes
from rulesdsl.syntax.parser import parse_formula

_ESCAPED = r"(?:\\.)+"
_SLOT = re.compile(rf"{_ESCAPED}|\{{([^{{}}]*)\}}")
_BRACE = re.compile(rf"{_ESCAPED}|([{{}}])")

Positions: TypeAlias = tuple[tuple[int, int], ...]
"""The line and column of each character of a text, followed by those of its end."""


@attrs.frozen
class TextSlot:
    """Expression in braces, with the position of each character."""

    words: str
    span: Span
    positions: Positions = attrs.field(repr=False)


Parts: TypeAlias = tuple[str | TextSlot, ...]


def positions_in(line: int, column: int, text: str) -> Positions:
    """Return the position of each character of a single line."""
    return tuple((line, column + at) for at in range(len(text) + 1))


def cut(text: str, file: str, positions: Positions, findings: Findings) -> Parts:
    """Split text into literal parts and slots; report unmatched braces.

    A backslash takes the meaning from a brace, as in the texts of rules.
    """
    parts: list[str | TextSlot] = []
    done = 0
    slots = [slot for slot in _SLOT.finditer(text) if slot[1] is not None]
    for slot in (*slots, None):
        literal = text[done : slot.start() if slot else len(text)]
        brace = next((match for match in _BRACE.finditer(literal) if match[1]), None)
        if brace:
            line, column = positions[done + brace.start()]
            wording.LONE_BRACE.report(findings, Span(file, line, column, line, column + 1))
        parts.append(without_escapes(literal))
        if slot:
            parts.append(slot_at(text, slot.span(1), file, positions))
            done = slot.end()
    return tuple(part for part in parts if part != "")


def slot_at(text: str, bounds: tuple[int, int], file: str, positions: Positions) -> TextSlot:
    """Return the slot between two offsets in text that may span several lines."""
    start, end = bounds
    span = Span(file, *positions[start], *positions[end])
    return TextSlot(text[start:end].replace("\n", " "), span, positions[start : end + 1])


_TELLS = re.compile(r"<!-- *tells:(.*?)-->", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CLOSE = "-->"
_ID = re.compile(r"[^\s,]+")
_TITLE = re.compile(r"# +(\S.*)")
_ORDER = re.compile(r"^[0-9]+[-_]")
_IF = re.compile(r"\{if ++([^{}]++)\} *")
_END = re.compile(r"\{end\} *")
_EACH = re.compile(r"\{each +([\w.-]+) +([\w-]+)(?: ++where ++([^{}]++))?\} ?")


@attrs.frozen
class RepeatedLine:
    """Repetition of a line for each entry of a kind; `name` is the local bound to the entry."""

    kind: str
    name: str
    where: TextSlot | None
    span: Span


@attrs.frozen
class PageLine:
    """Line of a page, with its condition and repetitions."""

    parts: Parts
    when: TextSlot | None = None
    each: tuple[RepeatedLine, ...] = ()


@attrs.frozen
class RulebookPage:
    """Parsed page of a rulebook: topic, title, ids of the rules it covers, and lines."""

    topic: str
    title: str
    tells: tuple[tuple[str, Span], ...]
    rows: tuple[PageLine, ...]
    span: Span


def read_page(path: str, source: SourceFile, findings: Findings) -> RulebookPage:
    """Parse a page and report errors; `path` is relative to its pack."""
    topic = topic_of(path)
    closed = _with_closed_comments(source.text)
    blank = (
        _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), closed)
        + source.text[len(closed) :]
    )
    lines = [line.removesuffix("\r").rstrip() for line in blank.split("\n")]
    first = next((at for at, line in enumerate(lines) if line), 0)
    title = _TITLE.fullmatch(lines[first])
    span = Span(source.path, first + 1, 1, first + 1, len(lines[first]) + 1)
    if not title:
        wording.NO_TITLE.report(findings, span)
    rows = tuple(_rows(lines, source.path, findings))
    return RulebookPage(topic, title[1] if title else topic, tuple(_covered(source)), rows, span)


def topic_of(path: str) -> str:
    """Return the topic of a page: its file name without the ordering number."""
    return _ORDER.sub("", PurePosixPath(path).stem)


def _covered(source: SourceFile) -> Iterator[tuple[str, Span]]:
    for comment in _TELLS.finditer(_with_closed_comments(source.text)):
        for found in _ID.finditer(comment[1]):
            at = comment.start(1) + found.start()
            line = source.text.count("\n", 0, at) + 1
            column = at - source.text.rfind("\n", 0, at)
            yield found[0], Span(source.path, line, column, line, column + len(found[0]))


def _with_closed_comments(text: str) -> str:
    """Cut off everything after the end of the last comment, to avoid a quadratic search."""
    return text[: text.rfind(_CLOSE) + len(_CLOSE)] if _CLOSE in text else ""


def _rows(lines: list[str], file: str, findings: Findings) -> Iterator[PageLine]:
    when: TextSlot | None = None
    for number, line in enumerate(lines, start=1):
        positions = positions_in(number, 1, line)
        condition = _IF.fullmatch(line)
        if condition:
            if when is not None:
                wording.NO_END_BEFORE.report(findings, _whole(file, number, line))
            when = slot_at(line, condition.span(1), file, positions)
        elif _END.fullmatch(line):
            if when is None:
                wording.NOTHING_TO_END.report(findings, _whole(file, number, line))
            when = None
        else:
            yield _row(line, when, file, positions, findings)
    if when is not None:
        wording.NO_END.report(findings, when.span)


def _row(
    line: str, when: TextSlot | None, file: str, positions: Positions, findings: Findings
) -> PageLine:
    loops: list[RepeatedLine] = []
    start = 0
    while found := _EACH.match(line, start):
        where = None if found[3] is None else slot_at(line, found.span(3), file, positions)
        span = slot_at(line, found.span(1), file, positions).span
        loops.append(RepeatedLine(found[1], found[2], where, span))
        start = found.end()
    rest = cut(line[start:], file, positions[start:], findings)
    return PageLine(rest, when, tuple(loops))


def _whole(file: str, number: int, line: str) -> Span:
    return Span(file, number, 1, number, len(line) + 1)


@attrs.frozen
class SlotValue:
    """Resolved slot: the name of its value in the program.

    `noun` is set if the value is an amount of something.
    """

    value: str
    type: Type
    noun: str = ""


Filled = tuple[str | SlotValue, ...]


# Templates: a slot is parsed and resolved like an expression in the rules, in the scope of the
# pack's names. It becomes a named value with a name that cannot occur in rules. Lines can depend
# on options (`{if ...}`) and be repeated for entries (`{each ...}`):
#
#     A kite is {price of kite}.     PageLine(("A kite is ", TextSlot("price of kite"), "."))
#
# `read_page` parses, `read_book` resolves, and the interpreter evaluates the slots for a setting.
# Lessons and scenarios also use `cut`. Nested repetitions multiply lines, so a page is cut off at
# `MAX_LINES`.
class Filler:
    """Resolver of slots; `values` are the resulting named values."""

    def __init__(
        self, world: SymbolTable, findings: Findings, players: int, prefix: str = "text"
    ) -> None:
        self.world = world
        self.findings = findings
        self.values: dict[tuple[str, int], TypedValue] = {}
        self._players = players
        self._prefix = prefix
        self._bodies = new_context(world, findings)

    def text(self, parts: Parts, locals_: Mapping[str, ty.Value]) -> Filled:
        """Resolve the slots in text; report and drop those with errors."""
        found = (self._part(part, locals_) for part in parts)
        return tuple(each for each in found if each is not None)

    def condition(self, slot: TextSlot, locals_: Mapping[str, ty.Value]) -> SlotValue | None:
        """Resolve a line's condition; an effect counts as true if it is present."""
        parsed = self._parsed(slot)
        if parsed is None:
            return None
        scope = self._scope(locals_)
        value = self._bodies.resolver(scope).value(parsed)
        if not isinstance(value, ty.HasEffect) and not scope.failed:
            value = self._bodies.resolver(scope).condition(parsed)
        return None if scope.failed else self._named(value)

    def _part(
        self, part: str | TextSlot, locals_: Mapping[str, ty.Value]
    ) -> str | SlotValue | None:
        if isinstance(part, str):
            return part
        parsed = self._parsed(part)
        if parsed is None:
            return None
        scope = self._scope(locals_)
        resolver = self._bodies.resolver(scope)
        amount = amount_of(resolver, parsed)
        value, noun = (resolver.value(parsed), "") if amount is None else amount[:2]
        if scope.failed:
            return None
        if isinstance(value, ty.HasEffect | ty.FieldFormula):
            return self._printed(value, part)
        return self._named(value, noun)

    def _parsed(self, slot: TextSlot) -> Expr | None:
        mine = Findings()
        found = parse_formula(slot.words, slot.span.file, mine, slot.positions)
        self.findings.extend(mine.sorted())
        return None if mine.has_errors else found

    def _scope(self, locals_: Mapping[str, ty.Value]) -> Scope:
        scope = Scope(ty.Const(0, type=PLAYER), may_choose=False)
        for number in range(self._players):
            scope.locals[f"p{number + 1}"] = ty.Const(number, type=PLAYER)
        scope.locals.update(locals_)
        return scope

    def _named(self, value: ty.Value, noun: str = "") -> SlotValue:
        name = f"{self._prefix} {len(self.values) + 1}"
        self.values[name, 0] = TypedValue(name, (), None, value, value.span)
        return SlotValue(name, value.type, noun)

    def _printed(self, value: ty.HasEffect | ty.FieldFormula, slot: TextSlot) -> str | None:
        kind, column = self.world.kinds[value.kind], None
        subject, key = value.subject, value.key
        if not isinstance(subject, ty.Const) or not isinstance(key, ty.Const | None):
            wording.OF_WHOM.report(self.findings, slot.span)
            return None
        entry = kind.entries[int(subject.value)]
        if key is not None:
            per = kind.fields[value.field].per
            column = self.world.kinds[per or ""].entries[int(key.value)].name
        return effect_in_words(self.world, entry, value.field, column)


MAX_LINES = 1000


@attrs.frozen
class FilledLine:
    """Resolved line; it is shown if all conditions in `when` hold."""

    text: Filled
    when: tuple[SlotValue, ...]


@attrs.frozen
class FilledPage:
    """Parsed page with its resolved lines."""

    page: RulebookPage
    lines: tuple[FilledLine, ...]


@attrs.frozen
class Book:
    """Rulebook: resolved pages in order, and the values of their slots."""

    pages: tuple[FilledPage, ...]
    values: dict[tuple[str, int], TypedValue]


def pages_of(pack: PackSource, findings: Findings) -> dict[str, RulebookPage]:
    """Parse the pages of one pack; return them keyed by path."""
    return {
        path: read_page(path, source, findings) for path, source in pack.pages(findings).items()
    }


def read_book(layers: Layered, world: SymbolTable, findings: Findings) -> Book:
    """Parse and resolve the pages of a game and its mods.

    Pages are ordered by file name. A mod's page replaces the one with the same topic.
    """
    paths: dict[str, str] = {}
    pages: dict[str, RulebookPage] = {}
    for pack in layers.packs:
        for path, page in pages_of(pack, findings).items():
            paths.setdefault(page.topic, path)
            pages[page.topic] = page
    filler = Filler(world, findings, layers.players.least)
    found = tuple(
        FilledPage(pages[topic], _bounded(filler, pages[topic]))
        for topic, _ in sorted(paths.items(), key=lambda each: each[1])
    )
    return Book(found, filler.values)


def _bounded(filler: Filler, page: RulebookPage) -> tuple[FilledLine, ...]:
    """Resolve the lines of a page, up to `MAX_LINES`; report a longer page."""
    lines = tuple(islice(_lines(filler, page), MAX_LINES + 1))
    if len(lines) > MAX_LINES:
        wording.PAGE_TOO_LONG.report(filler.findings, page.span, most=MAX_LINES)
    return lines[:MAX_LINES]


def _lines(filler: Filler, page: RulebookPage) -> Iterator[FilledLine]:
    for row in page.rows:
        when = () if row.when is None else (filler.condition(row.when, {}),)
        conditions = tuple(each for each in when if each is not None)
        yield from _repeated(filler, row, row.each, {}, conditions)


def _repeated(
    filler: Filler,
    row: PageLine,
    loops: tuple[RepeatedLine, ...],
    known: dict[str, ty.Value],
    conditions: tuple[SlotValue, ...],
) -> Iterator[FilledLine]:
    """Yield a page line, resolved for each combination of entries in its repetitions."""
    if not loops:
        yield FilledLine(filler.text(row.parts, known), conditions)
        return
    each, kinds = loops[0], filler.world.kinds
    if each.kind not in kinds:
        advice = among(each.kind, kinds)
        said = wording.UNKNOWN_PAGE_KIND
        said.report(filler.findings, each.span, advice=advice, name=each.kind)
        return
    for at in range(len(kinds[each.kind].entries)):
        locals_ = known | {each.name: ty.Const(at, type=entry(each.kind))}
        where = None if each.where is None else filler.condition(each.where, locals_)
        when = conditions if where is None else (*conditions, where)
        yield from _repeated(filler, row, loops[1:], locals_, when)
