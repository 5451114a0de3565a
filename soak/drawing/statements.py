"""Drawn statements: which kind comes, and those in which somebody decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from soak.drawing.blocks import INDENT, Blocks, Lines, indented
from soak.drawing.moving import Line
from soak.drawing.scope import AT, OR, Scope

DEEPEST = 4

Kind = tuple[float, Callable[["Statements", Scope], Lines | None]]  # drawn so often


class Statements(Blocks):
    """Draws statements; the next one is of the kind `aim`, where there is one and it can be."""

    aim: str = ""

    # ---------------------------------------------------------------- statements
    def statement(self, s: Scope) -> Lines:
        """Return a statement; what may be impossible is mostly asked about first."""
        kind, self.aim = self.aim, ""
        if not kind and s.depth <= 1 and self.one_in(3):
            kind, self.aim = self.chance.choice(PAIRS)
        found = self.statement_of(kind, s) if kind else None
        self.aim = ""
        return found or self._any_statement(s)

    def statement_of(self, kind: str, s: Scope) -> Lines | None:
        """Return a statement of a kind, where it can be: each is drawn as often as any other."""
        if kind in self.DECIDED:
            return self.DECIDED[kind][1](self, s) if s.chooses else None
        if kind in self.FLOWING:
            return self.FLOWING[kind][1](self, s) if s.me is None and not s.auto else None
        if kind in self.BLOCKS:
            return self.BLOCKS[kind][1](self, s)
        if kind == "sequence":
            return self._joined_line(s)
        return self._of_line(self.line_of(kind, s), s)

    def _of_line(self, found: Line | None, s: Scope) -> Lines | None:
        if found is None:
            return None
        guard = found.risky and (s.flow or s.dirty) and not self.one_in(6)
        s.dirty = s.dirty or found.changes
        return self.guarded(found, s) if guard else [found.text]

    def _any_statement(self, s: Scope) -> Lines:
        odd = self.one_in(8)  # whatever it is, and wherever
        if not (odd and s.depth <= DEEPEST) and (s.depth >= DEEPEST or self.one_in(1.8)):
            return self._asked_first(s)
        ways = [*self.BLOCKS.values(), (2, Statements.maybe_block)]
        if s.chooses:
            ways += [*self.DECIDED.values(), self.SEQUENCE]
        elif s.me is None and not s.auto:
            ways += [(4, Statements.each_player_block), *self.FLOWING.values()]
        else:
            ways += [self.SEQUENCE]
        for _ in range(4):
            weights = [1.0 if odd else weight for weight, _ in ways]
            found = self.chance.choices(ways, weights)[0][1](self, s)
            if found is not None:
                return found
        return self._asked_first(s)

    def _asked_first(self, s: Scope) -> Lines:
        """Return a statement of one line, in a guard where it needs one."""
        names = dict(s.names)
        found = self.line(s)
        if not found.risky or not (s.flow or s.dirty) or self.one_in(240):
            s.dirty = s.dirty or found.changes
            return [found.text]
        s.names = names
        s.dirty = s.dirty or found.changes
        return self.guarded(found, s)

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
        inner = s.block(dirty=True)
        if self.aim not in {"do", "call"}:  # what is called may give back what is used up
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
        """Return what may be after a cost: it gives nothing back."""
        found = self._change(s) if self.one_in(2) else self._mark(s)
        return [found.text] if found is not None and self.one_in(1.3) else []

    def way(self, s: Scope) -> Lines:
        """Return a line of a choice, or of a menu after its words."""
        inner = s.block(dirty=False, flow=False)
        if self.one_in(4 if self.aim else 1.6):
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
        risky = (s.flow or s.dirty) and not self.one_in(80)
        s.dirty = True
        line = " or else ".join([*ways, *(["nothing"] if risky else [])])
        return [line]

    def _joined_line(self, s: Scope) -> Lines:
        line = self._sequence(s)
        guard = (s.flow or s.dirty) and not self.one_in(80)
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
            if not found.risky or self.one_in(80):
                return found.text
        return "nothing"

    BLOCKS: ClassVar[dict[str, Kind]] = {
        "if": (3, Blocks.if_block),
        "if_able": (2, Blocks.if_able_block),
        "each": (2, Blocks.each_block),
        "repeat": (1, Blocks.repeat_block),
        "act_as": (1, Blocks.act_as_block),
    }
    DECIDED: ClassVar[dict[str, Kind]] = {
        "may": (2, _may),
        "may_times": (1, _may_times),
        "may_any": (0.6, _may_any),
        "choose": (1, choose),
        "menu": (1, _menu),
        "either": (1, _either),
    }
    SEQUENCE: ClassVar[Kind] = (1, _joined_line)
    FLOWING: ClassVar[dict[str, Kind]] = {
        "secret": (1.5, Blocks.secret_block),
        "until": (0.7, Blocks.until_block),
    }


BLOCKS = (*Statements.BLOCKS, *Statements.DECIDED, *Statements.FLOWING)
RARE = ("do", "call", "needs", "may_any", "act_as", "choose", "look", "end")  # rarely clean
KINDS = (*BLOCKS, "sequence", *Statements.LINES, *RARE)
PAIRS = (
    *((block, kind) for block in (*BLOCKS, "until", "secret", "act_as") for kind in KINDS),
    *(("may_any", kind) for kind in KINDS),
    *(("secret", "needs"), ("until", "call"), ("may_any", "act_as"), ("may_any", "may_any")) * 4,
    *(("act_as", "do"), ("repeat", "do"), ("secret", "do")) * 8,
    *(("may_any", "do"),) * 60,
)  # of a block and what is in it; as often as it takes for all of them to come up
HOOKS = (*KINDS, "do", "do", "may_any")  # in a hook
MORE = (*KINDS, *("do", "act_as", "may_any", "shuffle") * 4)  # in what a rule adds to choices
EFFECTS = (*KINDS, *("may_any",) * 3)  # in the effect of an entry
