"""Recovery from syntax errors, with messages and fixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import attrs
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from rulesdsl.source.diagnostics import Edit, Fix, closest, did_you_mean, is_slip, similar
from rulesdsl.syntax import unreadable_lines as ideas
from rulesdsl.syntax import wording
from rulesdsl.syntax.lexer import (
    ANY_NAME,
    LAYOUT_TOKENS,
    list_heads,
    margin_words,
    openings,
    parse,
)
from rulesdsl.syntax.unreadable_lines import (
    BOUND,
    STEP,
    Change,
    Idea,
    RepairLines,
    habits_at,
    uses_as_name,
    word_as_name,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from lark import Token

    from rulesdsl.source.diagnostics import Advice, Detail, Findings, Wording
    from rulesdsl.syntax.node import Places


MOST_FIXES = 3  # house: as many as the names suggested for a misspelt one
MOST_TRIED = 15  # parses of a declaration, about a millisecond each
LINES_READ = 3  # the line of the error and the next ones, which may depend on it


@attrs.frozen
class LineFixes:
    """Verifier of fixes for an unreadable line: the parser must get further with them."""

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
        """Return the changes with which the parser gets further, as fixes.

        Return the first of them or, with `every`, up to `MOST_FIXES`; only a single fix can be
        safe. With `whole`, the changed line has to parse to its end.
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
        """Return the changes with which a line parses to its end, as fixes."""
        at = self.start_of(index)
        moved = ((start + at, end + at, new) for start, end, new in changes)
        return self.readable(moved, sure=sure, every=every, whole=True)

    def first_of_line(self, index: int, ideas: Iterable[Idea]) -> tuple[Fix, ...]:
        """Return the first idea with which a line parses to its end, as a fix.

        If there is none, the line may have a second error: return the first certain idea with
        which the parser gets further. A fix is not safe if a rival reading parses as well.
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
        """Return the fix that renames a local whose name is a word of the language."""
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
        """Return the offset of the first syntax error, or one past the end if there is none."""
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
        """Turn a change into an edit to the file, or None if recovery has changed the lines."""
        start, end, new = change
        while start < end and new and text[start] == new[0]:  # trim the equal prefix and suffix
            start, new = start + 1, new[1:]
        while start < end and new and text[end - 1] == new[-1]:
            end, new = end - 1, new[:-1]
        first, last = (text.count("\n", 0, at) for at in (start, end))
        for index in range(first, last + 1):
            if self.original[index] != self.lines[index]:
                return None
        line_starts = [text.rfind("\n", 0, at) + 1 for at in (start, end)]
        span = self.places.stretch(
            (first + 1, start - line_starts[0] + 1), (last + 1, end - line_starts[1] + 1)
        )
        return None if span is None else Edit(span, new)


def _beginning(text: str, enough: int) -> str:
    """Cut off source text a few lines after an offset: the rest need not be parsed."""
    for _ in range(LINES_READ):
        enough = text.find("\n", enough) + 1 or len(text)
    return text[:enough]


def _moved(stop: int, change: Change) -> int:
    """Return the new value of an offset after a change; the changed range maps to its end."""
    start, end, new = change
    if stop < start:
        return stop
    return start + len(new) + max(0, stop - end)


def _title(old: str, new: str) -> str:
    before, after = (" ".join(each.split()) for each in (old, new))
    if not before and old.strip(" "):
        return "Write a plain space"
    if not before:
        return f"Insert `{after}`" if after else f"Indent it by {len(new)} spaces"
    if before == after:
        more = new.count("\n") > old.count("\n")
        return "Put it on a line of its own" if more else "Indent it like the lines above"
    return f"Change `{before}` to `{after}`" if after else f"Remove `{before}`"


class RepairReports(RepairLines):
    """Lines under repair; only the first error of each line is reported."""

    def __init__(self, text: str, places: Places, findings: Findings, start: str) -> None:
        super().__init__(text)
        self._places = places
        self.start = start  # start symbol: a file, an effect or a formula
        self._original = tuple(self._lines)
        self._findings = findings
        self._said: set[int] = set()  # lines with a report

    @property
    def text(self) -> str:
        """The current text, with the final newline that the grammar requires."""
        return "\n".join(self._lines) + "\n"

    @property
    def _fixes(self) -> LineFixes:
        return LineFixes(self._original, self._lines, self._places, self.start)

    def _say(
        self,
        said: Wording,
        index: int,
        start: int,
        end: int,
        fixes: Iterable[Fix] = (),
        *,
        advice: str | Advice = "",
        **fields: Detail,
    ) -> int:
        """Report an error unless the line has one already; return the line's index."""
        if index not in self._said:
            span = self._places.span(index + 1, start, (index + 1, max(start, end)))
            said.report(self._findings, span, advice=advice, fixes=fixes, **fields)
        self._said.add(index)
        return index

    def _is_habit(self, said: Wording, index: int, column: int) -> bool:
        for written in habits_at(self._code(index), column):
            habit, start, text = written.habit, written.start + 1, written.text
            changes = written.changes(self.text, self._fixes.start_of(index))
            fixes = self._fixes.readable(changes, sure=habit.sure)
            if fixes or not habit.only:
                end = start + len(text)
                self._say(said, index, start, end, fixes, advice=habit.says, written=text)
                return True
        return False

    def _is_slip(self, index: int, end: int) -> bool:
        """Report a misspelt word of the language before an offset, if that explains the error."""
        for start, word, meant in islice(ideas.slips(self._code(index), end), MOST_TRIED):
            change, sure = (start, start + len(word), meant), is_slip(word, meant)
            if fixes := self._fixes.of_line(index, [change], sure=sure):
                shown, near = f"`{word}`", did_you_mean(word, [meant])
                place = start + 1, start + len(word) + 1
                self._say(wording.UNEXPECTED, index, *place, fixes, advice=near, token=shown)
                return True
        return False

    def _is_no_name(self, token: Token) -> int | None:
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
        self._say(wording.WORD_OF_THE_LANGUAGE, at, start + 1, end + 1, fixes, name=word[1])
        return index

    def _not_indented(self, index: int) -> int:
        above = self._last_line(index - 1)
        fixes = self._fixes.of_line(index, [(0, 0, " " * STEP)], sure=True)
        self._at_line_end(wording.NOTHING_BELOW, above, fixes)
        self._replace(index, self._indent(above) + STEP)
        return -1

    def _unclosed(self, index: int) -> int:
        code = self._code(index)
        fixes = self._fixes.of_line(index, ideas.closing(code, code.rfind("("), ")"))
        return self._at_line_end(wording.OPEN_BRACKET, index, fixes)

    def _bad_margin(self, said: Wording, index: int, *, sure: bool = False) -> int:
        """Report a line with a wrong indentation, and remove it with those indented like it."""
        indent = self._indent(index)
        levels = {self._indent(at) for at in range(index) if self._code(at).strip()}
        if self.start == "file":
            levels.discard(0)
        changes = ideas.margins(self._lines, index, levels)
        fixes = self._fixes.of_line(index, changes, sure=sure, every=True)
        self._say(said, index, 1, indent + 1, fixes)
        self._lose(index, self._below(index, indent))
        return -1

    def _replace(self, index: int, indent: int) -> None:
        """Replace a line and what belongs to it with an error line."""
        self._lose(index, self._after(index))
        self._lines[index] = " " * indent + ERROR_LINE

    def _at_line_end(
        self, said: Wording, index: int, fixes: Iterable[Fix] = (), *, advice: str = ""
    ) -> int:
        end = len(self._code(index))
        return self._say(said, index, max(end, 1), end + 1, fixes, advice=advice)


ERROR_LINE = "\x18"
NO_SIGN = "\0"  # not valid anywhere

# Declarations without fields.
_DOING = frozenset({"verb", "step", "before", "after", "instead", "value", "score", "add"})
_FORMULAS = ("value ", "score ", "instead of value ")  # a lost line may have been the value
_ENTRY = re.compile(r" +[a-z][\w'-]*(?: =|:)")
# the phrase before a misplaced `where`
_ASKED = re.compile(r"\b((?:any|no|all) (?!time\b)(?:(?!\b(?:any|no|all) )[^()])*?) *$")
# things that are not yet a selection, with a name that they do not get
_THINGS = re.compile(
    r"(?:[(=:+*/<>-] *|\b(?:if|needs|not|and|or|per|by) )"
    r"([a-z][\w-]*s)(?: [a-z])?((?: in [^()]*?)?) *$"
)
_AT_LEAST = re.compile(r"\brepeat +at +least\b")
_FIELD = re.compile(r" +([a-z][\w'-]*)")


@cache
def _behind_colon() -> re.Pattern[str]:
    """Return the pattern for a colon followed by a statement that needs a line of its own."""
    lone = {*openings("stmt")}.difference(openings("inline"))
    heads = sorted((list_heads().get(each, each) for each in lone), key=len, reverse=True)
    return re.compile(rf":\s+({'|'.join(heads)})\b")


class Repair(RepairReports):
    """Error recovery for an LALR parser: one report per mistake, and source that can be parsed.

    An LALR(1) parser stops at the first token that it cannot shift, which may be far after the
    mistake. lark's own recovery drops tokens, which leads to spurious errors. Here the source is
    edited instead, and parsed again. `fix` takes the parser's error (`UnexpectedToken`,
    `UnexpectedCharacters`, `DedentError`), classifies it by the token, the accepted terminals and
    the line, and reports it. A missing colon is inserted. Any other line is lost, with the lines
    indented below it (panic mode): `ERROR_LINE` stands for them, a character that the grammar
    accepts as a statement, field or line of choices. A line with a wrong indentation is dropped. A
    declaration is lost as a whole if its head is unreadable, or if it is a value.
    `lost_names` returns the names that lost lines may have bound, so that the resolver does not
    report them as unknown.

    Candidates for fixes come from `unreadable_lines`; each is verified by parsing (`LineFixes`). A
    fix is safe only if no rival reading parses. Every round drops or corrects a line; the parser
    gives up after `MAX_REPAIRS`. Limitations: several mistakes in one line get a single report; a
    mistake whose symptom appears on a later line is reported there; wrong text that happens to
    parse is not reported.
    """

    def __init__(self, text: str, places: Places, findings: Findings, start: str) -> None:
        # content must not contain the error line, which would drop that line silently
        super().__init__(text.replace(ERROR_LINE, NO_SIGN), places, findings, start)
        self._same: set[int] = set()  # lines whose first word continues the mistake above

    def fix(self, error: UnexpectedInput | DedentError) -> bool:
        """Report an error and repair the line; return False if nothing is left to parse."""
        before = list(self._lines)
        number = self._report(error)
        if self.start == "formula_text":  # a formula is a single line
            return False
        if number == 0 and self._is_declaration(number):
            self._lose(0, len(self._lines))
        elif number >= 0:
            self._replace(number, self._indent(number))
        if self.lost and self._is_declaration() and self._original[0].startswith(_FORMULAS):
            return False
        return self._lines != before and any(
            line.strip() and line.strip() != ERROR_LINE for line in self._lines
        )

    def _looks_like_entry(self) -> bool:
        """Return true if most lines directly below the head are fields."""
        indent = self._indent(self._next_line(0))
        lines = [line for at, line in enumerate(self._lines) if at and self._indent(at) == indent]
        fields = (_ENTRY.match(line) for line in lines if line.split()[:1] != ["otherwise:"])
        return sum(map(bool, fields)) * 2 > len(lines)

    def lost_names(self) -> list[str]:
        """Return the names that the lost lines may have bound."""
        names = [name for line in self.lost for name in BOUND.findall(line)]
        if self._is_declaration() and self._original[0].split(" ", 1)[0] in _DOING:
            return names
        fields = [_FIELD.match(line) for line in self.lost if line[:1] == " "]
        return names + [found[1] if found else ANY_NAME for found in fields]

    def _is_declaration(self, number: int = 0) -> bool:
        return not self._places.characters and not self._original[number][:1].isspace()

    # ---------------------------------------------------------------- reports

    def _report(self, error: UnexpectedInput | DedentError) -> int:
        """Report an error; return the index of the line to replace, or a negative number."""
        match error:
            case DedentError():
                return self._bad_margin(wording.ODD_MARGIN, self._odd_line())
            case UnexpectedToken(token=token) if (index := self._is_no_name(token)) is not None:
                return index
            case UnexpectedCharacters():
                return self._bad_character(error)
            case UnexpectedToken(token=token) if token.type in LAYOUT_TOKENS:
                return self._bad_layout(token, error.accepts or error.expected)
            case UnexpectedToken(token=token):
                return self._bad_word(token, error.accepts or error.expected)
            case _:
                return self._at_line_end(wording.EARLY_END, len(self._lines) - 1)

    def _bad_character(self, error: UnexpectedCharacters) -> int:
        index = min(max(error.line - 1, 0), len(self._lines) - 1)
        line, column = self._lines[index], max(error.column, 1)
        sign = line[column - 1 : column]
        if sign == '"':
            changes = ideas.closing(line, column, '"')
            fixes = self._fixes.of_line(index, changes, every=True)
            return self._say(wording.OPEN_TEXT, index, column, len(line) + 1, fixes)
        if self._is_habit(wording.SIGN_OF_HABIT, index, column):
            return index
        return self._say(wording.UNKNOWN_SIGN, index, column, column + 1, sign=sign)

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
            self._same.add(self._after(index))
            if index in self._same:
                return index
        if self._is_no_declaration(index):
            return 0
        block = _behind_colon().search(line, 0, end)
        if block is not None:
            said, (start, end) = wording.BLOCK_AFTER_COLON, block.span(1)
            change = ideas.own_line(self._lines, index, block.start() + 1, start)
            fixes = self._fixes.of_line(index, [change], sure=True)
            return self._say(said, index, start + 1, end + 1, fixes, word=block[1])
        open_line = self._open_bracket(index, column, later=token.type == "COLON")
        if "RPAR" in accepted and open_line is not None:
            return self._unclosed(open_line)
        if self._is_habit(wording.WORD_OF_HABIT, index, column):
            return index
        if self._is_slip(index, column - 1):
            return index
        advice, changes = self._expected(index, token, accepted)
        fixes = self._fixes.first_of_line(index, changes)
        shown = wording.describe(token)
        return self._say(wording.UNEXPECTED, index, column, end, fixes, advice=advice, token=shown)

    def _expected(
        self, index: int, token: Token, accepted: Collection[str]
    ) -> tuple[str, list[Idea]]:
        """Return the advice for an unexpected word, and candidate changes."""
        line, start = self._lines[index], (token.column or 1) - 1
        at_least = _AT_LEAST.search(line, 0, start + 1)
        if at_least:
            return wording.LOOP_WITHOUT_LIMIT, []
        if line.count('"', 0, start) % 2 and token.type == "WHERE":  # a value in a text
            begin = line.rfind("{", 0, start) + 1
            advice = wording.ALL_IN_TEXT.format(things=line[begin:start].strip())
            return advice, [((begin, begin, "all "), True, ())]
        asked = _ASKED.search(line, 0, start)
        if token.type == "WHERE" and asked is not None:
            sure = ideas.is_all_meant(str(token), line, start)
            tried: list[Idea] = [
                (each, sure, ()) for each in ideas.bracketed(line, asked.start(1))
            ]
            return wording.BRACKETS_AROUND.format(asked=asked[1]), tried
        things = _THINGS.search(line, 0, start)
        if token.type == "WHERE" and things is not None:
            return wording.BRACKETS_AROUND.format(asked=f"all {things[1]}{things[2]}"), []
        if self._is_declaration(index) and line.partition(" ")[0] not in _DOING:
            if found := self._out_of_order(index, start):
                return found
            change = (len(line[:start].rstrip()), start + len(token), "")
            named = len(line[:start].split()) > 1
            if named and token.type == "STRING" and self._fixes.of_line(index, [change]):
                return wording.NO_TEXT_HERE, [(change, False, ())]
        changes = [*ideas.forgotten(line, start, start + len(token), accepted)]
        if token.type == "OTHERWISE" and not line[:start].strip():
            return wording.PLACE_OF_OTHERWISE, changes
        return wording.expected(accepted, token), changes

    def _out_of_order(self, index: int, start: int) -> tuple[str, list[Idea]] | None:
        """Return the advice to move the rest of a declaration before earlier words of it."""
        line = self._code(index)
        for at, end, text in islice(ideas.earlier(line, start), 2 * MOST_TRIED):
            if self._fixes.of_line(index, [(at, end, text)]):
                later, sooner = line[start:end], line[at:start].strip()
                advice = wording.OUT_OF_ORDER.format(sooner=later, later=sooner)
                return advice, [((at, end, text), True, ())]
        return None

    def _is_no_declaration(self, index: int) -> bool:
        first = self._lines[0].split(" ", 1)[0]
        if self._places.characters or first in {*margin_words(), *_DOING}:
            return False
        if not first or first[0] == "#" or (index and self._looks_like_entry()):
            return False
        if index == 0 and not closest(first, margin_words()):
            return False
        near = similar(first, margin_words())
        self._say(wording.NO_DECLARATION, 0, 1, len(first) + 1, advice=near, word=first)
        return True

    def _bad_layout(self, token: Token, accepted: Collection[str]) -> int:
        last = len(self._lines) - 1
        if token.type == "_INDENT":
            index = self._next_line(min((token.line or 1) - 1, last))
            return self._bad_margin(wording.DEEP_MARGIN, index, sure=True)
        index = self._last_line(min((token.line or last + 1) - 1, last))
        code = self._code(index)
        if index and self._is_no_declaration(index):
            return 0
        if "COLON" in accepted and self._indent(self._next_line(index)) > self._indent(index):
            fixes = self._fixes.of_line(index, [(len(code), len(code), ":")], sure=True)
            self._say(wording.NO_COLON, index, len(code), len(code) + 1, fixes)
            self._lines[index] = f"{code}:"
            return -1
        if "_INDENT" in accepted or code.endswith(":"):
            fixes = self._fixes.of_line(index, [(len(code), len(code), " nothing")])
            return self._at_line_end(wording.NOTHING_AFTER_COLON, index, fixes)
        if "RPAR" in accepted and code.count("(") > code.count(")"):
            return self._unclosed(index)
        if token.type == "_DEDENT" and "OTHERWISE" in accepted:
            line = f"\n{' ' * self._indent(index)}otherwise 0"
            fixes = self._fixes.of_line(index, [(len(code), len(code), line)])
            return self._at_line_end(wording.NO_OTHER_CASE, index, fixes)
        if self._is_habit(wording.WORD_OF_HABIT, index, len(code) + 1):
            return index
        if self._is_slip(index, len(code)):
            return index
        fixes = self._fixes.of_line(index, ideas.colons(code))
        advice = wording.expected(accepted)
        return self._at_line_end(wording.EARLY_LINE_END, index, fixes, advice=advice)
