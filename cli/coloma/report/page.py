"""Pages of reports: sections with tables, and charts drawn as SVG from Vega-Lite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree as ET

import attrs

from coloma.output import CommandError
from rulesdsl.figures.intervals import Interval
from rulesdsl.source.render import visible


@attrs.frozen
class ReportTable:
    """Table of strings with column headings; the first column has the names of the rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_open: bool = False
    """True if the table is shown without a click."""


@attrs.frozen
class ReportSection:
    """Part of a page: sentences, a chart, and tables."""

    name: str
    """Anchor of the section, in lower-case letters and hyphens."""
    title: str
    said: tuple[str, ...] = ()
    chart: Spec | None = None
    about: str = ""
    """Description of the chart for readers who cannot see it."""
    tables: tuple[ReportTable, ...] = ()


TEMPLATE = "page.html.jinja"
STYLE = "page.css"


@attrs.frozen
class ReportPage:
    """Content of a page; `warning` is shown above it if the results are partial."""

    title: str
    summary: tuple[str, ...]
    sections: tuple[ReportSection, ...]
    made: Sequence[tuple[str, str]]
    """Settings of the report, as names and values."""
    command: str
    warning: str = ""

    def html(self) -> str:
        """Render the page as self-contained HTML; control characters in names are replaced."""
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
        return visible(template.render(page=self, charts=charts, style=style), keep="\n\t")


# A specification consists of marks, and a field for each axis (see
# https://vega.github.io/vega-lite/docs/). For each mark, screen readers read out the titles of its
# fields.


Spec = dict[str, Any]
Rows = Sequence[dict[str, Any]]
WIDTH = 270  # of the plot: with its names, a chart fits a phone
MOST_SCALE, LEAST_SCALE = (
    1.3,
    0.8,
)  # house: scales at which a chart is readable; beyond, it scrolls
STEP = 20  # height of a row with a name
ABOVE, UNCLEAR, BELOW = "above even", "not clear", "below even"
SIGNS = {1: ABOVE, 0: UNCLEAR, -1: BELOW}
_COLOURS = {ABOVE: "var(--good)", UNCLEAR: "var(--quiet)", BELOW: "var(--bad)"}
SERIES = [f"var(--series-{at})" for at in range(1, 9)]


def _by(field: str, kind: str = "quantitative", **more: object) -> Spec:
    return {"field": field, "type": kind, **more}


def _chart(values: Rows, mark: Spec, height: object, **encoding: Spec) -> Spec:
    size = {"width": WIDTH, "height": height}
    return {"data": {"values": list(values)}, **size, "mark": mark, "encoding": encoding}


def intervals(rows: Rows, title: str, *, middle: float = 0.0) -> Spec:
    """Return a chart with a point and its interval for each name, in row order.

    Rows have `name`, `mean`, `low`, `high` and `sign` (a key of SIGNS). A line marks the neutral
    value, `middle`.
    """
    values = [{**each, "says": SIGNS[each["sign"]]} for each in rows]
    data, even = {"values": values}, {"values": [{"middle": middle}]}
    name = _by("name", "nominal", sort=None, title=None)
    legend = {"title": None, "orient": "top"}
    colour = _by("says", "nominal", scale=_scale(e["says"] for e in values), legend=legend)
    low = _by("low", title=title, scale={"zero": False})
    span = {"y": name, "x": low, "x2": {"field": "high"}, "color": colour}
    point = {"y": name, "x": _by("mean", title=title), "color": colour}
    rule = {"type": "rule", "strokeWidth": 3, "opacity": 0.6}
    dot = {"type": "point", "filled": True, "size": 70, "opacity": 1}
    axis = {"type": "rule", "color": "var(--line)", "aria": False}
    layers = [
        {"data": even, "mark": axis, "encoding": {"x": _by("middle")}},
        {"data": data, "mark": rule, "encoding": span},
        {"data": data, "mark": dot, "encoding": point},
    ]
    return {"width": WIDTH, "height": {"step": STEP}, "layer": layers}


def interval_row(name: str, found: Interval) -> dict[str, object]:
    """Return a row for the chart `intervals`."""
    sides = {"mean": found.mean, "low": found.low, "high": found.high, "sign": found.sign}
    return {"name": name, **sides}


def lines(rows: Rows, along: str, up: str, series: str) -> Spec:
    """Return a chart with a line for each series; rows have `along`, `up` and `series`."""
    order = list(dict.fromkeys(each["series"] for each in rows))
    dashes = _by("series", "nominal", title=series, sort=order, scale={"domain": order})
    return _chart(
        rows,
        {"type": "line", "strokeWidth": 2.5},
        280,
        x=_by("along", title=along),
        y=_by("up", title=up),
        color={**_series(order), "title": series, "legend": {"orient": "top"}},
        strokeDash=dashes,
    )


def stacked(rows: Rows, title: str) -> Spec:
    """Return a chart with a stacked bar for each name; rows have `name`, `series` and `value`."""
    order = list(dict.fromkeys(each["series"] for each in rows))
    legend = {"title": None, "orient": "top", "columns": 2}
    return _chart(
        [{**each, "order": order.index(each["series"])} for each in rows],
        {"type": "bar"},
        {"step": STEP * 1.6},
        y=_by("name", "nominal", sort=None, title=None),
        x=_by("value", title=title),
        color={**_series(order), "legend": legend},
        order=_by("order"),
    )


def heat(rows: Rows, title: str) -> Spec:
    """Return a chart with a square for each pair; rows have `one`, `two`, `value` and `says`.

    Values above and below 0 have different colours; the farther from 0, the stronger.
    """
    most = max((abs(each["value"]) for each in rows), default=1) or 1
    values = [{**each, "strength": abs(each["value"]) / most} for each in rows]
    names = sorted({each["one"] for each in rows})
    size = max(STEP, 22)
    across, down = {"labelAngle": -50, "grid": False}, {"grid": False}
    square = {
        "x": _by("one", "nominal", sort=names, title=None, axis=across),
        "y": _by("two", "nominal", sort=names, title=None, axis=down),
    }
    legend = {"title": title, "orient": "top", "titleLimit": WIDTH}
    colour = _by("says", "nominal", scale=_scale(e["says"] for e in rows), legend=legend)
    strengths = {"domain": [0, 1], "range": [0.06, 0.6]}
    opacity = _by("strength", scale=strengths, legend=None)
    text = {"type": "text", "fontSize": 10, "color": "var(--ink)", "aria": False}
    layers = [
        {"mark": {"type": "rect"}, "encoding": {**square, "color": colour, "opacity": opacity}},
        {"mark": text, "encoding": {**square, "text": _by("value", format="+.0f")}},
    ]
    sides = {"width": {"step": size * 1.5}, "height": {"step": size}}
    return {"data": {"values": values}, **sides, "layer": layers}


def columns(rows: Rows, along: str, up: str) -> Spec:
    """Return a histogram; rows have `low`, `high` and `count`."""
    return _chart(
        rows,
        {"type": "bar", "color": SERIES[0]},
        200,
        x=_by("low", title=along, bin={"binned": True}, scale={"zero": False}),
        x2={"field": "high"},
        y=_by("count", title=up),
    )


def _scale(says: Iterable[str]) -> Spec:
    there = set(says)
    used = [each for each in _COLOURS if each in there]
    return {"domain": used, "range": [_COLOURS[each] for each in used]}


def _series(order: Sequence[str]) -> Spec:
    colours = [SERIES[at % 8] for at in range(len(order))]
    return _by("series", "nominal", sort=[*order], scale={"domain": [*order], "range": colours})


VEGA_LITE = "5.20"  # version of the specifications
_TITLES = {"titleColor": "var(--ink)", "titleFontSize": 12, "titleFontWeight": "normal"}
_WORDS = {"labelColor": "var(--ink)", "labelFontSize": 12, "labelLimit": 170, **_TITLES}
_LINES = {"domainColor": "var(--line)", "gridColor": "var(--grid)", "tickColor": "var(--line)"}
_LOOK = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {**_LINES, **_WORDS},
    "legend": _WORDS,
}
_SVG = "{http://www.w3.org/2000/svg}"
_DRAWING = "svg g path line rect text tspan circle defs clipPath linearGradient stop title"
_ELEMENTS = {f"{_SVG}{name}" for name in _DRAWING.split()}
MISSING = "charts need a library that is not installed: pip install 'coloma[report]'"


def check_library() -> None:
    """Raise `CommandError` if the libraries for charts and pages are missing."""
    try:
        import jinja2  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise CommandError(MISSING) from None


def drawn(spec: Spec, name: str, about: str) -> str:
    """Draw a chart as SVG; `name` must be unique on the page, and `about` describes the chart."""
    import vl_convert

    whole = {**_printable(spec), "config": _LOOK, "padding": 4}
    text = vl_convert.vegalite_to_svg(json.dumps(whole), vl_version=VEGA_LITE)
    return cleaned(text, name, about)


def _printable(value: Any) -> Any:  # noqa: ANN401 - a specification or a part of it
    """Return a specification with control characters replaced: XML cannot contain them."""
    match value:
        case str():
            return visible(value, keep="")
        case dict():
            return {key: _printable(part) for key, part in value.items()}
        case list() | tuple():
            return [_printable(part) for part in value]
        case _:
            return value


def cleaned(text: str, name: str, about: str) -> str:
    """Make the ids of an SVG unique; reject elements and attributes that charts do not need."""
    root = ET.fromstring(text)  # noqa: S314 - our own drawing
    for each in root.iter():
        if each.tag not in _ELEMENTS:
            raise ValueError(f"a chart has a forbidden element: {each.tag}")
        for key, value in each.attrib.items():
            if key == "id":
                each.set(key, f"{name}-{value}")
            elif "url(#" in value:
                each.set(key, value.replace("url(#", f"url(#{name}-"))
            elif key.startswith("on") or key.endswith("href"):
                raise ValueError(f"a chart has a forbidden attribute: {key}")
    root.set("role", "figure")
    root.set("aria-label", about)
    width = float(root.get("width", WIDTH))
    sizes = f"max-width: {width * MOST_SCALE:.0f}px; min-width: {width * LEAST_SCALE:.0f}px"
    root.set("style", sizes)
    for side in ("width", "height"):  # the page sets the width; the view box keeps the shape
        del root.attrib[side]
    ET.register_namespace("", _SVG[1:-1])
    return ET.tostring(root, encoding="unicode")
