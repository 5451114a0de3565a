"""What to say about a line that cannot be read, and how to go on behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken
from lark.indenter import DedentError

from rulesdsl.source.suggest import closest, did_you_mean
from rulesdsl.syntax.habits import BOUND, habit_at, word_as_name
from rulesdsl.syntax.layout import MARGIN_WORDS
from rulesdsl.syntax.repair_lines import RepairLines
from rulesdsl.syntax.token_words import describe, expected_words, of_the_language

if TYPE_CHECKING:
    from lark import Token
    from lark.exceptions import UnexpectedInput

    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.places import Places

ERROR_LINE = "\x18"
NO_SIGN = "\0"  # means nothing anywhere
LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "$END"}

# What takes the place of a head that cannot be read, so that the lines below it can.
_HEADS = {"verb": "step x", "step": "step x", "value": "value x", "score": 'score x "x"'} | {
    "kind": "kind x",
    "piece": "piece x",
    "place": "place x holds x",
    "stack": "place x holds x",
    "before": "step x",
    "after": "step x",
    "instead": "step x",
    "add": "add to menu of x",
}
_LINES = {"menu": "menu", "choose": "choose one"}
_DOING = {"verb", "step", "value", "score", "before", "after", "instead", "add"}
_ENTRY = re.compile(r" +[a-z][\w'-]*(?: =|:)")
_BEHIND_COLON = re.compile(r":\s+(if able|if|menu|choose one)\b")
# the things that a `where` behind them is about
_ASKED = re.compile(r"\b((?:any|no|all) (?:(?!\b(?:any|no|all) )[^()])*?) *$")
_AT_LEAST = re.compile(r"\brepeat +at +least\b")
_FIELD = re.compile(r" +([a-z][\w'-]*)")


class Repair(RepairLines):
    """A text under repair: reports each slip once and puts a harmless line in its place."""

    def __init__(self, text: str, places: Places, findings: Findings) -> None:
        # content may not say what stands for a reported line: that would drop it silently
        super().__init__(text.replace(ERROR_LINE, NO_SIGN), places.moved)
        self._places = places
        self._findings = findings
        self._said: set[int] = set()  # lines that have been complained about
        self.headless = False
        self.lost: list[str] = []

    @property
    def text(self) -> str:
        """The text as it stands now, with the line end that the grammar asks for."""
        return "\n".join(self._lines) + "\n"

    def mend(self, error: UnexpectedInput | DedentError, *, whole_lines: bool) -> bool:
        """Report an error and repair its line; False where nothing is left to read."""
        before = list(self._lines)
        number = self._report(error)
        if not whole_lines:
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
        if first == ["instead", "of", "value"]:
            head = "value x"
        if first == ["add", "to", "choices"]:
            head = "add to choices of x"
        self._lines[0] = f"{head}:"
        self.headless = True
        return True

    def _looks_like_entry(self) -> bool:
        """Whether most lines right below the head are fields."""
        indent = self._indent(self._next_line(0))
        lines = [line for at, line in enumerate(self._lines) if at and self._indent(at) == indent]
        fields = [_ENTRY.match(line) for line in lines if line.split()[:1] != ["otherwise:"]]
        return len([each for each in fields if each]) * 2 > len(lines)

    def lost_names(self) -> list[str]:
        """Return the names that the lost lines may have given to things."""
        names = [name for line in self.lost for name in BOUND.findall(line)]
        if not self._places.characters and self._lines[0].split(" ", 1)[0] in _DOING:
            return names
        fields = (_FIELD.match(line) for line in self.lost)
        return names + [found[1] for found in fields if found]

    def _is_declaration(self, number: int) -> bool:
        return not self._places.characters and not self._lines[number][:1].isspace()

    # ---------------------------------------------------------------- reports
    def _say(self, code: str, index: int, span: Span, message: str, help_text: str) -> None:
        """Report what is wrong with a line, but only the first thing."""
        if index not in self._said:
            self._findings.report(code, span, message, help_text)
        self._said.add(index)

    def _report(self, error: UnexpectedInput | DedentError) -> int:
        """Say what is wrong and return the index of the line to replace."""
        if isinstance(error, DedentError):
            return self._bad_dedent()
        if (
            isinstance(error, UnexpectedToken)
            and (index := self._is_no_name(error.token)) is not None
        ):
            return index
        if isinstance(error, UnexpectedCharacters):
            return self._bad_character(error)
        if isinstance(error, UnexpectedToken):
            token = error.token
            if token.type in LAYOUT_TOKENS:
                return self._bad_layout(token, error)
            return self._bad_word(token, error)
        assert isinstance(error, UnexpectedEOF)
        return self._at_line_end("E101", "The text ends too early.", len(self._lines) - 1)

    def _bad_character(self, error: UnexpectedCharacters) -> int:
        index = min(max(error.line - 1, 0), len(self._lines) - 1)
        line, column = self._lines[index], max(error.column, 1)
        sign = line[column - 1 : column]
        if sign != '"' and self._is_habit("E102", index, column):
            return index
        if sign == '"':
            self._say(
                "E105",
                index,
                self._span(index, column, len(line) + 1),
                "This text has no closing quotation mark on its line.",
                'Close it with `"` before the line ends.',
            )
        else:
            self._say(
                "E102",
                index,
                self._span(index, column, column + 1),
                f"The sign `{sign}` means nothing here.",
                "Names are words of small letters, digits and hyphens, such as red-coin.",
            )
        return index

    def _bad_word(self, token: Token, error: UnexpectedToken) -> int:
        index = min((token.line or 1) - 1, len(self._lines) - 1)
        column = token.column or 1
        if token.type == "ERROR" and index in self._said:
            self._lines[index] = ""
            return -1
        if column == self._indent(index) + 1 and self._is_orphan(index, str(token)):
            self._orphans.add(self._next_line(index))
            return index
        if column == self._indent(index) + 1:
            self._orphans.add(self._next_line(index))  # if it is no better, it is the same slip
        if self._is_no_declaration(index):
            return 0
        block = _BEHIND_COLON.search(self._lines[index], 0, column + len(str(token)))
        if block is not None:
            self._say(
                "E101",
                index,
                self._span(index, block.start(1) + 1, block.end(1) + 1),
                f"`{block[1]}` cannot stand behind a colon on the same line.",
                "Put it on a line of its own, indented below this one.",
            )
            return index
        accepted = error.accepts or error.expected
        open_line = self._open_bracket(index, column, later=token.type == "COLON")
        if "RPAR" in accepted and open_line is not None:
            message = "A bracket of this line is not closed."
            return self._at_line_end("E101", message, open_line, "`)`")
        if self._is_habit("E101", index, column):
            return index
        end = column + len(str(token))
        words = expected_words(accepted)
        help_text = f"Here may stand {words}." if words else ""
        asked = _ASKED.search(self._lines[index], 0, column - 1)
        if token.type == "WHERE" and asked is not None:
            help_text = f"Put brackets around all that it belongs to: `({asked[1]} where ...)`."
        if _AT_LEAST.search(self._lines[index], 0, column):
            help_text = "A loop states its maximum: `repeat at most 3 times until ...`."
        message = f"I did not expect {describe(token)} here."
        self._say("E101", index, self._span(index, column, end), message, help_text)
        return index

    def _is_habit(self, code: str, index: int, column: int) -> bool:
        """Report what is written otherwise in other languages."""
        habit = habit_at(self._code(index), column)
        if habit is not None:
            start, written, instead = habit
            span = self._span(index, start, start + len(written))
            self._say(code, index, span, f"`{written}` means nothing here.", instead)
        return habit is not None

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
        span = self._span(at, word.start(1) + 1, word.end(1) + 1)
        self._say("E413", at, span, *of_the_language(word[1]))
        return index

    def _is_no_declaration(self, index: int) -> bool:
        """Report a first word that is meant to begin a declaration, and misspelt."""
        first = self._lines[0].split(" ", 1)[0]
        if self._places.characters or self.headless or first in {*MARGIN_WORDS, *_HEADS, "win"}:
            return False
        if not first or first[0] == "#" or (index and self._looks_like_entry()):
            return False
        if index == 0 and not closest(first, MARGIN_WORDS):
            return False
        help_text = did_you_mean(first, MARGIN_WORDS)
        self._say(
            "E101",
            0,
            self._span(0, 1, len(first) + 1),
            f"No declaration begins with `{first}`.",
            help_text,
        )
        return True

    def _bad_layout(self, token: Token, error: UnexpectedToken) -> int:
        if token.type == "_INDENT":
            index = self._next_line(min((token.line or 1) - 1, len(self._lines) - 1))
            text = self._lines[index]
            self._say(
                "E103",
                index,
                self._span(index, 1, len(text) - len(text.lstrip()) + 1),
                "This line is indented deeper than the one it belongs to.",
                "Only what stands behind a colon at the end of a line is indented below it.",
            )
            if self._indent(self._last_line(index - 1)) == 0 and not self._places.characters:
                self._drop_below(index)
            else:
                self._shift_left(index)
            return -1
        line = (token.line or len(self._lines)) - 1
        index = self._last_line(min(line, len(self._lines) - 1))
        accepted = error.accepts or error.expected
        if "COLON" in accepted and self._indent(self._next_line(index)) > self._indent(index):
            return self._add_colon(index)
        wants_body = "_INDENT" in accepted
        if wants_body or self._code(index).endswith(":"):
            return self._at_line_end("E104", "Nothing stands behind this colon.", index)
        words = expected_words(accepted)
        if "RPAR" in accepted and self._code(index).count("(") > self._code(index).count(")"):
            return self._at_line_end("E101", "A bracket of this line is not closed.", index, "`)`")
        if token.type == "_DEDENT" and "OTHERWISE" in accepted:
            message = "This value does not say what it is in all other cases."
            return self._at_line_end("E101", message, index, "one more line: `otherwise ...`")
        return self._at_line_end("E101", "This line ends too early.", index, words)

    def _add_colon(self, index: int) -> int:
        end = len(self._code(index)) + 1
        self._say(
            "E101",
            index,
            self._span(index, end - 1, end),
            "The colon at the end of this line is missing.",
            "A line ends with `:` where what is indented below it belongs to it.",
        )
        self._lines[index] = self._code(index) + ":"
        return -1

    def _bad_dedent(self) -> int:
        index = self._odd_line()
        text = self._lines[index]
        self._say(
            "E103",
            index,
            self._span(index, 1, len(text) - len(text.lstrip()) + 1),
            "This line is indented like none of the lines above it.",
            "Indent it exactly as far as the lines it belongs to.",
        )
        return index

    def _at_line_end(self, code: str, message: str, index: int, words: str = "") -> int:
        end = len(self._code(index)) + 1
        help_text = f"Here may stand {words}." if words else ""
        if code == "E104":
            help_text = "Say what is to be done, on the same line or indented below it."
        self._say(code, index, self._span(index, max(end - 1, 1), end), message, help_text)
        return index

    # ---------------------------------------------------------------- lines

    def _is_orphan(self, index: int, word: str) -> bool:
        """Whether a line belongs to one that was lost: below it, or its `otherwise`."""
        if index in self._orphans or word != "otherwise":
            return index in self._orphans
        at = index - 1
        while at in self._orphans:
            at -= 1
        return at >= 0 and self._lines[at].strip() == ERROR_LINE

    def _span(self, index: int, column: int, end: int) -> Span:
        return self._places.span(index + 1, column, (index + 1, max(end, column)))

    def _replace(self, index: int) -> None:
        """Put the error line in a line's place; what was indented below it moves up a level."""
        if index < 0:
            return
        indent = self._indent(index)
        self.lost.append(self._lines[index])
        first = self._lines[index].split()[:1]
        deeper = self._next_line(index) != index and self._indent(self._next_line(index)) > indent
        if deeper and first and first[0] in _LINES and not self._places.characters:
            head = " " * indent + _LINES[first[0]] + ":"
            if self._lines[index] != head:
                self._lines[index] = head
                return
        if self._next_line(index) != index and self._indent(self._next_line(index)) > indent:
            self._shift_left(self._next_line(index))
        neighbour = self._last_line(index - 1) if index else 0
        if indent > self._indent(neighbour) and not self._code(neighbour).endswith(":"):
            indent = self._indent(neighbour)
        self._lines[index] = " " * indent + ERROR_LINE
