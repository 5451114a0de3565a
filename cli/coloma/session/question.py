"""A decision as a numbered question, with what cannot be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from rich.text import Text

from coloma.session.cells import width, wrapped
from coloma.session.screen import Ink, Screen, shown
from coloma.session.words import MenuLine, menu, of_amounts, said_amounts
from rulesdsl import Decision, Option
from rulesdsl.source.english import and_list

LONG_MENU = 8  # options; more are in two columns where these are wide enough
_COLUMN = 26  # cells that an option needs at least
_MOST_LINES = 2  # of an option with its text; `read` shows the rest
_GAP = 2
_DOTS = " ..."
_NOT = "Not now:"
_TOGETHER = "All choose secretly; the answers are shown together."


@attrs.frozen
class Question:
    """A decision, who is asked, and which options cannot be taken back.

    `together`: others choose at the same time, unseen.  `struck` says what is not offered, and
    why.
    """

    decision: Decision
    seat: str
    final: Sequence[bool]
    together: bool
    struck: Sequence[str] = ()

    @property
    def asked(self) -> str:
        """The question itself."""
        return f"{shown(self.seat)}: {shown(self.decision.prompt) or 'choose'}"


def plain_question(screen: Screen, question: Question) -> None:
    """Ask for whoever listens: a line for each option, however long."""
    screen.line()
    screen.line(question.asked, Ink.PROMPT)
    if question.decision.sealed and question.together:
        screen.line(_TOGETHER)
    offered = question.decision.options
    if of_amounts(offered):
        screen.line(f"Type {said_amounts([each.label for each in offered])}.")
    else:
        for line, option in zip(menu(offered), offered, strict=True):
            screen.line(f"{line.number}. {_whole(line, option)}")
    for each in question.struck:
        screen.line(f"{_NOT} {each}", Ink.FAINT)
    screen.line(undo_remark(question.final, question.decision.options), Ink.FAINT)


def question_lines(question: Question, cells: int, room: int) -> list[Text]:
    """Return the lines of a question that are to fit into so many cells and lines.

    Texts of options are cut first, then options are put beside each other.
    """
    head = [Text(each, style="bold") for each in wrapped(question.asked, cells)]
    if question.decision.sealed and question.together:
        head.append(Text(_TOGETHER))
    remarks = [f"{_NOT} {each}" for each in question.struck]
    remarks.append(undo_remark(question.final, question.decision.options))
    end = [Text(line, style="dim") for each in remarks for line in wrapped(each, cells)]
    offered = question.decision.options
    if of_amounts(offered):
        typed = f"Type {said_amounts([each.label for each in offered])}."
        return [*head, *(Text(each) for each in wrapped(typed, cells)), *end]
    options = _options(offered, cells, room - len(head) - len(end))
    return [*head, *options, *end]


def undo_remark(final: Sequence[bool], options: Sequence[Option]) -> str:
    """Say which options cannot be taken back, by what is typed for them."""
    if all(final):
        return "(None of these can be undone.)" if len(final) > 1 else "(It cannot be undone.)"
    if not any(final):
        return "(Can be undone.)"
    typed = [str(each.number) for each in menu(options)]
    numbers = [number for number, each in zip(typed, final, strict=True) if each]
    return f"(Can be undone, except {and_list(numbers)}.)"


def confirming(typed: str, option: Option) -> str:
    """Ask again about something big, and say how it is done."""
    return f"Are you sure? Type {typed.strip()} again for `{shown(option.label)}`."


def _whole(line: MenuLine, option: Option) -> str:
    return f"{line.label}: {shown(option.text)}" if option.text else line.label


def _options(options: Sequence[Option], cells: int, room: int) -> list[Text]:
    """Return options in as few columns as the room allows; long menus never in one alone.

    Short options may be in narrower columns than others. Where even these have no room, such as
    the fields of a large board, only their words are shown, one after the other.
    """
    fewest = 2 if len(options) > LONG_MENU and cells >= 2 * _COLUMN else 1
    usual = max(cells // _COLUMN, fewest)
    for columns in range(fewest, usual + 1):
        for lines in range(_MOST_LINES, 0, -1):
            found = _in_columns(options, cells, columns, lines)
            if len(found) <= room:
                return found
    labels = [_whole(line, each) for line, each in zip(menu(options), options, strict=True)]
    widest = _margin(options) + 2 + max(map(width, labels)) + _GAP
    found = _in_columns(options, cells, usual, 1)
    for columns in range(usual + 1, (cells + _GAP) // widest + 1):
        found = _in_columns(options, cells, columns, 1)
        if len(found) <= room:
            return found
    return _in_a_row(labels, cells, room) if widest <= _COLUMN else found


def _in_a_row(labels: Sequence[str], cells: int, room: int) -> list[Text]:
    """Return labels one after the other, as many as there is room for, and the number left out."""
    for shown_labels in range(len(labels), 0, -1):
        left = len(labels) - shown_labels
        more = f"  ... and {left} more" if left else ""
        lines = wrapped("  ".join(labels[:shown_labels]) + more, cells)
        if len(lines) <= max(room, 1):
            break
    return [Text(each) for each in lines]


def _margin(options: Sequence[Option]) -> int:
    """Return the cells that the numbers of options need."""
    return max(len(str(each.number)) for each in menu(options)) + 2


def _in_columns(options: Sequence[Option], cells: int, columns: int, lines: int) -> list[Text]:
    """Return options below each other, in columns, each in so many lines at most."""
    numbered = menu(options)
    margin = _margin(options)
    inside = (cells - _GAP * (columns - 1)) // columns
    blocks = [
        list(_option(line, each, margin, inside, lines))
        for line, each in zip(numbered, options, strict=True)
    ]
    rows = -(-len(blocks) // columns)
    found: list[Text] = []
    for at in range(rows):
        beside = [blocks[each] for each in range(at, len(blocks), rows)]
        for line in range(max(map(len, beside))):
            parts = [block[line] if line < len(block) else Text() for block in beside]
            found.append(_joined(parts, inside))
    return found


def _joined(parts: Sequence[Text], inside: int) -> Text:
    joined = Text()
    for at, part in enumerate(parts):
        if at:
            joined.append(" " * (at * (inside + _GAP) - joined.cell_len))
        joined.append_text(part)
    return joined


def _option(line: MenuLine, option: Option, margin: int, cells: int, most: int) -> Iterator[Text]:
    inside = cells - margin - 2
    first, *rest = _cut(wrapped(_whole(line, option), inside), most, inside)
    yield Text.assemble((f"{line.number:>{margin}}.", "yellow"), " ", first)
    for each in rest:
        yield Text(" " * (margin + 2) + each)


def _cut(lines: list[str], most: int, cells: int) -> list[str]:
    """Leave out what goes beyond so many lines, with dots where it would go on."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while width(last) + len(_DOTS) > cells:
        last = last.rpartition(" ")[0] or last[:-1]
    return [*lines[: most - 1], f"{last}{_DOTS}"]
