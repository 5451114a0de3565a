"""Drawn entries: in the rules, or in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.drawing.blocks import Lines, indented
from soak.drawing.formulas import Formulas
from soak.drawing.scope import LOOSE, Scope
from soak.drawing.statements import EFFECTS

if TYPE_CHECKING:
    from soak.drawing.box import Field, Kind


class Entries(Formulas):
    """Draws what entries hold."""

    def _entries(self) -> None:
        for kind in self.box.kinds.values():
            if kind.role == "option":
                continue
            simple = all(
                each.per is None and each.type in {"number", "yes-no", "effect", "automatic"}
                for each in kind.fields
            )
            if kind.role == "kind" and not kind.fields:
                continue
            if simple and kind.fields and self.one_in(2):
                self._entries_in_rules(kind)
            else:
                self._entries_in_table(kind)

    def _entries_in_rules(self, kind: Kind) -> None:
        for entry in kind.entries:
            lines: Lines = []
            for field in kind.fields:
                if field.default is not None and self.one_in(2):
                    continue
                if field.type in {"effect", "automatic"}:
                    lines += self.write.put(field.name, self._effect(field))
                else:
                    lines.append(f"{field.name} = {self._simple(field)}")
            if not lines:
                field = kind.fields[0]
                lines = [f"{field.name} = {self._simple(field)}"]
            head = f"{kind.name} {entry}{self.title(entry)}"
            self._rules.append([f"{head}:", *indented(lines)])

    def _simple(self, field: Field) -> str:
        if field.type == "yes-no":
            return self.chance.choice(["on", "off"])
        return str(self.chance.randint(0, 4))

    def _entries_in_table(self, kind: Kind) -> None:
        kind.table = self.chance.choice([f"{kind.plural}.toml", "all.toml"])
        lines = self._tables.setdefault(kind.table, [])
        for entry in kind.entries:
            shared = kind.table == "all.toml"
            lines.append(f"[{kind.name}.{entry}]" if shared else f"[{entry}]")
            if self.one_in(3):
                self._titles += 1
                lines.append(f'name = "{entry.capitalize()} {self._titles}"')
            if kind.role == "piece" and self.one_in(2):
                lines.append(f"copies = {self.chance.choice((1, 2, 3, 5))}")
            for field in kind.fields:
                lines += self._field_rows(field)

    def _field_rows(self, field: Field) -> list[str]:
        if field.default is not None and self.one_in(2):
            return []
        if field.per is None or field.per == "number":
            value = self.chart() if field.per == "number" else self._toml(field)
            return [f"{field.name} = {value}"]
        return [
            f"{field.name}.{each} = {self._toml(field)}"
            for each in self.box.kinds[field.per].entries
            if field.type != "effect" or self.one_in(1.5)
        ]

    def _toml(self, field: Field) -> str:
        match field.type:
            case "number":
                return str(self.chance.choice((0, 1, 1, 2, 3, 4)))
            case "yes-no":
                return self.chance.choice(["true", "false"])
            case "text":
                return '"Some words"'
            case "bundle":
                return self.price()
            case "effect" | "automatic":
                lines = self._effect(field)
                quoted = [f"'{line}'" for line in lines]
                return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"
            case "formula":
                scope = Scope("seat", values=self.box.formula_reach, fields=False, formulas=False)
                return f"'{self.write.number(scope).at(LOOSE)}'"
            case _:
                return self._reference(field.type)

    def _reference(self, word: str) -> str:
        kinds = self.box.kinds
        if word in kinds:
            return f'"{self.chance.choice(kinds[word].entries)}"'
        kind = next(each for each in kinds.values() if each.plural == word)
        chosen = self.chance.sample(kind.entries, self.chance.randint(1, len(kind.entries)))
        return f"[{', '.join(f'{chr(34)}{each}{chr(34)}' for each in chosen)}]"

    def _effect(self, field: Field) -> Lines:
        scope = Scope(
            "seat",
            procs=self.box.effect_reach,
            chooses=field.type == "effect",
            draws=field.type == "effect",
            effects=int(field.name[1:]),
            auto=field.type == "automatic",
        )
        scope.depth = 2
        lines: Lines = []
        self.write.aim = self.chance.choice(EFFECTS) if self.one_in(3) else ""
        for _ in range(self.chance.choice((1, 1, 2))):
            lines += self.write.statement(scope)
        return lines
