"""From text to syntax tree; one slip does not hide the next.

A .rules file is read declaration by declaration: what begins at the left margin is a piece of its
own.  Where a line cannot be read, it is reported, a line that says "unreadable" is put in its
place, and the declaration is read again.

What was read is kept, declaration by declaration: a game is checked alone, with mods and with each
of them left out, and after every letter that somebody types. Nothing changes a tree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span
from rulesdsl.source.suggest import closest
from rulesdsl.syntax import wording
from rulesdsl.syntax.build import Builder
from rulesdsl.syntax.declarations import FieldDecl, File, KindDecl, PieceDecl, PlaceDecl
from rulesdsl.syntax.grammar import parse
from rulesdsl.syntax.layout import MARGIN_WORDS
from rulesdsl.syntax.places import Places
from rulesdsl.syntax.repair import Repair
from rulesdsl.syntax.repair_lines import STEP
from rulesdsl.syntax.size import fits
from rulesdsl.syntax.token_words import ANY_NAME

if TYPE_CHECKING:
    from lark import Token, Tree

    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.syntax.declarations import Decl
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body

MAX_REPAIRS = 40
KEPT_BLOCKS = 8000  # declarations: the largest game that we ship has 250 with its mods
KEPT_STRINGS = 8000  # effects and formulas in strings: it has 1650, those of its rulebook included

_HEAD = re.compile(r"([a-z][\w'-]*) +([a-z][\w'-]*)(?: */ *([a-z][\w'-]*))?")
_NAME = re.compile(r"[a-z][\w'-]*")
_NAMELESS = (
    "before ",
    "after ",
    "instead ",
    "add ",
    "win with ",
    "panel ",
    "source ",
    "constants ",
)
_HEADS = (*MARGIN_WORDS, "before", "after", "instead", "add")
_FORMULAS = ("value ", "score ", "instead of value ")  # a lost line leaves nothing to go by
_TABBED = re.compile(r"^ *\t", re.MULTILINE)


@attrs.frozen
class Parsed:
    """A file's declarations, and the names of what could not be read."""

    file: File
    broken: tuple[str, ...]
    lost: tuple[str, ...] = ()


@attrs.frozen
class _Block:
    """What was read of one declaration: what it says, what could not be read, what is wrong."""

    declarations: tuple[Decl, ...]
    broken: tuple[str, ...]
    lost: tuple[str, ...]
    wrong: tuple[Diagnostic, ...]


def parse_file(text: str, path: str, findings: Findings) -> Parsed:
    """Read a .rules file; what cannot be read is reported and left out."""
    declarations: list[Decl] = []
    broken: list[str] = []
    lost: list[str] = []
    for first_line, block in _blocks(text):
        found = _read_block(path, first_line, block)
        declarations += found.declarations
        broken += found.broken
        lost += found.lost
        findings.extend(found.wrong)
    return Parsed(File(path, tuple(declarations)), tuple(broken), tuple(lost))


@lru_cache(KEPT_BLOCKS)
def _read_block(path: str, first_line: int, block: str) -> _Block:
    findings = Findings()
    places = Places(path, first_line)
    repair = Repair(block, places, findings, "file")
    tree = _read_repaired(repair)
    if tree is not None and not fits(tree, places, findings):
        tree = None
    found: list[Decl] = [] if tree is None else [*Builder(places).nodes(tree.children)]
    broken: list[str] = []
    if tree is None or repair.headless or (repair.lost and block.startswith(_FORMULAS)):
        broken.extend(_declared_names(block))
        broken.extend(name for decl in found for name in _field_names(decl))
        found = []
    lost = tuple(repair.lost_names())
    return _Block(tuple(found), tuple(broken), lost, findings.sorted())


def parse_effect(
    text: str, path: str, findings: Findings, positions: tuple[tuple[int, int], ...] = ()
) -> Body | None:
    """Read an effect that is in a string; `positions` are those of its characters."""
    body, wrong = _read_effect(text, path, positions)
    findings.extend(wrong)
    return body


@lru_cache(KEPT_STRINGS)
def _read_effect(
    text: str, path: str, positions: tuple[tuple[int, int], ...]
) -> tuple[Body | None, tuple[Diagnostic, ...]]:
    text, positions = _at_margin(text, positions)
    places = Places.of_string(path, text, positions)
    findings = Findings()
    tree = _read_repaired(Repair(text, places, findings, "effect"))
    if tree is None or not fits(tree, places, findings):
        return None, findings.sorted()
    return Builder(places).effect(tree), findings.sorted()


def parse_formula(
    text: str, path: str, findings: Findings, positions: tuple[tuple[int, int], ...] = ()
) -> Expr | None:
    """Read a value that is in a string."""
    value, wrong = _read_formula(text, path, positions)
    findings.extend(wrong)
    return value


@lru_cache(KEPT_STRINGS)
def _read_formula(
    text: str, path: str, positions: tuple[tuple[int, int], ...]
) -> tuple[Expr | None, tuple[Diagnostic, ...]]:
    places = Places.of_string(path, text, positions)
    findings = Findings()
    tree = _read_repaired(Repair(text, places, findings, "formula_text"))
    if tree is None or not fits(tree, places, findings):
        return None, findings.sorted()
    return Builder(places).optional(tree.children[0]), findings.sorted()


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
                *wording.tabs(),
                fixes=[_untabbed(block, path, first_line)],
            )


def _untabbed(block: str, path: str, first_line: int) -> Fix:
    """Return the fix that puts spaces in place of all tabs before lines."""
    edits: list[Edit] = []
    for number, line in enumerate(block.split("\n"), first_line):
        margin = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in margin:
            span = Span(path, number, 1, number, len(margin) + 1)
            edits.append(Edit(span, margin.expandtabs(STEP)))
    return Fix("Put spaces in place of tabs", tuple(edits), safe=True)


def _read_repaired(repair: Repair) -> Tree[Token] | None:
    for _ in range(MAX_REPAIRS):
        try:
            tree = parse(repair.text, repair.start)
        except (UnexpectedInput, DedentError) as error:
            if not repair.fix(error):
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
    """Return the names that a declaration may give; where none can be made out, it may be any.

    A word of its head may be missing, be there twice, or be in another place.
    """
    if block.startswith(_NAMELESS):
        return []
    found = _HEAD.match(block)
    if found is None:
        return [ANY_NAME]
    first, second, after_it = found.groups()
    names = [second, *([after_it] if after_it else [])]
    if first == "win" or not (first in _HEADS or closest(first, _HEADS)):
        names.append(first)
    if second in _HEADS:
        names += _NAME.findall(block.partition("\n")[0])[2:3]
    return names
