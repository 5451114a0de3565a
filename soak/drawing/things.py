"""Draws what a pack declares: kinds, places, pieces, tracks, flags, options, named numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.drawing.box import SEATS, Box, Cell, Field, Kind, Option, Piece, Place, plural_of

if TYPE_CHECKING:
    import random

KINDS = ("hue", "mood", "tide", "rank")
ENTRIES = (
    "red",
    "blue",
    "green",
    "gold",
    "calm",
    "wild",
    "merry",
    "grim",
    "ebb",
    "flow",
    "storm",
    "slack",
    "low",
    "mid",
    "high",
    "peak",
    "oak",
    "elm",
    "fir",
    "ash",
    "yew",
    "bay",
    "fen",
    "tor",
    "dale",
    "glen",
    "moor",
    "cape",
    "reef",
    "isle",
    "cove",
)
COUNTED = ("coin", "bead", "stick", "gem")
SINGLE = ("crown", "lamp", "pawn", "boat")
PRINTED = ("card", "tile")
HEAPS = ("bank", "field", "pile", "box")
OWNED = ("purse", "tray", "hand", "shelf")
STACKS = ("deck", "tower")
TABLES = ("stall", "yard")
GRIDS = ("chart-of", "plot")
TRACKS = ("fame", "heat", "bell", "luck", "wind")
FLAGS = ("busy", "worn", "open", "lit")
OPTIONS = ("extra", "mode", "days", "crew")
VERBS = ("roam", "sing", "trade", "dig", "rest", "swap", "brew", "hunt", "pray", "toil")
PLAYERS = ((2, 2), (2, 3), (1, 2), (2, 5), (3, 4), (5, 5), (1, 1), (3, 3), (4, 4))


class Declaring:
    """Draws declarations into a box, with their lines."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.box = Box(chance)
        self.lines: list[str] = []
        self._names = iter(chance.sample(ENTRIES, len(ENTRIES)))
        self._titles = 0
        self.verbs = self.some(VERBS, 2, 5)

    def one_in(self, number: float) -> bool:
        """Whether something happens that happens once in so many times."""
        return self.chance.random() * number < 1

    def some(self, words: tuple[str, ...], least: int, most: int) -> list[str]:
        """Return a few of some words."""
        number = self.chance.randint(least, min(most, len(words)))
        return self.chance.sample(words, number)

    def title(self, word: str) -> str:
        """Return a title, or nothing."""
        if self.one_in(3):
            self._titles += 1
            return f' "{word.capitalize()} {self._titles}"'
        return ""

    def named(self, word: str) -> tuple[str, str]:
        """Return the plural of a word, and how it is declared."""
        if self.one_in(6):
            return f"{word}-set", f"{word}/{word}-set"
        return plural_of(word), word

    def entries(self, least: int = 1, most: int = 4) -> list[str]:
        """Return new names of entries."""
        number = self.chance.randint(least, most)
        return [found for _ in range(number) if (found := next(self._names, None))]

    # ---------------------------------------------------------------- all of it
    def declare(self) -> None:
        """Draw everything but the rules."""
        box = self.box
        box.least, box.most = self.chance.choice(PLAYERS)
        for name in self.some(KINDS, 1, 3):
            plural, _ = self.named(name)
            role = "kind"
            box.kinds[name] = Kind(name, plural, role, self.entries(1, 4) or ["only"])
        self._options()
        self._places()
        self._pieces()
        self._rivals()
        self._cells()
        self._numbers()
        self._fields()

    def _options(self) -> None:
        for name in self.some(OPTIONS, 0, 2):
            style = self.chance.choice(["switch", "number", "names"])
            if style == "names":
                off = ["off"] if self.one_in(3) else []
                names = [*off, *self.entries(2 - len(off), 3)]
                if len(names) > 1:
                    self.box.options[name] = Option(name, style, tuple(names))
                    self.box.kinds[name] = Kind(name, name, "option", names)
            elif style == "number":
                low = self.chance.randint(0, 2)
                self.box.options[name] = Option(name, style, (), low, low + 2)
            else:
                self.box.options[name] = Option(name, style)

    def _places(self) -> None:
        for name in self.some(HEAPS, 1, 2):
            self._place(name, (), stack=False)
        for name in self.some(OWNED, 1, 3):
            self._place(name, (self.chance.choice(SEATS),), stack=self.one_in(6))
        for name in self.some(STACKS, 0, 2):
            owner = (self.chance.choice(SEATS),) if self.one_in(2) else ()
            self._place(name, owner, stack=True)
        for name in self.some(TABLES, 0, 2):
            dims = (name, *([self.chance.choice(SEATS)] if self.one_in(4) else []))
            place = self._place(name, dims, stack=self.one_in(5), table=True)
            names = self.entries(1, 4) or ["lone"]
            self.box.kinds[name] = Kind(name, place.plural, "place", names)
        for name in self.some(GRIDS, 0, 1):
            kinds = [each.name for each in self.box.kinds.values() if each.role != "option"]
            kind = self.chance.choice(kinds)
            dims = self.chance.choice([(kind,), ("seat", kind), ("player", kind), (kind, "seat")])
            self._place(name, dims, stack=self.one_in(5))

    def _place(
        self, name: str, dims: tuple[str, ...], *, stack: bool, table: bool = False
    ) -> Place:
        plural, _ = self.named(name)
        owned = any(dim in SEATS for dim in dims)
        seen = self.chance.choice(["owner", "nobody"] if owned else ["nobody"])
        hidden = self.one_in(2 if stack or name == "hand" else 5)
        place = Place(name, plural, stack, table, dims, seen if hidden else None)
        self.box.places[name] = place
        return place

    def _pieces(self) -> None:
        styles = [("counted", each) for each in self.some(COUNTED, 1, 2)]
        styles += [("single", each) for each in self.some(SINGLE, 0, 2)]
        styles += [("printed", each) for each in self.some(PRINTED, 0, 2)]
        for style, name in styles:
            per = self.chance.choice([None, None, "seat", "player"])
            if style == "single" and per == "player" and not self.one_in(10):
                per = "seat"  # a rival would have none
            homes = self.chance.sample([*self.box.places], min(len(self.box.places), 4))
            home = next((found for each in homes if (found := self._home(each, per))), None)
            if home is None:
                per = None
                home = next(found for each in self.box.places if (found := self._home(each, per)))
            count = "1" if style == "single" else str(self.chance.choice((2, 3, 4, 10, 40)))
            if style == "printed":
                count = self.chance.choice(["", "", "1", "2"]) if per is None else "1"
            plural, _ = self.named(name)
            piece = Piece(name, plural, style, per, count, home)
            self.box.pieces[name] = piece
            holders = (
                {home.split()[0], *self.chance.sample([*self.box.places], 2)}
                if len(self.box.places) > 1
                else {home.split()[0]}
            )
            for place in self.box.places.values():
                entry = self.box.kinds.get(place.name)
                inside = entry is not None and home in entry.entries
                if place.name in holders or inside:
                    place.holds.append(name)
                    piece.homes.append(place.name)
            if style == "printed":
                self.box.kinds[name] = Kind(name, plural, "piece", self.entries(1, 4) or ["sole"])

    def _home(self, name: str, per: str | None) -> str | None:
        """Return where in a kind of places pieces can begin; none where that is not one place."""
        place = self.box.places[name]
        if place.table:
            kind = self.box.kinds[name]
            return self.chance.choice(kind.entries) if place.dims == (name,) else None
        if not place.dims:
            return name
        if place.dims in {("seat",), ("player",)} and per is not None:
            return name
        return None

    def _rivals(self) -> None:
        if self.one_in(3):
            self.box.rivals["ghost"] = self.one_in(1.5)

    def _cells(self) -> None:
        dims = ["seat", "player", *self.box.kinds]
        dims += [each.name for each in self.box.held("single")]
        plain = [name for name in dims if name not in self.box.options]
        for name in self.some(TRACKS, 1, 4):
            chosen = tuple(self.chance.sample(plain, self.chance.choice((0, 1, 1, 1, 2))))
            if self.one_in(2):
                chosen = (self.chance.choice(SEATS),)
            owned = any(dim in SEATS for dim in chosen)
            seen = self.chance.choice(["owner", "nobody"]) if owned else "nobody"
            low = self.chance.choice((0, 0, 0, 1, 2))
            bounds = (low, low + self.chance.choice((0, 1, 5, 20))) if self.one_in(2) else None
            hidden = seen if self.one_in(4) else None
            during = self.chance.choice(self.verbs) if self.one_in(6) else None
            self.box.tracks[name] = Cell(name, chosen, hidden, during, bounds)
        for name in self.some(FLAGS, 0, 3):
            chosen = tuple(self.chance.sample(plain, self.chance.choice((0, 1, 1, 2))))
            during = self.chance.choice(self.verbs) if self.one_in(5) else None
            self.box.flags[name] = Cell(name, chosen, None, during)

    # ---------------------------------------------------------------- numbers
    def _numbers(self) -> None:
        box = self.box
        for name in self.some(("toll", "wage", "span"), 0, 2):
            box.numbers[name] = self.chance.choice((0, 1, 2, 3, 7))
            box.constants[name] = str(box.numbers[name])
        if self.one_in(3) and box.chargeable():
            box.prices["fee"] = {}
            box.constants["fee"] = self.price()
        if self.one_in(3):
            box.charts.append("ladder")
            box.constants["ladder"] = self.chart()
        kinds = [each for each in box.plain() if each.role == "kind"]
        if self.one_in(3) and kinds:
            kind = self.chance.choice(kinds)
            style = "bundle" if box.chargeable() and self.one_in(2) else "number"
            box.columns["tariff"] = kind.name, style
            rows = ", ".join(f"{each} = {self.row(style)}" for each in kind.entries)
            box.constants["tariff"] = f"{{ {rows} }}"

    def row(self, style: str) -> str:
        """Return a number or a price in TOML."""
        return self.price() if style == "bundle" else str(self.chance.choice((0, 1, 2, 3)))

    def price(self) -> str:
        """Return a price in TOML."""
        nouns = self.box.chargeable()
        chosen = self.chance.sample(nouns, self.chance.randint(1, len(nouns)))
        parts = [f"{self.box.pieces[n].plural} = {self.chance.randint(0, 3)}" for n in chosen]
        return f"{{ {', '.join(parts)} }}"

    def chart(self) -> str:
        """Return a chart in TOML."""
        points = sorted(self.chance.sample(range(9), self.chance.randint(1, 3)))
        rows = ", ".join(f"{each} = {self.chance.randint(0, 5)}" for each in points)
        return f"{{ {rows} }}"

    # ---------------------------------------------------------------- fields
    def _fields(self) -> None:
        box = self.box
        plain = [each for each in box.plain() if each.role != "option"]
        at = 0
        for kind in box.kinds.values():
            if kind.role == "option" or (kind.role == "kind" and self.one_in(2)):
                continue
            for _ in range(self.chance.choice((1, 1, 2, 3, 4))):
                at += 1
                kind.fields.append(self._field(f"f{at}", kind, plain))

    def _field(self, name: str, kind: Kind, plain: list[Kind]) -> Field:
        types = ["number", "number", "number", "yes-no", "text", "effect", "effect", "automatic"]
        types += ["formula", "bundle"] if self.box.chargeable() else ["formula"]
        types += [each.name for each in plain] + [each.plural for each in plain]
        style = self.chance.choice(types)
        names = self.box.kinds
        per = None
        if style in {"number", "effect", "bundle", *names} and self.one_in(4):
            per = self.chance.choice(plain).name
        if style == "number" and self.one_in(8):
            return Field(name, style, "number")
        default = None
        if style == "number" and self.one_in(2):
            default = str(self.chance.choice((0, 1, 2)))
        if style == "yes-no" and self.one_in(2):
            default = self.chance.choice(["on", "off"])
        if style in names and per is None and self.one_in(3):
            default = self.chance.choice(names[style].entries)
        back = (
            per is None
            and kind.role == "piece"
            and style in {"number", "yes-no", *names}
            and self.one_in(4)
        )
        return Field(name, style, per, back, default)
