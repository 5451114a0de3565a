"""Page model: sections with tables and charts, rendered by a template."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import attrs

from coloma.report.charts import Spec, drawn


@attrs.frozen
class ReportTable:
    """Table of texts with column headings; the first column names the row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_open: bool = False
    """True if the table is shown without a click."""


@attrs.frozen
class ReportSection:
    """Part of a page: sentences, a chart, and tables."""

    name: str
    """Anchor of the section: lower-case letters and hyphens."""
    title: str
    said: tuple[str, ...] = ()
    chart: Spec | None = None
    about: str = ""
    """Description of the chart for readers who do not see it."""
    tables: tuple[ReportTable, ...] = ()


def listed(names: Sequence[str], most: int = 60) -> str:
    """Join names; of a long list, the first ones and the number left out."""
    said = ", ".join(names[:most])
    return said if len(names) <= most else f"{said} and {len(names) - most} more"


TEMPLATE = "page.html.jinja"
STYLE = "page.css"


@attrs.frozen
class ReportPage:
    """Content of a page; `warning` says what is missing, if anything."""

    title: str
    summary: tuple[str, ...]
    sections: tuple[ReportSection, ...]
    made: Sequence[tuple[str, str]]
    """Ingredients of the report: names and values."""
    command: str
    warning: str = ""

    def html(self) -> str:
        """Render the page as self-contained HTML."""
        from jinja2 import Environment, StrictUndefined

        folder = files("coloma") / "report"
        environment = Environment(
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        template = environment.from_string((folder / TEMPLATE).read_text(encoding="utf-8"))
        charts = {
            each.name: drawn(each.chart, each.name, each.about)
            for each in self.sections
            if each.chart is not None
        }
        style = (folder / STYLE).read_text(encoding="utf-8")
        return str(template.render(page=self, charts=charts, style=style))
