"""A page: sections put into the template."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import attrs

from coloma.report.drawing import drawn
from coloma.report.sections import Section

TEMPLATE = "page.html.jinja"
STYLE = "page.css"


@attrs.frozen
class Page:
    """All that a page says; `warning` is what is missing in it, if anything."""

    title: str
    summary: tuple[str, ...]
    sections: tuple[Section, ...]
    made: Sequence[tuple[str, str]]
    """What it was made of: names and values."""
    command: str
    warning: str = ""

    def html(self) -> str:
        """Return the page as text: HTML that needs nothing else."""
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
