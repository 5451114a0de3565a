"""`python -m soak screens`: test that boards and questions fit in the terminal, and hide nothing.

In positions of random games, at 80, 120 and 60 columns: the board beside a question, the whole
board and the screen of a decision fit. No number ends in an ellipsis. Whatever a part of the board
holds is on its own page (`board NAME`), and a board that leaves it out says so. No text on the
screen is rule source, an id or a mod's prefix.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import attrs

import rulesdsl
from coloma.session.answers import of_amounts
from coloma.session.board.layout import compact_board, compact_panels, whole_board
from coloma.session.board.panels import Pen, panel_lines, seat_signs
from coloma.session.board.parts import cells_of, title_of
from coloma.session.log_view import told
from coloma.session.question import (
    LONG_LIST,
    NumberedQuestion,
    board_room,
    decision_lines,
)
from rulesdsl.table.news import News
from soak.games import settings
from soak.words import Words, on_board

if TYPE_CHECKING:
    from rich.text import Text

SIZES = ((80, 24), (120, 40), (60, 24))
NORM = SIZES[0]
DIGITS, CUT, SOURCE, SIZE = "digits cut", "cut without a way", "source or ids", "too large"
_FAULTS = {
    DIGITS: "digits replaced by an ellipsis",
    CUT: "things cut with no way to see them",
    SOURCE: "texts with rule source, ids or prefixes",
    SIZE: "screens that do not fit",
}
_OF_SOURCE = {"path", "code", "source", "prefix", "id"}
CUT_DIGITS = re.compile(r"\d(?:…|\.\.\.)|(?<!\S)…\d*(?= *$)")
_MARKS = re.compile(r"…|\.\.\.|\w\.(?= |$)|For more, type board")
_OFTEN = 0.2  # house: share of the decisions that are examined, besides the first one
_MOST = 100  # house: positions of a game that are examined; random games of some packs are endless
_CUT_OPTION = ("…", "...")


@attrs.define
class Measured:
    """Counts of games and positions, the heights of their displays, and what is wrong."""

    games: int = 0
    positions: int = 0
    heights: dict[str, list[int]] = attrs.Factory(lambda: defaultdict(list))
    wrong: list[tuple[str, str]] = attrs.Factory(list)
    """Faults, each with its place and what is wrong there."""

    def report(self, fault: str, where: str) -> None:
        """Add a fault, unless the same is known."""
        if (fault, where) not in self.wrong:
            self.wrong.append((fault, where))

    def summary(self) -> str:
        """Return the counts and the first faults of each kind."""
        counts = Counter(fault for fault, _ in self.wrong)
        lines = [f"{self.games} games, {self.positions} positions at 60, 80 and 120 columns"]
        lines += [f"  {counts[fault]} {words}" for fault, words in _FAULTS.items()]
        for fault in counts:
            lines += [f"    {where}" for kind, where in self.wrong if kind == fault][:5]
        heights = (f"{what} {min(n)} to {max(n)}" for what, n in self.heights.items())
        return "\n".join([*lines, f"  lines at {NORM[0]} columns: {', '.join(heights)}"])


def run(pack: list[str], count: int, seed: int) -> int:
    """Check random games of each pack and print the results; return the exit status."""
    status = 0
    for folder in pack:
        measured = measure(rulesdsl.load(Path(folder)), count, seed)
        print(f"{folder}: {measured.summary()}", flush=True)
        status = status or bool(measured.wrong)
    return status


def measure(pack: rulesdsl.Pack, games: int, seed: int) -> Measured:
    """Check positions of random games, with all options and numbers of players in turn."""
    measured = Measured()
    for number, setting in enumerate(settings(pack, games, seed)):
        game = pack.new_game(setting.players, seed=seed + number, options=setting.options)
        words = Words.of(game.setting.labels.world, [pack.id, *pack.mods])
        for news in _looks(game, random.Random(seed + number)):
            _look(game, news, words, measured)
        measured.games += 1
    return measured


def _looks(game: rulesdsl.Game, chance: random.Random) -> Iterator[Sequence[str]]:
    """Play a random game, and yield the news for the player to move at some decisions."""
    news, looks = News(game, resumed=False, brief=True), 0
    while (decision := game.decision) is not None and looks < _MOST:
        if not looks or chance.random() < _OFTEN:
            looks += 1
            yield told(news.fresh_lines(game, decision.player))
        game.choose(chance.randrange(decision.count), decision.player)


def _look(game: rulesdsl.Game, news: Sequence[str], words: Words, measured: Measured) -> None:
    decision = game.decision
    assert decision is not None
    measured.positions += 1
    panels = game.board(decision.player)
    final = [False] * decision.count
    question = NumberedQuestion(decision, game.seats[decision.player - 1], final, together=True)
    asked = (question.asked, *(option.label for option in decision.options))
    for text in {*news, *asked, *on_board(panels)}:
        for kind, part in words.wrong(text):
            if kind in _OF_SOURCE:
                measured.report(SOURCE, f"{text} [{part}]")
    for size in SIZES:
        pen = Pen(size[0], game.seats, seat_signs(game.seats))
        where = f"{game.players} players, {size[0]} columns"
        _check_pages(panels, pen, where, measured)
        _check_screen(panels, news, question, pen, size, where, measured)


def _check_pages(
    panels: Sequence[rulesdsl.BoardPanel], pen: Pen, where: str, measured: Measured
) -> None:
    """Report what a part of the board holds and its own page does not show."""
    for panel in panels:
        page = panel_lines(panel, attrs.evolve(pen, whole=True))
        for text in lost(panel, page, pen):
            measured.report(CUT, f"{where}, board {title_of(panel)}: {text}")


def _check_screen(
    panels: Sequence[rulesdsl.BoardPanel],
    news: Sequence[str],
    question: NumberedQuestion,
    pen: Pen,
    size: tuple[int, int],
    where: str,
    measured: Measured,
) -> None:
    cells, height = size
    board = compact_board(panels, pen, board_room(question, cells, height))
    full = whole_board(panels, pen)
    screen = decision_lines(news, board, question, cells, height)[0]
    for line in (*screen, *full):
        if CUT_DIGITS.search(line.plain):
            measured.report(DIGITS, f"{where}: {line.plain}")
        if line.cell_len > cells:
            measured.report(SIZE, f"{where}: {line.cell_len} cells: {line.plain}")
    _check_board(board, compact_panels(panels), pen, where, measured)
    _check_board(full, _not_apart(panels), pen, where, measured)
    for text in _check_question(question, screen):
        measured.report(CUT, f"{where}, {text}")
    is_long = question.decision.count > LONG_LIST
    for lines in [full] if is_long else [full, screen]:
        if len(lines) + 1 > height:
            measured.report(SIZE, f"{where}, {question.asked}: {len(lines) + 1} lines")
    if size == NORM:
        measured.heights["whole board"].append(len(full))
        measured.heights["beside a question"].append(len(board))
        measured.heights["screen of a decision"].append(len(screen) + 1)


def _not_apart(panels: Sequence[rulesdsl.BoardPanel]) -> list[rulesdsl.BoardPanel]:
    return [panel for panel in panels if panel.when is not rulesdsl.When.APART]


def _check_board(
    lines: Sequence[Text],
    panels: Sequence[rulesdsl.BoardPanel],
    pen: Pen,
    where: str,
    measured: Measured,
) -> None:
    """Report what is left out without a mark that says how to see it."""
    if not any(_MARKS.search(line.plain) for line in lines):
        for panel in panels:
            for text in lost(panel, lines, pen):
                measured.report(CUT, f"{where}, {title_of(panel)}: {text}")


def _check_question(question: NumberedQuestion, screen: Sequence[Text]) -> Iterator[str]:
    """Yield the question and the options that are cut without a mark."""
    drawn = _packed(screen)
    options = question.decision.options
    if not _has(drawn, question.asked):
        yield question.asked
    if not any(mark in drawn for mark in _CUT_OPTION) and not of_amounts(options):
        yield from (option.label for option in options if not _has(drawn, option.label))


# -------------------------------------------------------------------- what a panel holds
def lost(panel: rulesdsl.BoardPanel, lines: Sequence[Text], pen: Pen) -> Iterator[str]:
    """Yield what a panel holds and its lines do not show, neither in words nor as a sign."""
    drawn = _packed(lines)
    for text, seat in _labels(panel):
        if not _has(drawn, text) and not (seat and pen.signs[seat - 1] in drawn):
            yield text
    for item in (item for cell in cells_of(panel) for item in cell):
        is_back = item.role is rulesdsl.Role.HIDDEN and isinstance(panel.body, rulesdsl.Grid)
        ways = [item.text, *([item.sign] if item.sign else []), *(["?"] if is_back else [])]
        if item.seat:
            ways.append(pen.signs[item.seat - 1])
        if not any(_has(drawn, way) for way in ways):
            yield item.text


def _packed(lines: Sequence[Text]) -> str:
    return "".join("".join(line.plain.split()) for line in lines)


def _has(drawn: str, text: str) -> bool:
    """Return whether all words of a text are drawn, wherever lines are broken."""
    return all(word in drawn for word in text.split())


def _labels(panel: rulesdsl.BoardPanel) -> Iterator[tuple[str, int | None]]:
    """Yield the labels of a panel, each with the seat that may stand for it."""
    match body := panel.body:
        case rulesdsl.Rows():
            rows = body.rows if len(body.rows) > 1 else ()
            yield from ((row.label, row.seat) for row in rows if row.cell)
        case rulesdsl.Table():
            yield from ((line.label, line.seat) for line in body.lines)
            for at, title in enumerate(body.columns):
                if any(line.cells[at] for line in body.lines):
                    yield title, None
        case rulesdsl.Grid():
            yield from ((name, None) for name in (*body.rows, *body.columns))
        case rulesdsl.Map():
            yield from ((spot.name, None) for spot in body.spots if spot.at or spot.cell)
            yield from ((row.label, row.seat) for row in body.rest if row.cell)
        case _:
            assert_never(body)
