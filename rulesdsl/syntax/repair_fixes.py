"""Fixes for a line that cannot be read: only what lets the reader come further is offered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import attrs
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from rulesdsl.source.fix import Edit, Fix
from rulesdsl.syntax.grammar import parse
from rulesdsl.syntax.habits import uses_as_name

if TYPE_CHECKING:
    from rulesdsl.syntax.places import Places

MOST_FIXES = 3  # house: as many as there are names offered for a misspelt one
MOST_TRIED = 15  # readings of a declaration, each a millisecond
LINES_READ = 3  # the line itself, and what tells whether the next ones belong to it

Change = tuple[int, int, str]  # where it begins and ends in the text, and what takes its place
Idea = tuple[Change, bool, Sequence[Change]]  # whether it is sure, but for others


@attrs.frozen
class LineFixes:
    """The text of which a line cannot be read, as it was and as it is under repair."""

    original: Sequence[str]
    lines: Sequence[str]
    places: Places
    start: str

    def start_of(self, index: int) -> int:
        """Return the offset of a line in the text."""
        return sum(len(each) + 1 for each in self.lines[:index])

    def readable(
        self,
        changes: Iterable[Change],
        *,
        sure: bool = False,
        every: bool = False,
        whole: bool = False,
    ) -> tuple[Fix, ...]:
        """Return as fixes the changes after which the text can be read further.

        That is the first one, or `every` one of the first few; only one alone is ever sure. With
        `whole` the line with the change has to be readable to its end.
        """
        text = "\n".join(self.lines) + "\n"
        stop = self._stop(text)
        found: list[Fix] = []
        for tried, change in enumerate(changes):
            if tried == MOST_TRIED or len(found) == MOST_FIXES:
                break
            fix = self._fix(text, stop, change, sure=sure, whole=whole)
            if fix is not None and fix not in found:
                found.append(fix)
                if not every:
                    break
        return tuple(found if len(found) == 1 else (attrs.evolve(e, safe=False) for e in found))

    def of_line(
        self, index: int, changes: Iterable[Change], *, sure: bool = False, every: bool = False
    ) -> tuple[Fix, ...]:
        """Return as fixes those changes of a line after which it can be read to its end."""
        at = self.start_of(index)
        moved = ((start + at, end + at, new) for start, end, new in changes)
        return self.readable(moved, sure=sure, every=every, whole=True)

    def first_of_line(self, index: int, ideas: Iterable[Idea]) -> tuple[Fix, ...]:
        """Return the fix of a line that the first idea makes after which it can be read.

        Where none does, there may be another slip in the line: then it is the first sure one that
        lets the reader come further. One that has a rival that can be read as well is not sure.
        """
        some = [*islice(ideas, MOST_TRIED)]
        for change, sure, rivals in some:
            found = self.of_line(index, [change])
            if found:
                safe = sure and not any(self.of_line(index, [rival]) for rival in rivals)
                return tuple(attrs.evolve(each, safe=safe) for each in found)
        at = self.start_of(index)
        for (start, end, new), sure, _ in some:
            found = self.readable([(at + start, at + end, new)], sure=True) if sure else ()
            if found:
                return found
        return ()

    def renamed(self, index: int, start: int, word: str, name: str) -> tuple[Fix, ...]:
        """Return the fix of another name for what a word of the language names on a line."""
        text = "\n".join(self.lines) + "\n"
        place = self.start_of(index) + start
        uses = uses_as_name(word).finditer(text, place + len(word))
        places = [place, *(each.start() for each in uses)]
        after = text
        for at in reversed(places):
            after = after[:at] + name + after[at + len(word) :]
        edits = [self._edit(text, (at, at + len(word), name)) for at in places]
        if self._stop(after) <= self._stop(text) or None in edits:
            return ()
        return (Fix(f"Call it `{name}`", tuple(each for each in edits if each)),)

    def _fix(self, text: str, stop: int, change: Change, *, sure: bool, whole: bool) -> Fix | None:
        start, end, new = change
        after = text[:start] + new + text[end:]
        least = max(_moved(stop, change), after.find("\n", start + len(new)) if whole else 0)
        if after == text or self._stop(_beginning(after, least)) <= least:
            return None
        edit = self._edit(text, change)
        return None if edit is None else Fix(_title(text[start:end], new), (edit,), sure)

    def _stop(self, text: str) -> int:
        """Return the offset at which a reader stops; beyond the end where it does not."""
        try:
            parse(text, self.start)
        except UnexpectedToken as error:
            return len(text) if error.token.type == "$END" else error.token.start_pos or 0
        except UnexpectedCharacters as error:
            lines = text.split("\n")[: error.line - 1]
            return sum(len(each) + 1 for each in lines) + error.column - 1
        except (UnexpectedInput, DedentError):
            return 0
        return len(text) + 1

    def _edit(self, text: str, change: Change) -> Edit | None:
        """Return a change as one of the file; None where repair has changed the lines already."""
        start, end, new = change
        while start < end and new and text[start] == new[0]:  # what stays is not changed
            start, new = start + 1, new[1:]
        while start < end and new and text[end - 1] == new[-1]:
            end, new = end - 1, new[:-1]
        first, last = (text.count("\n", 0, at) for at in (start, end))
        for index in range(first, last + 1):
            gone = self.places.moved.get(index + 1, 0)
            if self.original[index] != " " * gone + self.lines[index]:
                return None
        line_starts = [text.rfind("\n", 0, at) + 1 for at in (start, end)]
        span = self.places.stretch(
            (first + 1, start - line_starts[0] + 1), (last + 1, end - line_starts[1] + 1)
        )
        return None if span is None else Edit(span, new)


def _beginning(text: str, enough: int) -> str:
    """Return a text up to a few lines after a place: more need not be read, however long it is."""
    for _ in range(LINES_READ):
        enough = text.find("\n", enough) + 1 or len(text)
    return text[:enough]


def _moved(stop: int, change: Change) -> int:
    """Return where a place of a text is after a change; within it, it is at its end."""
    start, end, new = change
    if stop < start:
        return stop
    return start + len(new) + max(0, stop - end)


def _title(old: str, new: str) -> str:
    """Return what a change does in a few words."""
    before, after = (" ".join(each.split()) for each in (old, new))
    if not before and old.strip(" "):
        return "Write a plain blank"
    if not before:
        return f"Insert `{after}`" if after else f"Indent it by {len(new)}"
    if before == after:
        more = new.count("\n") > old.count("\n")
        return "Put it on a line of its own" if more else "Indent it like the lines above"
    return f"Change `{before}` to `{after}`" if after else f"Remove `{before}`"
