"""The lines of a text under repair: which belongs to which, and moving them about."""

from __future__ import annotations

import re

from rulesdsl.syntax.habits import TEXT

STEP = 4  # blanks that a line is indented below the one it belongs to: the formatter's
_COMMENT = re.compile(r'\A((?:[^"#]|"[^"]*+"?+)*+)#.*')


class RepairLines:
    """Lines that are changed so that a parser can go on after a slip."""

    def __init__(self, text: str, moved: dict[int, int]) -> None:
        self._lines = text.rstrip("\n").split("\n")
        self._moved = moved  # columns by line, from 1
        self._orphans: set[int] = set()  # lines below one that was lost
        self.dropped = False

    def _code(self, index: int) -> str:
        """Return a line without the comment that ends it."""
        return _COMMENT.sub(r"\1", self._lines[index]).rstrip(" \t\r")

    def _open_bracket(self, index: int, column: int, *, later: bool) -> int | None:
        """Return the line of a bracket that is open at a place: one above, or `later` this one."""
        text = [self._code(at) for at in range(index)] + [self._lines[index][: column - 1]]
        still_open: list[int] = []
        for at, line in enumerate(text):
            for sign in TEXT.sub("", line):
                if sign == "(":
                    still_open.append(at)
                elif sign == ")" and still_open:
                    still_open.pop()
        return still_open[-1] if still_open and (later or still_open[-1] < index) else None

    def _indent(self, index: int) -> int:
        line = self._lines[index]
        return len(line) - len(line.lstrip())

    def _next_line(self, index: int) -> int:
        for later in range(index + 1, len(self._lines)):
            if self._code(later).strip():
                return later
        return index

    def _last_line(self, index: int) -> int:
        for earlier in range(index, -1, -1):
            if self._code(earlier).strip():
                return earlier
        return 0

    def _odd_line(self) -> int:
        """Find the first line whose indentation closes no open level."""
        open_levels = [0]
        for index in range(len(self._lines)):
            if not self._code(index).strip():
                continue
            indent = self._indent(index)
            while indent < open_levels[-1]:
                open_levels.pop()
            if indent > open_levels[-1]:
                if index and not self._code(self._last_line(index - 1)).endswith(":"):
                    return index
                open_levels.append(indent)
        for index in range(1, len(self._lines)):
            if self._code(index).strip() and self._indent(index) not in self._levels_above(index):
                return index
        return len(self._lines) - 1

    def _levels_above(self, index: int) -> set[int]:
        last = self._last_line(index - 1)
        if self._indent(index) > self._indent(last):
            return {self._indent(index)}
        return {self._indent(each) for each in range(index) if self._code(each).strip()}

    def _drop_below(self, index: int) -> None:
        """Drop lines below a declaration that has none."""
        self.dropped = True
        while index < len(self._lines) and (self._indent(index) or not self._lines[index].strip()):
            self._lines[index] = ""
            index += 1

    def _shift_right(self, index: int) -> None:
        """Move a line to the level below the line above it."""
        margin = self._indent(self._last_line(index - 1)) + STEP - self._indent(index)
        self._lines[index] = " " * margin + self._lines[index]
        self._moved[index + 1] = self._moved.get(index + 1, 0) - margin

    def _shift_left(self, index: int) -> None:
        """Move a deeper group of lines back to the level of the line above it."""
        above = self._last_line(index - 1)
        surplus = self._indent(index) - self._indent(above)
        self._orphans.add(index)
        level = self._indent(index)
        at = index
        while at < len(self._lines):
            if self._code(at).strip():
                if self._indent(at) < level:
                    break
                self._orphans.add(at)
                self._lines[at] = self._lines[at][surplus:]
                self._moved[at + 1] = self._moved.get(at + 1, 0) + surplus
            at += 1
