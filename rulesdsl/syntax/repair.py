"""What to say about a line that cannot be read, and how to go on after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.indenter import DedentError

from rulesdsl.source.suggest import closest
from rulesdsl.syntax import repair_ideas as ideas
from rulesdsl.syntax import wording
from rulesdsl.syntax.habits import BOUND
from rulesdsl.syntax.layout import MARGIN_WORDS
from rulesdsl.syntax.repair_reports import RepairReports
from rulesdsl.syntax.token_words import ANY_NAME, LAYOUT_TOKENS

if TYPE_CHECKING:
    from collections.abc import Collection

    from lark import Token
    from lark.exceptions import UnexpectedInput

    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.syntax.places import Places
    from rulesdsl.syntax.repair_fixes import Idea

ERROR_LINE = "\x18"
NO_SIGN = "\0"  # means nothing anywhere

# What takes the place of a head that cannot be read, so that the lines below it can.
_HEADS = dict.fromkeys(("verb", "step", "before", "after", "instead"), "step x")
_HEADS |= {"value": "value x", "score": 'score x "x"', "add": "add to menu of x"}
_DOING = frozenset(_HEADS)
_HEADS |= {"kind": "kind x", "piece": "piece x"}
_HEADS |= dict.fromkeys(("place", "stack"), "place x holds x")
_FORMULAS = ("value ", "score ", "instead of value ")
_LONG_HEADS = {"instead of value": "value x", "add to choices": "add to choices of x"}
_LINES = {"menu": "menu", "choose": "choose one"}
_ENTRY = re.compile(r" +[a-z][\w'-]*(?: =|:)")
_BEHIND_COLON = re.compile(r":\s+(if able|if|menu|choose one)\b")
# the things that a `where` after them is about
_ASKED = re.compile(r"\b((?:any|no|all) (?:(?!\b(?:any|no|all) )[^()])*?) *$")
_AT_LEAST = re.compile(r"\brepeat +at +least\b")
_FIELD = re.compile(r" +([a-z][\w'-]*)")


class Repair(RepairReports):
    """A text under repair: reports each slip once and puts a harmless line in its place."""

    def __init__(self, text: str, places: Places, findings: Findings, start: str) -> None:
        # content may not say what stands for a reported line: that would drop it silently
        super().__init__(text.replace(ERROR_LINE, NO_SIGN), places, findings, start)
        self.headless = False
        self.lost: list[str] = []

    def fix(self, error: UnexpectedInput | DedentError) -> bool:
        """Report an error and repair its line; False where nothing is left to read."""
        before = list(self._lines)
        number = self._report(error)
        if self.start == "formula_text":  # it is one line
            return False
        if number == 0 and self._is_declaration(number):
            return self._replace_head()
        self._replace(number)
        return self._lines != before and any(
            line.strip() and line.strip() != ERROR_LINE for line in self._lines
        )

    def _replace_head(self) -> bool:
        """Put another head over a declaration, so that its lines are read; False without lines."""
        below = self._next_line(0)
        if self.headless or below == 0 or not self._indent(below):
            return False
        first = self._lines[0].split()[:3]
        word = next(iter(closest(first[0], _HEADS)), first[0])
        entry = word not in _HEADS and self._looks_like_entry()
        head = "x x" if entry else _HEADS.get(word, "step x")
        self._lines[0] = _LONG_HEADS.get(" ".join(first), head) + ":"
        self.headless = True
        return True

    def _looks_like_entry(self) -> bool:
        """Whether most lines right below the head are fields."""
        indent = self._indent(self._next_line(0))
        lines = [line for at, line in enumerate(self._lines) if at and self._indent(at) == indent]
        fields = (_ENTRY.match(line) for line in lines if line.split()[:1] != ["otherwise:"])
        return sum(map(bool, fields)) * 2 > len(lines)

    def lost_names(self) -> list[str]:
        """Return the names that the lost lines may have given to things."""
        names = [ANY_NAME] if self.dropped else []
        names += [name for line in self.lost for name in BOUND.findall(line)]
        if not self._places.characters and self._lines[0].split(" ", 1)[0] in _DOING:
            return names
        fields = [_FIELD.match(line) for line in self.lost if line[:1] == " "]
        return names + [found[1] if found else ANY_NAME for found in fields]

    def _is_declaration(self, number: int) -> bool:
        return not self._places.characters and not self._lines[number][:1].isspace()

    # ---------------------------------------------------------------- reports

    def _report(self, error: UnexpectedInput | DedentError) -> int:
        """Say what is wrong and return the index of the line to replace."""
        match error:
            case DedentError():
                return self._bad_margin(self._odd_line(), wording.odd_margin())
            case UnexpectedToken(token=token) if (index := self._is_no_name(token)) is not None:
                return index
            case UnexpectedCharacters():
                return self._bad_character(error)
            case UnexpectedToken(token=token) if token.type in LAYOUT_TOKENS:
                return self._bad_layout(token, error.accepts or error.expected)
            case UnexpectedToken(token=token):
                return self._bad_word(token, error.accepts or error.expected)
            case _:
                return self._at_line_end("E101", len(self._lines) - 1, wording.early_end())

    def _bad_character(self, error: UnexpectedCharacters) -> int:
        index = min(max(error.line - 1, 0), len(self._lines) - 1)
        line, column = self._lines[index], max(error.column, 1)
        sign = line[column - 1 : column]
        if sign == '"':
            changes = ideas.closing(line, column, '"')
            fixes = self._fixes.of_line(index, changes, every=True)
            return self._say("E105", index, column, len(line) + 1, wording.open_text(), fixes)
        if self._is_habit("E102", index, column):
            return index
        return self._say("E102", index, column, column + 1, wording.unknown_sign(sign))

    def _bad_word(self, token: Token, accepted: Collection[str]) -> int:
        index = min((token.line or 1) - 1, len(self._lines) - 1)
        line, column = self._lines[index], token.column or 1
        end = column + len(token)
        if token.type == "ERROR" and index in self._said:
            self._lines[index] = ""
            return -1
        if column == self._indent(index) + 1 and "_INDENT" in accepted:
            return self._not_indented(index)
        if column == self._indent(index) + 1:
            is_orphan = self._is_orphan(index, str(token))
            self._orphans.add(self._next_line(index))  # if it is no better, it is the same slip
            if is_orphan:
                return index
        if self._is_no_declaration(index):
            return 0
        block = _BEHIND_COLON.search(line, 0, end)
        if block is not None:
            said = wording.block_after_colon(block[1])
            start, end = block.span(1)
            change = ideas.own_line(self._lines, index, block.start() + 1, start)
            fixes = self._fixes.of_line(index, [change], sure=True)
            return self._say("E101", index, start + 1, end + 1, said, fixes)
        open_line = self._open_bracket(index, column, later=token.type == "COLON")
        if "RPAR" in accepted and open_line is not None:
            return self._unclosed(open_line)
        if self._is_habit("E101", index, column):
            return index
        advice, changes = self._expected(index, token, accepted)
        fixes = self._fixes.first_of_line(index, changes)
        return self._say("E101", index, column, end, wording.unexpected(token, advice), fixes)

    def _expected(
        self, index: int, token: Token, accepted: Collection[str]
    ) -> tuple[str, list[Idea]]:
        """Return what to write where a word was not expected, and what to try."""
        line, start = self._lines[index], (token.column or 1) - 1
        at_least = _AT_LEAST.search(line, 0, start + 1)
        if at_least:
            return wording.loop_without_limit(), []
        asked = _ASKED.search(line, 0, start)
        if token.type == "WHERE" and asked is not None:
            sure = ideas.is_all_meant(str(token), line, start)
            tried: list[Idea] = [
                (each, sure, ()) for each in ideas.bracketed(line, asked.start(1))
            ]
            return wording.brackets_around(asked[1]), tried
        changes = [*ideas.forgotten(line, start, start + len(token), accepted)]
        if token.type == "OTHERWISE" and not line[:start].strip():
            return wording.place_of_otherwise(), changes
        return wording.expected_instead(accepted, token), changes

    def _is_no_declaration(self, index: int) -> bool:
        """Report a first word that is meant to begin a declaration, and misspelt."""
        first = self._lines[0].split(" ", 1)[0]
        if self._places.characters or self.headless or first in {*MARGIN_WORDS, *_HEADS, "win"}:
            return False
        if not first or first[0] == "#" or (index and self._looks_like_entry()):
            return False
        if index == 0 and not closest(first, MARGIN_WORDS):
            return False
        self._say("E101", 0, 1, len(first) + 1, wording.no_declaration(first))
        return True

    def _bad_layout(self, token: Token, accepted: Collection[str]) -> int:
        last = len(self._lines) - 1
        if token.type == "_INDENT":
            index = self._next_line(min((token.line or 1) - 1, last))
            self._bad_margin(index, wording.deep_margin(), sure=True)
            if self._indent(self._last_line(index - 1)) == 0 and not self._places.characters:
                self._drop_below(index)
            else:
                self._shift_left(index)
            return -1
        index = self._last_line(min((token.line or last + 1) - 1, last))
        code = self._code(index)
        if index and self._is_no_declaration(index):
            return 0
        if "COLON" in accepted and self._indent(self._next_line(index)) > self._indent(index):
            fixes = self._fixes.of_line(index, [(len(code), len(code), ":")], sure=True)
            self._say("E101", index, len(code), len(code) + 1, wording.no_colon(), fixes)
            self._lines[index] = f"{code}:"
            return -1
        if "_INDENT" in accepted or code.endswith(":"):
            fixes = self._fixes.of_line(index, [(len(code), len(code), " nothing")])
            return self._at_line_end("E104", index, wording.nothing_after_colon(), fixes)
        if "RPAR" in accepted and code.count("(") > code.count(")"):
            return self._unclosed(index)
        if token.type == "_DEDENT" and "OTHERWISE" in accepted:
            line = f"\n{' ' * self._indent(index)}otherwise 0"
            fixes = self._fixes.of_line(index, [(len(code), len(code), line)])
            return self._at_line_end("E101", index, wording.no_other_case(), fixes)
        if self._is_habit("E101", index, len(code) + 1):
            return index
        fixes = self._fixes.of_line(index, ideas.colons(code))
        return self._at_line_end("E101", index, wording.early_line_end(accepted), fixes)

    # ---------------------------------------------------------------- lines
    def _is_orphan(self, index: int, word: str) -> bool:
        """Whether a line belongs to one that was lost: below it, or its `otherwise`."""
        if index in self._orphans or word != "otherwise":
            return index in self._orphans
        at = index - 1
        while at in self._orphans:
            at -= 1
        return at >= 0 and self._lines[at].strip() == ERROR_LINE

    def _replace(self, index: int) -> None:
        """Put the error line in a line's place; what was indented below it moves up a level."""
        if index < 0:
            return
        indent = self._indent(index)
        self.lost.append(self._lines[index])
        below = self._next_line(index)
        if self._indent(below) > indent:
            first = "".join(self._lines[index].split()[:1])
            head = f"{' ' * indent}{_LINES.get(first)}:"
            if first in _LINES and self._lines[index] != head and not self._places.characters:
                self._lines[index] = head
                return
            self._shift_left(below)
        words = self._lines[index].split()
        if words[:1] == ["otherwise"] and self._lines[0].startswith(_FORMULAS):
            self._lines[index] = f"{' ' * indent}otherwise 0"  # else it would be missing
            return
        neighbour = self._last_line(index - 1) if index else 0
        if indent > self._indent(neighbour) and not self._code(neighbour).endswith(":"):
            indent = self._indent(neighbour)
        self._lines[index] = " " * indent + ERROR_LINE
