"""TOML files with the span of every key and value, and edits at exact positions."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

import attrs

from rulesdsl.packs import wording
from rulesdsl.source.diagnostics import (
    Diagnostic,
    Edit,
    Findings,
    Fix,
    Related,
    edited,
    stretch_of,
)
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.syntax.lexer import is_word

KeyPath = tuple[str | int, ...]
_Range = tuple[int, int]

_GAP = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'  # up to two quotes may precede the closing three
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\r\n]*[^,\]}#\s]")
_FIRST_NEWLINE = re.compile(r"\r?\n")
_CHARACTER = re.compile(r"\r\n|.", re.DOTALL)
_ESCAPED = re.compile(
    r"(?P<nothing>\\[ \t]*\r?\n[ \t\r\n]*)"
    r"|\\u.{4}|\\U.{8}|\\x.{2}|\\.|\r\n|.",
    re.DOTALL,
)
_ERROR_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")


class TomlIndex:
    """Spans of the keys and values in a file with valid TOML.

    `tomllib` does not return positions, so they are found by a second scan, which relies on the
    text being valid. A path consists of keys and of indexes into arrays. A missing path has the
    span of the nearest table around it.
    """

    def __init__(self, source: SourceFile) -> None:
        self.language = source.language
        self._text = source.text
        self._file = source.path
        self._lines = [0, *(newline.end() for newline in re.finditer("\n", source.text))]
        self._at = 0
        self._keys: dict[KeyPath, _Range] = {}
        self._values: dict[KeyPath, _Range] = {}
        self._written: dict[KeyPath, list[_Range]] = {}  # all occurrences of keys
        self._elements: dict[KeyPath, int] = {}  # lengths so far of arrays of tables
        self._strings: dict[KeyPath, tuple[tuple[int, int], ...]] = {}  # computed on demand
        self._scan()

    def has(self, path: KeyPath) -> bool:
        """Return true if the text has a value at a path."""
        return path in self._values

    def key_span(self, path: KeyPath) -> Span:
        """Return the span of the path's last key, or of the element itself in an array."""
        return self._span(self._keys[path]) if path in self._keys else self.span(path)

    def key_spans(self, path: KeyPath) -> tuple[Span, ...]:
        """Return the spans of all occurrences of a path's last key (`a.b = 1`, `a.c = 2`)."""
        return tuple(self._span(each) for each in self._written.get(path, ()))

    def span(self, path: KeyPath) -> Span:
        """Return the span of a value; for a table with a header, that of the header."""
        while path not in self._values and path:
            path = path[:-1]
        return self._span(self._values.get(path, (0, 0)))

    def string_map(self, path: KeyPath) -> tuple[tuple[int, int], ...]:
        """Return the line and column of each character in a string, and of the string's end.

        Raise `KeyError` if the text has no value at the path.
        """
        if path not in self._strings:
            offsets = _characters(self._text, *self._values[path])
            self._strings[path] = tuple(map(self._position, offsets))
        return self._strings[path]

    def strings(self) -> Iterator[tuple[int, int, str]]:
        """Yield the start and end of each string's content, and its quotation marks."""
        for start, end in self._values.values():
            quote = self._text[start : start + 1]
            if quote in {'"', "'"}:
                fence = quote * _quotes(self._text, start, end)
                yield start + len(fence), end - len(fence), fence

    def _span(self, stretch: _Range) -> Span:
        start, end = stretch
        return Span(self._file, *self._position(start), *self._position(end))

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    # ---------------------------------------------------------------- scan
    def _scan(self) -> None:
        table: KeyPath = ()
        self._skip(_GAP)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._entry(table)
            self._skip(_GAP)

    def _header(self) -> KeyPath:
        """Read `[a.b]` or `[[a.b]]`, and return the path of its table."""
        start = self._at
        brackets = 2 if self._text.startswith("[[", start) else 1
        self._at += brackets
        path, place = self._key(())
        self._skip(_GAP)
        self._at += brackets
        whole = (start, self._at)
        if brackets == 1:
            self._keys[path], self._values[path] = place, whole
            return path
        self._keys.setdefault(path, place)
        self._values.setdefault(path, whole)
        number = self._elements.get(path, 0)
        self._elements[path] = number + 1
        element = (*path, number)
        self._keys[element], self._values[element] = place, whole
        return element

    def _entry(self, table: KeyPath) -> None:
        """Read `a.b = value`."""
        path, self._keys[path] = self._key(table)
        self._skip(_GAP)
        self._at += len("=")
        self._skip(_GAP)
        self._value(path)

    def _key(self, path: KeyPath) -> tuple[KeyPath, _Range]:
        """Read a dotted key below a path; record the tables that it implies."""
        self._skip(_GAP)
        while True:
            place = self._skip(_KEY)
            path = (*path, _name(self._text[slice(*place)]))
            self._written.setdefault(path, []).append(place)
            if not _DOT.match(self._text, self._at):
                return path, place
            self._skip(_DOT)
            self._keys.setdefault(path, place)
            self._values.setdefault(path, place)
            if path in self._elements:  # the last one of an array of tables
                path = (*path, self._elements[path] - 1)

    def _value(self, path: KeyPath) -> None:
        start = self._at
        match self._text[start]:
            case "[":
                for number in self._members("]"):
                    self._value((*path, number))
            case "{":
                for _ in self._members("}"):
                    self._entry(path)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                self._skip(_SCALAR)
        self._values[path] = (start, self._at)

    def _members(self, closing: str) -> Iterator[int]:
        """Yield the index of each member of an array or inline table; the caller reads it."""
        self._at += 1
        self._skip(_GAP)
        number = 0
        while self._text[self._at] != closing:
            yield number
            number += 1
            self._skip(_GAP)
            if self._text[self._at] == ",":
                self._at += 1
                self._skip(_GAP)
        self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> _Range:
        found = pattern.match(self._text, self._at)
        assert found, "the text is valid"
        self._at = found.end()
        return found.span()


def toml_error_span(text: str, error: tomllib.TOMLDecodeError, file: str) -> Span:
    """Return the position of a `tomllib` error; without one, the end of the text."""
    place = _ERROR_PLACE.search(str(error))
    if place:
        line, column = int(place[1]), int(place[2])
        return Span(file, line, column, line, column + 1)
    written = text.rstrip()
    line, column = written.count("\n") + 1, len(written) - (written.rfind("\n") + 1) + 1
    return Span(file, line, column, line, column)


def unescaped(written: str) -> str:
    """Return a name in a table without its quotes and escapes, if they are right."""
    bare = "\\" in written and written[:1] != '"'
    try:
        return _name(f'"{written}"' if bare else written)
    except ValueError:
        return written


def _name(written: str) -> str:
    if written[0] not in "\"'":
        return written
    (name,) = tomllib.loads(f"{written} = 0")
    return name


def _quotes(text: str, start: int, end: int) -> int:
    several = text.startswith(text[start] * 3, start) and end - start >= len('""""""')
    return 3 if several else 1


def _characters(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offset of each character in a string literal, and of the literal's end."""
    quote = text[start]
    fence = _quotes(text, start, end)
    start, end = start + fence, end - fence
    if fence > 1 and (newline := _FIRST_NEWLINE.match(text, start)):
        start = newline.end()
    pattern = _ESCAPED if quote == '"' else _CHARACTER
    for found in pattern.finditer(text, start, end):
        if found.lastgroup is None:
            yield found.start()
    yield end


TomlTable: TypeAlias = dict[str, object]

MAX_DEPTH = 32
_MOST_DOTS = 300
_MOST_BITS = 1000
_TOO_DEEP = f"Tables and lists are nested more than {MAX_DEPTH} levels deep"
_TOO_LONG = "A number in this file is far too long"

# Checked before tomllib runs, since its time is quadratic in the length of a dotted key. The limit
# is far above the allowed depth, so that text in a comment does not match.
_ENDLESS_KEY = re.compile(
    rf"""(?<![A-Za-z0-9_-])
    (?: (?: [A-Za-z0-9_-]++ | "[^"\n]*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){{{_MOST_DOTS}}}""",
    re.VERBOSE,
)
# A line whose value is a text without quotation marks, or with typographic ones; `1,5` is no text.
_UNQUOTED = re.compile(
    r"""\s*[\w.-]+\s*=\s* (?!\d+,\d+\s*(?:\#|$))
    (?P<said>["'\u201c\u201e]?(?P<text>[^\s"'\[\]{}#\u201c\u201d\u201e][^"'\[\]{}#\u201c\u201d\u201e]*?)["'\u201c\u201d]?)
    \s*(?:\#.*)?""",
    re.VERBOSE,
)
_TWICE = re.compile(r"Cannot declare \((.*)\) twice")
_NAME_OF_KEY = re.compile(r"""['"]([^'"]*)['"]""")
_STRING_LITERAL = re.compile(r"""\"(?:\\.|[^"\\])*\"|'[^']*'""")
_SPECIAL_SPACE = re.compile("[\u00a0\u2000-\u200b\u202f\u3000\ufeff]+")
_PLACE = re.compile(r" \(at [^)]*\)$")
_IN_OTHER_WORDS = {"Illegal character '\\n'": "the line ends inside quotation marks"}
_ADVICE_AT_END = "The file ends too early: something that was opened is not closed."
_ADVICE = {
    "Invalid value": "Text needs quotation marks; whole numbers, true and false do not.",
    "Expected newline or end of document after a statement": (
        "Text needs quotation marks; a number must be whole, without a decimal point or comma."
    ),
    "Cannot overwrite a value": "This name already has a value in the same table.",
    "Expected '=' after a key in a key/value pair": "Write each value as: name = value",
    "Illegal character '\\n'": "The quotation mark that closes the text is missing.",
    "Unclosed array": "The bracket that closes the list is missing.",
    "Unclosed inline table": "The brace that closes the table is missing.",
    "Unterminated string": "The quotation mark that closes the text is missing.",
    "Unescaped '\\' in a string": "Write a backslash twice.",
}


@attrs.frozen
class TomlFile:
    """A valid TOML file. `path` is relative to its pack."""

    path: str
    data: TomlTable
    index: TomlIndex = attrs.field(repr=False, eq=False)
    source: SourceFile

    def at(self, path: KeyPath) -> object | None:
        """Return the value at a path, or `None`."""
        value: object = self.data
        for step in path:
            match value, step:
                case dict(), str() if step in value:
                    value = value[step]
                case list(), int() if step < len(value):
                    value = value[step]
                case _:
                    return None
        return value


CACHED_FILES = 400  # house: the largest game has 60, including its mods


class TomlLimitError(ValueError):
    """TOML that exceeds the limits; `at` is the offset, or 0 if it is unknown."""

    def __init__(self, message: str, at: int = 0) -> None:
        self.at = at
        super().__init__(message)


def read_toml(text: str) -> TomlTable:
    """Return the values in TOML text; all untrusted TOML is read here.

    Raises ValueError: TOMLDecodeError for invalid TOML, TomlLimitError for excessive nesting or
    excessively long numbers.
    """
    endless = _ENDLESS_KEY.search(text)
    if endless:
        raise TomlLimitError(_TOO_DEEP, endless.start())
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise TomlLimitError(_TOO_DEEP) from None
    except ValueError:  # Python refuses to parse numbers of thousands of digits
        raise TomlLimitError(_TOO_LONG) from None
    _check_bounds(data)
    return data


def parse_toml(path: str, source: SourceFile, findings: Findings) -> TomlFile | None:
    """Parse text as TOML; report invalid TOML and return `None`. Results are cached."""
    file, wrong = _parse_toml(path, source)
    findings.extend(wrong)
    return file


@lru_cache(CACHED_FILES)
def _parse_toml(path: str, source: SourceFile) -> tuple[TomlFile | None, tuple[Diagnostic, ...]]:
    findings = Findings()
    return _parsed(path, source, findings), findings.sorted()


def _parsed(path: str, source: SourceFile, findings: Findings) -> TomlFile | None:
    text, file = source.text, source.path
    try:
        data = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        _report(text, file, error, findings)
        return None
    except TomlLimitError as error:
        line = text.count("\n", 0, error.at) + 1
        column = error.at - text.rfind("\n", 0, error.at)
        span = Span(file, line, column, line, column + 1)
        wording.BEYOND_LIMITS.report(findings, span, why=error)
        return None
    return TomlFile(path, data, TomlIndex(source), source)


def _report(text: str, file: str, error: tomllib.TOMLDecodeError, findings: Findings) -> None:
    span = toml_error_span(text, error, file)
    special = _special_space(text, span)
    if special is not None:
        fix = Fix("Write a plain space", (Edit(special, " "),), safe=True)
        wording.SPECIAL_SPACE.report(findings, special, fixes=[fix])
        return
    why = _PLACE.sub("", str(error))
    twice = _TWICE.fullmatch(why)
    if twice is not None:
        name = ".".join(_NAME_OF_KEY.findall(twice[1]))
        first = _header(text, name, span)
        related = [Related(first, "the first one")] if first else []
        wording.TABLE_TWICE.report(findings, span, related, name=name)
        return
    said = _IN_OTHER_WORDS.get(why, f"{why[:1].lower()}{why[1:]}")
    at_end = str(error).endswith("(at end of document)")
    advice = _ADVICE_AT_END if at_end else _ADVICE.get(why, "")
    wording.NOT_TOML.report(findings, span, advice=advice, fixes=_quoted(text, span), why=said)


def _special_space(text: str, span: Span) -> Span | None:
    """Return the span of a special space outside strings, if the line of an error has one."""
    line = text.split("\n")[span.line - 1]
    found = next(
        (each for each in _SPECIAL_SPACE.finditer(_STRING_LITERAL.sub(_blank, line))), None
    )
    if found is None:
        return None
    return Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1)


def _blank(found: re.Match[str]) -> str:
    return "." * len(found[0])


def _header(text: str, name: str, second: Span) -> Span | None:
    """Return the span of a table's first header above a repeated one, or None."""
    for number, line in enumerate(text.split("\n")[: second.line - 1], 1):
        if re.sub(r"[\s\"']|#.*", "", line) == f"[{name}]":
            return Span(second.file, number, 1, number, len(line.rstrip()) + 1)
    return None


def _quoted(text: str, span: Span) -> list[Fix]:
    """Return the fix for missing quotation marks, if it makes the file valid."""
    line = text.split("\n")[span.line - 1].rstrip("\r")
    found = _UNQUOTED.fullmatch(line)
    if found is None:
        return []
    start, end = found.span("said")
    literal = {"True": "true", "False": "false"}.get(found["said"], f'"{found["text"]}"')
    edit = Edit(Span(span.file, span.line, start + 1, span.line, end + 1), literal)
    after = edited(text, [edit])
    try:
        read_toml(after)
    except ValueError:
        return []
    return [Fix(f"Change `{line[start:end]}` to `{literal}`", (edit,), safe=True)]


def _check_bounds(data: TomlTable) -> None:
    level: list[object] = [data]
    for _ in range(MAX_DEPTH + 1):
        if any(isinstance(each, int) and each.bit_length() > _MOST_BITS for each in level):
            raise TomlLimitError(_TOO_LONG)
        level = [below for value in level for below in _below(value)]
        if not level:
            return
    raise TomlLimitError(_TOO_DEEP)


def _below(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


_SPECIAL = re.compile(r"""["'\\\x00-\x1f\x7f]""")
_WORD = re.compile(r"[\w'-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def exact_fixes(
    found: Iterable[Diagnostic], sources: Mapping[str, SourceFile]
) -> tuple[Diagnostic, ...]:
    """Turn the fixes for findings into exact edits to the files.

    A check knows the rules inside a TOML string, but not the notation of the string. So edits are
    made exact in one place, when a report is made: the word to replace is located within its span,
    and new text is escaped for the enclosing string. A fix is dropped if its text cannot be
    written there, or if its word does not occur exactly once.
    """
    return tuple(each if not each.fixes else _exact(each, sources) for each in found)


def _exact(found: Diagnostic, sources: Mapping[str, SourceFile]) -> Diagnostic:
    fixes = []
    for fix in found.fixes:
        files = [sources.get(each.span.file) for each in fix.edits]
        exact = [
            file and _exact_edit(each, file) for each, file in zip(fix.edits, files, strict=True)
        ]
        edits = tuple(each for each in exact if each)
        if edits and len(edits) == len(fix.edits):
            safe = fix.safe and not any(_swaps_words(each, sources) for each in edits)
            fixes.append(attrs.evolve(fix, edits=edits, safe=safe))
    return attrs.evolve(found, fixes=tuple(fixes))


def _swaps_words(edit: Edit, sources: Mapping[str, SourceFile]) -> bool:
    """Return true if an edit replaces a word of the language with other words.

    The author may have meant that word, so the mistake may be elsewhere.
    """
    text = sources[edit.span.file].text
    start, end = stretch_of(text, edit.span)
    old, new = (Counter(_WORD.findall(each)) for each in (text[start:end], edit.text))
    return bool(new - old) and any(map(is_word, old - new))


def _exact_edit(edit: Edit, source: SourceFile) -> Edit | None:
    try:
        start, end = stretch_of(source.text, edit.span)
    except ValueError:
        return None
    span = edit.span
    if edit.word:
        pattern = rf"(?<![\w-]){re.escape(edit.word)}(?![\w-])"
        found = [*re.finditer(pattern, source.text[start:end])]
        if len(found) != 1:
            return None
        start, end = start + found[0].start(), start + found[0].end()
        span = Span(
            source.path, *_line_and_column(source.text, start), *_line_and_column(source.text, end)
        )
    text = _written(source, start, end, edit.text)
    return None if text is None else attrs.evolve(edit, span=span, text=text, word="")


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _written(source: SourceFile, start: int, end: int, said: str) -> str | None:
    """Escape new text if it is inside a TOML string; return None if that is impossible."""
    if not _SPECIAL.search(said) or not source.path.endswith(".toml"):
        return said
    strings = _strings(source)
    fence = next((quote for at, to, quote in strings if at <= start and end <= to), "")
    if fence in {"", '"', '"""'}:
        return _SPECIAL.sub(lambda found: _escaped(found[0], fence), said) if fence else said
    refused = r"['\x00-\x1f\x7f]" if fence == "'" else r"'|[\x00-\x08\x0b-\x1f\x7f]"
    return None if re.search(refused, said) else said


def _escaped(sign: str, fence: str) -> str:
    if sign == "'" or (sign == "\n" and fence == '"""'):
        return sign
    return _ESCAPES.get(sign, f"\\u{ord(sign):04X}")


@lru_cache(maxsize=2)  # house: consecutive calls are about the same file
def _strings(source: SourceFile) -> tuple[tuple[int, int, str], ...]:
    try:
        read_toml(source.text)
    except ValueError:
        return ()
    return tuple(TomlIndex(source).strings())
