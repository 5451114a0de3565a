"""Charts of a report: Vega-Lite specifications, drawn as SVG."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from coloma.output import CommandError

# The specifications are data: marks, and the field for each axis (see
# https://vega.github.io/vega-lite/docs/). A screen reader reads the titles of fields for each
# mark.


Spec = dict[str, Any]
Rows = Sequence[dict[str, Any]]
WIDTH = 560
STEP = 20  # height of a line with a name
ABOVE, UNCLEAR, BELOW = "above even", "not clear", "below even"
SIGNS = {1: ABOVE, 0: UNCLEAR, -1: BELOW}
_COLOURS = {ABOVE: "var(--good)", UNCLEAR: "var(--quiet)", BELOW: "var(--bad)"}
SERIES = [f"var(--series-{at})" for at in range(1, 9)]


def intervals(rows: Rows, title: str, *, middle: float = 0.0) -> Spec:
    """Return a point with its interval for each name, in the order of the rows.

    Rows have `name`, `mean`, `low`, `high` and `sign` (a key of SIGNS). `middle` is the even
    value.
    """
    values = [{**each, "says": SIGNS[each["sign"]]} for each in rows]
    name = {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "title": None,
    }
    colour = {
        "field": "says",
        "type": "nominal",
        "scale": _scale(each["says"] for each in values),
        "legend": {"title": None, "orient": "top"},
    }
    low = {"field": "low", "type": "quantitative", "title": title, "scale": {"zero": False}}
    mean = {"field": "mean", "type": "quantitative", "title": title}
    return {
        "width": WIDTH,
        "height": {"step": STEP},
        "layer": [
            {
                "data": {"values": [{"middle": middle}]},
                "mark": {"type": "rule", "color": "var(--line)", "aria": False},
                "encoding": {"x": {"field": "middle", "type": "quantitative"}},
            },
            {
                "data": {"values": values},
                "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.6},
                "encoding": {"y": name, "x": low, "x2": {"field": "high"}, "color": colour},
            },
            {
                "data": {"values": values},
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {"y": name, "x": mean, "color": colour},
            },
        ],
    }


def lines(rows: Rows, along: str, up: str, series: str) -> Spec:
    """Return a line for each series; rows have `along`, `up` and `series`."""
    order = list(dict.fromkeys(each["series"] for each in rows))
    return {
        "data": {"values": list(rows)},
        "width": WIDTH,
        "height": 280,
        "mark": {"type": "line", "strokeWidth": 2.5},
        "encoding": {
            "x": {"field": "along", "type": "quantitative", "title": along},
            "y": {"field": "up", "type": "quantitative", "title": up},
            "color": {**_series(order), "title": series},
            "strokeDash": {
                "field": "series",
                "type": "nominal",
                "title": series,
                "sort": order,
                "scale": {"domain": order},
            },
        },
    }


def stacked(rows: Rows, title: str) -> Spec:
    """Return a bar of stacked series for each name; rows have `name`, `series` and `value`."""
    order = list(dict.fromkeys(each["series"] for each in rows))
    numbered = [{**each, "order": order.index(each["series"])} for each in rows]
    return {
        "data": {"values": numbered},
        "width": WIDTH,
        "height": {"step": STEP * 1.6},
        "mark": {"type": "bar"},
        "encoding": {
            "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
            "x": {"field": "value", "type": "quantitative", "title": title},
            "color": {
                **_series(order),
                "legend": {"title": None, "orient": "top", "columns": 3},
            },
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def heat(rows: Rows, title: str) -> Spec:
    """Return a square for each pair; rows have `one`, `two`, `value` and `says`.

    Values above and below 0 have different colours, stronger with distance.
    """
    most = max((abs(each["value"]) for each in rows), default=1) or 1
    values = [{**each, "strength": abs(each["value"]) / most} for each in rows]
    names = sorted({each["one"] for each in rows})
    size = max(STEP, 22)
    where = {"type": "nominal", "sort": names, "title": None, "axis": {"grid": False}}
    square = {
        "x": {"field": "one", **where, "axis": {"labelAngle": -50, "grid": False}},
        "y": {"field": "two", **where},
    }
    return {
        "data": {"values": values},
        "width": {"step": size * 1.5},
        "height": {"step": size},
        "layer": [
            {
                "mark": {"type": "rect"},
                "encoding": {
                    **square,
                    "color": {
                        "field": "says",
                        "type": "nominal",
                        "scale": _scale(each["says"] for each in rows),
                        "legend": {"title": title, "orient": "top", "titleLimit": WIDTH},
                    },
                    "opacity": {
                        "field": "strength",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": [0.06, 0.6]},
                        "legend": None,
                    },
                },
            },
            {
                "mark": {"type": "text", "fontSize": 10, "color": "var(--ink)", "aria": False},
                "encoding": {
                    **square,
                    "text": {"field": "value", "type": "quantitative", "format": "+.0f"},
                },
            },
        ],
    }


def columns(rows: Rows, along: str, up: str) -> Spec:
    """Return a histogram; rows have `low`, `high` and `count`."""
    return {
        "data": {"values": list(rows)},
        "width": WIDTH,
        "height": 200,
        "mark": {"type": "bar", "color": SERIES[0]},
        "encoding": {
            "x": {
                "field": "low",
                "type": "quantitative",
                "title": along,
                "bin": {"binned": True},
                "scale": {"zero": False},
            },
            "x2": {"field": "high"},
            "y": {"field": "count", "type": "quantitative", "title": up},
        },
    }


def _scale(says: Iterable[str]) -> Spec:
    there = set(says)
    used = [each for each in _COLOURS if each in there]
    return {"domain": used, "range": [_COLOURS[each] for each in used]}


def _series(order: Sequence[str]) -> Spec:
    return {
        "field": "series",
        "type": "nominal",
        "sort": list(order),
        "scale": {"domain": list(order), "range": [SERIES[at % 8] for at in range(len(order))]},
    }


VEGA_LITE = "5.20"  # the version of the specifications
_LOOK = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "domainColor": "var(--line)",
        "gridColor": "var(--grid)",
        "labelColor": "var(--ink)",
        "labelFontSize": 12,
        "labelLimit": 260,
        "tickColor": "var(--line)",
        "titleColor": "var(--ink)",
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "legend": {
        "labelColor": "var(--ink)",
        "labelFontSize": 12,
        "labelLimit": 260,
        "titleColor": "var(--ink)",
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
}
_SVG = "{http://www.w3.org/2000/svg}"
_ELEMENTS = {
    f"{_SVG}{name}"
    for name in (
        *("svg", "g", "path", "line", "rect", "text", "tspan", "circle", "defs", "clipPath"),
        *("linearGradient", "stop", "title"),
    )
}
MISSING = "charts need a library that is not installed: pip install 'coloma[report]'"


def check_library() -> None:
    """Raise `CommandError` if the libraries for charts and pages are missing."""
    try:
        import jinja2  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise CommandError(MISSING) from None


def drawn(spec: Spec, name: str, about: str) -> str:
    """Draw a chart as SVG; `name` must be unique in the page, `about` describes the chart."""
    import vl_convert

    whole = {**spec, "config": _LOOK, "padding": 4}
    text = vl_convert.vegalite_to_svg(json.dumps(whole), vl_version=VEGA_LITE)
    return cleaned(text, name, about)


def cleaned(text: str, name: str, about: str) -> str:
    """Make ids unique, and reject elements and attributes that do not draw."""
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
    root.set("style", f"max-width: {root.get('width')}px")
    for side in ("width", "height"):  # the page sets the width; the view box keeps the shape
        del root.attrib[side]
    ET.register_namespace("", _SVG[1:-1])
    return ET.tostring(root, encoding="unicode")
