"""Drawn statements with bodies, and bodies of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from soak.scratch.box import SEATS
from soak.scratch.moving import Line, Moving
from soak.scratch.scope import AT, OR, WHERE, Scope

INDENT = "    "
NOT_INLINE = ("if ", "menu", "choose one")
DEEPEST = 4

Lines = list[str]
Kind = Callable[["Statements", Scope], Lines | None]


def indented(lines: Lines) -> Lines:
    """Return lines one level further in."""
    return [INDENT + line for line in lines]


class Statements(Moving):
    """Draws statements; the next one is of the kind `aim`, where there is one and it can be."""

    aim: str = ""

    # ---------------------------------------------------------------- bodies
    def body(self, s: Scope, most: int = 3) -> Lines:
        """Return the statements of a body."""
        found: Lines = []
        for _ in range(self.chance.choice((1, 1, 2, most))):
            found += self.statement(s)
        return found

    def under(self, head: str, s: Scope, most: int = 3) -> Lines:
        """Return a statement with a body of its own."""
        return self.put(head, self.body(s, most))

    def put(self, head: str, lines: Lines) -> Lines:
        """Return a head with a body: behind its colon where that is one statement."""
        alone = sum(not line.startswith(" ") for line in lines) == 1
        if alone and not lines[0].startswith(NOT_INLINE) and self.one_in(2):
            return [f"{head}: {lines[0]}", *lines[1:]]
        return [f"{head}:", *indented(lines)]

    # ---------------------------------------------------------------- statements
    def statement(self, s: Scope) -> Lines:
        """Return a statement; what may be impossible is mostly asked about first."""
        kind, self.aim = self.aim, ""
        if not kind and s.depth <= 1 and self.one_in(5):
            kind, self.aim = self.chance.choice(AIMED_BLOCKS), self.chance.choice(KINDS)
        found = self.statement_of(kind, s) if kind else None
        self.aim = ""
        return found or self._any_statement(s)

    def statement_of(self, kind: str, s: Scope) -> Lines | None:
        """Return a statement of a kind, where it can be: each is drawn as often as any other."""
        if kind in self.DECIDED:
            return self.DECIDED[kind](self, s) if s.chooses else None
        if kind in self.FLOWING:
            return self.FLOWING[kind](self, s) if s.me is None and not s.auto else None
        if kind in self.PLAIN:
            return self.PLAIN[kind](self, s)
        return self._of_line(self.line_of(kind, s), s)

    def _of_line(self, found: Line | None, s: Scope) -> Lines | None:
        if found is None:
            return None
        guard = found.risky and (s.flow or s.dirty) and not self.one_in(4)
        s.dirty = s.dirty or found.changes
        return self._guard(found, s) if guard else [found.text]

    def _any_statement(self, s: Scope) -> Lines:
        odd = self.one_in(8)  # whatever it is, wherever it stands
        if not (odd and s.depth <= DEEPEST) and (s.depth >= DEEPEST or self.one_in(1.8)):
            return self._guarded(s)
        ways: list[tuple[float, Callable[[Scope], Lines | None]]] = [
            (3, self._if),
            (2, self._if_able),
            (2, self._each),
            (1, self._repeat),
            (1, self._act_as),
            (2, self._maybe),
        ]
        if s.chooses:
            ways += [
                (2, self._may),
                (1, self._may_times),
                (0.6, self._may_any),
                (1, self.choose),
                (1, self._menu),
                (1, self._either),
                (1, self._joined_line),
            ]
        elif s.me is None and not s.auto:
            ways += [(4, self._each_player), (1.5, self._secret), (0.7, self._until)]
        else:
            ways += [(1, self._joined_line)]
        for _ in range(4):
            weights = [1.0 if odd else weight for weight, _ in ways]
            found = self.chance.choices(ways, weights)[0][1](s)
            if found is not None:
                return found
        return self._guarded(s)

    def _guarded(self, s: Scope) -> Lines:
        """Return a statement of one line, in a guard where it needs one."""
        names = dict(s.names)
        found = self.line(s)
        if not found.risky or not (s.flow or s.dirty) or self.one_in(60):
            s.dirty = s.dirty or found.changes
            return [found.text]
        s.names = names
        s.dirty = s.dirty or found.changes
        return self._guard(found, s)

    def _guard(self, found: Line, s: Scope) -> Lines:
        if s.chooses and self.one_in(3):
            return [f"may {found.text}"] if self.one_in(1.5) else self.put("may", [found.text])
        lines = ["if able:", INDENT + found.text]
        if self.one_in(4):
            lines += self.under("otherwise", s.block())
        return lines

    def _if(self, s: Scope) -> Lines:
        lines = self.under(f"if {self.condition(s.under()).at(WHERE)}", s.block())
        while self.one_in(4):
            condition = self.condition(s.under()).at(OR)
            lines += self.under(f"otherwise if {condition}", s.block())
        if self.one_in(3):
            lines += self.under("otherwise", s.block())
        s.dirty = True
        return lines

    def _if_able(self, s: Scope) -> Lines:
        lines = self.under("if able", s.block(dirty=False, flow=False))
        if self.one_in(2):
            lines += self.under("otherwise", s.block())
        s.dirty = True
        return lines

    def _maybe(self, s: Scope) -> Lines | None:
        """Return a name for one or none, and what is done with it where it is there."""
        found = self.let_maybe(s)
        if found is None:
            return None
        name, kind, line = found
        if not s.flow and not s.dirty and self.one_in(3) and "random " not in line:
            s.names[name] = kind
            return [line, f"needs any {name}"]
        inner = s.block()
        inner.names[name] = kind
        lines = [line, *self.under(f"if any {name}", inner)]
        s.dirty = True
        return lines

    # ---------------------------------------------------------------- loops
    def _each(self, s: Scope) -> Lines | None:
        variable = self.fresh("y") if self.one_in(2) else None
        if self.one_in(5):
            head = (
                f"for each number{' ' + variable if variable else ''} in 1..{self.small(s).at(AT)}"
            )
            element = "number"
            where = ""
        else:
            things = self.things(s.under(), chosen=True)
            if things is None:
                return None
            element = things.element
            if element in SEATS:
                return self._each_player(s)
            place = f" in {things.place}" if things.place else ""
            head = f"for each {things.one}{' ' + variable if variable else ''}{place}"
            where = self.where(things, s, variable) if self.one_in(2) else ""
        inner = s.block(dirty=True, it=element)
        if variable:
            inner.names[variable] = element
        s.dirty = True
        return self.under(head + where, inner)

    def _each_player(self, s: Scope) -> Lines:
        word = self.chance.choice(["player", "player", "seat"])
        variable = self.fresh("p") if self.one_in(4) else None
        head = f"for each {word}{' ' + variable if variable else ''}"
        if self.one_in(4):
            start = self.seat(s.under()) or None
            head += f" starting with {start.at(AT)}" if start else ""
        under = s.under(word)
        under.me = word
        if self.one_in(4):
            head += f" where {self.condition(under).at(OR)}"
        inner = s.block(me=word, it=word, chooses=word == "player" and not s.auto, dirty=True)
        if variable:
            inner.names[variable] = word
        s.dirty = True
        return self.under(head, inner)

    def _repeat(self, s: Scope) -> Lines:
        if self.one_in(2):
            times = str(self.chance.choice((0, 1, 2, 3)))
        else:
            times = f"({self.number(s.under()).at(7)} at most {self.chance.choice((1, 2, 3))})"
        if self.one_in(10):
            times = self.number(s.under()).at(OR)
        s.dirty = True
        return self.under(f"repeat {times} times", s.block(dirty=True))

    def _until(self, s: Scope) -> Lines | None:
        if s.me is not None:
            return None
        cap = "at least" if self.one_in(80) else "at most"
        limit = self.chance.choice((1, 2, 3, 5, 20))
        head = f"repeat {cap} {limit} times until {self.condition(s.under()).at(OR)}"
        return self.under(head, s.block(dirty=True))

    def _act_as(self, s: Scope) -> Lines | None:
        asks = self.one_in(2) and not s.auto and not self.box.rivals
        seat = self.seat(s.under(), "player" if asks else "seat")
        if self.box.rivals and self.one_in(4):
            seat, asks = None, False
        text = seat.at(AT) if seat else self.pick([*self.box.rivals])
        if text is None or (text == "me" and not asks):
            return None
        s.dirty = True
        whose = "player" if asks else "seat"
        return self.under(f"for {text}", s.block(me=whose, chooses=asks, dirty=True))

    def _secret(self, s: Scope) -> Lines | None:
        inner = s.block(me="player", it=None, chooses=True, dirty=True)
        variable = self.fresh("z") if self.one_in(1.3) else None
        asked = s.block(chooses=True)
        kinds = [f"entry:{kind.name}" for kind in self.box.plain() if kind.role != "option"]
        kinds = [*kinds, *kinds, "number", "player"]
        if self.one_in(10):
            kinds += [f"piece:{each.name}" for each in self.box.held("printed")]
        kind = self.chance.choice(kinds)
        picked = self.choice(asked, kind, variable)
        if picked is None or (" where " in picked and not self.one_in(8)):
            return None
        if variable:
            inner.names[variable] = kind
        s.dirty = True
        return self.under(f"all choose secretly {picked}", inner)

    # ---------------------------------------------------------------- who decides
    def label(self) -> str:
        """Return a text for an option."""
        return f'"Do {self.fresh("w")}"'

    def _may(self, s: Scope) -> Lines:
        s.dirty = True
        inner = s.block(dirty=False, flow=False)
        if not self.aim and self.one_in(3):
            return [f"may {self.line(inner, plain=True).text}"]
        head = f"may {self.label()}" if self.one_in(2) else "may"
        return self.under(head, inner)

    def _may_times(self, s: Scope) -> Lines | None:
        label = f" {self.label()}" if self.one_in(2) else ""
        s.dirty = True
        times = self.small(s).at(OR)
        return self.under(f"may{label} up to {times} times", s.block(dirty=False, flow=False))

    def _may_any(self, s: Scope) -> Lines | None:
        label = f" {self.label()}" if self.one_in(2) else ""
        cost = self.cost(s)
        if cost is None:
            return None
        s.dirty = True
        inner = s.block(dirty=True, procs=0, fields=False)
        more = self.statement(inner) if self.aim or self.one_in(2) else self._spent(inner)
        first = self.statement(s.block(dirty=False, flow=False)) if self.one_in(8) else []
        return self.put(f"may{label} any number of times", [*first, cost, *more])

    def cost(self, s: Scope) -> str | None:
        """Return a line that uses something up."""
        pieces = self.box.held("counted")
        if not pieces:
            return None
        piece = self.chance.choice(pieces)
        source, target = self.own_home(piece, s), self.own_home(piece, s)
        if source is None or target is None or self._rank(source.text) >= self._rank(target.text):
            return None  # one way only: what is paid does not come back
        return f"move 1 {piece.name} from {source.at(AT)} into {target.at(AT)}"

    def _rank(self, text: str) -> str:
        """Return the kind of places that a phrase is about; entries come first."""
        words = text.replace("(", "").split()
        return next((word for word in words if word in self.box.places), "")

    def _spent(self, s: Scope) -> Lines:
        """Return what may stand behind a cost: it gives nothing back."""
        found = self._change(s) if self.one_in(2) else self._mark(s)
        return [found.text] if found is not None and self.one_in(1.3) else []

    def way(self, s: Scope) -> Lines:
        """Return a line of a choice, or of a menu behind its words."""
        inner = s.block(dirty=False, flow=False)
        if self.one_in(2 if self.aim else 1.6):
            return self.under(self.label(), inner)
        if self.aim or self.one_in(2):
            found = self.statement(inner)
            if sum(not line.startswith(" ") for line in found) == 1:
                return found
        return [self.line(inner, plain=self.one_in(1.1)).text]

    def choose(self, s: Scope) -> Lines:
        """Return a choice of one of several lines."""
        lines = ["choose one:"]
        for _ in range(self.chance.choice((1, 2, 2, 3))):
            lines += indented(self.way(s))
        lines += [f"{INDENT}{self.label()}: nothing"] if self.one_in(1.3) else []
        s.dirty = True
        return lines

    def menu_line(self, s: Scope) -> Lines:
        """Return a line of a menu."""
        inner = s.block(dirty=False, flow=False)
        label = f" {self.label()}" if self.one_in(1.7) else ""
        each = ""
        if self.one_in(3):
            things = self.things(inner, chosen=True, one=True)
            if things is not None and things.place is not None:
                name = self.fresh("v")
                inner.names[name] = things.element
                where = self.where(things, s, name) if self.one_in(2) else ""
                each = f" for each {things.one} {name} in {things.place}{where}"
        if not self.aim and self.one_in(4):
            cost = self.cost(inner)
            if cost is not None:
                spent = s.block(dirty=True, procs=0, fields=False)
                return self.put(f"any time{label}{each}", [cost, *self._spent(spent)])
        return self.under(f"once{label}{each}", inner)

    def menu(self, s: Scope) -> Lines:
        """Return a menu."""
        lines = ["menu:"]
        for _ in range(self.chance.choice((1, 1, 2, 3))):
            lines += indented(self.menu_line(s))
        return lines

    def _menu(self, s: Scope) -> Lines:
        s.dirty = True
        return self.menu(s)

    def _either(self, s: Scope) -> Lines:
        ways = [self._sequence(s) for _ in range(self.chance.choice((2, 2, 3)))]
        risky = (s.flow or s.dirty) and not self.one_in(20)
        s.dirty = True
        line = " or else ".join([*ways, *(["nothing"] if risky else [])])
        return [line]

    def _joined_line(self, s: Scope) -> Lines:
        line = self._sequence(s)
        guard = (s.flow or s.dirty) and not self.one_in(20)
        s.dirty = True
        return ["if able:", INDENT + line] if guard else [line]

    def _sequence(self, s: Scope) -> str:
        inner = s.block(dirty=False)
        text = self.line(inner, plain=True).text
        if self.one_in(3):
            text += f", {self._sure(inner)}"
        if self.one_in(2):
            text += f" to {self._sure(inner)}"
            text += f", {self._sure(inner)}" if self.one_in(3) else ""
        return text

    def _sure(self, s: Scope) -> str:
        """Return a line that is mostly possible."""
        for _ in range(8):
            found = self.line(s, plain=True)
            if not found.risky or self.one_in(40):
                return found.text
        return "nothing"

    PLAIN: ClassVar[dict[str, Kind]] = {
        "if": _if,
        "if_able": _if_able,
        "each": _each,
        "repeat": _repeat,
        "act_as": _act_as,
        "sequence": _joined_line,
    }
    DECIDED: ClassVar[dict[str, Kind]] = {
        "may": _may,
        "may_times": _may_times,
        "may_any": _may_any,
        "choose": choose,
        "menu": _menu,
        "either": _either,
    }
    FLOWING: ClassVar[dict[str, Kind]] = {"secret": _secret, "until": _until}


KINDS = (*Statements.PLAIN, *Statements.DECIDED, *Statements.FLOWING, *Statements.LINES)
AIMED_BLOCKS = (
    "if",
    "if_able",
    "each",
    "repeat",
    "act_as",
    *Statements.DECIDED,
    *Statements.FLOWING,
)
