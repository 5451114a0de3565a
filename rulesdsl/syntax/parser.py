"""From text to syntax tree; one slip does not hide the next.

A .rules file is read declaration by declaration: what begins at the left margin is a piece of its
own.  Where a line cannot be read, it is reported, a line that says "unreadable" is put in its
place, and the declaration is read again.

What a file last said is kept: a game is checked alone, with mods and with each of them left out,
and nothing changes its tree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import Span
from rulesdsl.syntax.build import Builder
from rulesdsl.syntax.declarations import FieldDecl, File, KindDecl, PieceDecl, PlaceDecl
from rulesdsl.syntax.grammar import parse
from rulesdsl.syntax.places import Places
from rulesdsl.syntax.repair import Repair
from rulesdsl.syntax.size import fits
from rulesdsl.syntax.token_words import ANY_NAME

if TYPE_CHECKING:
    from lark import Token, Tree

    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.syntax.declarations import Decl
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body

MAX_REPAIRS = 40
KEPT_FILES = 400  # the largest game that we ship has 30 with its mods

_HEAD = re.compile(r"([a-z][\w'-]*) +([a-z][\w'-]*)(?: */ *([a-z][\w'-]*))?")
_NAMELESS = ("before ", "after ", "instead ", "add ", "win ", "panel ", "source ", "constants ")
_FORMULAS = ("value ", "score ", "instead of value ")  # a lost line leaves nothing to go by
_TABBED = re.compile(r"^ *\t", re.MULTILINE)


@attrs.frozen
class Parsed:
    """A file's declarations, and the names of what could not be read."""

    file: File
    broken: tuple[str, ...]
    lost: tuple[str, ...] = ()


@attrs.define
class _Last:
    """What was read of a file the last time: its text, what it says, what is wrong with it."""

    read: tuple[str, Parsed, tuple[Diagnostic, ...]] | None = None


@lru_cache(KEPT_FILES)
def _last_of(_: str) -> _Last:
    """Return what is kept of the file of a path."""
    return _Last()


def parse_file(text: str, path: str, findings: Findings) -> Parsed:
    """Read a .rules file; what cannot be read is reported and left out."""
    last = _last_of(path)
    read = last.read  # another thread may read another text under this path meanwhile
    if read is None or read[0] != text:
        found = Findings()
        read = last.read = text, _read_file(text, path, found), found.sorted()
    _, parsed, wrong = read
    for each in wrong:
        findings.add(each)
    return parsed


def _read_file(text: str, path: str, findings: Findings) -> Parsed:
    declarations: list[Decl] = []
    broken: list[str] = []
    lost: list[str] = []
    for first_line, block in _blocks(text):
        places = Places(path, first_line)
        repair = Repair(block, places, findings)
        tree = _read_repaired(repair, "file")
        if tree is not None and not fits(tree, places, findings):
            tree = None
        lost.extend(repair.lost_names())
        found = [] if tree is None else [*Builder(places).nodes(tree.children)]
        if tree is None or repair.headless or (repair.lost and block.startswith(_FORMULAS)):
            broken.extend(_declared_names(block))
            broken.extend(name for decl in found for name in _field_names(decl))
        else:
            declarations.extend(found)
    return Parsed(File(path, tuple(declarations)), tuple(broken), tuple(lost))


def parse_effect(
    text: str, path: str, findings: Findings, positions: tuple[tuple[int, int], ...] = ()
) -> Body | None:
    """Read an effect that is in a string; `positions` are those of its characters."""
    text, positions = _at_margin(text, positions)
    places = Places.of_string(path, text, positions)
    tree = _read_repaired(Repair(text, places, findings), "effect")
    if tree is None or not fits(tree, places, findings):
        return None
    return Builder(places).effect(tree)


def parse_formula(
    text: str, path: str, findings: Findings, positions: tuple[tuple[int, int], ...] = ()
) -> Expr | None:
    """Read a value that is in a string."""
    places = Places.of_string(path, text, positions)
    tree = _read_repaired(Repair(text, places, findings), "formula_text")
    if tree is None or not fits(tree, places, findings):
        return None
    value: Expr = Builder(places).optional(tree.children[0])
    return value


def report_tabs(text: str, path: str, findings: Findings) -> None:
    """Report each declaration with a tab before a line; the formatter fixes them."""
    for first_line, block in _blocks(text):
        tab = _TABBED.search(block)
        if tab is not None:
            line = block.count("\n", 0, tab.end()) + first_line
            column = tab.end() - tab.start()
            findings.report(
                "E103",
                Span(path, line, column, line, column + 1),
                "Lines are indented with spaces, not with tabs.",
                "Put four spaces in place of each tab; the formatter does it for you.",
            )


def _read_repaired(repair: Repair, start: str) -> Tree[Token] | None:
    for _ in range(MAX_REPAIRS):
        try:
            tree = parse(repair.text, start)
        except (UnexpectedInput, DedentError) as error:
            if not repair.fix(error, whole_lines=start != "formula_text"):
                return None
        else:
            return tree
    return None


def _at_margin(
    text: str, positions: tuple[tuple[int, int], ...]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Take away the indentation that all lines of a text share, and the places of it."""
    lines = text.split("\n")
    margin = min((len(each) - len(each.lstrip(" ")) for each in lines if each.strip()), default=0)
    if not margin:
        return text, positions
    kept: list[int] = []
    start = 0
    for line in lines:
        kept.extend(range(start + min(margin, len(line)), start + len(line) + 1))
        start += len(line) + 1
    shorter = "\n".join(line[margin:] for line in lines)
    return shorter, tuple(positions[at] for at in kept if at < len(positions))


def _blocks(text: str) -> list[tuple[int, str]]:
    """Cut a file where a line begins at the left margin; give each part its first line."""
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [
        number
        for number, line in enumerate(lines)
        if line and not line[0].isspace() and line[0] != "#"
    ]
    before = lines[: starts[0]] if starts else lines
    if any(line.strip() and not line.lstrip().startswith("#") for line in before):
        starts.insert(0, 0)
    ends = [*starts[1:], len(lines)][: len(starts)]
    return [
        (start + 1, "\n".join(lines[start:end]) + "\n")
        for start, end in zip(starts, ends, strict=True)
    ]


def _field_names(decl: Decl) -> list[str]:
    if not isinstance(decl, KindDecl | PieceDecl | PlaceDecl):
        return []
    return [each.name.text for each in decl.fields if isinstance(each, FieldDecl)]


def _declared_names(block: str) -> list[str]:
    """Return the names that a declaration gives; where they cannot be made out, it may be any."""
    if block.startswith(_NAMELESS):
        return []
    found = _HEAD.match(block)
    if found is None:
        return [ANY_NAME]
    return [name for name in found.groups()[1:] if name]
