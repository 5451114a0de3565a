"""The pages of a game with its mods, resolved."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.book.filling import Fill, Filled, Filler
from rulesdsl.check.book.pages import Each, Page, Row, read_page
from rulesdsl.check.types import entry
from rulesdsl.source.suggest import among

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.program import TypedValue
    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.source.diagnostic import Findings


MAX_LINES = 1000


@attrs.frozen
class Line:
    """A line with its values; it is there where all of `when` holds."""

    text: Filled
    when: tuple[Fill, ...]


@attrs.frozen
class FilledPage:
    """A page whose slots are resolved."""

    page: Page
    lines: tuple[Line, ...]


@attrs.frozen
class Book:
    """All pages in their order, and the values that their lines name."""

    pages: tuple[FilledPage, ...]
    values: dict[tuple[str, int], TypedValue]


def pages_of(pack: PackSource, findings: Findings) -> dict[str, Page]:
    """Read the pages of one pack, by their paths."""
    return {
        path: read_page(path, source, findings) for path, source in pack.pages(findings).items()
    }


def read_book(layers: Layered, world: World, findings: Findings) -> Book:
    """Read and resolve the pages of a game and its mods.

    They are ordered by the names of their files. A page of a mod takes the place of the one with
    the same topic.
    """
    paths: dict[str, str] = {}
    pages: dict[str, Page] = {}
    for pack in layers.packs:
        for path, page in pages_of(pack, findings).items():
            paths.setdefault(page.topic, path)
            pages[page.topic] = page
    filler = Filler(world, findings, layers.players.least)
    found = tuple(
        FilledPage(pages[topic], _bounded(filler, pages[topic]))
        for topic, _ in sorted(paths.items(), key=lambda each: each[1])
    )
    return Book(found, filler.values)


def check_book(layers: Layered, world: World, findings: Findings) -> None:
    """Report what is wrong with the pages of a game and its mods."""
    pages: dict[str, Page] = {}
    for pack in layers.packs:
        pages.update((page.topic, page) for page in pages_of(pack, findings).values())
    least = layers.players.least
    for page in pages.values():
        _bounded(Filler(world, findings, least), page)


def _bounded(filler: Filler, page: Page) -> tuple[Line, ...]:
    """Return the lines of a page; what repeats without end is reported and cut."""
    lines = tuple(islice(_lines(filler, page), MAX_LINES + 1))
    if len(lines) > MAX_LINES:
        message = f"This page has more than {MAX_LINES} lines, repeated parts included."
        advice = "Repeat it for fewer entries, or split the page."
        filler.findings.report("E407", page.span, message, advice)
    return lines[:MAX_LINES]


def _lines(filler: Filler, page: Page) -> Iterator[Line]:
    for row in page.rows:
        when = () if row.when is None else (filler.condition(row.when, {}),)
        conditions = tuple(each for each in when if each is not None)
        yield from _repeated(filler, row, row.each, {}, conditions)


def _repeated(
    filler: Filler,
    row: Row,
    loops: tuple[Each, ...],
    known: dict[str, ty.Value],
    conditions: tuple[Fill, ...],
) -> Iterator[Line]:
    """Yield a line for each entry of a kind, and of those of the next one in it."""
    if not loops:
        yield Line(filler.text(row.parts, known), conditions)
        return
    each, kinds = loops[0], filler.world.kinds
    if each.kind not in kinds:
        advice = among(each.kind, kinds)
        filler.findings.report("E201", each.span, f"There is no kind `{each.kind}`.", advice)
        return
    for at in range(len(kinds[each.kind].entries)):
        locals_ = known | {each.name: ty.Const(at, type=entry(each.kind))}
        where = None if each.where is None else filler.condition(each.where, locals_)
        when = conditions if where is None else (*conditions, where)
        yield from _repeated(filler, row, loops[1:], locals_, when)
