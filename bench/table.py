"""Plain text tables for the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.timing import Spread

_GAP = "  "
_THREE_DIGITS = 100


def render(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with a title; the first column is aligned left, the others right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    rule = ["-" * width for width in widths]
    body = [_line(cells, widths) for cells in (header, rule, *rows)]
    return "\n".join([title, "=" * len(title), *body])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return _GAP.join([first, *rest]).rstrip()


def number(value: float) -> str:
    """Format a number with about three significant digits: 12,300, 45.6, 0.789."""
    if abs(value) >= _THREE_DIGITS:
        return f"{value:,.0f}"
    if abs(value) >= 1:
        return f"{value:.1f}"
    return f"{value:.3f}"


def ratio(spread: Spread) -> str:
    """Format a ratio with its quartiles: 0.91 (0.90-0.93)."""
    return f"{spread.median:.2f} ({spread.low:.2f}-{spread.high:.2f})"
