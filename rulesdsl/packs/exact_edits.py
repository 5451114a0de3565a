"""From edits as the checks know them to edits of files.

A check knows the rules that a string of a TOML file says, and not how the string is written. So
its edits are made exact once, when a report is made: the word that is meant is found in its
stretch, and text inside a string is escaped as that string wants it. What cannot be written there
is left out, and so is a fix whose word is not where it should be.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.packs.toml_file import TooMuchError, read_toml
from rulesdsl.packs.toml_spans import TomlIndex
from rulesdsl.source.editing import stretch_of
from rulesdsl.source.span import Span
from rulesdsl.syntax.grammar import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.fix import Edit, Fix
    from rulesdsl.source.span import SourceFile

_SPECIAL = re.compile(r"""["'\\\x00-\x1f\x7f]""")
_WORD = re.compile(r"[\w'-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def exact_fixes(
    found: Iterable[Diagnostic], sources: Mapping[str, SourceFile]
) -> tuple[Diagnostic, ...]:
    """Return findings with fixes that say exactly what each file will say."""
    files: dict[str, _File] = {}
    return tuple(each if not each.fixes else _exact(each, sources, files) for each in found)


def _exact(
    found: Diagnostic, sources: Mapping[str, SourceFile], files: dict[str, _File]
) -> Diagnostic:
    fixes = []
    for fix in found.fixes:
        edits = tuple(_edits(fix, sources, files))
        if edits and len(edits) == len(fix.edits):
            safe = fix.safe and not any(_swaps_words(each, sources) for each in edits)
            fixes.append(attrs.evolve(fix, edits=edits, safe=safe))
    return attrs.evolve(found, fixes=tuple(fixes))


def _swaps_words(edit: Edit, sources: Mapping[str, SourceFile]) -> bool:
    """Whether an edit puts other words in the place of a word of the language that is spelt right.

    What its author wrote has a meaning then, and nobody knows whether that or the rest is wrong.
    """
    text = sources[edit.span.file].text
    start, end = stretch_of(text, edit.span)
    old, new = (Counter(_WORD.findall(each)) for each in (text[start:end], edit.text))
    return bool(new - old) and any(map(is_word, old - new))


def _edits(fix: Fix, sources: Mapping[str, SourceFile], files: dict[str, _File]) -> Iterator[Edit]:
    """Yield the edits that can be made, exactly."""
    for edit in fix.edits:
        path = edit.span.file
        if path in sources:
            file = files.setdefault(path, _File(sources[path]))
            exact = file.exact(edit)
            if exact is not None:
                yield exact


def _escaped(sign: str, fence: str) -> str:
    if sign == "'" or (sign == "\n" and fence == '"""'):
        return sign
    return _ESCAPES.get(sign, f"\\u{ord(sign):04X}")


@attrs.define(slots=False)
class _File:
    """A file that edits are made in."""

    source: SourceFile

    def exact(self, edit: Edit) -> Edit | None:
        """Return an edit of this file as the file is written; None where it cannot be made."""
        try:
            start, end = stretch_of(self.source.text, edit.span)
        except ValueError:
            return None
        span = edit.span
        if edit.word:
            found = [
                *re.finditer(
                    rf"(?<![\w-]){re.escape(edit.word)}(?![\w-])", self.source.text[start:end]
                )
            ]
            if len(found) != 1:
                return None
            start, end = start + found[0].start(), start + found[0].end()
            span = self._span(start, end)
        text = self._written(start, end, edit.text)
        return None if text is None else attrs.evolve(edit, span=span, text=text, word="")

    def _written(self, start: int, end: int, said: str) -> str | None:
        """Return how a text is written at a place: escaped inside of a string of TOML."""
        if not _SPECIAL.search(said) or not self.source.path.endswith(".toml"):
            return said
        fence = next((quote for at, to, quote in self._strings if at <= start and end <= to), "")
        match fence:
            case "":
                return said
            case "'":
                return None if re.search(r"['\x00-\x1f\x7f]", said) else said
            case "'''":
                return None if re.search(r"'|[\x00-\x08\x0b-\x1f\x7f]", said) else said
            case _:
                return _SPECIAL.sub(lambda found: _escaped(found[0], fence), said)

    @cached_property
    def _strings(self) -> tuple[tuple[int, int, str], ...]:
        """The strings of the file: where their insides begin and end, and their quotes."""
        try:
            read_toml(self.source.text)
        except (tomllib.TOMLDecodeError, TooMuchError):
            return ()
        return tuple(TomlIndex(self.source.text, self.source.path).strings())

    def _span(self, start: int, end: int) -> Span:
        text = self.source.text
        first, last = (
            (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for at in (start, end)
        )
        return Span(self.source.path, *first, *last)
