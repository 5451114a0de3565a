"""Drawn blocks: bodies of statements, what is asked before them, loops."""

from __future__ import annotations

import re
from itertools import islice

from soak.drawing.box import SEATS
from soak.drawing.moving import Line, Moving
from soak.drawing.scope import AT, OR, WHERE, Scope

INDENT = "    "
CHOICE = re.compile(r"\ban? \w")
NOT_INLINE = ("if ", "menu", "choose one")

Lines = list[str]


def indented(lines: Lines) -> Lines:
    """Return lines one level further in."""
    return [INDENT + line for line in lines]


class Blocks(Moving):
    """Draws statements that have a body and decide nothing but by asking all."""

    def statement(self, s: Scope) -> Lines:
        """Return a statement of any kind."""
        raise NotImplementedError

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
        """Return a head with a body: after its colon where that is one statement."""
        alone = sum(not line.startswith(" ") for line in lines) == 1
        if alone and not lines[0].startswith(NOT_INLINE) and self.one_in(2):
            return [f"{head}: {lines[0]}", *lines[1:]]
        return [f"{head}:", *indented(lines)]

    def guarded(self, found: Line, s: Scope) -> Lines:
        """Return a line that is done where it can be done."""
        if s.chooses and self.one_in(3):
            return [f"may {found.text}"] if self.one_in(1.5) else self.put("may", [found.text])
        lines = ["if able:", INDENT + found.text]
        if self.one_in(4):
            lines += self.under("otherwise", s.block())
        return lines

    def if_block(self, s: Scope) -> Lines:
        """Return a condition and what is done then, perhaps otherwise."""
        lines = self.under(f"if {self.condition(s.under()).at(WHERE)}", s.block())
        while self.one_in(4):
            condition = self.condition(s.under()).at(OR)
            lines += self.under(f"otherwise if {condition}", s.block())
        if self.one_in(3):
            lines += self.under("otherwise", s.block())
        s.dirty = True
        return lines

    def if_able_block(self, s: Scope) -> Lines:
        """Return what is done where it can be done."""
        inner = s.block(dirty=False, flow=False)
        setting = self.switch() if self.one_in(4) else None
        body = self.choosing(inner) if setting and s.chooses and self.one_in(2) else []
        body += self.body(inner)
        if setting is not None:  # asked before all of it, wherever it is written
            body.append(f"needs {setting.at(OR)}")
        lines = self.put("if able", body)
        if self.one_in(2):
            lines += self.under("otherwise", s.block())
        s.dirty = True
        return lines

    def choosing(self, s: Scope) -> Lines:
        """Return a line in which somebody chooses a thing, if one comes up."""
        lines = (self.line(s, plain=True).text for _ in range(12))
        return [*islice((each for each in lines if CHOICE.search(each)), 1)]

    def maybe_block(self, s: Scope) -> Lines | None:
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
    def each_block(self, s: Scope) -> Lines | None:
        """Return a loop over things or numbers."""
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
                return self.each_player_block(s)
            place = f" in {things.place}" if things.place else ""
            head = f"for each {things.one}{' ' + variable if variable else ''}{place}"
            where = self.where(things, s, variable) if self.one_in(2) else ""
        inner = s.block(dirty=True, it=element)
        if variable:
            inner.names[variable] = element
        s.dirty = True
        return self.under(head + where, inner)

    def each_player_block(self, s: Scope) -> Lines:
        """Return a loop over those at the table."""
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

    def repeat_block(self, s: Scope) -> Lines:
        """Return a loop of so many rounds."""
        if self.one_in(2):
            times = str(self.chance.choice((0, 1, 2, 3)))
        else:
            times = f"({self.number(s.under()).at(7)} at most {self.chance.choice((1, 2, 3))})"
        if self.one_in(10):
            times = self.number(s.under()).at(OR)
        s.dirty = True
        return self.under(f"repeat {times} times", s.block(dirty=True))

    def until_block(self, s: Scope) -> Lines | None:
        """Return a loop that ends when something holds."""
        if s.me is not None:
            return None
        cap = "at least" if self.one_in(80) else "at most"
        limit = self.chance.choice((1, 2, 3, 5, 20))
        head = f"repeat {cap} {limit} times until {self.condition(s.under()).at(OR)}"
        return self.under(head, s.block(dirty=True))

    def act_as_block(self, s: Scope) -> Lines | None:
        """Return what somebody else does."""
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

    def secret_block(self, s: Scope) -> Lines | None:
        """Return what all choose at the same time."""
        inner = s.block(me="player", it=None, chooses=True, dirty=True)
        variable = self.fresh("z") if self.one_in(1.3) else None
        asked = s.block(chooses=True)
        kinds = [f"entry:{kind.name}" for kind in self.box.plain() if kind.role != "option"]
        kinds = [*kinds, *kinds, "number", "player"]
        if self.one_in(10):
            kinds += [f"piece:{each.name}" for each in self.box.held("printed")]
        kind = self.chance.choice(kinds)
        picked = self.choice(asked, kind, variable)
        if picked is None:
            return None
        if variable:
            inner.names[variable] = kind
        s.dirty = True
        lines = self.under(f"all choose secretly {picked}", inner)
        empty = " where " in picked or kind == "number"
        return self.put("if able", lines) if empty and not self.one_in(8) else lines
