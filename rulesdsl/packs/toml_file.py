"""One TOML file: its values, and where each of them is."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import TypeAlias

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.toml_spans import Path, TomlIndex, toml_error_span
from rulesdsl.source.diagnostic import Diagnostic, Findings, Related
from rulesdsl.source.editing import edited
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import SourceFile, Span

TomlTable: TypeAlias = dict[str, object]

MAX_DEPTH = 32
_MOST_DOTS = 300
_MOST_BITS = 1000
_TOO_DEEP = f"Tables and lists are nested more than {MAX_DEPTH} deep"
_TOO_LONG = "A number in this file is far too long"

# Looked for before tomllib sees the text: the time that it takes grows with the square of the
# length of a dotted key, and a key of a megabyte would stop everything. Far more than the depth
# that is allowed, so that no sentence in a comment looks like such a key.
_ENDLESS_KEY = re.compile(
    rf"""(?<![A-Za-z0-9_-])
    (?: (?: [A-Za-z0-9_-]++ | "[^"\n]*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){{{_MOST_DOTS}}}""",
    re.VERBOSE,
)
# A line whose value is a text that lacks quotation marks, or has others than TOML's.
_UNQUOTED = re.compile(
    r"""\s*[\w.-]+\s*=\s*
    (?P<said>["'\u201c\u201e]?(?P<text>[^\s"'\[\]{}#\u201c\u201d\u201e][^"'\[\]{}#\u201c\u201d\u201e]*?)["'\u201c\u201d]?)
    \s*(?:\#.*)?""",
    re.VERBOSE,
)
_TWICE = re.compile(r"Cannot declare \((.*)\) twice")
_NAME_OF_KEY = re.compile(r"""['"]([^'"]*)['"]""")
_STRING = re.compile(r"""\"(?:\\.|[^"\\])*\"|'[^']*'""")
_SPECIAL_SPACE = re.compile("[\u00a0\u2000-\u200b\u202f\u3000\ufeff]+")
_PLACE = re.compile(r" \(at [^)]*\)$")
_IN_OTHER_WORDS = {"Illegal character '\\n'": "The line ends inside a text"}
_ADVICE_AT_END = "The file ends too early: something that was opened is not closed."
_ADVICE = {
    "Invalid value": "A text needs quotation marks; a whole number, true and false do not.",
    "Cannot overwrite a value": "This name already has a value in the same table.",
    "Expected '=' after a key in a key/value pair": "A line reads: name = value",
    "Illegal character '\\n'": "The quotation mark that closes the text is missing.",
    "Unclosed array": "The bracket that closes the list is missing.",
    "Unclosed inline table": "The brace that closes the table is missing.",
    "Unterminated string": "The quotation mark that closes the text is missing.",
    "Unescaped '\\' in a string": "Write a backslash twice.",
}


@attrs.frozen
class TomlFile:
    """A TOML file that could be read. `path` is relative to its pack."""

    path: str
    data: TomlTable
    index: TomlIndex = attrs.field(repr=False, eq=False)
    source: SourceFile

    def at(self, path: Path) -> object | None:
        """Return the value at a path, or `None` if the file has none."""
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


KEPT_FILES = 400  # the largest game that we ship has 60 with its mods


class TooMuchError(ValueError):
    """A text that may be TOML, and is beyond what is read; `at` is where in the text."""

    def __init__(self, message: str, at: int = 0) -> None:
        self.at = at
        super().__init__(message)


def read_toml(text: str) -> TomlTable:
    """Return the values of a text; every TOML that is not our own goes through here.

    Raises ValueError: TOMLDecodeError for what is no TOML, TooMuchError for what is too deep, or
    has numbers that are too long.
    """
    endless = _ENDLESS_KEY.search(text)
    if endless:
        raise TooMuchError(_TOO_DEEP, endless.start())
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise TooMuchError(_TOO_DEEP) from None
    except ValueError:  # Python refuses to read a number of thousands of digits
        raise TooMuchError(_TOO_LONG) from None
    _check_bounds(data)
    return data


def parse_toml(path: str, source: SourceFile, findings: Findings) -> TomlFile | None:
    """Read a text as TOML; `None`, reported, where it is not. Nothing changes what was read."""
    file, wrong = _parse_toml(path, source)
    findings.extend(wrong)
    return file


@lru_cache(KEPT_FILES)
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
    except TooMuchError as error:
        line = text.count("\n", 0, error.at) + 1
        column = error.at - text.rfind("\n", 0, error.at)
        findings.report("E002", Span(file, line, column, line, column + 1), f"{error}.")
        return None
    return TomlFile(path, data, TomlIndex(text, file), source)


def _report(text: str, file: str, error: tomllib.TOMLDecodeError, findings: Findings) -> None:
    """Report why a text is no TOML."""
    span = toml_error_span(text, error, file)
    special = _special_space(text, span)
    if special is not None:
        fix = Fix("Write a plain blank", (Edit(special, " "),), safe=True)
        findings.report("E002", special, *wording.special_space(), fixes=[fix])
        return
    why = _PLACE.sub("", str(error))
    twice = _TWICE.fullmatch(why)
    if twice is not None:
        name = ".".join(_NAME_OF_KEY.findall(twice[1]))
        first = _header(text, name, span)
        related = [Related(first, "the first one")] if first else []
        findings.report("E002", span, *wording.table_twice(name), related)
        return
    said = _IN_OTHER_WORDS.get(why, why)
    at_end = str(error).endswith("(at end of document)")
    advice = _ADVICE_AT_END if at_end else _ADVICE.get(why, "")
    findings.report("E002", span, *wording.not_toml(said, advice), fixes=_quoted(text, span))


def _special_space(text: str, span: Span) -> Span | None:
    """Return where on the line of an error a special space is in the place of a plain one."""
    line = text.split("\n")[span.line - 1]
    found = next((each for each in _SPECIAL_SPACE.finditer(_STRING.sub(_blank, line))), None)
    if found is None:
        return None
    return Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1)


def _blank(found: re.Match[str]) -> str:
    return "." * len(found[0])


def _header(text: str, name: str, second: Span) -> Span | None:
    """Return where a table is written before the line on which it is for the second time."""
    for number, line in enumerate(text.split("\n")[: second.line - 1], 1):
        if re.sub(r"[\s\"']|#.*", "", line) == f"[{name}]":
            return Span(second.file, number, 1, number, len(line.rstrip()) + 1)
    return None


def _quoted(text: str, span: Span) -> list[Fix]:
    """Return the fix of a text whose quotation marks are missing, if the file can be read then."""
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
    """Raise TooMuchError where tables are nested deeper, or numbers longer, than people write."""
    level: list[object] = [data]
    for _ in range(MAX_DEPTH + 1):
        if any(isinstance(each, int) and each.bit_length() > _MOST_BITS for each in level):
            raise TooMuchError(_TOO_LONG)
        level = [below for value in level for below in _below(value)]
        if not level:
            return
    raise TooMuchError(_TOO_DEEP)


def _below(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
