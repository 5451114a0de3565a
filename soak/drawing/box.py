"""What a drawn pack declares: the words that its rules can use, and of which type they are.

A type is a word: `number`, `yes-no`, `bundle`, `seat`, `player`, or a family with its kind:
`entry:hue`, `piece:card`, `list:hue`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    import random

SEATS = ("seat", "player")


@attrs.frozen
class Field:
    """A field of a kind."""

    name: str
    type: str  # as it is written
    per: str | None = None
    back: bool = False
    default: str | None = None


@attrs.define
class Kind:
    """A kind of things with its entries; `role` is kind, place or piece."""

    name: str
    plural: str
    role: str
    entries: list[str]
    fields: list[Field] = attrs.Factory(list)
    table: str | None = None


@attrs.define
class Piece:
    """A kind of pieces."""

    name: str
    plural: str
    style: str  # counted, single, printed
    per: str | None
    count: str
    home: str
    homes: list[str] = attrs.Factory(list)  # places that hold it


@attrs.define
class Place:
    """A kind of places; `dims` are what it is indexed by, its own table first."""

    name: str
    plural: str
    stack: bool
    table: bool
    dims: tuple[str, ...]
    seen: str | None
    holds: list[str] = attrs.Factory(list)

    @property
    def owned(self) -> bool:
        """Whether each of them belongs to a seat."""
        return any(dim in SEATS for dim in self.dims)


@attrs.define
class Cell:
    """A track or a flag."""

    name: str
    dims: tuple[str, ...]
    seen: str | None = None
    during: str | None = None
    bounds: tuple[int, int] | None = None


@attrs.frozen
class Option:
    """An option: its values are names, numbers, or on and off."""

    name: str
    style: str
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 1


@attrs.frozen
class Named:
    """A named value: what it is of, and of which type it is."""

    name: str
    params: tuple[str, ...]
    type: str
    at: int  # it may use values below this one


@attrs.frozen
class Param:
    """A parameter of a verb: a kind and a name, or an amount of a noun."""

    prep: str | None
    type: str
    name: str
    noun: str | None = None

    @property
    def text(self) -> str:
        """How it is declared."""
        words = f"{self.name} {self.noun}" if self.noun else f"{word_of(self.type)} {self.name}"
        return f"{self.prep} {words}" if self.prep else words


@attrs.define
class Proc:
    """A verb or step."""

    name: str
    params: tuple[Param, ...]
    at: int  # it may call procedures below this one
    verb: bool = True
    asks: bool = False  # whether somebody decides in it
    risky: bool = False  # whether it may be impossible
    has: str = ""  # menu, choices: where a hook may add lines

    @property
    def header(self) -> str:
        """How it is declared."""
        return " ".join([self.name, *(param.text for param in self.params)])


@attrs.define
class Box:
    """Everything that a pack declares."""

    chance: random.Random
    least: int = 2
    most: int = 3
    kinds: dict[str, Kind] = attrs.Factory(dict)
    pieces: dict[str, Piece] = attrs.Factory(dict)
    places: dict[str, Place] = attrs.Factory(dict)
    tracks: dict[str, Cell] = attrs.Factory(dict)
    flags: dict[str, Cell] = attrs.Factory(dict)
    options: dict[str, Option] = attrs.Factory(dict)
    rivals: dict[str, bool] = attrs.Factory(dict)  # name -> whether it may not be there
    values: list[Named] = attrs.Factory(list)
    procs: list[Proc] = attrs.Factory(list)
    numbers: dict[str, int] = attrs.Factory(dict)
    prices: dict[str, dict[str, int]] = attrs.Factory(dict)
    charts: list[str] = attrs.Factory(list)
    columns: dict[str, tuple[str, str]] = attrs.Factory(dict)  # name -> kind, number or bundle
    constants: dict[str, str] = attrs.Factory(dict)  # name -> TOML
    effect_reach: int = 0  # effects of fields may call procedures below this one
    formula_reach: int = 0  # formulas of fields may use values below this one

    # ---------------------------------------------------------------- questions
    def held(self, style: str | None = None) -> list[Piece]:
        """Return the kinds of pieces of a style."""
        return [each for each in self.pieces.values() if style in (None, each.style)]

    def plain(self) -> list[Kind]:
        """Return the kinds whose entries can be named: no pieces."""
        return [each for each in self.kinds.values() if each.role != "piece"]

    def chargeable(self) -> list[str]:
        """Return what prices can consist of."""
        return [each.name for each in self.held("counted")]

    def fields(self, *types: str) -> list[tuple[Kind, Field]]:
        """Return the fields of these types."""
        return [
            (kind, each)
            for kind in self.kinds.values()
            for each in kind.fields
            if each.type in types
        ]

    def thing(self, name: str) -> str:
        """Return the type of a thing of a kind, a piece, or a seat."""
        if name in SEATS or name == "number":
            return name
        return f"piece:{name}" if name in self.pieces else f"entry:{name}"


def word_of(kind: str) -> str:
    """Return how a type is written in a declaration."""
    return kind.partition(":")[2] or kind


def plural_of(word: str) -> str:
    """Return the plural that comes by itself."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
