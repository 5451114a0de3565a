"""What is shown when a game is over."""

from __future__ import annotations

from coloma.session.chart_view import chart_columns, show_chart
from coloma.session.scoring_view import show_result
from coloma.session.screen import Screen
from coloma.session.table import Table


def show_ending(screen: Screen, table: Table) -> None:
    """Show the result, how it came about, and where one can look back."""
    result = table.game.result
    if result is None:
        return
    screen.line()
    show_result(screen, result)
    show_chart(screen, table.history(chart_columns(screen)))
    if table.journal:
        screen.line()
        screen.line(f"The game is saved in {table.journal.path}")
        screen.line(f"All that happened: coloma replay {table.journal.path}")
