"""What a file declares, as an outline, and what the whole game declares, by name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.editor.index import Role
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.editor.view import View
    from rulesdsl.syntax.statements import Header

_HEADER = re.compile(r"^\[+([^\]]+)\]+")
_NAME = re.compile(r'^name *= *"([^"]*)"')
_MOST_FOUND = 200  # house: nobody reads more of them
KEPT = 200  # outlines: who calls something is looked up in them, place by place
HOOK = "hook"


@attrs.frozen
class Symbol:
    """Something with a name: what sort it is, all that it takes up, and its name's place."""

    name: str
    sort: str
    whole: Span
    span: Span
    below: tuple[Symbol, ...] = ()


@lru_cache(KEPT)
def outline(source: SourceFile) -> tuple[Symbol, ...]:
    """Return what a text declares; of what cannot be read, nothing."""
    if source.path.endswith(".rules"):
        parsed = parse_file(source.text, source.path, Findings())
        found = (_symbol(each, source) for each in parsed.file.declarations)
        return tuple(each for each in found if each is not None)
    return tuple(_tables(source))


def _symbol(decl: de.Decl, source: SourceFile) -> Symbol | None:
    match decl:
        case de.KindDecl() | de.PieceDecl() | de.PlaceDecl() | de.TrackDecl():
            word = decl.names.singular
            fields = () if isinstance(decl, de.TrackDecl) else decl.fields
            below = tuple(
                Symbol(each.name.text, "field", each.span, each.name.span)
                for each in fields
                if isinstance(each, de.FieldDecl)
            )
            sort = type(decl).__name__.removesuffix("Decl").lower()
            return Symbol(word.text, sort, decl.span, word.span, below)
        case de.ProcedureDecl():
            word = decl.header.name
            title = source.line(word.span.line)[word.span.column - 1 : _end(decl.header)]
            return Symbol(title, "verb" if decl.verb else "step", decl.span, word.span)
        case de.HookDecl() | de.TextHookDecl() | de.ValueHookDecl():
            word = decl.name if isinstance(decl, de.ValueHookDecl) else decl.header.name
            title = source.line(decl.span.line)[: word.span.end_column - 1].strip()
            return Symbol(title, HOOK, decl.span, word.span)
        case de.EntryDecl() | de.FlagDecl() | de.OptionDecl() | de.RivalDecl():
            sort = type(decl).__name__.removesuffix("Decl").lower()
            return Symbol(decl.name.text, sort, decl.span, decl.name.span)
        case de.ValueDecl() | de.ScoreDecl():
            return Symbol(decl.name.text, "value", decl.span, decl.name.span)
        case de.PanelDecl():
            return Symbol(decl.title, "panel", decl.span, decl.span)
        case de.ConstantsDecl() | de.SourceDecl() | de.WinDecl() | de.VerdictDecl():
            return None


def _end(header: Header) -> int:
    last = header.more[-1].param if header.more else header.param
    word = header.name if last is None else last.second or last.first
    return word.span.end_column - 1


def _tables(source: SourceFile) -> Iterator[Symbol]:
    """Yield the tables of a TOML file by their headers: the text may not be TOML yet."""
    starts = [at for at, line in enumerate(source.lines, 1) if _HEADER.match(line)]
    ends = [*starts[1:], len(source.lines) + 1]
    for start, after in zip(starts, ends, strict=False):
        header = _HEADER.match(source.line(start))
        assert header
        lines = range(start + 1, after)
        named = (_NAME.match(source.line(each)) for each in lines)
        title = next((each[1] for each in named if each), "")
        double = source.line(start).startswith("[[")
        name = title if double and title else header[1].strip()
        last = max((each for each in lines if source.line(each).strip()), default=start)
        whole = Span(source.path, start, 1, last, len(source.line(last)) + 1)
        span = Span(source.path, start, 1, start, len(source.line(start)) + 1)
        yield Symbol(name, "scenario" if double else "entry", whole, span)


def named(view: View, query: str) -> tuple[Symbol, ...]:
    """Return what the game declares under a name that has these letters in this order."""
    letters = re.compile(".*".join(map(re.escape, query.lower())))
    found: list[Symbol] = []
    for thing in view.index.things:
        if not letters.search(thing.name.lower()):
            continue
        words = view.declared_as(thing)
        sort = words[0].sort if words else str(thing.sort)
        found.extend(
            Symbol(thing.name, sort, each.span, each.span)
            for each in view.index.of_rules(thing)
            if each.role is Role.DECLARES and thing.sort != "local"
        )
    found.sort(key=lambda each: (query not in each.name, len(each.name), each.name))
    return tuple(found[:_MOST_FOUND])
