"""The board as lines: few beside a question, all of it, or one panel of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from coloma.session.panel_view import Pen, panel_lines
from coloma.session.screen import shown
from rulesdsl import BoardPanel, Form, Rows, When

COMPACT, WHOLE = 10, 22
_GAP = "   "


def header_lines(panels: Sequence[BoardPanel], pen: Pen) -> list[Text]:
    """Return the line that is above everything else, where the game has one."""
    return [line for each in panels if _is_header(each) for line in panel_lines(each, pen)]


def compact_panels(panels: Sequence[BoardPanel]) -> list[BoardPanel]:
    """Return the panels that are shown beside a question."""
    chosen = [each for each in panels if each.when is When.ALWAYS or _is_header(each)]
    if any(each.when is When.ALWAYS for each in panels):
        return chosen
    return [each for each in panels if each.when is not When.APART or _is_header(each)]


def compact_board(panels: Sequence[BoardPanel], pen: Pen, most: int = COMPACT) -> list[Text]:
    """Return what is shown of the board beside a question."""
    chosen = [each for each in compact_panels(panels) if not _is_header(each)]
    return _fitted(chosen, pen, most, header_lines(panels, pen))


def whole_board(panels: Sequence[BoardPanel], pen: Pen, most: int = WHOLE) -> list[Text]:
    """Return all of the board but what is shown only if somebody asks for it."""
    chosen = [each for each in panels if each.when is not When.APART and not _is_header(each)]
    return _fitted(chosen, pen, most, header_lines(panels, pen))


def named_panels(panels: Sequence[BoardPanel], name: str) -> list[BoardPanel]:
    """Return the panels that are called so, or else those with a word that begins like this."""
    wanted = name.casefold()
    names = [(each, f"{each.title} {each.of}".casefold()) for each in panels]
    whole = [each for each, _ in names if wanted in {each.title.casefold(), each.of.casefold()}]
    return whole or [each for each, known in names if f" {known}".find(f" {wanted}") >= 0]


def _is_header(panel: BoardPanel) -> bool:
    return isinstance(panel.body, Rows) and panel.body.form is Form.HEADER


def _fitted(panels: Sequence[BoardPanel], pen: Pen, most: int, header: list[Text]) -> list[Text]:
    """Return the lines of panels; lists are cut, and panels without room are named instead.

    The first panel is always drawn: a board that is taller than the limit is the game itself.
    """
    drawn = [(each, panel_lines(each, pen)) for each in panels]
    lines = [*header, *_packed([each for _, each in drawn], pen.width)]
    while len(lines) > most and (longest := _longest_list(drawn)):
        _cut_last(longest, pen.width)
        lines = [*header, *_packed([each for _, each in drawn], pen.width)]
    for last in range(len(drawn) - 1, 0, -1):
        if len(lines) <= most:
            break
        lines = [*header, *_packed([each for _, each in drawn[:last]], pen.width)]
        lines += _left_out([each for each, _ in drawn[last:]], pen)
    return lines


def _longest_list(drawn: Sequence[tuple[BoardPanel, list[Text]]]) -> list[Text] | None:
    """Return the lines of the longest list that can do with one line less."""
    lists = [lines for panel, lines in drawn if _is_list(panel) and len(lines) > 1]
    return max(lists, key=len, default=None)


def _is_list(panel: BoardPanel) -> bool:
    return isinstance(panel.body, Rows) and panel.body.form is Form.LINE


def _cut_last(lines: list[Text], width: int) -> None:
    """Take the last line away, with a mark at the end of the one before it."""
    lines.pop()
    lines[-1].truncate(width - 1)
    lines[-1].append("…")


def _left_out(panels: Sequence[BoardPanel], pen: Pen) -> list[Text]:
    names = ", ".join(dict.fromkeys(shown(each.title) for each in panels))
    line = Text(f"More with board NAME: {names}", style="dim")
    line.truncate(pen.width, overflow="ellipsis")
    return [line]


def _packed(blocks: Sequence[list[Text]], width: int) -> list[Text]:
    """Return blocks below each other, or beside each other where that saves lines."""
    lines: list[Text] = []
    left = [each for each in blocks if each]
    while left:
        row = [left.pop(0)]
        while left and _width([*row, left[0]]) <= width:
            row.append(left.pop(0))
        lines += _beside(row)
    return lines


def _width(row: Sequence[list[Text]]) -> int:
    return sum(max(each.cell_len for each in block) for block in row) + len(_GAP) * (len(row) - 1)


def _beside(row: Sequence[list[Text]]) -> Iterator[Text]:
    widths = [max(each.cell_len for each in block) for block in row]
    for parts in zip_longest(*row, fillvalue=Text()):
        line = Text()
        for part, cells in zip(parts, widths, strict=True):
            if line or part is not parts[0]:
                line.append(_GAP)
            line.append_text(part)
            line.append(" " * (cells - part.cell_len))
        line.rstrip()
        yield line
