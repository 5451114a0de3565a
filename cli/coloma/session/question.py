"""Layout of a decision as a question with numbered options, and of the news before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import attrs
from rich.cells import cell_len
from rich.text import Text

from coloma.output import abridged
from coloma.session.answers import TypedOption, numbered, of_amounts, said_numbers
from coloma.session.board.layout import WHOLE
from coloma.session.screen import Ink, Screen, hanging, shown, side_by_side, wrapped
from rulesdsl import Decision, Game, Option
from rulesdsl.source.english import and_list, so_many
from rulesdsl.table.preview import Preview
from rulesdsl.table.undo import Undone

LONG_LIST = 8  # options; longer menus get two columns if the screen is wide enough
_COLUMN = 26  # minimum width of an option in cells
_MOST_LINES = 3  # lines for an option and its text; `read` shows the rest
_GAP = 2
_DOTS = " ..."
_NOT = "Not now:"
_TOGETHER = "All choose secretly; the answers are shown together."
_FORESEEN = 4  # house: options that an option leads to
_EXPLAINED = 2  # house: lines, and options per line, that explain unavailable options


@attrs.frozen
class NumberedQuestion:
    """Decision with the seat that makes it, and flags for the options that cannot be undone.

    `together` means that others may choose secretly at the same time. `unavailable` explains
    options that are not offered, and `previews` what comes of each option.
    """

    decision: Decision
    seat: str
    final: Sequence[bool]
    together: bool
    unavailable: Sequence[str] = ()
    previews: Sequence[Preview] = ()

    @property
    def asked(self) -> str:
        """The question itself."""
        return f"{shown(self.seat)}: {shown(self.decision.prompt) or 'choose'}"

    @property
    def offered(self) -> list[TypedOption]:
        """The options with their numbers, and all that is said of them."""
        options = self.decision.options
        lines = zip_longest(numbered(options), options, self.previews)
        return [
            TypedOption(line.number, _whole(line, option, preview))
            for line, option, preview in lines
        ]


def plain_question(screen: Screen, question: NumberedQuestion) -> None:
    """Print a question for a screen reader: one line for each option, however long."""
    screen.line()
    screen.line(question.asked, Ink.PROMPT)
    if question.decision.sealed and question.together:
        screen.line(_TOGETHER)
    options = question.decision.options
    if of_amounts(options):
        screen.line(f"Type {said_numbers(numbered(options))}.")
    else:
        for line in question.offered:
            screen.line(f"{line.number}. {line.label}")
    for each in question.unavailable:
        screen.line(f"{_NOT} {each}", Ink.FAINT)
    screen.line(undo_remark(question.final, question.decision.options), Ink.FAINT)


def question_lines(question: NumberedQuestion, cells: int, room: int) -> list[Text]:
    """Lay out a question within a width of `cells` and a height of `room` lines.

    If there is not enough room, option labels are cut first; then options get more columns.
    """
    head = [Text(each, style="bold") for each in wrapped(question.asked, cells)]
    if question.decision.sealed and question.together:
        head.append(Text(_TOGETHER))
    remarks = [f"{_NOT} {each}" for each in question.unavailable]
    remarks.append(undo_remark(question.final, question.decision.options))
    end = [Text(line, style="dim") for each in remarks for line in wrapped(each, cells)]
    offered = question.decision.options
    if of_amounts(offered):
        typed = f"Type {said_numbers(numbered(offered))}."
        return [*head, *(Text(each) for each in wrapped(typed, cells)), *end]
    options = _options(question.offered, cells, room - len(head) - len(end))
    return [*head, *options, *end]


def undo_remark(final: Sequence[bool], options: Sequence[Option]) -> str:
    """Return a remark that lists the numbers of the options that cannot be undone."""
    if all(final):
        return "(None of these can be undone.)" if len(final) > 1 else "(This cannot be undone.)"
    if not any(final):
        return "(Can be undone.)"
    typed = [str(each.number) for each in numbered(options)]
    numbers = [number for number, each in zip(typed, final, strict=True) if each]
    return f"(Can be undone, except {and_list(numbers)}.)"


def undone_in_words(undone: Undone, seats: Sequence[str]) -> str:
    """Say whose choice undo takes back, and how many answers of bots with it."""
    owner = shown(seats[undone.player - 1])
    label = f"choice `{shown(undone.label)}`" if undone.label else "secret answer"
    choice = f"{owner}'s {label}"
    bots = so_many(undone.replies, "answer of a bot", "answers of bots")
    return f"{choice}, and {bots}" if undone.replies else choice


def confirming(typed: str, option: Option, *, is_final: bool) -> str:
    """Return a request to confirm an answer."""
    undone = ", which cannot be undone" if is_final else ""
    label, words = f"`{shown(option.label)}`", f"`{typed.strip()}`"
    meaning = (
        label if words.casefold() == label.casefold() else f"{words} means {label}"
    ) + undone
    return f"Are you sure? {meaning}. Type y to choose it."


def _whole(line: TypedOption, option: Option, preview: Preview | None) -> str:
    text = shown(option.text or ("" if preview is None else preview.outcome))
    after = ""
    if preview and preview.next_options:
        options = preview.next_options
        more = [f"{len(options) - _FORESEEN} more"] if len(options) > _FORESEEN else []
        after = f"; then {' / '.join([*map(shown, options[:_FORESEEN]), *more])}"
    elif preview and preview.next_question:
        after = f"; then: {shown(preview.next_question)}"
    mark = "; " if ": " in line.label else ": "
    return line.label + (f"{mark}{text}" if text else "") + after


def _options(options: Sequence[TypedOption], cells: int, room: int) -> list[Text]:
    """Lay out options in as few columns as possible; long menus get at least two.

    Short options may get narrower columns. If these do not fit either, as with the squares of a
    large board, the labels are shown one after the other.
    """
    fewest = 2 if len(options) > LONG_LIST and cells >= 2 * _COLUMN else 1
    usual = max(cells // _COLUMN, fewest)
    for columns in range(fewest, usual + 1):
        for lines in range(_MOST_LINES, 0, -1):
            found = _in_columns(options, cells, columns, lines)
            if len(found) <= room:
                return found
    labels = [option.label for option in options]
    widest = _margin(options) + 2 + max(map(cell_len, labels)) + _GAP
    found = _in_columns(options, cells, usual, 1)
    for columns in range(usual + 1, (cells + _GAP) // widest + 1):
        found = _in_columns(options, cells, columns, 1)
        if len(found) <= room:
            return found
    return _in_a_row(labels, cells, room) if widest <= _COLUMN else found


def _in_a_row(labels: Sequence[str], cells: int, room: int) -> list[Text]:
    for count in range(len(labels), 0, -1):
        more = f"  ... and {len(labels) - count} more" if count < len(labels) else ""
        lines = wrapped("  ".join(labels[:count]) + more, cells)
        if len(lines) <= max(room, 1):
            break
    return [Text(each) for each in lines]


def _margin(options: Sequence[TypedOption]) -> int:
    return max(len(str(option.number)) for option in options) + 2


def _in_columns(
    options: Sequence[TypedOption], cells: int, columns: int, lines: int
) -> list[Text]:
    margin = _margin(options)
    inside = (cells - _GAP * (columns - 1)) // columns
    blocks = [[*_option(option, margin, inside, lines)] for option in options]
    rows = -(-len(blocks) // columns)
    found: list[Text] = []
    for at in range(rows):
        beside = blocks[at::rows]
        found += side_by_side(beside, _GAP, [inside] * len(beside))
    return found


def _option(option: TypedOption, margin: int, cells: int, most: int) -> Iterator[Text]:
    inside = cells - margin - 2
    first, *rest = _cut(wrapped(option.label, inside), most, inside)
    yield Text.assemble((f"{option.number:>{margin}}.", "yellow"), " ", first)
    for each in rest:
        yield Text(" " * (margin + 2) + each)


def _cut(lines: list[str], most: int, cells: int) -> list[str]:
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while cell_len(last) + len(_DOTS) > cells:
        last = last.rpartition(" ")[0] or last[:-1]
    return [*lines[: most - 1], f"{last}{_DOTS}"]


_PROMPT_LINE = 1  # for the answer
_NEWS_KEPT_APART = 5  # lines of news that must fit before parts are separated by empty lines
_NEWS_KEPT = 2  # lines of news that take precedence over the texts of options
_GAPS = 2  # empty lines above the board and the question
_LEAST_BOARD = 7  # house: lines of the board that do, such as a header and a table of players


def board_room(question: NumberedQuestion, cells: int, height: int) -> int:
    """Return the lines that a board may have beside the whole question and the latest news."""
    asked = question_lines(question, cells, height)
    room = height - _PROMPT_LINE - len(asked) - _NEWS_KEPT - _GAPS
    return min(max(room, _LEAST_BOARD), WHOLE)


def decision_lines(
    news: Sequence[str], board: Sequence[Text], question: NumberedQuestion, cells: int, height: int
) -> tuple[list[Text], list[Text]]:
    """Lay out the news, the board and the question on one screen.

    Return the lines, and all lines of the news if the oldest had to be cut.
    """
    room = height - _PROMPT_LINE - len(board)
    told = [Text(line) for each in news for line in hanging(each, cells)]
    asked = question_lines(question, cells, room - min(len(told), _NEWS_KEPT))
    room -= len(asked)
    parts: list[Sequence[Text]] = [each for each in (board, asked) if each]
    if room - len(parts) >= min(len(told), _NEWS_KEPT_APART):
        parts = [[Text(), *part] for part in parts]
        room -= len(parts)
    is_cut = len(told) > room
    lines = [
        *(_latest(told, room) if is_cut else told),
        *(line for part in parts for line in part),
    ]
    return lines if lines[0] else lines[1:], told if is_cut else []


def _latest(lines: list[Text], room: int) -> list[Text]:
    left = len(lines) - max(room - 1, 0)
    mark = Text(f"… {so_many(left, 'earlier line', 'earlier lines')}: log", style="dim")
    return [mark, *lines[left:]] if room > 0 else []


def unavailable_options(game: Game, decision: Decision) -> list[str]:
    """Explain options that are not offered, in one line for each of the first few reasons.

    Only reasons that the content states in words count: the others are numerous and mostly
    obvious, and `why not` explains each.
    """
    by_reason: dict[str, list[str]] = {}
    offered = set(decision.raw)
    for action in game.actions:
        if action.asked_in != decision.number or not offered.isdisjoint(action.raw):
            continue
        reason = game.why_not(action, decision.player)
        if reason.declared:
            text = shown(reason.text)
            if text not in by_reason and len(by_reason) == _EXPLAINED:
                break
            by_reason.setdefault(text, []).append(shown(action.label))
    return [f"{abridged(labels, _EXPLAINED)}. {text}" for text, labels in by_reason.items()]
