"""Numbers and intervals in the words of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from coloma.session.cells import padded, width

if TYPE_CHECKING:
    from rulesdsl.figures.sequences import Interval

UNKNOWN = "too few"


def plus_minus(found: Interval, unit: str = "", places: int = 1) -> str:
    """Say a difference with its interval: `+3.6 ±1.2`."""
    if not found.known:
        return UNKNOWN
    return f"{_rounded(found.mean, places):+.{places}f} ±{found.radius:.{places}f}{unit}"


def about(found: Interval, unit: str = "", places: int = 1) -> str:
    """Say a number with its interval: `3.6 ±1.2`; the number alone where there is none."""
    mean = f"{_rounded(found.mean, places):.{places}f}"
    return f"{mean} ±{found.radius:.{places}f}{unit}" if found.known else f"{mean}{unit}"


def per_cent(part: float, whole: float) -> str:
    """Say a share in per cent."""
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def _rounded(number: float, places: int) -> float:
    return round(number, places) + 0.0  # no `-0.0`


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines of columns: the first one to the left, the others to the right."""
    table = [*rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = [
            " " * (wide - width(each)) + each
            for each, wide in zip(others, widths[1:], strict=True)
        ]
        yield "  ".join([padded(first, widths[0]), *cells]).rstrip()
