"""Charts drawn as SVG, to go into a page as they are: no script, no link, nothing foreign."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from coloma.errors import CommandError

if TYPE_CHECKING:
    from coloma.report.charts import Spec

VEGA_LITE = "5.20"  # the language of `charts`
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
MISSING = "charts are drawn by a library that is not installed: pip install 'coloma[report]'"


def check_library() -> None:
    """Raise CommandError where charts or pages cannot be made."""
    try:
        import jinja2  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise CommandError(MISSING) from None


def drawn(spec: Spec, name: str, about: str) -> str:
    """Return a chart as SVG; `name` is its own in the page, `about` says what it shows."""
    import vl_convert

    whole = {**spec, "config": _LOOK, "padding": 4}
    text = vl_convert.vegalite_to_svg(json.dumps(whole), vl_version=VEGA_LITE)
    return cleaned(text, name, about)


def cleaned(text: str, name: str, about: str) -> str:
    """Return SVG with ids of its own, and none but elements that draw; ValueError for others."""
    root = ET.fromstring(text)  # noqa: S314 - what we had drawn
    for each in root.iter():
        if each.tag not in _ELEMENTS:
            raise ValueError(f"a chart has an element that draws nothing: {each.tag}")
        for key, value in each.attrib.items():
            if key == "id":
                each.set(key, f"{name}-{value}")
            elif "url(#" in value:
                each.set(key, value.replace("url(#", f"url(#{name}-"))
            elif key.startswith("on") or key.endswith("href"):
                raise ValueError(f"a chart has an attribute that does not draw: {key}")
    root.set("role", "figure")
    root.set("aria-label", about)
    root.set("style", f"max-width: {root.get('width')}px")
    for side in ("width", "height"):  # the page says how wide; the view box keeps the shape
        del root.attrib[side]
    ET.register_namespace("", _SVG[1:-1])
    return ET.tostring(root, encoding="unicode")
