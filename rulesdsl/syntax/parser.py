"""Parser of files, effects and formulas, and completion of unfinished text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs
from lark import Token
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from rulesdsl.source.diagnostics import Edit, Findings, Fix, closest
from rulesdsl.source.language import NEWEST, Language
from rulesdsl.source.span import Span
from rulesdsl.syntax import wording
from rulesdsl.syntax.build import Builder
from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.lexer import (
    ANY_NAME,
    DECLARES,
    grammar,
    margin_terminals,
    margin_words,
    parse,
    spelled,
)
from rulesdsl.syntax.node import Places, fits
from rulesdsl.syntax.recovery import Repair
from rulesdsl.syntax.unreadable_lines import STEP

if TYPE_CHECKING:
    from lark import Tree
    from lark.parsers.lalr_interactive_parser import InteractiveParser

    from rulesdsl.source.diagnostics import Diagnostic
    from rulesdsl.syntax.declarations import Decl
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body


# A .rules file is parsed declaration by declaration: a line at the left margin begins a block. A
# line with a syntax error is reported and replaced by an error line that the grammar accepts, and
# the block is parsed again (`recovery`), so one error does not hide the next.
#
# Parsed blocks are cached, since a game is checked alone, with its mods, without each of them, and
# after every keystroke in an editor. Nodes are immutable, so sharing them is safe.


MAX_REPAIRS = 40
CACHED_BLOCKS = 8000  # declarations; the largest game has 250, including its mods
CACHED_STRINGS = 8000  # effects and formulas; the same game has 1650, including the rulebook

_HEAD = re.compile(r"([a-z][\w'-]*) +([a-z][\w'.-]*)(?: */ *([a-z][\w'.-]*))?")
_NAME = re.compile(r"[a-z][\w'.-]*")
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
_TABBED = re.compile(r"^ *\t", re.MULTILINE)


@attrs.frozen
class Parsed:
    """Declarations of a file, and the names that its unreadable parts may declare or bind."""

    file: File
    broken: tuple[str, ...]
    lost: tuple[str, ...] = ()


@attrs.frozen
class _Block:
    """Parsed block: the same data as in `Parsed`, and the findings about it."""

    declarations: tuple[Decl, ...]
    broken: tuple[str, ...]
    lost: tuple[str, ...]
    wrong: tuple[Diagnostic, ...]


def parse_file(text: str, path: str, findings: Findings, language: Language = NEWEST) -> Parsed:
    """Parse a .rules file; report and leave out the parts with syntax errors."""
    declarations: list[Decl] = []
    broken: list[str] = []
    lost: list[str] = []
    for first_line, block in _blocks(text):
        found = _read_block(path, first_line, block, language)
        declarations += found.declarations
        broken += found.broken
        lost += found.lost
        findings.extend(found.wrong)
    return Parsed(File(path, tuple(declarations)), tuple(broken), tuple(lost))


@lru_cache(CACHED_BLOCKS)
def _read_block(path: str, first_line: int, block: str, language: Language) -> _Block:
    findings = Findings()
    places = Places(path, first_line)
    repair = Repair(block, places, findings, "file")
    tree = _read_repaired(repair, language)
    if findings.has_errors and language < NEWEST:
        findings = _with_language(findings, _read_block(path, first_line, block, NEWEST).wrong)
    if tree is not None and not fits(tree, places, findings):
        tree = None
    nodes: list[Decl] = [] if tree is None else [*Builder(places).nodes(tree.children)]
    broken = _declared_names(block) if tree is None else []
    lost = tuple(repair.lost_names())
    return _Block(tuple(nodes), tuple(broken), lost, findings.sorted())


def parse_effect(
    text: str,
    path: str,
    findings: Findings,
    positions: tuple[tuple[int, int], ...] = (),
    language: Language = NEWEST,
) -> Body | None:
    """Parse an effect in a string; `positions` are the positions of its characters in the file."""
    body: Body | None
    body, wrong = _read_string("effect", text, path, positions, language)
    findings.extend(wrong)
    return body


def parse_formula(
    text: str,
    path: str,
    findings: Findings,
    positions: tuple[tuple[int, int], ...] = (),
    language: Language = NEWEST,
) -> Expr | None:
    """Parse a value in a string; `positions` are the positions of its characters in the file."""
    value: Expr | None
    value, wrong = _read_string("formula_text", text, path, positions, language)
    findings.extend(wrong)
    return value


@lru_cache(CACHED_STRINGS)
def _read_string(
    start: str, text: str, path: str, positions: tuple[tuple[int, int], ...], language: Language
) -> tuple[Any, tuple[Diagnostic, ...]]:
    if start == "effect":
        text, positions = _without_margin(text, positions)
    places, findings = Places.of_string(path, text, positions), Findings()
    tree = _read_repaired(Repair(text, places, findings, start), language)
    if findings.has_errors and language < NEWEST:
        findings = _with_language(findings, _read_string(start, text, path, positions, NEWEST)[1])
    if tree is None or not fits(tree, places, findings):
        return None, findings.sorted()
    build = Builder(places)
    phrase = build.effect(tree) if start == "effect" else build.optional(tree.children[0])
    return phrase, findings.sorted()


def report_tabs(text: str, path: str, findings: Findings) -> None:
    """Report each declaration that is indented with tabs, and offer to replace them."""
    for first_line, block in _blocks(text):
        tab = _TABBED.search(block)
        if tab is not None:
            line = block.count("\n", 0, tab.end()) + first_line
            column = tab.end() - tab.start()
            span = Span(path, line, column, line, column + 1)
            wording.TABS.report(findings, span, fixes=[_untabbed(block, path, first_line)])


def _untabbed(block: str, path: str, first_line: int) -> Fix:
    edits: list[Edit] = []
    for number, line in enumerate(block.split("\n"), first_line):
        margin = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in margin:
            span = Span(path, number, 1, number, len(margin) + 1)
            edits.append(Edit(span, margin.expandtabs(STEP)))
    return Fix("Replace tabs with spaces", tuple(edits), safe=True)


def _read_repaired(repair: Repair, language: Language) -> Tree[Token] | None:
    for _ in range(MAX_REPAIRS):
        try:
            tree = parse(repair.text, repair.start, language)
        except (UnexpectedInput, DedentError) as error:
            if not repair.fix(error):
                return None
        else:
            return tree
    return None


def _with_language(findings: Findings, newer: tuple[Diagnostic, ...]) -> Findings:
    """Return findings about a text of an older language, with advice if a newer one allows it."""
    advised = Findings()
    for each in findings.sorted():
        advised.add(each if newer else attrs.evolve(each, help=wording.NEWER_LANGUAGE, fixes=()))
    return advised


def _without_margin(
    text: str, positions: tuple[tuple[int, int], ...]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Remove the indentation shared by all lines, and the positions of the removed characters."""
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
    """Split a file at each line without indentation; return line numbers and blocks."""
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


def _declared_names(block: str) -> list[str]:
    """Return the names that an unreadable declaration may introduce, or `ANY_NAME`.

    A word of its head may be missing, doubled or misplaced.
    """
    if block.startswith(_NAMELESS):
        return []
    found = _HEAD.match(block)
    if found is None:
        return [ANY_NAME]
    first, second, after_it = found.groups()
    names = [second, *([after_it] if after_it else [])]
    heads = (*margin_words(), "before", "after", "instead", "add")
    if first == "win" or not (first in heads or closest(first, heads)):
        names.append(first)
    if second in heads:
        names += _NAME.findall(block.partition("\n")[0])[2:3]
    return names


# Completion of unfinished texts.
#
# The parser consumes the whole text and reports the terminals that it accepts next. To get a tree,
# it is then fed the hole, which is a name, and a short completion: in each state the first
# accepted terminal of `_CLOSING`. Terminals that close a block, line or bracket come first, then
# words that a phrase still requires, then numbers and names for missing values. None of them opens
# a construct that is not required, so the completion is finite; `_LONGEST` guards against a
# grammar without that property. A text that has a syntax error before its end has no completion.


_PATTERNS = frozenset({"NAME", "NUMBER", "STRING", "TEXT_BEGIN", "TEXT_BETWEEN", "TEXT_END"})
_CLOSING = (
    "$END", "_DEDENT", "_NL", "RPAR", "TEXT_END", "COLON", "NOTHING", "INTO", "BY", "TO",
    "CHOOSE", "SECRETLY", "TIMES", "GAME", "WITH", "MOST", "IN", "HOLDS", "AND", "OF", "NUMBER",
    "DOTDOT", "STRING", "EQUAL", "NAME", "UNTIL", "EACH", "A", "_INDENT", "ONCE",
)  # fmt: skip
_LONGEST = 30  # tokens; a menu in a loop needs a dozen
_TEXTS = {"NUMBER": "1", "NAME": "x", "STRING": '""', "TEXT_END": '}"'}
_ANY_CASE = "abcdefghijklmnopqrstuvwxyz"


@attrs.frozen
class ExpectedTokens:
    """Tokens in unfinished text, as type and spelling, and the terminals accepted next."""

    tokens: tuple[tuple[str, str], ...]
    terminals: frozenset[str]

    @property
    def words(self) -> tuple[str, ...]:
        """The spellings of the accepted keywords."""
        known = spelled()
        every = (known[each] for each in sorted(self.terminals - _PATTERNS) if each in known)
        return tuple(each for each in every if each[:1] in _ANY_CASE and each.isascii())

    @property
    def name(self) -> bool:
        """True if a name is accepted."""
        return "NAME" in self.terminals


def expected_after(text: str, start: str) -> ExpectedTokens | None:
    """Return the terminals accepted after source text, or None if it has a syntax error."""
    before = DECLARES.set(start == "file")
    try:
        return _expected(text, start)
    except (UnexpectedInput, DedentError):
        return None
    finally:
        DECLARES.reset(before)


def _expected(text: str, start: str) -> ExpectedTokens:
    parser, tokens = _read(text, start)
    terminals: set[str] = set(parser.accepts())  # type: ignore[no-untyped-call] # lark's
    if not _ends_at_margin(text, start):
        terminals -= margin_terminals()
    return ExpectedTokens(tuple((each.type, str(each)) for each in tokens), frozenset(terminals))


def _read(text: str, start: str) -> tuple[InteractiveParser, list[Token]]:
    parser = grammar().parse_interactive(text, start=start)
    tokens: list[Token] = []
    following = parser.lexer_thread.lex(parser.parser_state)  # type: ignore[no-untyped-call] # lark's
    for token in following:
        if token.type == "_DEDENT" and not token:
            break  # lark closes all indentation at the end of the text
        parser.feed_token(token)
        tokens.append(token)
    return parser, tokens


def tree_with_hole(text: str, start: str, hole: str) -> Tree[Token] | None:
    """Parse unfinished text followed by a hole; return None if no name can follow."""
    before = DECLARES.set(start == "file")
    try:
        parser, tokens = _read(text, start)
        last = tokens[-1] if tokens else Token("NAME", "", 0, 1, 1, 1, 1, 0)
        following, value = "NAME", hole
        for _ in range(_LONGEST):
            tree: Tree[Token] = parser.feed_token(Token.new_borrow_pos(following, value, last))
            if following == "$END":
                return tree
            following = _closing(parser)
            value = _TEXTS.get(following) or spelled().get(following, "")
    except (UnexpectedInput, DedentError):
        pass
    finally:
        DECLARES.reset(before)
    return None


def _closing(parser: InteractiveParser) -> str:
    accepted = parser.accepts()  # type: ignore[no-untyped-call] # lark's
    return next((each for each in _CLOSING if each in accepted), "$END")


def _ends_at_margin(text: str, start: str) -> bool:
    return start == "file" and (not text or text.endswith("\n"))
