"""What a page is made of: sentences, a chart, tables."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from coloma.report.charts import Spec


@attrs.frozen
class Table:
    """Rows of texts under a heading for each column; the first column names the row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_open: bool = False
    """Whether it is shown without being asked for."""


@attrs.frozen
class Section:
    """A part of the page; what it says in sentences comes first."""

    name: str
    """Of the part, in links: small letters and hyphens."""
    title: str
    said: tuple[str, ...] = ()
    chart: Spec | None = None
    about: str = ""
    """What the chart shows, for people who do not see it."""
    tables: tuple[Table, ...] = ()


def listed(names: Sequence[str], most: int = 60) -> str:
    """Return names in a row; of very many the first, and how many there are."""
    said = ", ".join(names[:most])
    return said if len(names) <= most else f"{said} and {len(names) - most} more"
