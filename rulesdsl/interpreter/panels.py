"""What a board consists of: panels and their cells, as data for whoever draws them."""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import TypeAlias

import attrs


class Role(StrEnum):
    """What something on the board is."""

    PIECE = "piece"
    HIDDEN = "hidden"  # it lies there, but the viewer may not know what it is
    NUMBER = "number"
    MARK = "mark"
    TEXT = "text"


class When(StrEnum):
    """When a panel is shown: with every question, on the whole board, or if it is asked for."""

    ALWAYS = "always"
    BOARD = "board"
    APART = "apart"


class Form(StrEnum):
    """How the rows of a panel are laid out."""

    ROWS = "rows"
    COLUMNS = "columns"
    LINE = "line"
    HEADER = "header"


@attrs.frozen
class Item:
    """One thing in a cell.

    `seat` is the player from 1 to whom it belongs, where that does not follow from where it
    lies. `count` says how many there are, where they are counted, and `noun` what they are.
    `where` tells apart the parts of a place that are shown in one cell.
    """

    text: str
    role: Role
    seat: int | None = None
    count: int | None = None
    noun: str = ""
    where: str = ""


Cell: TypeAlias = tuple[Item, ...]


@attrs.frozen
class Row:
    """A label and what is after it; `seat` where the label is a player's."""

    label: str
    cell: Cell
    seat: int | None = None


@attrs.frozen
class Rows:
    """Labels and cells, below or beside each other."""

    form: Form
    rows: tuple[Row, ...]


@attrs.frozen
class TableLine:
    """A line of a table: whose or what it is, and a cell for each column."""

    label: str
    seat: int | None
    cells: tuple[Cell, ...]


@attrs.frozen
class Table:
    """A line for each player, or for each of some other things."""

    columns: tuple[str, ...]
    lines: tuple[TableLine, ...]


@attrs.frozen
class Grid:
    """Cells in rows and columns; None where there is no place."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


@attrs.frozen
class Spot:
    """A place on a map; `at` is its row and column, where it has been given one."""

    name: str
    cell: Cell
    at: tuple[int, int] | None


@attrs.frozen
class Map:
    """Places and the ways that join them, each the indexes of the places along it in order."""

    spots: tuple[Spot, ...]
    ways: tuple[tuple[int, ...], ...]
    rest: tuple[Row, ...] = ()


Body: TypeAlias = Rows | Table | Grid | Map


@attrs.frozen
class BoardPanel:
    """What the board shows together.

    `seat`: the player from 1 whose panel it is, None for what is shared. `of` is the name of the
    one thing that it is about, where there is a panel for each of several.
    """

    title: str
    seat: int | None
    when: When
    body: Body
    of: str = ""


def in_words(cell: Cell) -> str:
    """Return what is in a cell as words."""
    parts: list[str] = []
    for where, items in groupby(cell, key=lambda each: each.where):
        said = ", ".join(each.text for each in items)
        parts.append(f"{where}: {said}" if where else said)
    return "; ".join(parts)
