"""What can stand in a field of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.defaults import NEEDED
from rulesdsl.check.tables.rules_entries import field_constant
from rulesdsl.schema.parts import (
    SOMETHING,
    Json,
    array,
    described,
    number,
    reference,
    table,
    text,
    words,
)
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.check.world import FieldInfo, KindInfo, World

_BLANK_LINES: Json = {"items": {"type": "string", "pattern": r"^\s*$"}}
_ONE_LINE_OR_MORE: Json = {
    "anyOf": [text(SOMETHING), {**array({"type": "string"}), "minItems": 1, "not": _BLANK_LINES}]
}
_CHART: Json = {
    "type": "object",
    "patternProperties": {"^[0-9]+$": number()},
    "additionalProperties": False,
    "minProperties": 1,
}
_IN_WORDS = {
    "number": "a whole number",
    "yes-no": "true or false",
    "text": "a text",
    "bundle": "a price, such as { NOUN = 2 }",
    "effect": "an effect: a line of the rules, or a list of lines",
    "automatic": "an effect without a choice: a line of the rules, or a list of lines",
    "formula": "a value, worked out each time it is asked for",
}


_AMOUNT, _PRICE, _EFFECT = "amount", "price", "effect"


class FieldSchemas:
    """The schemas of fields, as far as the declarations of a world say."""

    def __init__(self, world: World) -> None:
        self.world = world

    def definitions(self) -> dict[str, Json]:
        """Return what the schemas of fields refer to."""
        price = table(dict.fromkeys(self._nouns(), reference(_AMOUNT)))
        return {_AMOUNT: number(0, MAX_NUMBER), _PRICE: price, _EFFECT: _ONE_LINE_OR_MORE}

    def is_needed(self, field: FieldInfo) -> bool:
        """Whether every entry has to say what the field is."""
        return field.type in NEEDED and field.default is None

    def field(self, kind: KindInfo, field: FieldInfo, *, whole: bool) -> Json:
        """Return the schema of a field; not `whole` where a mod changes a part of it."""
        schema = self._keyed(field, whole=whole)
        return described(schema, self._words(kind, field), self._default(field))

    def _keyed(self, field: FieldInfo, *, whole: bool) -> Json:
        if field.per is None:
            return self._value(field)
        if field.per == "number":
            return _CHART
        keys = self.world.kinds[field.per].entries
        value = self._value(field)
        properties = dict.fromkeys((each.name for each in keys), value)
        needed = properties if whole and self.is_needed(field) else ()
        return table(properties, needed)

    def _value(self, field: FieldInfo) -> Json:
        match field.type:
            case "number":
                return number()
            case "yes-no":
                return {"type": "boolean"}
            case "text":
                return text()
            case "bundle":
                return reference(_PRICE)
            case "effect" | "automatic":
                return reference(_EFFECT)
            case "formula":
                return text(SOMETHING)
            case _:
                return self._entries(field.type)

    def _nouns(self) -> list[str]:
        """Return what a price can name: the plural first, as it is written most often."""
        plurals = {singular: plural for plural, singular in self.world.plurals.items()}
        names = ((plurals.get(each, each), each) for each in self.world.bundle_nouns)
        return list(dict.fromkeys(name for both in names for name in both))

    def _entries(self, name: str) -> Json:
        """Return the schema of an entry of a kind, or of a list of them."""
        kind = self.world.kinds[self.world.singular(name)]
        one = words(each.name for each in kind.entries)
        one["x-taplo"] = {"docs": {"enumValues": [each.title for each in kind.entries]}}
        return one if name == kind.name else array(one)

    def _words(self, kind: KindInfo, field: FieldInfo) -> str:
        said = _IN_WORDS.get(field.type) or self._of_kind(field.type)
        said = said.replace("NOUN", next(iter(self._nouns()), "coins"))
        if field.per == "number":
            said = "a chart: values at some numbers"
        elif field.per is not None:
            said += f", for each {self.world.kinds[field.per].title}"
        return f"{kind.title}: {field.name}, {said}."

    def _of_kind(self, name: str) -> str:
        kind = self.world.kinds[self.world.singular(name)]
        return f"one {kind.title}" if name == kind.name else f"a list, each one {kind.title}"

    def _default(self, field: FieldInfo) -> object:
        """Return what holds where an entry says nothing, as TOML has it."""
        if field.default is None or field.per is not None:
            return None
        found = field_constant(field.default, field, self.world)
        if field.type == "yes-no":
            return bool(found)
        kind = self.world.kinds.get(field.type)
        return kind.entries[found].name if kind and isinstance(found, int) else found
