"""Whether the page of `coloma report` opens in a browser without a network, light and dark.

Every chart is drawn, nothing sticks out, texts can be told from what is behind them, and the
console says nothing.  Pictures are written for somebody to look at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from soak.browser import Browser, browser, missing

SCHEMES = ("light", "dark")
PARTS = ("seats", "over-time", "sources", "together", "length")
LEAST_MARKS = 1  # a chart with fewer shows nothing
LEAST_HEIGHT = 40  # pixels
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3: of texts, to be told from what is behind them
DARKEST = 0.04045  # below it sRGB is a straight line: IEC 61966-2-1
LOOK = """
const drawn = [...document.querySelectorAll('figure svg')].map(svg => ({
    name: svg.getAttribute('aria-label'),
    part: svg.closest('section').id,
    height: svg.getBoundingClientRect().height,
    right: svg.getBoundingClientRect().right,
    marks: svg.querySelectorAll('[role^=graphics-symbol]').length,
    inks: [...svg.querySelectorAll('text')].map(each => getComputedStyle(each).fill),
}));
const inks = [...document.querySelectorAll('h1, h2, p, a, th, td, summary, dt, dd, figcaption')]
    .map(each => getComputedStyle(each).color);
return {drawn, inks, paper: getComputedStyle(document.body).backgroundColor,
    sections: document.querySelectorAll('main section').length,
    loads: performance.getEntriesByType('resource').map(each => each.name),
    width: document.documentElement.scrollWidth, room: innerWidth};
"""


def run(pack: str, games: int, seed: int, out: Path | None) -> int:
    """Make a page, open it, and look at it; 0 where nothing is wrong, or nothing can be said."""
    if lacking := missing():
        named = ", ".join(lacking)
        print(f"skipped, as these are missing: {named} (Debian: chromium, chromium-driver)")
        return 0
    from coloma.app import main

    with TemporaryDirectory() as folder:
        page = (out or Path(folder)) / "report.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        try:
            main(["report", pack, "--games", str(games), "--seed", str(seed), "-o", str(page)])
        except SystemExit as ended:
            if ended.code:
                return int(ended.code)
        wrong = [*looked_at(page)]
    print(*wrong, f"{len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


def looked_at(page: Path) -> Iterator[str]:
    """Yield what is wrong with a page; pictures of it are put beside it."""
    with browser() as window:
        for scheme in SCHEMES:
            window.prefer(scheme)
            window.open(page)
            picture = page.with_suffix(f".{scheme}.png")
            window.photograph(picture)
            print(f"{picture}: {page.stat().st_size // 1024} KB of page")
            yield from (f"{scheme}: {each}" for each in _faults(window))
            yield from (f"{scheme}: the console says: {each}" for each in window.messages())


def _faults(window: Browser) -> Iterator[str]:
    found = window.ask(LOOK)
    if not found["drawn"] or not found["sections"]:
        yield "the page is empty"
    if found["width"] > found["room"]:
        yield f"the page is {found['width'] - found['room']} pixels too wide"
    yield from (f"it asks for {each}" for each in found["loads"] if not each.startswith("data:"))
    parts = {each["part"] for each in found["drawn"]}
    yield from (f"there is no chart of {each}" for each in PARTS if each not in parts)
    for chart in found["drawn"]:
        if chart["marks"] < LEAST_MARKS or chart["height"] < LEAST_HEIGHT:
            yield f"not drawn: {chart['name']}"
        if chart["right"] > found["room"]:
            yield f"sticks out: {chart['name']}"
    inks: set[Any] = {*found["inks"], *(ink for each in found["drawn"] for ink in each["inks"])}
    for ink in sorted(inks):
        ratio = contrast(ink, found["paper"])
        if ratio < LEAST_CONTRAST:
            yield f"{ink} on {found['paper']} is hard to read: {ratio:.1f} to 1"


def contrast(one: str, two: str) -> float:
    """Return how far two colours can be told apart, as WCAG computes it."""
    light, dark = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    linear = [e / 12.92 if e <= DARKEST else ((e + 0.055) / 1.055) ** 2.4 for e in parts]
    return sum(w * each for w, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
