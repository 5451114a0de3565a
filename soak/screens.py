"""`python -m soak screens`: test that boards and questions fit in the terminal.

In positions of random games, the whole board, its compact form and the screen of a decision must
fit in terminals of 80, 120 and 60 columns, and nothing may be cut silently.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from rich.cells import cell_len

import rulesdsl
from coloma.session.board.layout import compact_board, whole_board
from coloma.session.board.panels import Pen, panel_lines, seat_signs
from coloma.session.log_view import told
from coloma.session.question import LONG_LIST, NumberedQuestion, board_room, decision_lines
from rulesdsl.table.news import News

if TYPE_CHECKING:
    from rich.text import Text

SIZES = ((80, 24), (120, 40), (60, 24))
NORM = SIZES[0]
_MARKS = ("…", "...", "~", "More with board")
_WAYS = str.maketrans(dict.fromkeys("─│○╲╱", " "))  # noqa: RUF001 - these are lines
_OFTEN = 0.05  # house: share of the decisions that are examined
_ENDLESS = 700


@attrs.define
class Measured:
    """Counts of positions and the heights of their displays."""

    positions: int = 0
    heights: dict[str, list[int]] = attrs.Factory(lambda: defaultdict(list))
    wrong: list[str] = attrs.Factory(list)

    def told(self) -> str:
        """Return a summary in a few lines."""
        lines = [f"{self.positions} positions at {NORM[0]} columns"]
        lines += [f"{what}: {min(n)} to {max(n)} lines" for what, n in self.heights.items()]
        return "\n".join([*lines, *self.wrong[:10], f"{len(self.wrong)} wrong"])


def run(pack: str, count: int, seed: int) -> int:
    """Check positions of random games and print the results; return the exit status."""
    found = measure(rulesdsl.load(Path(pack)), count, seed)
    print(found.told())
    return 1 if found.wrong else 0


def measure(pack: rulesdsl.Pack, positions: int, seed: int) -> Measured:
    """Check positions of random games, with each number of players in turn."""
    chance, found = random.Random(seed), Measured()
    least, most = pack.players
    while found.positions < positions:
        players = least + found.positions % (most - least + 1)
        for game, news in _looked_at(pack, players, chance):
            if found.positions < positions:
                _look(game, news, found)
    return found


def _looked_at(
    pack: rulesdsl.Pack, players: int, chance: random.Random
) -> Iterator[tuple[rulesdsl.Game, Sequence[str]]]:
    """Yield a random game at some of its decisions, with the news for the player to move."""
    game = pack.new_game(players, chance.randrange(2**31))
    news = News(game, resumed=False, brief=True)
    while (decision := game.decision) is not None:
        if chance.random() < _OFTEN:
            yield game, told(news.fresh_lines(game, decision.player))
        game.choose(chance.randrange(decision.count), decision.player)


def _look(game: rulesdsl.Game, news: Sequence[str], found: Measured) -> None:
    decision = game.decision
    assert decision is not None
    found.positions += 1
    panels = game.board(decision.player)
    final = [False] * decision.count
    question = NumberedQuestion(decision, game.seats[decision.player - 1], final, together=True)
    for cells, height in SIZES:
        pen = Pen(cells, game.seats, seat_signs(game.seats))
        room = board_room(question, cells, height)
        board, whole = compact_board(panels, pen, room), whole_board(panels, pen)
        screen = decision_lines(news, board, question, cells, height)[0]
        where = f"{game.players} players, {cells} columns, {decision.prompt!r}"
        if (cells, height) == NORM:
            found.heights["whole board"].append(len(whole))
            found.heights["beside a question"].append(len(board))
            found.heights["screen of a decision"].append(len(screen) + 1)
        if len(whole) + 1 > height:
            found.wrong.append(f"{where}: a board of {len(whole)} lines")
        if len(screen) + 1 > height and decision.count <= LONG_LIST:
            found.wrong.append(f"{where}: {len(screen) + 1} lines")
        wide = [line.plain for line in (*screen, *whole) if line.cell_len > cells]
        found.wrong += [f"{where}: {cell_len(line)} cells: {line}" for line in wide]
        quiet = [panel.title for panel in panels if _is_cut_quietly(panel, pen)]
        endless = decision_lines(news, board, question, _ENDLESS, _ENDLESS)[0]
        quiet += ["the question"] if _lacks(screen, endless) else []
        found.wrong += [f"{where}: {each} is cut without a mark" for each in quiet]


def _is_cut_quietly(panel: rulesdsl.BoardPanel, pen: Pen) -> bool:
    """Return True if a panel silently omits words; signs and empty rows may be omitted."""
    if isinstance(panel.body, rulesdsl.Rows):
        filled = tuple(row for row in panel.body.rows if row.cell)
        panel = attrs.evolve(panel, body=attrs.evolve(panel.body, rows=filled))
    return _lacks(panel_lines(panel, pen), panel_lines(panel, attrs.evolve(pen, width=_ENDLESS)))


def _lacks(short: Sequence[Text], full: Sequence[Text]) -> bool:
    """Return True if words were left out and no ellipsis or similar mark says so."""
    said = "".join("".join(line.plain.split()) for line in short)
    words = {word for line in full for word in line.plain.translate(_WAYS).split()}
    return any(word not in said for word in words) and not any(
        mark in line.plain for line in short for mark in _MARKS
    )
