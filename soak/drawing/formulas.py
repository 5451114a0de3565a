"""Drawn values and scores, and the hooks on values."""

from __future__ import annotations

from soak.drawing.blocks import Lines, indented
from soak.drawing.box import SEATS, Named, word_of
from soak.drawing.declared import Declared
from soak.drawing.scope import LOOSE, OR, Scope

VALUES = ("weight", "pride", "grace", "depth", "reach", "might", "cheer")


class Formulas(Declared):
    """Draws named values."""

    def _values(self) -> None:
        box, write = self.box, self.write
        names = self.some(VALUES, 0, 5)
        box.formula_reach = self.chance.randint(0, len(names))
        for at, name in enumerate(names):
            kinds = ["number", "number", "number", "yes-no", "seat"]
            kinds += [f"entry:{each.name}" for each in box.plain()]
            of = [
                "seat",
                "seat",
                "player",
                "number",
                *(box.thing(each.name) for each in box.plain()),
            ]
            of += [f"piece:{each.name}" for each in box.held("printed")]
            params = tuple(self.chance.sample(of, self.chance.choice((0, 1, 1, 2))))
            kind = self.chance.choice(kinds)
            heads, scope = self._value_head(params)
            scope.values, scope.formulas = at, at >= box.formula_reach
            if kind == "seat":
                kind = "player" if scope.me == "player" else scope.me or "number"
            formula = self._formula(kind, scope)
            if formula is None:
                continue
            value = Named(name, params, kind, at)
            self._rules.append(write_head(f"value {name}{heads}", formula))
            number = self.chance.choice((0, 0, 1, 2))
            for _ in range(number):
                hook, under = self._value_head(params)
                under.values, under.beneath = at, value
                under.formulas = scope.formulas
                sure = number == 1 and self.one_in(2)
                when = "" if sure else f" when {write.condition(under).at(OR)}"
                more = self._formula(kind, under)
                if more is not None:
                    self._rules.append(write_head(f"instead of value {name}{hook}{when}", more))
            box.values.append(value)

    def _value_head(self, params: tuple[str, ...]) -> tuple[str, Scope]:
        scope = Scope()
        text = ""
        for at, kind in enumerate(params):
            word = word_of(kind)
            prep = "at" if at else "of"
            if kind in SEATS and not at and self.one_in(1.5):
                text += f" {prep} {kind}"
                scope.names[kind] = kind
            else:
                name = self.write.fresh("q")
                text += f" {prep} {word} {name}"
                scope.names[name] = kind
            if kind in SEATS and not at:
                scope.me = kind
        return text, scope

    def _loose(self, kind: str, s: Scope) -> str | None:
        """Return a value of a type, as loose as it likes to be."""
        found = self.write.thing(kind, s)
        return None if found is None else found.at(LOOSE)

    def _formula(self, kind: str, scope: Scope) -> Lines | None:
        write = self.write
        if self.one_in(1.6):
            last = self._loose(kind, scope)
            return None if last is None else [last]
        lines: Lines = []
        if self.one_in(3):
            name = write.fresh()
            found = self._loose("number", scope)
            if found is not None:
                lines.append(f"let {name} = {found}")
                scope.names[name] = "number"
        if self.one_in(3):
            maybe = write.let_maybe(scope)
            if maybe is not None:
                name, of, line = maybe
                lines.append(line)
                under = scope.block()
                under.names[name] = of
                case = write.thing(kind, under)
                if case is not None:
                    lines.append(f"{case.at(OR)} if any {name}")
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            case = write.thing(kind, scope)
            if case is not None:
                lines.append(f"{case.at(OR)} if {write.condition(scope).at(OR)}")
        last = self._loose(kind, scope)
        if last is None:
            return None
        word = "otherwise " if lines and " if " in lines[-1] else ""
        return [*lines, f"{word}{last}"]


def write_head(head: str, formula: Lines) -> Lines:
    """Return a value or a score with its formula."""
    if len(formula) == 1 and not formula[0].startswith("let "):
        return [f"{head}: {formula[0]}"]
    return [f"{head}:", *indented(formula)]
