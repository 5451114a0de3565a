"""Hover and signature help."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.declare_procedures import header_text
from rulesdsl.check.symbols.symbol_table import Cell, ProcInfo, Symbol, SymbolKind
from rulesdsl.check.symbols.vocabulary import Word
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.editor.references import TextPosition, View
from rulesdsl.source.span import NOWHERE, SourceFile, Span

_WORD = re.compile(r"[a-z][\w'-]*(?: (?:able|of|to|at|time|else|only|first|most|least))*")
_MOST_CONDITIONS = 8  # as many as fit on a screen


@attrs.frozen
class Hover:
    """Markdown text for a hover, and the span that it describes."""

    text: str
    span: Span


def hover(view: View, spot: TextPosition) -> Hover | None:
    """Return a description of the word at a position, or None."""
    found = view.name_at(spot)
    if found is None:
        return _of_language(view, spot)
    thing, kind = found.thing, found.type
    match thing.sort:
        case SymbolKind.LOCAL:
            said = f"`{thing.name}`: {kind}, a local name" if kind else ""
        case SymbolKind.ACTOR:
            said = (
                "the acting seat"
                if thing.name == "me"
                else f"`{thing.name}`, the acting seat here"
            )
        case SymbolKind.CANDIDATE:
            said = f"`it`: {kind}, each thing in turn"
        case _:
            said = about(view, thing)
    return Hover(said, found.span) if said else None


def about(view: View, thing: Symbol) -> str:
    """Return the documentation of a declared symbol."""
    words = view.declared_as(thing)
    if thing.sort is SymbolKind.ENTRY and not words:  # an entry of a plain list of names
        words = view.declared_as(Symbol(SymbolKind.NOUN, thing.of))
    parts = [_declared(each) for each in words]
    if thing.sort is SymbolKind.VERB:
        for proc in view.world.procs.get(thing.name, ()):
            parts.extend(_of_verb(view, proc))
    elif thing.sort is SymbolKind.NOUN:
        parts.extend(_of_noun(view, thing.name))
    return "\n\n".join(each for each in parts if each)


def _declared(word: Word) -> str:
    """Return a declaration as Markdown, with its documentation and an example."""
    of = f" of {word.of}" if word.of else ""
    form = "toml" if word.span.file.endswith(".toml") else "rules"
    about = f"{word.about}\n\n" if word.about else ""
    example = f"\n\nWritten: `{word.example}`" if word.example else ""
    return f"**{word.name}**, {word.sort}{of}\n\n{about}```{form}\n{word.text}\n```{example}"


def _of_language(view: View, spot: TextPosition) -> Hover | None:
    """Return the reference text about the longest phrase of the language at a position."""
    source = view.source(spot.file)
    line = "" if source is None else source.line(spot.line)
    for found in _WORD.finditer(line):
        if not found.start() < spot.column <= found.end() + 1:
            continue
        words = found[0].split(" ")
        for count in range(len(words), 0, -1):
            for first in range(len(words) - count + 1):
                said = said_of(" ".join(words[first : first + count]))
                if said:
                    span = Span(
                        spot.file, spot.line, found.start() + 1, spot.line, found.end() + 1
                    )
                    return Hover(said, span)
    return None


# -------------------------------------------------------------------- verbs
def _of_verb(view: View, proc: ProcInfo) -> Iterator[str]:
    asked = list(dict.fromkeys(_conditions(view, view.program.guards.get(proc.key, ty.YES))))
    if asked:
        shown = [f"- `{each}`" for each in asked[:_MOST_CONDITIONS]]
        more = ["- and more"] if len(asked) > _MOST_CONDITIONS else []
        yield "\n".join(["Preconditions:", *shown, *more])
    changed = cells_in_words(view.effects.proc_writes(proc.key))
    if changed:
        yield f"Changes {changed}."


def _conditions(view: View, guard: ty.Value) -> Iterator[str]:
    """Yield the source phrases of a guard."""
    for each in atoms(guard):
        if isinstance(each, ty.LetIn):
            yield from _conditions(view, each.inner)
        elif each != ty.YES and each.span != NOWHERE:
            yield view.text_of(each.span)


def cells_in_words(cells: Iterable[Cell]) -> str:
    """Describe the cells that a verb may change."""
    moved: dict[str, set[str]] = {}
    other: set[str] = set()
    for sort, name, place in cells:
        if sort in {"n", "l"}:
            moved.setdefault(name, set()).add(place)
        elif sort == "s":
            moved.setdefault(name, set())
        elif sort in {"t", "f"}:
            other.add(f"`{name}`")
    said = [
        f"where `{name}` is" + (f" ({', '.join(sorted(places))})" if places else "")
        for name, places in sorted(moved.items())
    ]
    return "; ".join([*said, *sorted(other)])


# -------------------------------------------------------------------- numbers
def _of_number(view: View, name: str) -> Iterator[str]:
    raw = view.world.constants[name].value
    value = f"`{name}` is {raw}" if isinstance(raw, int) else ""
    source = _source_of(view, name)
    yield ". ".join(each for each in (value, f"Source: {source}" if source else "") if each)


def _source_of(view: View, name: str) -> str:
    mod, _, bare = name.rpartition(".")
    path = (mod, bare) if mod else (name,)
    for each in view.world.constant_tables:
        table = view.layers.get(each, NOWHERE)
        if table is not None and table.key_span(path) == view.world.constants[name].span:
            return table.source_of(path) or ""
    return ""


def _of_noun(view: View, name: str) -> Iterator[str]:
    if name in view.world.constants:
        yield from _of_number(view, name)
    value = view.world.values.get(name)
    if value is not None and value.hooks:
        yield f"Hooks that replace it: {len(value.hooks)}."
    piece = view.world.pieces.get(name)
    if piece is not None:
        count = view.world.count_of(name)
        whose = f" per {piece.per}" if piece.per else ""
        yield f"Number: {count}{whose}."
        homes = [each.name for each in view.world.places.values() if name in each.holds]
        yield f"It can be in {', '.join(homes)}." if homes else ""


# -------------------------------------------------------------------- words of the language
_ROW = re.compile(r"^- `([^`]+)`: (.*)$")
_LINK = re.compile(r"\[([^\]]+)\]\(#[^)]*\)")
_HEADING = re.compile(r"^#{2,3} (.+)$")
_MOST_LINES = 12  # as many as fit in an editor's popup
_LIST = "Every word"


@cache
def language_words() -> dict[str, tuple[str, ...]]:
    """Return the words of the language, each with the titles of the sections about it."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _sections().get(_LIST, ()):
        row = _ROW.match(line)
        if row:
            found[row[1]] = tuple(_LINK.findall(row[2]))
    return found


@cache
def said_of(word: str) -> str:
    """Return the reference text about a word of the language; empty for any other word."""
    titles = language_words().get(word, ())
    known = [title for title in titles if title in _sections()]
    if not known:
        return ""
    more = f"\n\nSee also: {', '.join(titles[1:])}." if titles[1:] else ""
    return f"**{word}**, a word of the language: {known[0]}\n\n{_beginning(known[0])}{more}"


def _beginning(title: str) -> str:
    """Return the first paragraph and the first example of a section."""
    kept: list[str] = []
    fenced = False
    for line in _sections()[title]:
        if line.startswith("<!--"):
            break
        if line.startswith("```"):
            fenced = not fenced
            line = "```rules" if fenced else "```"  # noqa: PLW2901 - the info string names a file
        kept.append(line)
        if (not fenced and line == "```") or len(kept) == _MOST_LINES:
            break
    if fenced:
        kept.append("```")
    return "\n".join(kept).strip()


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    text = (files("rulesdsl") / "README.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    fenced = False
    lines: list[str] = []
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading:
            lines = found.setdefault(heading[1], [])
        else:
            lines.append(line)
    return {title: tuple(each) for title, each in found.items()}


# -------------------------------------------------------------------- signatures
_BREAK = re.compile(r"[:,\"]|\b(?:to|or else|may|then)\b(?!-)")


@attrs.frozen
class Signature:
    """Form of a verb: its text, its parameters, and the index of the active one."""

    text: str
    params: tuple[str, ...]
    active: int


def signatures(view: View, source: SourceFile, spot: TextPosition) -> tuple[Signature, ...]:
    """Return the forms of the verb being written before a position."""
    before = source.line(spot.line)[: spot.column - 1]
    said = _BREAK.split(before)[-1].strip()
    words = said.split()
    if not words or words[0] not in view.world.procs:
        return ()
    return tuple(_signature(view, each, words[1:]) for each in view.world.procs[words[0]])


def _signature(view: View, proc: ProcInfo, given: list[str]) -> Signature:
    text = header_text(proc, view.world)
    params: list[str] = []
    for param in proc.params:
        name = f"{param.name} {view.world.plural(param.noun)}" if param.noun else param.name
        kind = "" if param.noun else f"{param.type.of or param.type.family} "
        params.append(f"{kind}{name}")
    reached = 0
    for at, param in enumerate(proc.params):
        if param.preposition in given:
            reached = at
    return Signature(text, tuple(params), reached)
