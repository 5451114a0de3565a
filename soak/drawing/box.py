"""Declarations for a random pack: the names that its rules can use, and their types.

A type is one word: `number`, `yes-no`, `bundle`, `seat`, `player`, or a family and a kind:
`entry:hue`, `piece:card`, `list:hue`.
"""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, TypeVar

import attrs

from soak.drawing.productions import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from soak.drawing.productions import Hole

T = TypeVar("T")
SEATS = ("seat", "player")
NAMES = {
    "kind": "hue mood tide rank".split(),
    "counted": "coin bead stick gem".split(),
    "single": "crown lamp pawn boat".split(),
    "printed": "card tile".split(),
    "heap": "bank field pile box".split(),
    "hand": "purse tray hand shelf".split(),
    "stack": "deck tower".split(),
    "table": "stall yard".split(),
    "grid": "chart-of plot".split(),
    "track": "fame heat bell luck wind".split(),
    "flag": "busy worn open lit".split(),
    "memory": "plan hunch rumour".split(),
    "option": "extra mode days crew".split(),
    "verb": "roam sing trade dig rest swap brew hunt pray toil".split(),
}
ENTRIES = (
    "red blue green gold calm wild merry grim ebb flow storm slack low mid high peak oak elm fir"
    " ash yew bay fen tor dale glen moor cape reef isle cove"
).split()
QUIET = "[16  quiet]"
PLAYERS = ((2, 2), (2, 3), (1, 2), (2, 5), (3, 4), (5, 5), (1, 1), (3, 3), (4, 4))


class Chance(random.Random):
    """Random number generator with the choices that generation needs."""

    def one_in(self, number: float) -> bool:
        """Return True with a probability of 1 in `number`."""
        return self.random() * number < 1

    def pick(self, things: Sequence[T]) -> T | None:
        """Return a random element, or None if the sequence is empty."""
        return self.choice(things) if things else None

    def some(self, words: Sequence[str], least: int, most: int) -> list[str]:
        """Return a random sample of words."""
        return self.sample(words, self.randint(least, min(most, len(words))))

    def text(self, template: str | tuple[str | Hole, ...]) -> str:
        """Expand a template: `{a|b}` is one of the words; `[N ...]` appears once in N times."""
        found = ""
        for each in parts_of(template) if isinstance(template, str) else template:
            if isinstance(each, str):
                found += each
            elif each.parts:
                found += self.text(each.parts) if self.one_in(each.often) else ""
            else:
                found += self.choice(each.name.split("|"))
        return found


@attrs.frozen
class Field:
    """Field of a kind; `rest` is the end of its declaration."""

    name: str
    type: str  # as written in the declaration
    per: str | None = None
    default: str | None = None
    rest: str = ""


@attrs.define
class Noun:
    """Declared noun; `role` is kind, option, piece, place, track, flag or memory."""

    name: str
    plural: str
    role: str
    style: str = ""  # counted, single or printed; place or stack; of a memory, its kind
    entries: list[str] = attrs.Factory(list)  # its named entries
    fields: list[Field] = attrs.Factory(list)
    table: str | None = None  # the file with its entries
    dims: tuple[str, ...] = ()  # the kinds that index it, starting with its own table
    per: str | None = None  # the owner of a piece, the duration of a track or flag
    rest: str = ""  # the end of its declaration
    beside: list[str] = attrs.Factory(list)  # for a piece its places, for a place its pieces


@attrs.frozen
class Value:
    """Named value with its parameters and type."""

    name: str
    params: tuple[str, ...]
    type: str
    at: int  # position: it may use values with a smaller one


@attrs.frozen
class Param:
    """Parameter of a verb: a value of a type, or an amount of a noun."""

    prep: str | None
    type: str
    name: str
    one: str  # its singular
    many: str = ""  # its plural, for an amount

    def named(self, name: str, *, called: bool) -> str:
        """Return the parameter as declared, or an argument as written in a call."""
        words = f"{name} {self.many}" if self.many else name if called else f"{self.one} {name}"
        return f"{self.prep} {words}" if self.prep else words


@attrs.define
class Proc:
    """Verb or step."""

    name: str
    params: tuple[Param, ...]
    at: int  # position: it may call procedures with a smaller one
    verb: bool = True
    asks: bool = False  # it contains a decision
    has: str = ""  # `menu` or `choices` if a hook can add lines to it

    def header(self, names: Sequence[str], *, called: bool = False) -> str:
        """Return the header of the procedure, or a call to it, with these names or arguments."""
        params = zip(self.params, names, strict=True)
        return " ".join([self.name, *(each.named(name, called=called) for each, name in params)])


class Box:
    """All declarations of a pack, without its rules."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self._names = chance.sample(ENTRIES, len(ENTRIES))
        self._number = count(1)
        self.least, self.most = chance.choice(PLAYERS)
        self.verbs = chance.some(NAMES["verb"], 2, 5)
        self.nouns: dict[str, Noun] = {}
        self.lines: list[str] = []  # declarations of options and rivals
        self.constants: dict[str, str] = {}  # constants with their values in TOML
        self.words: dict[str, list[str]] = {"constant": [], "chart": [], "price": [], "switch": []}
        self.words["rival"] = []  # there may be no rival
        self.column = ("", "")  # of a table: the kind of its rows, the type of its cells
        self.values: list[Value] = []
        self.procs: list[Proc] = []
        self.effect_reach = 0  # effects of fields may call procedures with a smaller position
        self.formula_reach = 0  # formulas of fields may use values with a smaller position
        for name in chance.some(NAMES["kind"], 1, 3):
            self._add(name, "kind", entries=self._entries(4))
        for name in chance.some(NAMES["option"], 0, 2):
            self._option(name)
        self._places()
        for style, least in (("counted", 1), ("single", 0), ("printed", 0)):
            for name in chance.some(NAMES[style], least, 2):
                self._piece(name, style)
        for name in chance.some(NAMES["track"], 1, 4):
            self._cell(name, "track", "[ from {0..1|0..5|0..20|1..1|2..7}]")
        for name in chance.some(NAMES["flag"], 0, 3):
            self._cell(name, "flag", "")
        for name in chance.some(NAMES["memory"], 0, 2):
            self._cell(name, "memory", "")
            self.nouns[name].style = chance.choice(self.plain(options=False)).name
        if chance.one_in(3):
            rival = chance.text('rival ghost "The Ghost"[ without score]')
            when = chance.text("[1.5  when players {=|<=|>} {1|2|3}]")
            self.words["rival"] = ["ghost"] if when else []
            self.lines.append(rival + when)
        self._constants()
        number = count(1)
        for noun in self.plain(options=False) + self.pieces("printed"):
            many = chance.choice((1, 1, 2, 3, 4)) if noun.role != "kind" or chance.one_in(2) else 0
            noun.fields = [self._field(f"f{next(number)}", noun) for _ in range(many)]

    # ---------------------------------------------------------------- queries
    def pieces(self, *styles: str) -> list[Noun]:
        """Return the kinds of pieces, or only those with certain styles."""
        found = (each for each in self.nouns.values() if each.role == "piece")
        return [each for each in found if not styles or each.style in styles]

    def places(self) -> list[Noun]:
        """Return the kinds of places."""
        return [each for each in self.nouns.values() if each.role == "place"]

    def plain(self, *, options: bool = True) -> list[Noun]:
        """Return the nouns with named entries, except pieces and, optionally, options."""
        found = (each for each in self.nouns.values() if each.entries and each.role != "piece")
        return [each for each in found if options or each.role != "option"]

    def fields(self, *types: str) -> list[tuple[Noun, Field]]:
        """Return the fields of these types, with their kinds."""
        pairs = ((noun, each) for noun in self.nouns.values() for each in noun.fields)
        return [pair for pair in pairs if pair[1].type in types]

    def thing(self, name: str) -> str:
        """Return the type of a kind's members; any other name is itself a type."""
        if name not in self.nouns:
            return name
        return f"{'piece' if self.nouns[name].role == 'piece' else 'entry'}:{name}"

    # ---------------------------------------------------------------- kinds, places, pieces
    def _add(self, name: str, role: str, style: str = "", **more: object) -> Noun:
        plural = name
        if role in {"kind", "place", "piece"}:
            plural = self.chance.choice(
                [name + ("es" if name[-1] in "sxh" else "s")] * 5 + [f"{name}-set"]
            )
        noun = self.nouns[name] = Noun(name, plural, role, style, **more)  # type: ignore[arg-type]
        return noun

    def _entries(self, most: int) -> list[str]:
        found = [self._names.pop() for _ in range(self.chance.randint(1, most)) if self._names]
        return found or [f"lone-{next(self._number)}"]

    def title(self, word: str) -> str:
        """Return a title in quotes, or an empty string."""
        return self.chance.text(f'[3  "{word.capitalize()} {next(self._number)}"]')

    def _option(self, name: str) -> None:
        style = self.chance.choice(["switch", "constant", "names"])
        says = self.chance.text("{on|off}" if style == "switch" else "{0 in 0..2|3 in 1..3}")
        if style == "names":
            names = [
                *(["off"] if self.chance.one_in(3) else []),
                *self._entries(2),
                *self._entries(1),
            ]
            self._add(name, "option", entries=names)
            says = ", ".join(names)
            self.words["switch"] += [f"{name} {sign} {names[0]}" for sign in ("=", "<>")]
        else:
            self.words[style].append(name)
        self.lines.append(f'option {name} "Option {name}": {says}')

    def _places(self) -> None:
        kind = self.chance.choice(self.plain(options=False)).name
        mixed = "{place|place|place|place|stack}"
        for names, most, style, dims in (
            ("heap", 2, "place", [()]),
            ("hand", 3, mixed, [("seat",), ("player",)]),
            ("stack", 2, "stack", [(), ("seat",), ("player",)]),
            ("table", 2, mixed, [("",), ("",), ("", "seat")]),  # its own entries first
            ("grid", 1, mixed, [(kind,), ("seat", kind), ("player", kind), (kind, "seat")]),
        ):
            for name in self.chance.some(NAMES[names], int(names in {"heap", "hand"}), most):
                by = tuple(each or name for each in self.chance.choice(dims))
                place = self._add(name, "place", self.chance.text(style), dims=by)
                place.entries = self._entries(4) if names == "table" else []
                often = 2 if place.style == "stack" or name == "hand" else 5
                place.rest = self._seen(by, often, "[4  only]")
                if place.rest.endswith("owner") and len(by) > 1:
                    place.rest += self.chance.text("[2  and counted by all]")

    def _seen(self, dims: tuple[str, ...], often: int, rest: str = "") -> str:
        who = "{owner|owner|others|nobody}" if {*dims} & {*SEATS} else "nobody"
        return self.chance.text(f"[{often}  seen by {who}{rest}]")

    def _piece(self, name: str, style: str) -> None:
        chance = self.chance
        places = chance.sample(self.places(), len(self.places()))
        wanted = chance.choice([None, None, "seat", "seat" if style == "single" else "player"])
        homes = ((self._home(each, who), who) for who in (wanted, None) for each in places)
        home, per = next(pair for pair in homes if pair[0])
        number = {"counted": " {2|3|4|10|40}", "single": " 1", "printed": "{|| 1| 2}"}[style]
        number = (
            f" 1 per {per}" if style == "printed" and per else number + f" per {per}" * bool(per)
        )
        rest = chance.text(f"{number} in {home}{QUIET}")
        piece = self._add(name, "piece", style, per=per, rest=rest)
        piece.entries = self._entries(4) if style == "printed" else []
        for place in places:
            if place in places[:2] or home in {place.name, *place.entries}:
                place.beside.append(name)
                piece.beside.append(place.name)

    def _home(self, place: Noun, per: str | None) -> str | None:
        """Return a place of a kind as the home of pieces; None if not every owner has one."""
        if place.entries:
            return self.chance.choice(place.entries) if len(place.dims) == 1 else None
        owned = place.dims in {("seat",), ("player",)} and per is not None
        return place.name if owned or not place.dims else None

    # ---------------------------------------------------------------- tracks, constants, fields
    def _cell(self, name: str, role: str, rest: str) -> None:
        chance = self.chance
        known = [
            *SEATS,
            *SEATS,
            *(e.name for e in self.nouns.values() if e.entries and e.role != "option"),
        ]
        known += [each.name for each in self.pieces("single")]
        dims = tuple(dict.fromkeys(chance.sample(known, chance.choice((0, 1, 1, 1, 2)))))
        seen = self._seen(dims, 4)
        during = chance.choice(self.verbs) if chance.one_in(6) else None
        rest = seen + chance.text(rest) + f" during {during}" * bool(during) + chance.text(QUIET)
        self._add(name, role, dims=dims, per=during, rest=rest)

    def _constants(self) -> None:
        chance, words = self.chance, self.words
        for name in chance.some(("toll", "wage", "span"), 0, 2):
            words["constant"].append(name)
            self.constants[name] = chance.choice("01237")
        if chance.one_in(3):
            words["price"], self.constants["fee"] = ["fee"], self.price()
        if chance.one_in(3):
            words["chart"], self.constants["ladder"] = ["ladder"], self.chart()
        if chance.one_in(3):
            kind = chance.choice(self.plain(options=False))
            self.column = kind.name, chance.choice(["number", "bundle"])
            bundle = self.column[1] == "bundle"
            rows = {
                each: self.price() if bundle else chance.choice("0123") for each in kind.entries
            }
            self.constants["tariff"] = in_toml(rows)

    def price(self) -> str:
        """Return a random price in TOML."""
        nouns = self.pieces("counted")
        chosen = self.chance.sample(nouns, self.chance.randint(1, len(nouns)))
        return in_toml({each.plural: self.chance.choice("0123") for each in chosen})

    def chart(self) -> str:
        """Return a random chart in TOML."""
        points = sorted(self.chance.sample("012345678", self.chance.randint(1, 3)))
        return in_toml({each: self.chance.choice("012345") for each in points})

    def _field(self, name: str, noun: Noun) -> Field:
        chance, plain = self.chance, self.plain(options=False)
        kinds = [each.name for each in plain]
        types = ["number", "number", "number", "yes-no", "text", "effect", "effect", "automatic"]
        types += ["formula", "bundle", *kinds, *(each.plural for each in plain)]
        style = chance.choice(types)
        if style == "number" and chance.one_in(8):
            return Field(name, style, "number")
        if style in {"number", "effect", "bundle", *kinds} and chance.one_in(4):
            return Field(name, style, chance.choice(kinds))
        if style not in {"number", "yes-no", *kinds}:
            return Field(name, style, rest=chance.text(QUIET))
        known = {"number": ["0", "1", "2"], "yes-no": ["on", "off"]}
        default = chance.choice([*(known.get(style) or self.nouns[style].entries), *[None] * 3])
        seen = "[4  seen by all]" if noun.role == "piece" else ""
        given = f" = {default}" if default else ""
        return Field(name, style, None, default, chance.text(f"{seen}{given}{QUIET}"))

    # ---------------------------------------------------------------- text
    def declarations(self) -> Iterator[str]:
        """Yield the text of all declarations."""
        yield from self.lines
        yield from (self._declared(each) for each in self.nouns.values() if each.role != "option")
        yield 'constants from "numbers.toml"' if self.constants else ""
        yield self.chance.text('[6 source "house"]')

    def _declared(self, noun: Noun) -> str:
        word = noun.style if noun.role == "place" else noun.role
        plural = f"/{noun.plural}" if noun.plural.endswith("-set") else ""
        head = f"{word} {noun.name}{plural}{'' if word == 'flag' else self.title(noun.name)}"
        if noun.role == "kind" and not noun.fields:
            return f"{head}: {', '.join(noun.entries)}"
        head += f' from "{noun.table}"' if noun.table else ""
        head += f": {noun.style}" if noun.role == "memory" else ""
        head += "".join(f" per {dim}" for dim in noun.dims if dim != noun.name) + noun.rest
        if noun.role == "place":
            head += f" holds {', '.join(noun.beside or [self.pieces()[0].name])}"
            head += self.chance.text(QUIET)
        lines = [
            f"    {each.name}: {each.type}{f' per {each.per}' if each.per else ''}{each.rest}"
            for each in noun.fields
        ]
        return "\n".join([f"{head}:", *lines]) if lines else head


def in_toml(rows: dict[str, str]) -> str:
    """Return an inline table in TOML."""
    return f"{{ {', '.join(f'{key} = {value}' for key, value in rows.items())} }}"
