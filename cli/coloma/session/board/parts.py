"""Parts of a board: their cells, what has changed in them, and the part that a word names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias, assert_never

from rulesdsl import BoardPanel, Cell, Grid, Map, Rows, Table
from rulesdsl.source import english

Key: TypeAlias = tuple[str, ...]
"""Key of a cell: the title of the panel, its owner or subject, and names within the panel."""


def changed(before: Sequence[BoardPanel], now: Sequence[BoardPanel]) -> frozenset[Key]:
    """Return the keys of the cells that have changed; if there is no earlier board, none have."""
    if not before:
        return frozenset()
    known = dict(_cells(before))
    return frozenset(key for key, cell in _cells(now) if key in known and known[key] != cell)


def cells_of(panel: BoardPanel) -> Iterator[Cell]:
    """Yield the cells of a panel."""
    return (cell for _, cell in _of_body(panel) if cell)


def _cells(panels: Sequence[BoardPanel]) -> Iterator[tuple[Key, Cell | None]]:
    for panel in panels:
        for names, cell in _of_body(panel):
            yield (panel.title, panel.of, *names), cell


def _of_body(panel: BoardPanel) -> Iterator[tuple[Key, Cell | None]]:
    match body := panel.body:
        case Rows():
            yield from (((row.label,), row.cell) for row in body.rows)
        case Table():
            for line in body.lines:
                for column, cell in zip(body.columns, line.cells, strict=True):
                    yield (line.label, column), cell
        case Grid():
            for name, cells in zip(body.rows, body.cells, strict=True):
                for column, square in zip(body.columns, cells, strict=True):
                    yield (name, column), square
        case Map():
            yield from (((spot.name,), spot.cell) for spot in body.spots)
            yield from (((row.label,), row.cell) for row in body.rest)
        case _:
            assert_never(body)


def title_of(panel: BoardPanel) -> str:
    """Return the title of a panel, with its owner or subject if it is one of a series."""
    title = panel.of if panel.of and panel.title in {"", "Player"} else panel.title
    return title if panel.of in title else f"{title}: {panel.of}"


def parts_named(panels: Sequence[BoardPanel], name: str) -> list[BoardPanel] | str:
    """Return the panels that a name means, or a message if there are none or too many.

    A name is a title or an owner, or words in one of them; else words in a label or column, or
    else in the name of a thing, which lead to the panel where they are.
    """
    exact = [panel for panel in panels if name.casefold() in _names(panel)]
    word = re.compile(rf"(?<!\w){re.escape(name)}", re.IGNORECASE)
    if titled := exact or [panel for panel in panels if word.search(f"{panel.title} {panel.of}")]:
        return titled
    for texts in (_labels, _things):
        hits = [(panel, text) for panel in panels for text in texts(panel) if word.search(text)]
        at = {title_of(panel): (panel, text) for panel, text in reversed(hits)}
        if len(at) == 1:
            return [panel for panel, _ in at.values()]
        if at:
            places = english.and_list([f"{part} ({at[part][1]})" for part in reversed(at)])
            return f"`{name}` is in {places}. Type board and the name of one of them."
    titles = english.or_list(list(dict.fromkeys(panel.title or panel.of for panel in panels)))
    return f"The board has no part `{name}`; its parts are {titles}."


def _names(panel: BoardPanel) -> set[str]:
    return {panel.title.casefold(), panel.of.casefold(), title_of(panel).casefold()} - {""}


def _labels(panel: BoardPanel) -> Iterator[str]:
    names = chain.from_iterable(names for names, _ in _of_body(panel))
    return chain(names, (item.where for cell in cells_of(panel) for item in cell))


def _things(panel: BoardPanel) -> Iterator[str]:
    return (item.text for cell in cells_of(panel) for item in cell)
