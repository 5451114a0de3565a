"""Where in a TOML text each key, each value and each character of a string is.

`tomllib` reads values and says nothing of places. What it has accepted is known to be TOML, so
one quick scan, which checks nothing, is enough to find the places again. A path is the way to a
value: names of keys, and numbers for the elements of arrays and arrays of tables.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator

from rulesdsl.source.span import Span

Path = tuple[str | int, ...]
_Range = tuple[int, int]

_GAP = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'  # up to two quotes may be right before the closing three
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
    """The places of a text that `tomllib` has accepted; `file` is the name in the spans.

    A path that the text lacks is where its table is.
    """

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._lines = [0, *(newline.end() for newline in re.finditer("\n", text))]
        scan = _Scan(text)
        scan.run()
        self._strings: dict[Path, tuple[tuple[int, int], ...]] = {}  # those that were asked for
        self._keys = scan.keys
        self._values = scan.values
        self._written = scan.written

    def has(self, path: Path) -> bool:
        """Tell whether the text has a value at a path."""
        return path in self._values

    def key_span(self, path: Path) -> Span:
        """Return where the last key of the path is written; for an element, the element."""
        if path in self._keys:
            return self._span(self._keys[path])
        return self.span(path)

    def key_spans(self, path: Path) -> tuple[Span, ...]:
        """Return every place where the last key of a path is written: `a.b = 1`, `a.c = 2`."""
        return tuple(self._span(each) for each in self._written.get(path, ()))

    def span(self, path: Path) -> Span:
        """Return where the value is written; for a table with a header, its header."""
        while path not in self._values and path:
            path = path[:-1]
        return self._span(self._values.get(path, (0, 0)))

    def string_map(self, path: Path) -> tuple[tuple[int, int], ...]:
        """Return line and column of every character of the string, and last of its end.

        `KeyError` if the text has no value there.
        """
        found = self._strings.get(path)
        if found is None:
            start, end = self._values[path]
            found = tuple(self._position(at) for at in _characters(self._text, start, end))
            self._strings[path] = found
        return found

    def strings(self) -> Iterator[tuple[int, int, str]]:
        """Yield where the inside of each string begins and ends in the text, and its quotes."""
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


def toml_error_span(text: str, error: tomllib.TOMLDecodeError, file: str) -> Span:
    """Return the character at which `tomllib` gave up, or the end of what is written."""
    place = _ERROR_PLACE.search(str(error))
    if place:
        line, column = int(place[1]), int(place[2])
        return Span(file, line, column, line, column + 1)
    written = text.rstrip()
    line, column = written.count("\n") + 1, len(written) - (written.rfind("\n") + 1) + 1
    return Span(file, line, column, line, column)


class _Scan:
    """One walk over the text that notes the stretch of each key and each value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.keys: dict[Path, _Range] = {}
        self.values: dict[Path, _Range] = {}
        self.written: dict[Path, list[_Range]] = {}
        self._elements: dict[Path, int] = {}  # how many tables an array of tables has so far

    def run(self) -> None:
        table: Path = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._entry(table)
            self._skip(_GAP)

    def _header(self) -> Path:
        """Read `[a.b]` or `[[a.b]]`, and return the table that the lines below it fill."""
        start = self.at
        brackets = 2 if self.text.startswith("[[", start) else 1
        self.at += brackets
        *outer, (name, place) = self._key()
        self._skip(_GAP)
        self.at += brackets
        whole = (start, self.at)
        path: Path = ()
        for part, part_place in outer:
            path = self._imply((*path, part), part_place)
        path = (*path, name)
        self._note(path, place)
        if brackets == 1:
            self.keys[path], self.values[path] = place, whole
            return path
        self.keys.setdefault(path, place)
        self.values.setdefault(path, whole)
        number = self._elements.get(path, 0)
        self._elements[path] = number + 1
        element = (*path, number)
        self.keys[element], self.values[element] = place, whole
        return element

    def _imply(self, path: Path, place: _Range) -> Path:
        """Note a table that is only passed through; in an array of tables, it is the last one."""
        self._note(path, place)
        self.keys.setdefault(path, place)
        self.values.setdefault(path, place)
        return (*path, self._elements[path] - 1) if path in self._elements else path

    def _note(self, path: Path, place: _Range) -> None:
        self.written.setdefault(path, []).append(place)

    def _entry(self, table: Path) -> None:
        """Read `a.b = value`."""
        *outer, (name, place) = self._key()
        path = table
        for part, part_place in outer:
            path = self._imply((*path, part), part_place)
        path = (*path, name)
        self._note(path, place)
        self.keys[path] = place
        self._skip(_GAP)
        self.at += len("=")
        self._skip(_GAP)
        self._value(path)

    def _key(self) -> list[tuple[str, _Range]]:
        """Read a key with its dots."""
        parts: list[tuple[str, _Range]] = []
        self._skip(_GAP)
        while True:
            stretch = self._skip(_KEY)
            parts.append((_name(self.text[slice(*stretch)]), stretch))
            if not _DOT.match(self.text, self.at):
                return parts
            self._skip(_DOT)

    def _value(self, path: Path) -> None:
        start = self.at
        match self.text[start]:
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
        self.values[path] = (start, self.at)

    def _members(self, closing: str) -> Iterator[int]:
        """Go through an array or an inline table; whoever iterates reads the member itself."""
        self.at += 1
        self._skip(_GAP)
        number = 0
        while self.text[self.at] != closing:
            yield number
            number += 1
            self._skip(_GAP)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(_GAP)
        self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> _Range:
        """Go past what the pattern matches here, and return the stretch."""
        found = pattern.match(self.text, self.at)
        assert found, f"not TOML at offset {self.at}"
        self.at = found.end()
        return found.span()


def _name(written: str) -> str:
    """Return the key without quotes and escapes."""
    if written[0] not in "\"'":
        return written
    (name,) = tomllib.loads(f"{written} = 0")
    return name


def _quotes(text: str, start: int, end: int) -> int:
    """Return how many quotation marks open and close a string literal."""
    several = text.startswith(text[start] * 3, start) and end - start >= len('""""""')
    return 3 if several else 1


def _characters(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offset of every character of a string literal, and last that of its end."""
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
