"""What is said about lines that cannot be read, with the fixes for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.syntax import repair_ideas as ideas
from rulesdsl.syntax import wording
from rulesdsl.syntax.habits import habits_at, word_as_name
from rulesdsl.syntax.repair_fixes import LineFixes
from rulesdsl.syntax.repair_lines import STEP, RepairLines
from rulesdsl.syntax.token_words import LAYOUT_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark import Token

    from rulesdsl.source.diagnostic import Findings, Said
    from rulesdsl.source.fix import Fix
    from rulesdsl.syntax.places import Places


class RepairReports(RepairLines):
    """Lines under repair, of each of which the first thing that is wrong is reported."""

    def __init__(self, text: str, places: Places, findings: Findings, start: str) -> None:
        super().__init__(text, places.moved)
        self._places = places
        self.start = start  # what is read: a file, an effect or a formula
        self._original = tuple(self._lines)
        self._findings = findings
        self._said: set[int] = set()  # lines that have been complained about

    @property
    def text(self) -> str:
        """The text as it is now, with the line end that the grammar asks for."""
        return "\n".join(self._lines) + "\n"

    @property
    def _fixes(self) -> LineFixes:
        return LineFixes(self._original, self._lines, self._places, self.start)

    def _say(
        self,
        code: str,
        index: int,
        start: int,
        end: int,
        said: Said,
        fixes: Iterable[Fix] = (),
    ) -> int:
        """Report what is wrong with a line, but only the first thing; return its index."""
        if index not in self._said:
            span = self._places.span(index + 1, start, (index + 1, max(start, end)))
            self._findings.report(code, span, *said, fixes=fixes)
        self._said.add(index)
        return index

    def _is_habit(self, code: str, index: int, column: int) -> bool:
        """Report what is written otherwise in other languages."""
        for written in habits_at(self._code(index), column):
            habit, start = written.habit, written.start + 1
            changes = written.changes(self.text, self._fixes.start_of(index))
            fixes = self._fixes.readable(changes, sure=habit.sure)
            if fixes or not habit.only:
                said = wording.habit(written.text, habit.says)
                self._say(code, index, start, start + len(written.text), said, fixes)
                return True
        return False

    def _is_no_name(self, token: Token) -> int | None:
        """Report a word of the language that was taken for a name, where it is used as one."""
        index = min((token.line or len(self._lines)) - 1, len(self._lines) - 1)
        end = token.end_column
        if token.type in LAYOUT_TOKENS:
            index, end = self._last_line(index), None
        found = word_as_name([*self._lines[:index], self._lines[index][:end]])
        if found is None:
            return None
        at, word = found
        start, end = word.span(1)
        fixes = self._fixes.renamed(at, start, word[1], f"{word[1]}-1")
        self._say("E413", at, start + 1, end + 1, wording.of_the_language(word[1]), fixes)
        return index

    def _not_indented(self, index: int) -> int:
        """Report a line that is not indented below a colon, and read it as if it were."""
        above = self._last_line(index - 1)
        fixes = self._fixes.of_line(index, [(0, 0, " " * STEP)], sure=True)
        self._at_line_end("E104", above, wording.nothing_below(), fixes)
        self._shift_right(index)
        return -1

    def _unclosed(self, index: int) -> int:
        code = self._code(index)
        fixes = self._fixes.of_line(index, ideas.closing(code, code.rfind("("), ")"))
        return self._at_line_end("E101", index, wording.open_bracket(), fixes)

    def _bad_margin(self, index: int, said: Said, *, sure: bool = False) -> int:
        indent = self._indent(index)
        levels = {self._indent(at) for at in range(index) if self._code(at).strip()}
        if self.start == "file":
            levels.discard(0)
        changes = ideas.margins(self._lines, index, levels)
        fixes = self._fixes.of_line(index, changes, sure=sure, every=True)
        return self._say("E103", index, 1, indent + 1, said, fixes)

    def _at_line_end(self, code: str, index: int, said: Said, fixes: Iterable[Fix] = ()) -> int:
        end = len(self._code(index))
        return self._say(code, index, max(end, 1), end + 1, said, fixes)
