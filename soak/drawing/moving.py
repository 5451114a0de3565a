"""Drawn statements of one line: moves, calls, changes, marks, and what is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import attrs

from soak.drawing.asking import Asking
from soak.drawing.box import Param, Piece, Proc
from soak.drawing.scope import AT, IN, LOOSE, OF, OR, Scope
from soak.drawing.selecting import Things


@attrs.frozen
class Line:
    """A statement of one line: whether it may be impossible, and whether it changes something."""

    text: str
    risky: bool = False
    changes: bool = True


class Moving(Asking):
    """Draws statements of one line."""

    def line(self, s: Scope, *, plain: bool = False) -> Line:
        """Return a statement of one line; with `plain`, none that binds a name."""
        kinds = [each for each in self.LINES if not (plain and each == "let")]
        odd = self.one_in(5)
        for _ in range(6):
            weights = [1.0 if odd else self.LINES[each][0] for each in kinds]
            found = self.line_of(self.chance.choices(kinds, weights)[0], s)
            if found is not None:
                return found
        return Line("nothing", changes=False)

    def line_of(self, kind: str, s: Scope) -> Line | None:
        """Return a statement of a kind, where it can be."""
        return self.LINES[kind][1](self, s)

    # ---------------------------------------------------------------- choices
    def choice(self, s: Scope, kind: str | None = None, name: str | None = None) -> str | None:
        """Return `a X in P where ...`, and note its name where it has one."""
        if not s.chooses:
            return None
        if kind == "number" or (kind is None and self.one_in(8)):
            low, high = self.chance.choice((0, 1)), self.small(s).at(AT)
            where = ""
            if self.one_in(3):
                where = self.where(Things("", "", None, "number"), s, name)
            variable = f" {name}" if name else ""
            return f"a number{variable} in {low}..{high}{where}"
        things = self._choosable(s, kind)
        if things is None:
            return None
        where = self.where(things, s, name) if self.one_in(2) else ""
        article = "an" if things.one[0] in "aeio" else "a"
        variable = f" {name}" if name else ""
        place = f" in {things.place}" if things.place else ""
        return f"{article} {things.one}{variable}{place}{where}"

    def _choosable(self, s: Scope, kind: str | None) -> Things | None:
        if kind is None:
            return self.things(s, chosen=True, one=True)
        family, _, of = kind.partition(":")
        if family == "piece":
            return self.lying(self.box.pieces[of], s, one=True)
        if family == "entry":
            known = self.box.kinds[of]
            return Things(of, known.plural, None, kind)
        return Things(family, f"{family}s", None, kind) if family in {"seat", "player"} else None

    # ---------------------------------------------------------------- calls
    def _call(self, s: Scope) -> Line | None:
        found = [
            each
            for each in self.box.procs
            if each.at < s.procs
            and each.verb == (s.me is not None)
            and (s.chooses or not each.asks or (s.me is None and not s.auto))
        ]
        return self.call_of(self.chance.choice(found), s) if found else None

    def call_of(self, proc: Proc, s: Scope) -> Line | None:
        """Return a call of a verb or step."""
        words, risky = [proc.name], proc.risky
        for param in proc.params:
            text = self.argument(param, s)
            if text is None:
                return None
            risky = risky or text.startswith(("a ", "an "))
            words += [param.prep, text] if param.prep else [text]
        return Line(" ".join(words), risky)

    def argument(self, param: Param, s: Scope) -> str | None:
        """Return what is given for a parameter."""
        if param.noun is not None:
            number = self.small(s)
            noun = param.noun
            singular = next((p.name for p in self.box.pieces.values() if p.plural == noun), noun)
            word = singular if number.text == "1" else noun
            text = f"{number.at(AT)} {word}"
            things = self.things(s) if self.one_in(6) else None
            if things is None:
                return text
            rated = things.place is not None and not things.many.startswith("my ")
            rate = "2 " if rated and self.one_in(2) else ""
            return f"{text} per {rate}{things.text.at(IN)}"
        if self.one_in(2.5):
            found = self.choice(s, param.type)
            if found is not None:
                return found
        thing = self.thing(param.type, s)
        return None if thing is None else thing.at(OR)

    # ---------------------------------------------------------------- moves
    def _move(self, s: Scope) -> Line | None:
        pieces = self.box.held()
        if not pieces:
            return None
        piece = self.chance.choice(pieces)
        into = self.own_home(piece, s)
        if into is None:
            return None
        target = into.at(AT)
        place = next((p for p in self.box.places.values() if p.name in target.split()), None)
        if place is not None and place.stack and piece.style == "printed" and self.one_in(3):
            target = f"{self.chance.choice(['top', 'bottom'])} of {into.at(OF)}"
        match piece.style:
            case "counted":
                return self.move_counted(piece, target, s)
            case "single":
                return self._move_single(piece, target, s)
            case _:
                return self._move_printed(piece, target, s)

    def move_counted(self, piece: Piece, target: str, s: Scope) -> Line | None:
        """Return a move of pieces that are alike."""
        if self.one_in(5):
            things = self.lying(piece, s) if piece.per is None or self.one_in(6) else None
            place = self.own_home(piece, s) if things is None else None
            if things is None and place is None:
                return None
            text = things.text if things else f"{piece.plural} in {place.at(AT)}"  # type: ignore[union-attr]
            where = self.where(things, s) if things and self.one_in(1000) else ""
            return Line(f"move all {text}{where} into {target}")
        source = self.own_home(piece, s)
        if source is None or source.text == target:
            return None
        number = self.small(s)
        word = piece.name if number.text == "1" else piece.plural
        up_to = self.one_in(2)
        amount = f"{'up to ' if up_to else ''}{number.at(AT)} {word}"
        if self.one_in(10):
            things = self.things(s)
            amount += f" per {things.text.at(IN)}" if things else ""
        return Line(f"move {amount} from {source.at(AT)} into {target}", risky=not up_to)

    def _move_single(self, piece: Piece, target: str, s: Scope) -> Line | None:
        if self.one_in(4):
            source = self.own_home(piece, s)
            if source is None:
                return None
            up_to = self.one_in(2)
            words = f"{'up to ' if up_to else ''}1 {piece.name} from {source.at(AT)}"
            return Line(f"move {words} into {target}", risky=not up_to)
        found = self.piece(piece, s)
        return None if found is None else Line(f"move {found.at(OR)} into {target}")

    def _move_printed(self, piece: Piece, target: str, s: Scope) -> Line | None:
        way = self.chance.randrange(6)
        thing = f"piece:{piece.name}"
        if way == 0:
            stack = self.stack(s)
            if stack is None or stack[0] != piece:
                return None
            number = self.chance.choice(["", "", "2 ", "3 "])
            end = self.chance.choice(["top", "bottom"])
            return Line(f"move {end} {number}of {stack[1].at(OF)} into {target}")
        things = self.lying(piece, s, one=True)
        if things is None or things.place is None:
            return None
        if way == 1:
            where = self.where(things, s) if self.one_in(2) else ""
            return Line(f"move all {things.text}{where} into {target}")
        if way == 2:
            name = self.chance.choice(self.box.kinds[piece.name].entries)
            noun = name if self.one_in(1.5) else piece.plural
            up_to = self.one_in(2)
            number = self.small(s).at(AT)
            words = f"{'up to ' if up_to else ''}{number} {noun}"
            return Line(f"move {words} from {things.place} into {target}", risky=not up_to)
        if way == 3 and s.draws:
            where = self.where(things, s) if self.one_in(2) else ""
            return Line(f"move (random {things.choice}{where}) into {target}")
        found = self.local(thing, s)
        if found is not None:
            return Line(f"move {found.text} into {target}")
        picked = self.choice(s, thing)
        return None if picked is None else Line(f"move {picked} into {target}", risky=True)

    # ---------------------------------------------------------------- small statements
    def _change(self, s: Scope) -> Line | None:
        way = self.chance.choice(["raise", "lower"])
        if self.one_in(8):
            stacked = [
                each
                for each in self.box.held("printed")
                if any(self.box.places[home].stack for home in each.homes)
            ]
            piece = self.chance.choice(stacked) if stacked else None
            subject = None if piece is None else self.piece(piece, s)
            if subject is not None:
                return Line(f"{way} {subject.at(AT)} by {self.small(s).at(OR)}")
        name = self.pick([*self.box.tracks])
        if name is None:
            return None
        track = self.box.tracks[name]
        if track.during not in (None, s.inside) and not self.one_in(300):
            return None
        cell = self.cell(name, track.dims, s)
        return None if cell is None else Line(f"{way} {cell.at(AT)} by {self.small(s).at(OR)}")

    def _mark(self, s: Scope) -> Line | None:
        name = self.pick([*self.box.flags])
        if name is None:
            return None
        flag = self.box.flags[name]
        if flag.during not in (None, s.inside) and not self.one_in(300):
            return None
        cell = self.cell(name, flag.dims, s)
        way = self.chance.choice(["mark", "mark", "clear"])
        return None if cell is None else Line(f"{way} {cell.at(AT)}")

    def _do(self, s: Scope) -> Line | None:
        if not s.fields or s.me is None:
            return None
        found = self.box.fields("automatic", *(["effect"] if s.chooses else []))
        found = [pair for pair in found if int(pair[1].name[1:]) < s.effects]
        field = self._field(self.chance.choice(found), s) if found else None
        return None if field is None else Line(f"do {field.at(AT)}", risky=True)

    def _needs(self, s: Scope) -> Line | None:
        text = self.chance.choice(("", ' "not {1 + 1} now"'))
        condition = self.condition(s.under()).at(OR)
        return Line(f"needs {condition}{text}", risky=True, changes=False)

    def _shuffle(self, s: Scope) -> Line | None:
        found = self.stack(s) if s.draws else None
        return None if found is None else Line(f"shuffle {found[1].at(AT)}")

    def _look(self, s: Scope) -> Line | None:
        if s.me is None:
            return None
        stack = self.stack(s) if self.one_in(2) else None
        if stack is not None:
            number = self.chance.choice(["", "2 ", "3 "])
            return Line(f"look at top {number}of {stack[1].at(OF)}", changes=False)
        printed = self.box.held("printed")
        if not printed:
            return None
        things = self.lying(self.chance.choice(printed), s, one=True)
        if things is None:
            return None
        where = self.where(things, s) if self.one_in(2) else ""
        return Line(f"look at all {things.text}{where}", changes=False)

    def _let(self, s: Scope) -> Line | None:
        name = self.fresh()
        if s.chooses and self.one_in(1.6):
            kind = self.pick(
                ["number", "player", *(f"entry:{kind.name}" for kind in self.box.plain() if kind.role != "option")]  # noqa: E501
                + [f"piece:{each.name}" for each in self.box.held("printed") for _ in range(2)]
            )  # fmt: skip
            picked = self.choice(s, kind, name if self.one_in(8) else None)
            if picked is None or kind is None:
                return None
            s.names[name] = kind
            prompt = ' "Which one?"' if self.one_in(3) else ""
            return Line(f"let {name} = {picked}{prompt}", risky=True, changes=False)
        kind = self.chance.choice(["number", "number", "seat", "yes-no"])
        if self.one_in(3) and self.box.plain():
            kind = f"entry:{self.chance.choice(self.box.plain()).name}"
        found = self.thing(kind, s)
        if found is None:
            return None
        s.names[name] = kind
        return Line(f"let {name} = {found.at(LOOSE)}", changes=False)

    def let_maybe(self, s: Scope) -> tuple[str, str, str] | None:
        """Return a name for one or none, its type, and the line that binds it."""
        found = self.maybe(s)
        if found is None:
            return None
        name = self.fresh()
        return name, found[1], f"let {name} = {found[0].at(LOOSE)}"

    LINES: ClassVar[dict[str, tuple[float, Callable[[Moving, Scope], Line | None]]]] = {
        "call": (5, _call),
        "move": (5, _move),
        "change": (4, _change),
        "mark": (2, _mark),
        "do": (3, _do),
        "needs": (1, _needs),
        "shuffle": (0.7, _shuffle),
        "look": (0.7, _look),
        "end": (0.15, lambda _, __: Line("end game")),
        "nothing": (0.4, lambda _, __: Line("nothing", changes=False)),
        "let": (2, _let),
    }
