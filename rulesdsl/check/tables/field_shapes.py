"""What can be in a field of an entry, type by type, and what an editor says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.files import AMOUNT, NUMBER, TOO_LARGE
from rulesdsl.check.types import a_or_an
from rulesdsl.packs.shapes import (
    SOMETHING,
    YES_NO,
    Json,
    Shape,
    array,
    is_table,
    is_text,
    reference,
    table,
    text,
    whole,
)
from rulesdsl.source.suggest import among
from rulesdsl.syntax.parser import parse_effect, parse_formula
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.check.world import FieldInfo, KindInfo, World
    from rulesdsl.packs.place import Place
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body


def shape_of(field: FieldInfo, world: World) -> tuple[Shape, str] | None:
    """Return the shape of a value of a field and words for it; `None` for an unknown type."""
    if field.type == field.per == "number":
        return _CHART, "a chart: values at some numbers"
    if field.type == "bundle":
        noun = next(iter(_nouns(world)), "coins")
        return _price(world), f"a price, such as {{ {noun} = 2 }}"
    kind = world.kinds.get(world.singular(field.type))
    if field.type in _SIMPLE or kind is None:
        return _SIMPLE.get(field.type)
    if field.type == kind.name:
        return _entry(kind, world), f"one {kind.title}"
    return _entries(kind, world), f"a list, each one {kind.title}"


def definitions(world: World) -> dict[str, Json]:
    """Return what the schemas of these shapes refer to."""
    price = table(dict.fromkeys(_nouns(world), reference("amount")))
    blank_lines: Json = {"items": {"type": "string", "pattern": r"^\s*$"}}
    lines: Json = {**array({"type": "string"}), "minItems": 1, "not": blank_lines}
    effect: Json = {"anyOf": [text(SOMETHING).schema, lines]}
    return {"amount": AMOUNT.schema, "price": price, "effect": effect}


def _chart(said: dict[str, object], place: Place) -> tuple[tuple[int, int], ...]:
    points: list[tuple[int, int]] = []
    for key, each in said.items():
        is_number = key.isascii() and key.isdigit()
        point = _POINT.read(each if is_number else None, place.below(key))
        points += [] if point is None else [(int(key), point)]
    return tuple(sorted(points))


def _price(world: World) -> Shape:
    """Return the shape of amounts of what can be paid."""

    def parse(said: dict[str, object], place: Place) -> dict[str, int]:
        amounts: dict[str, int] = {}
        for noun, each in said.items():
            singular = world.singular(noun)
            if singular in world.bundle_nouns:
                is_negative = isinstance(each, int) and each < 0
                amount = (AMOUNT if is_negative else NUMBER).read(each, place.below(noun))
                amounts |= {} if amount is None else {singular: amount}
            elif not world.doubtful(noun):
                message = f"Nothing that can be paid is called `{noun}`."
                place.below(noun).unknown(message, _nouns(world))
        return amounts

    return Shape(is_table, "a price, such as { coins = 2 }", reference("price"), parse)


def _nouns(world: World) -> list[str]:
    """Return what a price can name: the plural first, as it is written most often."""
    plurals = {singular: plural for plural, singular in world.plurals.items()}
    names = ((plurals.get(each, each), each) for each in world.bundle_nouns)
    return list(dict.fromkeys(name for both in names for name in both))


def _effect(said: str | list[str], place: Place) -> Body | None:
    if isinstance(said, str):
        pieces = [(said, place.string_map)]
    else:
        pieces = [(each, place.below(at).string_map) for at, each in enumerate(said)]
    lines = "\n".join(piece for piece, _ in pieces)
    if not lines.strip():
        place.wrong("an effect, such as `nothing`", said)
        return None
    positions = tuple(position for _, positions in pieces for position in positions)
    return parse_effect(lines, place.span.file, place.findings, positions)


def _formula(said: str, place: Place) -> Expr | None:
    return parse_formula(said, place.span.file, place.findings, place.string_map)


def _entry(kind: KindInfo, world: World) -> Shape:
    """Return the shape of the name of an entry: its index, or -1 where there is no such entry."""

    def parse(name: str, place: Place) -> int:
        if name in kind.index:
            return kind.index[name]
        if not world.doubtful(name) and kind.name not in world.broken:
            advice = among(name, kind.index)
            place.report("E201", f"There is no {kind.name} `{name}`.", advice)
        return -1

    titles = {"docs": {"enumValues": [each.title for each in kind.entries]}}
    names = [each.name for each in kind.entries]
    schema: Json = {"type": "string", "enum": names, "x-taplo": titles}
    return Shape(is_text, f"the name of {a_or_an(kind.name)}", schema, parse)


def _entries(kind: KindInfo, world: World) -> Shape:
    """Return the shape of a list of names of entries; those that there are not are left out."""
    one = _entry(kind, world)

    def parse(names: list[str], place: Place) -> tuple[int, ...]:
        indexes = [one.parse(each, place.below(at)) for at, each in enumerate(names)]
        return tuple(each for each in indexes if each >= 0)

    return Shape(_is_texts, f"a list of {kind.plural}", array(one.schema), parse)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(is_text(each) for each in value)


_POINT = whole(
    -MAX_NUMBER,
    MAX_NUMBER,
    "a chart with whole numbers on both sides, such as { 2 = 5, 3 = 7 }",
    TOO_LARGE,
)
_CHART = Shape(
    lambda value: is_table(value) and bool(value),
    "a chart, such as { 2 = 5, 3 = 7 }",
    {
        "type": "object",
        "patternProperties": {"^[0-9]+$": NUMBER.schema},
        "additionalProperties": False,
        "minProperties": 1,
    },
    _chart,
)
_LINES = "a line of the rules, or a list of lines"
_EFFECT = Shape(
    lambda value: is_text(value) or (_is_texts(value) and bool(value)),
    "an effect: a text, or a list of texts",
    reference("effect"),
    _effect,
)
_FORMULA = text(SOMETHING, "a value as a text").then(_formula)
_SIMPLE: dict[str, tuple[Shape, str]] = {
    "number": (NUMBER, "a whole number"),
    "yes-no": (YES_NO.then(lambda on, _: int(on)), "true or false"),
    "text": (text(), "a text"),
    "effect": (_EFFECT, f"an effect: {_LINES}"),
    "automatic": (_EFFECT, f"an effect without a choice: {_LINES}"),
    "formula": (_FORMULA, "a value, worked out each time it is asked for"),
}
