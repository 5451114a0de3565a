"""One TOML file: its values, and where each of them stands."""

from __future__ import annotations

import re
import tomllib
from typing import TypeAlias

import attrs

from rulesdsl.packs.toml_spans import Path, TomlIndex, index, toml_error_span
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import SourceFile, Span

TomlTable: TypeAlias = dict[str, object]

MOST_DEPTH = 32
_MOST_DOTS = 300

# Looked for before tomllib sees the text: the time that it takes grows with the square of the
# length of a dotted key, and a key of a megabyte would stop everything. Far more than the depth
# that is allowed, so that no sentence in a comment looks like such a key.
_ENDLESS_KEY = re.compile(
    rf"""(?<![A-Za-z0-9_-])
    (?: (?: [A-Za-z0-9_-]++ | "[^"\n]*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){{{_MOST_DOTS}}}""",
    re.VERBOSE,
)
_PLACE = re.compile(r" \(at [^)]*\)$")
_ADVICE_AT_END = "The file ends too early: something that was opened is not closed."
_ADVICE = {
    "Invalid value": "A text stands in quotation marks; a whole number, true and false do not.",
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


def parse_toml(path: str, source: SourceFile, findings: Findings) -> TomlFile | None:
    """Read a text as TOML; `None`, reported, where it is not."""
    text, file = source.text, source.path
    endless = _ENDLESS_KEY.search(text)
    if endless:
        line = text.count("\n", 0, endless.start()) + 1
        column = endless.start() - text.rfind("\n", 0, endless.start())
        _report_depth(Span(file, line, column, line, column + 1), findings)
        return None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = _PLACE.sub("", str(error))
        message = f"This is not TOML: {reason[:1].lower()}{reason[1:]}."
        at_end = str(error).endswith("(at end of document)")
        advice = _ADVICE_AT_END if at_end else _ADVICE.get(reason, "")
        findings.report("E002", toml_error_span(text, error, file), message, advice)
        return None
    except RecursionError:
        _report_depth(Span(file, 1, 1, 1, 1), findings)
        return None
    except ValueError:  # Python refuses to read a number of thousands of digits
        findings.report("E002", Span(file, 1, 1, 1, 1), "A number in this file is far too long.")
        return None
    if _is_deep(data):
        _report_depth(Span(file, 1, 1, 1, 1), findings)
        return None
    return TomlFile(path, data, index(text, file), source)


def _report_depth(span: Span, findings: Findings) -> None:
    message = f"Tables and lists stand more than {MOST_DEPTH} deep inside each other."
    findings.report("E002", span, message)


def _is_deep(data: TomlTable) -> bool:
    """Tell whether tables and lists are nested deeper than any table that people write."""
    level: list[object] = [data]
    for _ in range(MOST_DEPTH + 1):
        level = [below for value in level for below in _below(value)]
        if not level:
            return False
    return True


def _below(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
